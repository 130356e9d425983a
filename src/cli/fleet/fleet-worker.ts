import { randomUUID } from 'node:crypto';
import type * as BullMq from 'bullmq';
import { FleetError } from '../errors.js';
import type { Session } from '../session.js';
import { packageVersion } from '../version.js';
import { answerOf, type CellAnswer, type CellJob, PREFIX, queueOf } from './cell-queue.js';
import type { RedisAddress } from './redis-address.js';
import { RedisLink, RETRY_MS } from './redis-link.js';
import { ThreadPools } from './thread-pools.js';
import { FleetRegistry, HEARTBEAT_MS, placeOfProcess } from './fleet-registry.js';

export interface FleetWorkerOptions {
  readonly threads: number;
  /** How long Redis may be away or full before we give up, in ms. */
  readonly patienceMs: number;
  /** A cell whose worker has not renewed its lease for so long is given to another, in ms. */
  readonly leaseMs: number;
}

/** After a cell has lost this many workers, it is taken for the reason. */
const WORKERS_LOST = 2;

/** Takes cells from a Redis and works them out, as long as it is not closed. */
export class FleetWorkerLoop {
  private readonly id = randomUUID();
  private readonly place = placeOfProcess();
  private readonly pools: ThreadPools;
  private readonly registry: FleetRegistry<'workers'>;
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
    this.pools = new ThreadPools(link.client, options.threads);
    this.registry = new FleetRegistry(link.client, 'workers');
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
    this.timer = setInterval(() => void this.heartbeat(), HEARTBEAT_MS);
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
    await loop.heartbeat();
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
    await this.pools.close();
    if (this.link.client.status === 'ready') {
      await this.worker.close();
      await this.registry.remove(this.id).catch(() => undefined);
    }
    this.link.close();
    await this.worker.close(true).catch(() => undefined);
  }

  private async work({ data: { context, changes, seed } }: BullMq.Job<CellJob>): Promise<CellAnswer> {
    this.busy++;
    try {
      const answer = answerOf(await this.pools.run(context, (runner) => runner.run({ changes, seed })));
      this.done++;
      return answer;
    } finally {
      this.busy--;
      this.lastMs = this.session.io.monotonicMs();
    }
  }

  private async heartbeat(): Promise<void> {
    if (this.link.client.status !== 'ready') return;
    const { threads } = this.options;
    try {
      await this.registry.register(this.id, { version: packageVersion(), place: this.place, threads, done: this.done });
    } catch (error) {
      this.link.failed(error);
    }
  }
}

async function refuseOtherVersion(link: RedisLink): Promise<void> {
  const sweeps = await new FleetRegistry(link.client, 'sweeps').members();
  const version = packageVersion();
  const [first] = sweeps;
  if (first === undefined || sweeps.some((sweep) => sweep.version === version)) return;
  throw new FleetError(
    `${link.address.shown} waits for workers of lbsim ${first.version} (the sweep of ${first.scenario}), and this is ${version}, ` +
      `whose results may differ: npm install --global lbsim@${first.version}`,
  );
}
