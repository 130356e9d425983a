import { randomUUID } from 'node:crypto';
import type * as BullMq from 'bullmq';
import { FleetError, says, type Session } from '../session.js';
import { packageVersion } from '../package-root.js';
import { type CellLimits, type CellRunner, threadRunner } from '../cell-pool.js';
import * as received from './received.js';
import { type RedisAddress, RedisLink, RETRY_MS } from './redis-link.js';
import { FleetRegistry, heartbeatOf, placeOfProcess } from './fleet-registry.js';
import type { Redis } from 'ioredis';

/** Sweeps whose threads are kept: another one ends those of the one that has waited longest. */
const KEPT = 2;

/** Threads for each of the contexts that cells come from: those of the sweeps that were last at work stay. */
class ThreadPools {
  private readonly pools = new Map<string, ReturnType<ThreadPools['begin']>>();

  private isClosed = false;

  constructor(
    private readonly client: Redis,
    private readonly options: FleetWorkerOptions,
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

  private begin(context: string): { readonly runner: Promise<CellRunner>; using: number } {
    const runner = this.open(context);
    // A context that could not be had may be there the next time.
    runner.catch(() => this.pools.delete(context));
    return { runner, using: 0 };
  }

  private async open(context: string): Promise<CellRunner> {
    const text = await this.client.get(received.contextKey(context));
    if (text === null) throw new Error('what its cells have in common is not in Redis any more');
    const { allowed, threads, limits } = this.options;
    return threadRunner(received.receivedContext(text, allowed), threads, limits);
  }
}

export interface FleetWorkerOptions {
  readonly threads: number;
  /** How long Redis may be away or full before we give up, in ms. */
  readonly patienceMs: number;
  /** A cell whose worker has not renewed its lease for so long is given to another, in ms. */
  readonly leaseMs: number;
  readonly limits: CellLimits;
  /** SHA-256 of each module that may be run. */
  readonly allowed: ReadonlySet<string>;
}

/** A cell whose sweep is missing on so many looks in a row is stopped: after one, the sweep may not yet be back in a server that was away. */
const LOOKS = 3;

/** After a cell has lost this many workers, it is taken for the reason. */
const WORKERS_LOST = 2;

/** Takes cells from a Redis and works them out, as long as it is not closed. */
export class FleetWorkerLoop {
  private readonly id = randomUUID();
  private readonly pools = new ThreadPools(this.link.client, this.options);
  private readonly registry = new FleetRegistry<'workers'>(this.link, 'workers');
  private readonly worker: BullMq.Worker<received.CellJob, received.CellAnswer>;
  private readonly heartbeat = heartbeatOf(this.link, () => this.beat());
  private readonly sweeps = new FleetRegistry<'sweeps'>(this.link, 'sweeps');
  /** By the id of the job; `missing`: looks without a sweep that wants it. */
  private readonly active = new Map<string, { readonly context: string; missing: number }>();
  private isClosing = false;
  private lastMs: number = this.session.io.monotonicMs();
  done = 0;

  private constructor(
    private readonly link: RedisLink,
    bullmq: typeof BullMq,
    private readonly options: FleetWorkerOptions,
    private readonly session: Session,
  ) {
    const { UnrecoverableError, WaitingError } = bullmq;
    this.worker = new bullmq.Worker<received.CellJob, received.CellAnswer>(
      received.queueOf(packageVersion()),
      async (job, token, signal) => {
        try {
          return await this.work(job, signal);
        } catch (error) {
          if (!this.isClosing) {
            if (signal?.aborted === true && signal.reason === received.UNWANTED)
              throw new UnrecoverableError(received.UNWANTED);
            if (signal?.aborted !== true && error instanceof Error) this.link.sayOnce(`a run failed: ${error.message}`);
            throw error;
          }
          // Another worker goes on with it at once.
          await job.moveToWait(token);
          throw new WaitingError();
        }
      },
      {
        connection: link.client,
        prefix: received.PREFIX,
        skipVersionCheck: true,
        concurrency: options.threads,
        lockDuration: options.leaseMs,
        stalledInterval: options.leaseMs,
        maxStalledCount: WORKERS_LOST,
        runRetryDelay: RETRY_MS,
      },
    );
    this.worker.on('error', (error) => {
      // The job of a cell that was given to another, or was lost with its server.
      if (!/Missing (key|lock)|lock mismatch|could not renew lock/i.test(error.message)) link.failed(error);
    });
    this.worker.on('lockRenewalFailed', (ids: readonly string[]) => {
      for (const id of ids) this.stop(id, 'its lease is lost');
    });
    this.worker.on('completed', () => link.fine('full'));
  }

  /** @throws FleetError where Redis cannot be used, or waits for workers of another version. */
  static async open(address: RedisAddress, options: FleetWorkerOptions, session: Session): Promise<FleetWorkerLoop> {
    const link = await RedisLink.open(address, options.patienceMs, session);
    try {
      await refuseOtherVersion(link);
    } catch (error) {
      link.close();
      throw error;
    }
    const loop = new FleetWorkerLoop(link, await import('bullmq'), options, session);
    await loop.heartbeat.now();
    return loop;
  }

  get lost(): Promise<never> {
    return this.link.lost;
  }

  get idleMs(): number {
    return this.active.size > 0 ? 0 : this.session.io.monotonicMs() - this.lastMs;
  }

  /** Hands back what is under way. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.heartbeat.stop();
    const isThere = this.link.client.status === 'ready';
    // The queue is closed first: what is handed back would be taken again. A server that is away answers to no farewell.
    const closed = this.worker.close(!isThere).catch(() => undefined);
    await this.pools.close();
    if (isThere) {
      const farewell = closed.then(() => this.registry.remove(this.id));
      await Promise.race([farewell, this.link.lost]).catch(() => undefined);
    }
    this.link.close();
    if (!isThere) await closed;
  }

  private async work(job: BullMq.Job<received.CellJob>, signal?: AbortSignal): Promise<received.CellAnswer> {
    const { id = '', data } = job;
    const { context, changes, seed } = received.receivedJob(data);
    this.active.set(id, { context, missing: 0 });
    try {
      const answer = received.answerOf(
        await this.pools.run(context, (runner) => runner.run({ changes, seed }, signal)),
      );
      this.done++;
      return answer;
    } finally {
      this.active.delete(id);
      this.lastMs = this.session.io.monotonicMs();
    }
  }

  private async beat(): Promise<void> {
    const { threads } = this.options;
    await this.registry.register(this.id, { version: packageVersion(), place: placeOfProcess(), threads });
    if (this.active.size > 0) await this.stopUnwanted();
  }

  private async stopUnwanted(): Promise<void> {
    const wanted = new Set((await this.sweeps.members()).map(({ context }) => context));
    for (const [id, cell] of this.active) {
      cell.missing = wanted.has(cell.context) ? 0 : cell.missing + 1;
      if (cell.missing === LOOKS) this.stop(id, received.UNWANTED);
    }
  }

  private stop(id: string, why: string): void {
    if (this.worker.cancelJob(id, why)) this.session.err.write(`a run was stopped: ${why}\n`).catch(() => undefined);
  }
}

async function refuseOtherVersion(link: RedisLink): Promise<void> {
  const sweeps = await new FleetRegistry(link, 'sweeps').members();
  const version = packageVersion();
  const [first] = sweeps;
  if (first === undefined || sweeps.some((sweep) => sweep.version === version)) return;
  throw new FleetError(says('other_version', { ...first, shown: link.address.shown, own: version }));
}
