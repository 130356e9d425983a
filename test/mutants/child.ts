import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { register } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What a run of the killers over sources with mutations is to do. */
export interface Task {
  /** Sources with mutations, by URL. */
  readonly texts: Readonly<Record<string, string>>;
  /** Test files and folders that are the killers; absent: the public laws are. */
  readonly tests: readonly string[] | undefined;
  /** Which killers are asked: a regular expression of their names. */
  readonly asked: string;
  /** Where the reach of all killers is written; absent: mutants are judged. */
  readonly reachFile?: string;
  readonly mutants: readonly Mutant[];
}

export interface Mutant {
  readonly number: number;
  /** The killers that reach it, the fastest first. */
  readonly killers: readonly { readonly name: string; readonly cpuMs: number }[];
}

/** Of a killer its time, and the mutations whose places it reaches. */
export interface Reach {
  readonly name: string;
  readonly cpuMs: number;
  readonly reached: readonly number[];
  /** It fails without any mutation, and is not asked. */
  readonly fails?: boolean;
}

/** A law of one policy, or a test. */
interface Killer {
  readonly name: string;
  readonly check: (options: { readonly seed: number }) => void | Promise<void>;
}

declare global {
  /** What the sources with mutations look at: the number of the one that acts, −1 for none, and those that were reached. */
  var mutants: { active: number; reached: boolean[] };
}

const task = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Task;
register('../../scripts/swapped-module-hooks.mjs', import.meta.url, { data: task.texts });
const alone = task.mutants.length === 1 ? task.mutants[0] : undefined;
// What is computed when a module loads cannot change afterwards: such a mutant has a process of its own.
globalThis.mutants = { active: alone?.number ?? -1, reached: [] };

/** Seconds of the processor that the mutant at work may still use; 0 is no limit. */
const limit = new Float64Array(new SharedArrayBuffer(8));

function say(number: number, outcome: string): void {
  writeSync(1, `${number} ${outcome.replaceAll('\n', ' ')}\n`);
}

async function holds({ check }: Killer): Promise<boolean> {
  try {
    await check({ seed: 1 });
    return true;
  } catch (error) {
    if (process.env['SHOW'] === '1') console.error(error);
    return false;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Modules are loaded before the tests are declared, which may already ask them something. */
async function loadKillers(): Promise<readonly Killer[]> {
  if (task.tests === undefined) return (await import('../laws/public-laws.js')).publicLaws();
  await import('../../src/words/library.js');
  loaded = reachedNow();
  const { testsOf } = await import('./test-files.js');
  return testsOf(task.tests);
}

function reachedNow(): readonly number[] {
  const { reached } = globalThis.mutants;
  return [...reached.keys()].filter((number) => reached[number] === true);
}

let loaded: readonly number[] | undefined;
const asked = new RegExp(task.asked);
const killers = (await loadKillers()).filter(({ name }) => asked.test(name));

if (task.reachFile !== undefined) {
  const reaches: Reach[] = [];
  const whileLoading = loaded ?? reachedNow();
  // The last one first: what sums up the tests before it cannot be asked alone, and fails.
  for (const killer of [...killers].reverse()) {
    globalThis.mutants.reached.fill(false);
    const before = cpuMs();
    const fails = !(await holds(killer));
    reaches.unshift({ name: killer.name, cpuMs: cpuMs() - before, reached: reachedNow(), fails });
  }
  reaches.unshift({ name: 'loading', cpuMs: 0, reached: whileLoading });
  writeFileSync(task.reachFile, JSON.stringify(reaches));
} else {
  // Killers do not yield, so another thread watches the time.
  new Worker(
    `const { workerData: limit } = require('node:worker_threads');
     setInterval(() => {
       const { user, system } = process.cpuUsage();
       if (limit[0] > 0 && (user + system) / 1e6 > limit[0]) process.kill(process.pid, 'SIGKILL');
     }, 250);`,
    { eval: true, workerData: limit },
  ).unref();
  // What has failed others is asked first: neighbours are mostly seen by the same one.
  const failures = new Map<string, number>();
  const failuresOf = ({ name }: { readonly name: string }): number => failures.get(name) ?? 0;
  const killerOf = new Map(killers.map((killer) => [killer.name, killer]));
  for (const { number, killers: own } of task.mutants) {
    say(number, 'begins');
    globalThis.mutants.active = number;
    const inTurn = [...own].sort((a, b) => failuresOf(b) - failuresOf(a));
    let by: Killer | undefined;
    for (const { name, cpuMs: usual } of inTurn) {
      const killer = killerOf.get(name);
      limit[0] = (cpuMs() + 3000 + 20 * usual) / 1000;
      if (killer === undefined || (await holds(killer))) continue;
      failures.set(name, failuresOf(killer) + 1);
      by = killer;
      break;
    }
    limit[0] = 0;
    globalThis.mutants.active = alone === undefined ? -1 : number;
    if (by === undefined) say(number, 'survived');
    // What a mutant leaves behind could fail the killers of the next one.
    else if (alone === undefined && !(await holds(by))) process.exit(3);
    else say(number, `killed ${by.name}`);
  }
  process.exit(0);
}
