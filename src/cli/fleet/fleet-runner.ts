import { randomUUID } from 'node:crypto';
import type { Job, Queue, QueueEvents } from 'bullmq';
import { counted } from '../../core/words.js';
import type { Cell, CellResult } from '../../analysis/sweep/cell.js';
import { type CellContext, cellId, contextId } from '../cell.js';
import type { CellRunner } from '../cell-pool.js';
import { FleetError, messageOf, type Session } from '../session.js';
import * as received from './received.js';
import { type RedisAddress, RedisLink } from './redis-link.js';
import { FleetRegistry, type FleetWorker, heartbeatOf, placeOfProcess } from './fleet-registry.js';

/** Cells that Redis holds at least, so that the first workers find some. */
const FEWEST = 128;

/** Cells that Redis holds for each thread of a worker: one is under way, one waits. */
const PER_THREAD = 2;

/** A cell without an event for so long is looked at, in ms: an event may be lost, and so may a whole server. */
const LOOK_AFTER_MS = 5000;

interface Waiting {
  /** Looks at its job; or has its answer, which Redis may take with it. */
  wake: (answer?: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** `patienceMs`: how long Redis may be away or full before the sweep gives up. */
export type FleetTask = Readonly<{ scenario: string; patienceMs: number }>;

/**
 * Has cells worked out by the workers of a Redis. Each is a job under its `cellId`: whoever asks for the same one shares it. There are
 * never more in Redis than keep the workers busy. A cell whose job is lost, with its worker, its server or an event, is enqueued again.
 */
export class FleetRunner implements CellRunner {
  private readonly id = randomUUID();
  private readonly contextId: string = contextId(this.context);
  private readonly waiting = new Map<string, Waiting>();
  private readonly sweeps = new FleetRegistry<'sweeps'>(this.link, 'sweeps');
  private readonly workers = new FleetRegistry<'workers'>(this.link, 'workers');
  private readonly heartbeat = heartbeatOf(this.link, () => this.beat());
  private threads = 0;
  private failure: FleetError | undefined;
  /** Of other versions, that the user has read of. */
  private readonly refused = new Set<string>();
  private lastNote: string | undefined;
  note = '';

  private constructor(
    private readonly link: RedisLink,
    private readonly queue: Queue<received.CellJob, received.CellAnswer>,
    private readonly events: QueueEvents,
    private readonly context: CellContext,
    private readonly task: FleetTask,
    private readonly session: Session,
  ) {
    queue.on('error', (error) => link.failed(error));
    events.on('error', (error) => link.failed(error));
    events.on('completed', ({ jobId, returnvalue }) => this.waiting.get(jobId)?.wake(returnvalue));
    events.on('failed', ({ jobId }) => this.waiting.get(jobId)?.wake());
    link.lost.catch((error: unknown) => this.rejectAll(error));
  }

  /** @throws FleetError where Redis cannot be used. */
  static async open(address: RedisAddress, context: CellContext, task: FleetTask, session: Session) {
    const { Queue, QueueEvents } = await import('bullmq');
    const link = await RedisLink.open(address, task.patienceMs, session);
    const common = { connection: link.client, prefix: received.PREFIX, skipVersionCheck: true };
    const name = received.queueOf(context.version);
    const queue = new Queue<received.CellJob, received.CellAnswer>(name, common);
    const events = new QueueEvents(name, common);
    const runner = new FleetRunner(link, queue, events, context, task, session);
    try {
      await Promise.race([link.lost, runner.begin()]);
    } catch (error) {
      await runner.close();
      throw error;
    }
    return runner;
  }

  get wants(): number {
    return Math.max(FEWEST, this.threads * PER_THREAD);
  }

  run(cell: Cell): Promise<CellResult> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const id = cellId(this.contextId, cell);
    return new Promise<CellResult>((resolve, reject) => {
      const waiting = { wake: () => undefined, reject };
      this.waiting.set(id, waiting);
      this.workedOut(id, cell, waiting).then(resolve, reject);
    }).finally(() => this.waiting.delete(id));
  }

  async close(): Promise<void> {
    this.heartbeat.stop();
    const left = [...this.waiting.keys()];
    this.rejectAll(new FleetError('the sweep has ended'));
    const isThere = this.link.client.status === 'ready';
    if (isThere) {
      // Those under way stay: their results may be asked for again.
      await Promise.allSettled([...left.map((id) => this.queue.remove(id)), this.sweeps.remove(this.id)]);
    }
    this.link.close();
    const closed = Promise.allSettled([this.events.close(), this.queue.close()]);
    // A server that is away answers to no farewell.
    if (isThere) await closed;
  }

  private async begin(): Promise<void> {
    await this.events.waitUntilReady();
    await this.heartbeat.now();
    if (this.threads === 0) {
      const { shown } = this.link.address;
      await this.session.err.write(`no worker is there yet: start some with lbsim worker --redis ${shown}\n`);
    }
  }

  /** Looks at its job again and again, as events may be lost. */
  private async workedOut(id: string, cell: Cell, waiting: Waiting): Promise<CellResult> {
    let isFirst = true;
    while (this.failure === undefined) {
      let timer: NodeJS.Timeout | undefined;
      const woken = new Promise<unknown>((resolve) => {
        waiting.wake = resolve;
        timer = setTimeout(resolve, LOOK_AFTER_MS).unref();
      });
      try {
        const result = await this.look(id, cell, isFirst);
        isFirst = false;
        if (result !== undefined) return result;
      } catch (error) {
        if (error instanceof FleetError) throw error;
        this.link.failed(error);
      }
      const answer = await woken;
      clearTimeout(timer);
      if (answer !== undefined) return this.received(id, cell, answer);
    }
    throw this.failure;
  }

  /**
   * Enqueues a cell without a job.
   * @param isFirst its job may have been there before, another sweep's or of one that died: one that failed is tried again.
   * @returns undefined: it is not over.
   */
  private async look(id: string, cell: Cell, isFirst: boolean): Promise<CellResult | undefined> {
    const job: Job<received.CellJob, received.CellAnswer> | undefined = await this.queue.getJob(id);
    if (job !== undefined) {
      const { finishedOn, returnvalue, failedReason } = job;
      if (finishedOn === undefined) return undefined;
      // One that came after failures has their reason as well.
      const failed = (returnvalue as received.CellAnswer | null) === null;
      if (!failed) return this.received(id, cell, returnvalue);
      // Or it was another sweep's, which ended before we asked.
      if (!isFirst && failedReason !== received.UNWANTED) throw this.failed(id, cell, failedReason);
      await this.queue.remove(id);
    }
    const { changes, seed } = cell;
    await this.queue.add(
      'cell',
      { context: this.contextId, changes, seed },
      {
        jobId: id,
        attempts: received.ATTEMPTS,
        backoff: { type: 'exponential', delay: 1000 },
        removeOnComplete: { age: received.KEPT_S },
        removeOnFail: { age: received.KEPT_S },
      },
    );
    this.link.fine('full');
    return undefined;
  }

  private received(id: string, cell: Cell, answer: unknown): CellResult {
    let result: CellResult;
    try {
      result = received.resultOf(received.receivedAnswer(answer));
    } catch (error) {
      throw this.failed(id, cell, messageOf(error));
    }
    // It makes room; a sweep that wants it too has heard of it as well.
    void this.queue.remove(id).catch(() => undefined);
    return result;
  }

  private failed(id: string, { changes, seed }: Cell, reason: string): FleetError {
    void this.queue.remove(id).catch(() => undefined);
    const cell = [...changes, `seed ${seed}`].join(', ');
    const words = /stalled/.test(reason)
      ? `every worker that took it ended in the middle of it, as for want of memory`
      : reason;
    return new FleetError(`the run with ${cell} failed on ${received.ATTEMPTS} attempts: ${words}`);
  }

  private async beat(): Promise<void> {
    const { contextId: context, link } = this;
    const { version } = this.context;
    await this.sweeps.register(this.id, { version, place: placeOfProcess(), scenario: this.task.scenario, context });
    const key = received.contextKey(context);
    const extended = await link.client.expire(key, received.CONTEXT_S);
    if (extended === 0) await link.client.set(key, JSON.stringify(this.context), 'EX', received.CONTEXT_S);
    await this.lookAtWorkers(await this.workers.members());
    this.link.fine('full');
  }

  private async lookAtWorkers(workers: readonly FleetWorker[]): Promise<void> {
    const { version } = this.context;
    const ours = workers.filter((worker) => worker.version === version);
    this.threads = ours.reduce((sum, { threads }) => sum + threads, 0);
    this.note = `${counted(ours.length, 'worker')}, ${counted(this.threads, 'thread')}`;
    for (const { place, version: other } of workers) {
      if (other === version || this.refused.has(place)) continue;
      this.refused.add(place);
      await this.session.err.write(
        `the worker ${place} is of lbsim ${other} and gets nothing: this is ${version}, whose results may differ\n`,
      );
    }
    if (this.note === this.lastNote || (this.lastNote === undefined && this.threads === 0)) return;
    this.lastNote = this.note;
    if (this.session.io.stderr.isTTY !== true) await this.session.err.write(`${this.note}\n`);
  }

  private rejectAll(error: unknown): void {
    this.failure ??= error instanceof FleetError ? error : new FleetError(String(error));
    for (const { reject, wake } of this.waiting.values()) {
      reject(this.failure);
      wake();
    }
    this.waiting.clear();
  }
}
