import { randomUUID } from 'node:crypto';
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import type { CellContext } from '../cell.js';
import type { CellRunner } from '../cell-pool.js';
import { threadRunner } from '../cell-pool.js';
import { FleetError } from '../errors.js';
import type { Session } from '../session.js';
import { packageVersion } from '../version.js';
import type { CellAnswer, CellJob } from './cell-queue.js';
import { answerOf, contextKey, PREFIX, queueOf } from './cell-queue.js';
import type { RedisAddress } from './redis-address.js';
import { RedisLink } from './redis-link.js';
import { BEAT_MS, placeOfProcess, Roster } from './roster.js';

export interface FleetWorkerOptions {
  readonly threads: number;
  /** How long Redis may be away or full before we give up, in ms. */
  readonly patienceMs: number;
  /** A cell of a worker that has not been heard of for so long is given to another, in ms. */
  readonly leaseMs: number;
}

/** A cell may lose so many workers before it is taken for their reason to die. */
const WORKERS_LOST = 2;

/** Before something is tried again that Redis could not do, in ms. */
const RETRY_MS = 500;

/** Takes cells from a Redis and works them out, as long as it is not closed. */
export class FleetWorkerLoop {
  private readonly id = randomUUID();
  private readonly place = placeOfProcess();
  private readonly machines: Machines;
  private readonly roster: Roster<'workers'>;
  private readonly worker: BullMq.Worker<CellJob, CellAnswer>;
  private readonly timer: NodeJS.Timeout;
  private isClosing = false;
  private busy = 0;
  private lastMs: number;
  /** Cells that are worked out. */
  done = 0;

  private constructor(
    private readonly link: RedisLink,
    bullmq: typeof BullMq,
    private readonly options: FleetWorkerOptions,
    private readonly session: Session,
  ) {
    this.machines = new Machines(link.client, options.threads);
    this.roster = new Roster(link.client, 'workers');
    this.lastMs = session.io.monotonicMs();
    const { WaitingError } = bullmq;
    this.worker = new bullmq.Worker<CellJob, CellAnswer>(
      queueOf(packageVersion()),
      async (job, token) => {
        try {
          return await this.work(job);
        } catch (error) {
          if (!this.isClosing) throw error;
          // Another worker goes on with it at once.
          await job.moveToWait(token);
          throw new WaitingError();
        }
      },
      {
        connection: link.client,
        prefix: PREFIX,
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
    this.worker.on('completed', () => link.fine('full'));
    this.timer = setInterval(() => void this.tell(), BEAT_MS);
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
    await loop.tell();
    return loop;
  }

  /** Rejects once Redis has been away or full for too long. */
  get lost(): Promise<never> {
    return this.link.lost;
  }

  /** For how long there has been nothing to do, in ms. */
  get idleMs(): number {
    return this.busy > 0 ? 0 : this.session.io.monotonicMs() - this.lastMs;
  }

  /** Hands back what is under way. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.timer);
    await this.machines.close();
    if (this.link.client.status === 'ready') {
      await this.worker.close();
      await this.roster.leave(this.id).catch(() => undefined);
    }
    this.link.close();
    await this.worker.close(true).catch(() => undefined);
  }

  private async work({ data: { context, changes, seed } }: BullMq.Job<CellJob>): Promise<CellAnswer> {
    this.busy++;
    try {
      const answer = answerOf(await this.machines.run(context, (runner) => runner.run({ changes, seed })));
      this.done++;
      return answer;
    } finally {
      this.busy--;
      this.lastMs = this.session.io.monotonicMs();
    }
  }

  private async tell(): Promise<void> {
    if (this.link.client.status !== 'ready') return;
    const { threads } = this.options;
    try {
      await this.roster.tell(this.id, { version: packageVersion(), place: this.place, threads, done: this.done });
    } catch (error) {
      this.link.failed(error);
    }
  }
}

async function refuseOtherVersion(link: RedisLink): Promise<void> {
  const sweeps = await new Roster(link.client, 'sweeps').all();
  const version = packageVersion();
  const [first] = sweeps;
  if (first === undefined || sweeps.some((sweep) => sweep.version === version)) return;
  throw new FleetError(
    `${link.address.shown} waits for workers of lbsim ${first.version} (the sweep of ${first.scenario}), and this is ${version}, ` +
      `whose results may differ: npm install --global lbsim@${first.version}`,
  );
}

/** Sweeps whose threads are kept: another one ends those of the one that has waited longest. */
const KEPT = 2;

interface Machine {
  readonly runner: Promise<CellRunner>;
  using: number;
}

/** Threads for each of the contexts that cells come from. */
class Machines {
  private readonly machines = new Map<string, Machine>();

  constructor(
    private readonly client: Redis,
    private readonly threads: number,
  ) {}

  async run<Result>(context: string, work: (runner: CellRunner) => Promise<Result>): Promise<Result> {
    const machine = this.machines.get(context) ?? { runner: this.open(context), using: 0 };
    // The latest is the last.
    this.machines.delete(context);
    this.machines.set(context, machine);
    machine.using++;
    try {
      return await work(await machine.runner);
    } catch (error) {
      // A context that could not be had may be there the next time.
      if (await isRejected(machine.runner)) this.machines.delete(context);
      throw error;
    } finally {
      machine.using--;
      await this.drop();
    }
  }

  async close(): Promise<void> {
    const runners = await Promise.allSettled([...this.machines.values()].map(({ runner }) => runner));
    await Promise.all(runners.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  private async drop(): Promise<void> {
    const idle = [...this.machines].filter(([, { using }]) => using === 0);
    for (const [context, { runner }] of idle.slice(0, Math.max(0, this.machines.size - KEPT))) {
      this.machines.delete(context);
      await (await runner).close();
    }
  }

  private async open(context: string): Promise<CellRunner> {
    const text = await this.client.get(contextKey(context));
    if (text === null) throw new Error('what its cells have in common is not in Redis any more');
    return threadRunner(JSON.parse(text) as CellContext, this.threads);
  }
}

async function isRejected(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  );
}
