import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { register } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Check } from '../laws/public-laws.js';

/** What a run of the laws over sources with mutations is to do. */
export interface Task {
  /** Sources with mutations, by URL. */
  readonly texts: Readonly<Record<string, string>>;
  /** Which laws are asked: a regular expression of their names. */
  readonly asked: string;
  /** Where the reach of all laws is written; absent: mutants are judged. */
  readonly reachFile?: string;
  readonly mutants: readonly Mutant[];
}

export interface Mutant {
  readonly number: number;
  /** The laws that reach it, the fastest first. */
  readonly laws: readonly { readonly law: number; readonly cpuMs: number }[];
}

/** Of a law its time, and the mutations whose places it reaches. */
export interface Reach {
  readonly name: string;
  readonly cpuMs: number;
  readonly reached: readonly number[];
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

function holds({ check }: Check): boolean {
  try {
    check({ seed: 1 });
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

const { publicLaws } = await import('../laws/public-laws.js');
const laws = publicLaws().filter(({ name }) => new RegExp(task.asked).test(name));

if (task.reachFile !== undefined) {
  const { reached } = globalThis.mutants;
  const numbers = (): number[] => [...reached.keys()].filter((number) => reached[number] === true);
  const loaded: Reach = { name: 'loading', cpuMs: 0, reached: numbers() };
  const reaches = laws.map(({ name, check }): Reach => {
    reached.fill(false);
    const before = cpuMs();
    check({ seed: 1 });
    return { name, cpuMs: cpuMs() - before, reached: numbers() };
  });
  writeFileSync(task.reachFile, JSON.stringify([loaded, ...reaches]));
} else {
  // Laws do not yield, so another thread watches the time.
  new Worker(
    `const { workerData: limit } = require('node:worker_threads');
     setInterval(() => {
       const { user, system } = process.cpuUsage();
       if (limit[0] > 0 && (user + system) / 1e6 > limit[0]) process.kill(process.pid, 'SIGKILL');
     }, 250);`,
    { eval: true, workerData: limit },
  ).unref();
  // A law that has failed others is asked first: neighbours are mostly seen by the same one.
  const failures = laws.map(() => 0);
  for (const { number, laws: own } of task.mutants) {
    say(number, 'begins');
    globalThis.mutants.active = number;
    const inTurn = [...own].sort((a, b) => (failures[b.law] ?? 0) - (failures[a.law] ?? 0));
    const failed = inTurn.find(({ law, cpuMs: usual }) => {
      limit[0] = (cpuMs() + 3000 + 20 * usual) / 1000;
      const check = laws[law];
      return check !== undefined && !holds(check);
    });
    limit[0] = 0;
    globalThis.mutants.active = alone === undefined ? -1 : number;
    const law = failed === undefined ? undefined : laws[failed.law];
    if (failed === undefined || law === undefined) say(number, 'survived');
    // What a mutant leaves behind could fail the laws of the next one.
    else if (alone === undefined && !holds(law)) process.exit(3);
    else {
      failures[failed.law] = (failures[failed.law] ?? 0) + 1;
      say(number, `killed ${law.name}`);
    }
  }
  process.exit(0);
}
