import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cpuBench } from '../src/cli/bench/side-by-side.js';

/** What a contender says of one job. */
export interface Answer {
  /** CPU milliseconds of the job alone, on all threads. */
  readonly ms: number;
  /** A checksum, or a figure of the model such as a mean: what both sides must agree on. */
  readonly result: number;
  /** Peak memory, of jobs that are a process of their own. */
  readonly megabytes?: number;
}

/**
 * One side of the benchmark: a process that reads jobs, one a line, and answers each with a line of `nanoseconds result`,
 * then `megabytes` where it knows them. What it prepares for a job is not part of the time. `-` says that it does not know the job.
 */
export interface Contender {
  readonly name: string;
  /** @returns undefined: it does not know the job. */
  run(job: string): Promise<Answer | undefined>;
  stop(): void;
}

export interface Launch {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** @throws Error from `run` where the process ends or says what is no answer. */
export function launch({ name, command, args }: Launch): Contender {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name,
    run: async (job) => {
      child.stdin.write(`${job}\n`);
      const line: IteratorResult<string, unknown> = await lines.next();
      if (line.done === true) throw new Error(`${name} ended at the job ${job}`);
      return answerOf(line.value, `${name} at the job ${job}`);
    },
    stop: () => child.kill(),
  };
}

function answerOf(line: string, who: string): Answer | undefined {
  if (line === '-') return undefined;
  const [nanoseconds = NaN, result = NaN, megabytes] = line.split(' ').map(Number);
  if (!(nanoseconds >= 0)) throw new Error(`${who} answered ${line}`);
  return { ms: nanoseconds / 1e6, result, ...(megabytes === undefined ? {} : { megabytes }) };
}

/** A job that is ready to run: what is timed, and what makes its result a number. */
export interface Prepared {
  /** Comes before each run, beside the clock. */
  readonly before?: () => Promise<void>;
  readonly run: () => unknown;
  /** `run` gives a promise. Default false. */
  readonly isAsync?: boolean;
  readonly result: (of: never) => number;
}

/** The other end, for contenders that are Node: answers jobs until there are no more. */
export async function answerJobs(
  prepare: (words: readonly string[]) => Promise<Answer | Prepared | undefined>,
): Promise<void> {
  let last = { job: '', prepared: undefined as Prepared | undefined };
  for await (const job of createInterface({ input: process.stdin })) {
    // Most jobs come several times in a row, and what they need is made once.
    const found = last.job === job && last.prepared !== undefined ? last.prepared : await prepare(job.split(' '));
    if (found === undefined) console.log('-');
    else if ('ms' in found) console.log(`${found.ms * 1e6} ${found.result} ${found.megabytes ?? ''}`.trim());
    else {
      last = { job, prepared: found };
      await found.before?.();
      let done: unknown;
      const ms = await cpuOf(
        () => found.run(),
        found.isAsync === true,
        (result) => (done = result),
      );
      console.log(`${ms * 1e6} ${found.result(done as never)}`);
    }
  }
}

/** One run, timed by tinybench on a clock of CPU time. */
async function cpuOf(run: () => unknown, isAsync: boolean, onDone: (result: unknown) => void): Promise<number> {
  const bench = cpuBench(1);
  const timed = isAsync ? async (): Promise<void> => onDone(await run()) : (): void => onDone(run());
  bench.add('job', timed, { async: isAsync, beforeAll: () => globalThis.gc?.() });
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !('latency' in result)) throw new Error('it was not timed');
  return result.latency.samples?.[0] ?? result.latency.mean;
}

/** The checksum of all contenders: 31 times what was, plus the next word, in 32 bits. */
export function checksum(words: Iterable<number>): number {
  let sum = 17;
  for (const word of words) sum = (Math.imul(sum, 31) + word) | 0;
  return sum >>> 0;
}
