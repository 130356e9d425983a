import type { Redis } from 'ioredis';
import { type CellLimits, type CellRunner, threadRunner } from '../cell-pool.js';
import { contextKey } from './cell-queue.js';
import { receivedContext } from './received.js';

/** Sweeps whose threads are kept: another one ends those of the one that has waited longest. */
const KEPT = 2;

interface ThreadPool {
  readonly runner: Promise<CellRunner>;
  using: number;
}

/** Threads for each of the contexts that cells come from: those of the sweeps that were last at work stay. */
export class ThreadPools {
  private readonly pools = new Map<string, ThreadPool>();

  private isClosed = false;

  constructor(
    private readonly client: Redis,
    private readonly threads: number,
    private readonly limits: CellLimits,
    /** SHA-256 of each module that may be run. */
    private readonly allowed: ReadonlySet<string>,
  ) {}

  async run<Result>(context: string, work: (runner: CellRunner) => Promise<Result>): Promise<Result> {
    if (this.isClosed) throw new Error('this worker ends');
    const pool = this.pools.get(context) ?? this.begin(context);
    // The latest is the last.
    this.pools.delete(context);
    this.pools.set(context, pool);
    pool.using++;
    try {
      return await work(await pool.runner);
    } finally {
      pool.using--;
      await this.closeUnused();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const runners = await Promise.allSettled([...this.pools.values()].map(({ runner }) => runner));
    await Promise.all(runners.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  private async closeUnused(): Promise<void> {
    const idle = [...this.pools].filter(([, { using }]) => using === 0);
    for (const [context, { runner }] of idle.slice(0, Math.max(0, this.pools.size - KEPT))) {
      this.pools.delete(context);
      await (await runner).close();
    }
  }

  private begin(context: string): ThreadPool {
    const runner = this.open(context);
    // A context that could not be had may be there the next time.
    runner.catch(() => this.pools.delete(context));
    return { runner, using: 0 };
  }

  private async open(context: string): Promise<CellRunner> {
    const text = await this.client.get(contextKey(context));
    if (text === null) throw new Error('what its cells have in common is not in Redis any more');
    return threadRunner(receivedContext(text, this.allowed), this.threads, this.limits);
  }
}
