/**
 * lbsim beside its rivals: C++, Go, Python and what npm has, each where this machine can run it. `npm run bench -- rows`;
 * docs/performance.md tells how to read it. Ends with exit code 1 where two sides that should agree do not.
 */
import { lbsim, rival } from './contenders.js';
import type { Answer } from './contender.js';
import { inTurns, ratios, spread } from './in-turns.js';
import type { Report } from './print.js';
import { isAsked, print, quick, write } from './print.js';
import type { Rival, Row } from './rows.js';
import { rowsOf } from './rows.js';

const WARM_UP_S = 2;
/** A hundred tables or more: until then the engine compiles, and what it has compiled it takes back. */
const ALONE_S = 1;

type Line = Report['rows'][number];

const lines: Line[] = [];
for (const row of rowsOf(quick).filter(isAsked)) {
  lines.push(...(await measure(row)));
  if (process.stderr.isTTY) process.stderr.write('.');
}
const rounds = quick ? 'of one round' : 'median (least – most) of the rounds';
const report = { title: `CPU ms, ${rounds}; ratio: what lbsim needs for what the rival does in 1.`, rows: lines };
print(report);
await write('rows', report);

async function measure(row: Row): Promise<Line[]> {
  const found = row.rivals.map((each) => ({ ...each, launch: rival(each.name) }));
  const rivals = found.flatMap(({ launch, ...each }) => (launch === undefined ? [] : [{ ...each, launch }]));
  const sides = [{ launch: lbsim(), job: row.job }, ...rivals];
  const rounds = quick ? 1 : row.rounds;
  const answers = await inTurns(
    sides,
    row.first === undefined
      ? { rounds, ...(quick ? {} : { warmUpS: WARM_UP_S, aloneS: ALONE_S }) }
      : { rounds, roundsOfProcess: 1 },
  );
  const [ours, ...theirs] = answers ?? [];
  if (ours === undefined) throw new Error(`${row.what}: a side does not know its job`);
  const own = {
    job: row.what,
    lbsim: spread(ours.map(({ ms }) => ms)),
    MB: ours[0]?.megabytes === undefined ? undefined : spread(ours.map(({ megabytes = NaN }) => megabytes)).median,
  };
  const missing = found.flatMap(({ name, launch }) => (launch === undefined ? [`${name}: not measured here`] : []));
  const measured = rivals.map((each, at) => ({ ...own, ...beside(row, ours, each, theirs[at] ?? []) }));
  return [...measured, ...(found.length === 0 ? [own] : missing.map((one) => ({ ...own, rival: one })))];
}

function beside(
  { what, agree, within = 0 }: Row,
  ours: readonly Answer[],
  { name, how, goal }: Rival,
  theirs: readonly Answer[],
): Line {
  const ratio = spread(ratios(ours, theirs));
  // Rings of npm place hosts by other hashes.
  const comparable = agree === 'mean' || ['C++', 'BigInt + sort'].includes(name) ? agree : undefined;
  const same = ours.every((answer, round) => isNear(answer, theirs[round], comparable, within));
  if (!same) {
    console.error(`${what}: lbsim and ${name} do not agree`);
    process.exitCode = 1;
  }
  return {
    rival: `${name === 'lbsim' ? 'the other' : name}${how === undefined ? '' : `, ${how}`}`,
    'its ms': spread(theirs.map(({ ms }) => ms)).median,
    ratio,
    goal: goal && `${goal.isBound === true ? '≤ ' : ''}${goal.ratio}`,
    agrees: same ? comparable : false,
  };
}

function isNear(ours: Answer, theirs: Answer | undefined, agree: Row['agree'], within: number): boolean {
  const other = theirs?.result ?? NaN;
  if (agree === undefined) return true;
  return agree === 'checksum' ? ours.result === other : Math.abs(ours.result / other - 1) <= within;
}
