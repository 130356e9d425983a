import type { Micros } from '../core/units.js';
import type { LoadReport } from '../policy/client-side-weights.js';
import type { DurationDistribution, DurationSampler } from '../random/distributions.js';
import { durationSampler } from '../random/distributions.js';
import type { RandomStream, RandomStreams } from '../random/streams.js';
import type { Behavior } from '../scenario/model.js';
import { MeasuredLoad } from './measured-load.js';

/** Somebody in the line of a server. */
export interface Waiting {
  /** Which one it is, to whoever put it there. */
  readonly slot: number;
  /** Who waits behind. */
  behind: Waiting | undefined;
}

/** What a server draws from a stream of its own. */
type StreamUse = 'service' | 'errors' | 'wire' | 'connect';

/**
 * One simulated server: what answers at an address, for every proxy and cluster that sends there.
 *
 * Its service times, errors and wire times come from streams of its own, so that another server's traffic, or another
 * policy, leaves them as they are.
 */
export class Server {
  private serving = 0;
  /** undefined: nobody wants to know. */
  private measured: MeasuredLoad | undefined;
  /** How many wait, in a line that goes from the first to the last by {@link Waiting.behind}. */
  queued = 0;
  private first: Waiting | undefined = undefined;
  private last: Waiting | undefined = undefined;
  private serviceSampler: DurationSampler;
  private wireSampler: DurationSampler;
  private connectSampler: DurationSampler;
  /** Those that something was drawn from: to seed one costs more than many a server has to do in all. */
  private seeded: Map<StreamUse, RandomStream> | undefined;

  constructor(
    /** Its number among the servers of the run. */
    readonly index: number,
    readonly address: string,
    private current: Behavior,
    private readonly streams: RandomStreams,
  ) {
    this.connectSampler = this.sampler(current.connectTime, 'connect');
    this.serviceSampler = this.sampler(current.serviceTime, 'service');
    this.wireSampler = this.sampler(current.networkLatency, 'wire');
    this.measure();
  }

  get behavior(): Behavior {
    return this.current;
  }

  set behavior(behavior: Behavior) {
    const { serviceTime, networkLatency, connectTime } = this.current;
    if (behavior.serviceTime !== serviceTime) this.serviceSampler = this.sampler(behavior.serviceTime, 'service');
    if (behavior.networkLatency !== networkLatency) this.wireSampler = this.sampler(behavior.networkLatency, 'wire');
    if (behavior.connectTime !== connectTime) this.connectSampler = this.sampler(behavior.connectTime, 'connect');
    this.current = behavior;
    this.measure();
  }

  private measure(): void {
    if (this.current.loadReport === 'measured') this.measured ??= new MeasuredLoad();
  }

  /** Requests that it works on. */
  get inService(): number {
    return this.serving;
  }

  /** As many from now on. */
  serve(count: number, nowUs: Micros): void {
    this.measured?.busy(this.serving, nowUs, this.current.concurrency);
    this.serving = count;
  }

  /** An answer leaves. */
  answers(status: number): void {
    this.measured?.answered(status >= 500);
  }

  /** What the answers of now tell of its load; undefined: nothing. */
  loadReport(nowUs: Micros): LoadReport | undefined {
    const { loadReport, concurrency } = this.current;
    if (loadReport === 'none') return undefined;
    if (loadReport !== 'measured') return loadReport;
    return this.measured?.report(this.serving, nowUs, concurrency);
  }

  get busy(): boolean {
    return this.inService >= this.current.concurrency;
  }

  get queueFull(): boolean {
    return this.queued >= this.current.queueLimit;
  }

  enqueue(waiting: Waiting): void {
    if (this.last === undefined) this.first = waiting;
    else this.last.behind = waiting;
    this.last = waiting;
    this.queued++;
  }

  /** Takes out who has waited longest; somebody waits. */
  dequeue(): Waiting {
    const waiting = this.first as Waiting;
    this.first = waiting.behind;
    if (this.first === undefined) this.last = undefined;
    waiting.behind = undefined;
    this.queued--;
    return waiting;
  }

  /** µs that the next request takes once it is served. */
  drawServiceUs(): number {
    return this.serviceSampler();
  }

  /** µs on the wire, to the host and back together. */
  drawWireUs(): number {
    return this.wireSampler();
  }

  /** µs until the next connection is made. */
  drawConnectUs(): number {
    return this.connectSampler();
  }

  /** Whether the next connection is refused by chance. */
  drawConnectFailure(): boolean {
    const { connectFailureRate } = this.current;
    return connectFailureRate > 0 && this.stream('connect').uniform() < connectFailureRate;
  }

  /** Status of the next answer. */
  drawStatus(): number {
    const { errorRate, errorStatus } = this.current;
    if (errorRate === 0) return 200;
    return this.stream('errors').uniform() < errorRate ? errorStatus : 200;
  }
  private sampler(distribution: DurationDistribution, use: StreamUse): DurationSampler {
    return durationSampler(distribution, () => this.stream(use));
  }

  private stream(use: StreamUse): RandomStream {
    this.seeded ??= new Map();
    let stream = this.seeded.get(use);
    if (stream === undefined) {
      stream = this.streams.stream(`${use}/${this.address}`);
      this.seeded.set(use, stream);
    }
    return stream;
  }
}
