import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command } from 'commander';
import ts from 'typescript';
import { xxhash64String } from '../../src/hash/xxhash64.js';
import type { Mutant, Reach, Task } from './child.js';
import { EQUIVALENT } from './equivalent.js';
import { mutationsOf, withMutations, type Mutation } from './mutations.js';

const project = fileURLToPath(new URL('../../', import.meta.url));

/** What decides: policies, host sets, and the schedule below them. */
const FOLDERS = ['src/policy', 'src/policy/extensions', 'src/hostset', 'src/schedule'];
/** What decides nothing in them. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'the words of explanations and reports': [
    'src/hostset/decision-steps.ts',
    'src/hostset/describe.ts',
    'src/hostset/split-facts.ts',
  ],
  'counts of statistics': ['src/hostset/lb-stats.ts', 'src/hostset/subset-stats.ts', 'src/hostset/zone-counts.ts'],
  'checks of foreign modules, and names of policies': [
    'src/policy/adapted-module.ts',
    'src/policy/policy-module.ts',
    'src/policy/registry.ts',
    'src/policy/watched-module.ts',
  ],
  'an engine of random numbers, which published values hold': ['src/policy/mersenne-twister.ts'],
  'what analyses compute beside balancers, or tests compare them with': [
    'src/policy/kept-keys.ts',
    'src/policy/maglev-twin.ts',
    'src/policy/maglev-without.ts',
    'src/schedule/even-times.ts',
  ],
};

interface Options {
  readonly count: string;
  readonly seed: string;
  readonly only?: string;
  readonly laws?: string;
  readonly verbose?: boolean;
}

type Outcome =
  { readonly kind: 'killed'; readonly by: string } | { readonly kind: 'survived' | 'equivalent'; readonly why: string };

const UNKNOWN: Outcome = { kind: 'survived', why: 'it was not judged' };

const command = new Command('mutants')
  .description(
    'Changes the sources of policies and host sets, and counts the changes that the laws of lbsim/testing notice.',
  )
  .option('--count <n>', 'mutants, drawn from all there are', '300')
  .option('--seed <text>', 'of the draw', '1')
  .option(
    '--only <pattern>',
    'only those of them whose place, as src/policy/random.ts:42, this regular expression matches',
  )
  .option('--laws <pattern>', 'ask only laws whose name, as `MAGLEV at 1.40 decides as recorded`, it matches')
  .option('--verbose', 'print the killed ones, too')
  .action(run);

await command.parseAsync();

async function run({ count, seed, only = '', laws = '', verbose = false }: Options): Promise<void> {
  const sources = new Map(sourceFiles().map((file) => [file, readFileSync(join(project, file), 'utf8')]));
  const all = [...sources].flatMap(([file, source]) => mutationsOf(file, source));
  reportUnknown(all);
  const drawn = sample(all, Number(count), seed).filter(({ file, line }) => new RegExp(only).test(`${file}:${line}`));
  if (drawn.length === 0) {
    console.log(`none of ${count} mutants is at ${only}; --count draws more of the ${all.length} that there are`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const outcomes = new Map<number, Outcome>();
  const note = (number: number, outcome: Outcome): void => {
    outcomes.set(number, outcome);
    const mutation = drawn[number];
    if (mutation !== undefined && (verbose || outcome.kind === 'survived')) console.log(lineOf(mutation, outcome));
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${outcomes.size} of ${drawn.length} `);
  };
  try {
    await judgeAll(drawn, sources, folder, new RegExp(laws), note);
  } finally {
    rmSync(folder, { recursive: true });
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  }
  summarize(
    drawn.map((mutation, number) => [mutation, outcomes.get(number) ?? UNKNOWN]),
    all.length,
  );
}

function sourceFiles(): readonly string[] {
  const others = new Set(Object.values(OTHERS).flat());
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(project, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  ).filter((file) => !others.has(file));
}

/** So many of them, in their order: the same for the same seed, and mostly the same after a change elsewhere. */
function sample(all: readonly Mutation[], count: number, seed: string): readonly Mutation[] {
  const seen = new Map<string, number>();
  const keyed = all.map((mutation, place) => {
    const name = `${mutation.file}\n${mutation.text}\n${mutation.change}`;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const { hi } = xxhash64String(`${seed}\n${name}\n${before}`);
    return { mutation, place, key: hi };
  });
  const first = keyed.sort((a, b) => a.key - b.key).slice(0, count);
  return first.sort((a, b) => a.place - b.place).map(({ mutation }) => mutation);
}

/** The list of equivalent mutations must not outlive its sources. */
function reportUnknown(all: readonly Mutation[]): void {
  for (const one of EQUIVALENT) {
    if (!all.some((mutation) => isEquivalentBy(mutation, one)))
      console.log(`no such mutation: ${one.file}  ${one.text}  ${one.change ?? ''}`);
  }
}

function isEquivalentBy(mutation: Mutation, one: (typeof EQUIVALENT)[number]): boolean {
  const { change = mutation.change, nth = mutation.nth, before = mutation.before } = one;
  if (mutation.file !== one.file || mutation.text !== one.text) return false;
  return mutation.change === change && mutation.nth === nth && mutation.before === before;
}

/** Runs the laws over all sources with the mutations in them; where a mutant ends its process, the others go on in another. */
async function judgeAll(
  drawn: readonly Mutation[],
  sources: ReadonlyMap<string, string>,
  folder: string,
  asked: RegExp,
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
  if ((await work({ texts: noting, asked: asked.source, reachFile, mutants: [] }, folder)) !== 0)
    throw new Error('a law fails without any mutation');
  const [loaded, ...reaches] = JSON.parse(readFileSync(reachFile, 'utf8')) as readonly Reach[];
  const isLoaded = (number: number): boolean => loaded?.reached.includes(number) === true;
  /** Laws that reach any place of a file. */
  const byFile = (file: string): ReadonlySet<number> => {
    const own = [...drawn.keys()].filter((number) => drawn[number]?.file === file && !isLoaded(number));
    const some = [...reaches.keys()].filter((law) => own.some((number) => reaches[law]?.reached.includes(number)));
    return new Set(some.length > 0 ? some : reaches.keys());
  };
  const mutants: Mutant[] = [];
  for (const [number, mutation] of drawn.entries()) {
    const known = EQUIVALENT.find((one) => isEquivalentBy(mutation, one));
    const here = isLoaded(number) ? byFile(mutation.file) : undefined;
    const reach = [...reaches.entries()].filter(([law, { reached }]) => here?.has(law) ?? reached.includes(number));
    const laws = reach.map(([law, { cpuMs }]) => ({ law, cpuMs })).sort((a, b) => a.cpuMs - b.cpuMs);
    if (known !== undefined) note(number, { kind: 'equivalent', why: known.why });
    else if (laws.length === 0) note(number, { kind: 'survived', why: 'no law reaches it' });
    else mutants.push({ number, laws });
  }
  const texts = textsWith((number) => `mutants.active === ${number}`);
  for (const mutant of mutants.filter(({ number }) => isLoaded(number))) {
    const done = new Set<Mutant>();
    const code = await work({ texts, asked: asked.source, mutants: [mutant] }, folder, (outcome) => {
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
    const code = await work({ texts, asked: asked.source, mutants: left }, folder, (outcome, number) => {
      at = left.find((mutant) => mutant.number === number);
      if (at !== undefined && tell(at, outcome, note)) done.add(at);
    });
    if (at !== undefined && !done.has(at)) {
      done.add(at);
      // It has left something behind, that fails laws without it: it was seen, or what came before it was.
      note(at.number, { kind: 'killed', by: code === 3 ? 'a law fails after it, too' : 'it does not end' });
    }
    left = left.filter((mutant) => !done.has(mutant));
  }
}

/** @returns whether the word is the mutant's last. */
function tell({ number, laws }: Mutant, outcome: string, note: (number: number, outcome: Outcome) => void): boolean {
  if (outcome === 'begins') return false;
  if (outcome === 'survived') note(number, { kind: 'survived', why: `${laws.length} laws reach it` });
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

function lineOf({ file, line, change, nth }: Mutation, outcome: Outcome): string {
  const which = nth === 1 ? change : `${change} #${nth}`;
  return `${outcome.kind.padEnd(10)} ${file}:${line}  ${which}  (${outcome.kind === 'killed' ? outcome.by : outcome.why})`;
}

function summarize(judged: readonly (readonly [Mutation, Outcome])[], all: number): void {
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
    `${judged.length} mutants of ${all}: ${killed} killed, ${survived} survived, ${count('equivalent')} equivalent: ${percent} % killed`,
  );
}
