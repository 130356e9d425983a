import { entryOf } from '../core/lists.js';
import type { Micros } from '../core/units.js';
import type { LoadReport } from '../policy/load-report.js';
import { type DurationDistribution, durationSampler, type DurationSampler } from '../random/distributions.js';
import type { RandomStream, RandomStreams } from '../random/streams.js';
import type { Behavior } from '../settings/behavior.js';
import type { ProbeAnswer } from '../policy/answers.js';
import { LatencyByLoad } from './latency-by-load.js';
import { MeasuredLoad } from './measured-load.js';

/** An entry in the queue of a server. */
export interface Waiting {
  /** Its number, for the caller. */
  readonly slot: number;
  /** The next entry. */
  behind: Waiting | undefined;
}

/** Kinds of draws of a server, each with its own stream. */
type StreamUse = 'service' | 'errors' | 'wire' | 'connect' | 'probes';

/**
 * One simulated server: it answers at an address, for every proxy and cluster that sends there.
 *
 * Its service times, errors and wire times come from its own streams, so that another server's traffic, or another policy,
 * does not change them.
 */
export class Server {
  /** Requests in service; {@link serve} changes it. */
  inService = 0;
  /** undefined: not measured. */
  private measured: MeasuredLoad | undefined;
  /** Its recent latencies; undefined: not needed so far. */
  latencies: LatencyByLoad | undefined;
  /** Length of the queue, which is linked from the first to the last by {@link Waiting.behind}. */
  queued = 0;
  private first: Waiting | undefined = undefined;
  private last: Waiting | undefined = undefined;
  /** µs that the next request takes once it is served. */
  drawServiceUs: DurationSampler;
  /** µs on the wire, to the host and back together. */
  drawWireUs: DurationSampler;
  /** µs until the next connection is made. */
  drawConnectUs: DurationSampler;
  /** The same for the next probe, from a stream of its own: requests are as long on the wire without probes. */
  drawProbeWireUs: DurationSampler;
  /** Streams in use: seeding one costs more than all the work of many a server. */
  private seeded: Map<StreamUse, RandomStream> | undefined;

  constructor(
    /** Its number among the servers of the run. */
    readonly index: number,
    readonly address: string,
    private current: Behavior,
    private readonly streams: RandomStreams,
  ) {
    this.drawConnectUs = this.sampler(current.connectTime, 'connect');
    this.drawServiceUs = this.sampler(current.serviceTime, 'service');
    this.drawWireUs = this.sampler(current.networkLatency, 'wire');
    this.drawProbeWireUs = this.sampler(current.networkLatency, 'probes');
    this.measure();
  }

  get behavior(): Behavior {
    return this.current;
  }

  set behavior(behavior: Behavior) {
    const { serviceTime, networkLatency, connectTime } = this.current;
    if (behavior.serviceTime !== serviceTime) this.drawServiceUs = this.sampler(behavior.serviceTime, 'service');
    if (behavior.networkLatency !== networkLatency) {
      this.drawWireUs = this.sampler(behavior.networkLatency, 'wire');
      this.drawProbeWireUs = this.sampler(behavior.networkLatency, 'probes');
    }
    if (behavior.connectTime !== connectTime) this.drawConnectUs = this.sampler(behavior.connectTime, 'connect');
    this.current = behavior;
    this.measure();
  }

  private measure(): void {
    if (this.current.loadReport === 'measured') this.measured ??= new MeasuredLoad();
  }

  /** Requests that it has and has not answered yet. */
  get inFlight(): number {
    return this.inService + this.queued;
  }

  /** What it answers to a probe; from the first one on it remembers its latencies. */
  answerProbe(): ProbeAnswer {
    const { inFlight } = this;
    this.latencies ??= new LatencyByLoad();
    return { inFlight, latencyUs: this.latencies.near(inFlight) };
  }

  /** So many requests are in service from now on. */
  serve(count: number, nowUs: Micros): void {
    this.measured?.busy(this.inService, nowUs, this.current.concurrency);
    this.inService = count;
  }

  /** An answer leaves. */
  answers(status: number): void {
    this.measured?.answered(status >= 500);
  }

  /** The load report of current answers; undefined: none. */
  loadReport(nowUs: Micros): LoadReport | undefined {
    const { loadReport, concurrency } = this.current;
    if (loadReport === 'none') return undefined;
    if (loadReport !== 'measured') return loadReport;
    return this.measured?.report(this.inService, nowUs, concurrency);
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

  /** Removes the entry that has waited longest; there is one. */
  dequeue(): Waiting {
    const waiting = this.first as Waiting;
    this.first = waiting.behind;
    if (this.first === undefined) this.last = undefined;
    waiting.behind = undefined;
    this.queued--;
    return waiting;
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
    this.seeded ??= new Map<StreamUse, RandomStream>();
    return entryOf(this.seeded, use, () => this.streams.stream(`${use}/${this.address}`));
  }
}
