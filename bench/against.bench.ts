/**
 * The gate: this tree beside another state of the sources, in turns. `npm run bench -- --against main`, or any other name that git
 * knows; `--bound=1.2` where 1.1 is too strict. docs/tests.md tells when to use it.
 *
 * A row moved where the interval of the median of its ratios leaves 1 out. What seems slower is measured again, by twice as many
 * rounds, before it counts. Exit code 1: a row moved and is slower by more than the bound, or a result differs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lbsim } from './contenders.js';
import { inTurns, ratios, spread } from './in-turns.js';
import type { Spread } from './in-turns.js';
import { isAsked, print, quick } from './print.js';
import { rowsOf } from './rows.js';

const reference = process.argv[2] ?? '';
const boundText = process.argv.find((argument) => argument.startsWith('--bound='))?.slice('--bound='.length) ?? '1.1';
const bound = Number(boundText);
const ROUNDS = quick ? 5 : 9;
/** Code is compiled in another way by each process: rounds are spread over some. */
const ROUNDS_OF_PROCESS = 3;

class NotPossible extends Error {}

const folder = mkdtempSync(join(tmpdir(), 'lbsim-against-'));
const tree = join(folder, 'tree');
try {
  build();
  await compare();
} catch (error) {
  if (!(error instanceof NotPossible)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  git('worktree', 'remove', '--force', tree);
  rmSync(folder, { recursive: true, force: true });
}

function build(): void {
  if (!(bound >= 1)) fail(`--bound is a number from 1 on, not ${boundText}`);
  const { status } = git('rev-parse', '--verify', '--quiet', `${reference}^{commit}`);
  if (status !== 0) fail(`git knows no state of the sources that is called ${reference}`);
  step('git', 'worktree', 'add', '--quiet', '--detach', tree, reference);
  const sameModules = ['package-lock.json'].every((file) => readFileSync(file, 'utf8') === read(join(tree, file)));
  if (sameModules) symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  else step('npm', 'ci', '--no-audit', '--no-fund');
  step(process.execPath, 'scripts/build.mjs');
}

async function compare(): Promise<void> {
  const jobs = new Map(
    rowsOf(true)
      .filter(isAsked)
      .map((row) => [row.job, row]),
  );
  const rows = [];
  for (const row of jobs.values()) {
    const sides = [lbsim(), lbsim(tree)].map((launch) => ({ launch, job: row.job }));
    const turns = row.first === undefined ? { roundsOfProcess: ROUNDS_OF_PROCESS, warmUpS: 1 } : { roundsOfProcess: 1 };
    let rounds = ROUNDS;
    // The other state may not read what this one ships. Where this tree fails, that is an error.
    let answers = await inTurns(sides, { rounds, ...turns }).catch(async () => {
      await inTurns(sides.slice(0, 1), { rounds: 1 });
      return undefined;
    });
    const first = interval(ratios(answers?.[0] ?? [], answers?.[1] ?? []));
    if (first.median > bound && first.least > 1) {
      rounds *= 2;
      answers = await inTurns(sides, { rounds, ...turns });
    }
    if (answers === undefined) {
      rows.push({ job: row.what, verdict: 'only one of both can do it' });
      continue;
    }
    const [now = [], before = []] = answers;
    const ratio = interval(ratios(now, before));
    const same = now.every(({ result }, round) => result === before[round]?.result);
    const moved = ratio.least > 1 || ratio.most < 1;
    const isSlower = moved && ratio.median > bound;
    if (isSlower || !same) process.exitCode = 1;
    rows.push({
      job: row.what,
      before: spread(before.map(({ ms }) => ms)).median,
      now: spread(now.map(({ ms }) => ms)).median,
      'now / before': ratio,
      verdict: !same
        ? 'ANOTHER RESULT'
        : isSlower
          ? 'SLOWER'
          : !moved
            ? ''
            : ratio.median < 1
              ? 'faster'
              : 'a little slower',
    });
    if (process.stderr.isTTY) process.stderr.write('.');
  }
  print({
    title: `This tree beside ${reference}: CPU ms, medians; the ratio with the interval of its median. Slower: by more than ${bound}.`,
    rows,
  });
}

/** The median, and an interval that holds the true one 19 times of 20: of n values in order, n/2 ∓ √n. */
function interval(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const reach = Math.sqrt(sorted.length);
  const at = (place: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, place))] ?? NaN;
  return {
    least: at(Math.round((sorted.length - 1) / 2 - reach)),
    median: at(sorted.length >> 1),
    most: at(Math.round((sorted.length - 1) / 2 + reach)),
  };
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function git(...args: string[]): { status: number | null } {
  return spawnSync('git', args, { stdio: 'ignore' });
}

/** In the other tree, once there is one. What it prints is not a result. */
function step(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, {
    cwd: existsSync(tree) ? tree : '.',
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) fail(`${[command, ...args].join(' ')} failed`);
}

function fail(why: string): never {
  throw new NotPossible(why);
}
