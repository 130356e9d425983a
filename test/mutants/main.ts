import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command } from 'commander';
import ts from 'typescript';
import { xxhash64String } from '../../src/hash/text-hashes.js';
import type { Mutant, Reach, Task } from './child.js';
import { EQUIVALENT } from './equivalent.js';
import { mutationsOf, withMutations, type Mutation } from './mutations.js';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** Test files and folders. */
type Tests = readonly string[];

/** Folders with their killers: what the first ones let live goes on to the next. */
interface Part {
  readonly folders: readonly string[];
  readonly killers: readonly ('laws' | Tests)[];
}

/** What many small scenarios gave when they were recorded. */
const RANDOM_SCENARIOS: Tests = ['test/random-scenarios.test.ts'];

/**
 * Balancers are held to the public laws first, which are what a balancer of others has. Laws see picks and what a balancer
 * says of its levels. What else it says and counts (gauges, statistics, whose turn it is, the name of a fallback), how a
 * policy is registered, and what analyses ask of it beside picks, only tests of these folders see: a run tells how many
 * mutants they had to kill.
 */
const PARTS: readonly Part[] = [
  {
    folders: [
      'src/policy',
      'src/policy/extensions',
      'src/policy/foreign',
      'src/hostset',
      'src/hostset/subset',
      'src/schedule',
    ],
    killers: [
      'laws',
      RANDOM_SCENARIOS,
      ['test/policy', 'test/hostset', 'test/schedule', 'test/policies', 'test/library-calls.test.ts'],
    ],
  },
  {
    folders: [
      'src/upstream',
      'src/upstream/discovery',
      'src/simulation',
      'src/simulation/servers',
      'src/simulation/stats',
      'src/predict',
      'src/predict/under-load',
    ],
    // Random scenarios and shipped ones against their records, the tests of these folders and of what shows their insides; then those of every
    // field and word, of the books after each event, and of what analyses make of runs and predictions.
    killers: [
      RANDOM_SCENARIOS,
      [
        'test/scenarios.test.ts',
        'test/upstream',
        'test/simulation',
        'test/predict',
        'test/analysis/explain.test.ts',
        'test/analysis/explain-request.test.ts',
        'test/analysis/inspect.test.ts',
        'test/cli/ring.test.ts',
        'test/library-calls.test.ts',
      ],
      ['test/effects', 'test/swarm', 'test/analysis', 'test/worked-examples.test.ts'],
    ],
  },
];

/** What decides nothing in them. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'the words of explanations and reports': [
    'src/hostset/decision-steps.ts',
    'src/hostset/describe.ts',
    'src/hostset/split-facts.ts',
    'src/simulation/request-story.ts',
    'src/upstream/cause.ts',
    'src/upstream/cause.ts',
    'src/upstream/discovery/describe-change.ts',
  ],
  'counts of statistics': [
    'src/hostset/load-balancer.ts',
    'src/hostset/subset/subset-stats.ts',
    'src/hostset/zone-counts.ts',
    'src/simulation/stats/cluster-stats.ts',
    'src/simulation/stats/measurements.ts',
    'src/simulation/stats/stats-feed.ts',
    'src/simulation/cluster-results.ts',
    'src/upstream/connection-pool.ts',
    'src/upstream/health-checker.ts',
    'src/upstream/cause.ts',
  ],
  'checks of foreign modules, and names of policies': [
    'src/policy/foreign/adapted-module.ts',
    'src/policy/foreign/policy-module.ts',
    'src/policy/registry.ts',
  ],
  'an engine of random numbers, which published values hold': ['src/policy/mersenne-twister.ts'],
  'what analyses compute beside balancers, or tests compare them with': [
    'src/policy/kept-keys.ts',
    'src/schedule/even-times.ts',
  ],
};

interface Options {
  readonly count: string;
  readonly seed: string;
  readonly only?: string;
  readonly killers?: string;
  readonly verbose?: boolean;
}

type Outcome =
  { readonly kind: 'killed'; readonly by: string } | { readonly kind: 'survived' | 'equivalent'; readonly why: string };

const UNKNOWN: Outcome = { kind: 'survived', why: 'it was not judged' };

/** Why a mutation decides nothing, by its name. */
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries(EQUIVALENT).flatMap(([file, ofFile]) =>
    ofFile.flatMap(([place, changes, why]) =>
      changes.split(', ').map((change) => [`${file}  ${place}  ${change}`, why] as const),
    ),
  ),
);

const command = new Command('mutants')
  .description(
    'Changes the sources of balancers, and counts the changes that the laws of lbsim/testing notice, or else their tests; of upstream, simulation and predict those that scenarios and tests notice.',
  )
  .option('--count <n>', 'mutants, drawn from all there are', '300')
  .option('--seed <text>', 'of the draw', '1')
  .option(
    '--only <pattern>',
    'only those of them whose place, as src/policy/random.ts:42, this regular expression matches',
  )
  .option(
    '--killers <pattern>',
    'ask only laws and tests whose name, as `MAGLEV at 1.40 decides as recorded`, it matches',
  )
  .option('--verbose', 'print the killed ones, too')
  .action(run);

await command.parseAsync();

async function run({ count, seed, only = '', killers = '', verbose = false }: Options): Promise<void> {
  const sources = new Map(sourceFiles().map((file) => [file, readFileSync(join(project, file), 'utf8')]));
  const all = [...sources].flatMap(([file, source]) => mutationsOf(file, source));
  reportUnknown(all);
  const drawn = sample(all, Number(count), seed).filter(({ file, line }) => new RegExp(only).test(`${file}:${line}`));
  if (drawn.length === 0) {
    console.log(`none of ${count} mutants is at ${only}; --count draws more of the ${all.length} that there are`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const outcomes = new Map<Mutation, Outcome>();
  let byLaws = 0;
  const note = (mutation: Mutation | undefined, outcome: Outcome): void => {
    if (mutation === undefined) return;
    outcomes.set(mutation, outcome);
    if (verbose || outcome.kind === 'survived') console.log(lineOf(mutation, outcome));
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${outcomes.size} of ${drawn.length} `);
  };
  try {
    for (const part of PARTS) {
      let left = drawn.filter(({ file }) => part.folders.includes(dirname(file)));
      for (const [turn, those] of part.killers.entries()) {
        const living: Mutation[] = [];
        const work = { tests: those === 'laws' ? undefined : those, asked: killers };
        if (left.length === 0) break;
        await judgeAll(left, sources, folder, work, (number, outcome) => {
          const mutation = left[number];
          if (those === 'laws' && outcome.kind === 'killed') byLaws++;
          if (outcome.kind !== 'survived' || turn === part.killers.length - 1) note(mutation, outcome);
          else if (mutation !== undefined) living.push(mutation);
        });
        left = living;
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  }
  summarize(
    drawn.map((mutation) => [mutation, outcomes.get(mutation) ?? UNKNOWN]),
    all.length,
    byLaws,
  );
}

function sourceFiles(): readonly string[] {
  const others = new Set(Object.values(OTHERS).flat());
  const folders = PARTS.flatMap((part) => part.folders);
  return folders
    .flatMap((folder) =>
      readdirSync(join(project, folder))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name}`),
    )
    .filter((file) => !others.has(file));
}

/** So many of them, in their order: the same for the same seed, and mostly the same after a change elsewhere. */
function sample(all: readonly Mutation[], count: number, seed: string): readonly Mutation[] {
  const keyed = all.map((mutation, order) => {
    const { file, place, change } = mutation;
    return { mutation, order, key: xxhash64String([seed, file, place, change].join('\n')).hi };
  });
  const first = keyed.sort((a, b) => a.key - b.key).slice(0, count);
  return first.sort((a, b) => a.order - b.order).map(({ mutation }) => mutation);
}

/** The list of equivalent mutations must not outlive its sources. */
function reportUnknown(all: readonly Mutation[]): void {
  const known = new Set(all.map(nameOf));
  for (const name of REASONS.keys()) if (!known.has(name)) console.log(`no such mutation: ${name}`);
}

function nameOf({ file, place, change }: Mutation): string {
  return `${file}  ${place}  ${change}`;
}

/** Asks the killers over all sources with the mutations in them; where a mutant ends its process, the others go on in another. */
async function judgeAll(
  drawn: readonly Mutation[],
  sources: ReadonlyMap<string, string>,
  folder: string,
  killers: Pick<Task, 'tests' | 'asked'>,
  note: (number: number, outcome: Outcome) => void,
): Promise<void> {
  const textsWith = (isActive: (number: number) => string): Readonly<Record<string, string>> => {
    const texts: Record<string, string> = {};
    for (const [file, source] of sources) {
      const own = drawn.flatMap((mutation, number) => (mutation.file === file ? [{ mutation, number }] : []));
      if (own.length > 0)
        texts[urlOf(file)] = compiled(`const { mutants } = globalThis;\n${withMutations(source, own, isActive)}`);
    }
    return texts;
  };
  const reachFile = join(folder, 'reach.json');
  const noting = textsWith((number) => `((mutants.reached[${number}] = true), false)`);
  if ((await work({ texts: noting, ...killers, reachFile, mutants: [] }, folder)) !== 0)
    throw new Error('the laws or tests cannot be run');
  const [loaded, ...reaches] = JSON.parse(readFileSync(reachFile, 'utf8')) as readonly Reach[];
  for (const { name } of reaches.filter(({ fails }) => fails))
    console.log(`fails without any mutation, and is not asked: ${name}`);
  const isLoaded = (number: number): boolean => loaded?.reached.includes(number) === true;
  /** Killers that reach any place of a file. */
  const byFile = (file: string): ReadonlySet<number> => {
    const own = [...drawn.keys()].filter((number) => drawn[number]?.file === file && !isLoaded(number));
    const some = [...reaches.keys()].filter((at) => own.some((number) => reaches[at]?.reached.includes(number)));
    return new Set(some.length > 0 ? some : reaches.keys());
  };
  const mutants: Mutant[] = [];
  for (const [number, mutation] of drawn.entries()) {
    const why = REASONS.get(nameOf(mutation));
    const here = isLoaded(number) ? byFile(mutation.file) : undefined;
    const own = reaches.filter(
      ({ reached, fails }, at) => fails !== true && (here?.has(at) ?? reached.includes(number)),
    );
    if (why !== undefined) note(number, { kind: 'equivalent', why });
    else if (own.length === 0) note(number, { kind: 'survived', why: 'nothing reaches it' });
    else
      mutants.push({
        number,
        killers: own.map(({ name, cpuMs }) => ({ name, cpuMs })).sort((a, b) => a.cpuMs - b.cpuMs),
      });
  }
  const texts = textsWith((number) => `mutants.active === ${number}`);
  for (const mutant of mutants.filter(({ number }) => isLoaded(number))) {
    const done = new Set<Mutant>();
    const code = await work({ texts, ...killers, mutants: [mutant] }, folder, (outcome) => {
      if (tell(mutant, outcome, note)) done.add(mutant);
    });
    if (!done.has(mutant))
      note(mutant.number, {
        kind: 'killed',
        by: code === 0 ? 'it ends without a word' : 'it does not load, or does not end',
      });
  }
  let left = mutants.filter(({ number }) => !isLoaded(number));
  while (left.length > 0) {
    let at = left[0];
    const done = new Set<Mutant>();
    const code = await work({ texts, ...killers, mutants: left }, folder, (outcome, number) => {
      at = left.find((mutant) => mutant.number === number);
      if (at !== undefined && tell(at, outcome, note)) done.add(at);
    });
    const ended = at;
    if (ended !== undefined && !done.has(ended)) {
      // What it leaves behind fails its killer without it: it was seen, or what came before it was; in a process of its own that shows.
      const isFirst = ended === left[0];
      if (code !== 3 || isFirst) {
        done.add(ended);
        note(ended.number, { kind: 'killed', by: code === 3 ? 'what saw it fails after it, too' : 'it does not end' });
      } else left = [ended, ...left.filter((mutant) => mutant !== ended)];
    }
    left = left.filter((mutant) => !done.has(mutant));
  }
}

/** @returns whether the word is the mutant's last. */
function tell({ number, killers }: Mutant, outcome: string, note: (number: number, outcome: Outcome) => void): boolean {
  if (outcome === 'begins') return false;
  if (outcome === 'survived') note(number, { kind: 'survived', why: `${killers.length} reach it` });
  else note(number, { kind: 'killed', by: outcome.replace('killed ', '') });
  return true;
}

/** @returns the exit code. */
async function work(
  task: Task,
  folder: string,
  hear: (outcome: string, number: number) => void = () => undefined,
): Promise<number> {
  const file = join(folder, 'task.json');
  writeFileSync(file, JSON.stringify(task));
  const child = spawn(
    process.execPath,
    ['--import', './scripts/typescript-register.mjs', 'test/mutants/child.ts', file],
    { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  createInterface(child.stdout).on('line', (line) => {
    const space = line.indexOf(' ');
    hear(line.slice(space + 1), Number(line.slice(0, space)));
  });
  return new Promise((done) => child.on('close', (code) => done(code ?? 2)));
}

function compiled(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  });
  return outputText;
}

function urlOf(file: string): string {
  return pathToFileURL(join(project, file)).href;
}

function lineOf({ file, line, place, change, brief }: Mutation, outcome: Outcome): string {
  const why = outcome.kind === 'killed' ? outcome.by : outcome.why;
  return `${outcome.kind.padEnd(10)} ${file}:${line}  ${place}  ${change}  in ${brief}  (${why})`;
}

function summarize(judged: readonly (readonly [Mutation, Outcome])[], all: number, byLaws: number): void {
  const count = (kind: Outcome['kind']): number => judged.filter(([, outcome]) => outcome.kind === kind).length;
  const files = new Map<string, { killed: number; survived: number; equivalent: number }>();
  for (const [{ file }, { kind }] of judged) {
    const counts = files.get(file) ?? { killed: 0, survived: 0, equivalent: 0 };
    files.set(file, { ...counts, [kind]: counts[kind] + 1 });
  }
  for (const [file, { killed, survived }] of files)
    if (survived > 0) console.log(`${killed} of ${killed + survived}  ${file}`);
  const [killed, survived] = [count('killed'), count('survived')];
  const percent = ((100 * killed) / (killed + survived)).toFixed(1);
  console.log(
    `${judged.length} mutants of ${all}: ${killed} killed, ${byLaws} of them by laws, ${survived} survived, ${count('equivalent')} equivalent: ${percent} % killed`,
  );
}
