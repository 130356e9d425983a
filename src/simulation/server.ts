import type { DurationSampler } from '../random/distributions.js';
import { durationSampler } from '../random/distributions.js';
import type { RandomStream, RandomStreams } from '../random/streams.js';
import type { Behavior } from '../scenario/model.js';
import type { Exchange } from './exchanges.js';

/**
 * One simulated server: what answers at an address, for every proxy and cluster that sends there.
 *
 * Its service times, errors and wire times come from streams of its own, so that another server's traffic, or another
 * policy, leaves them as they are.
 */
export class Server {
  inService = 0;
  /** How many wait, in a line that goes from the first to the last by `Exchange.behind`. */
  queued = 0;
  private first: Exchange | undefined = undefined;
  private last: Exchange | undefined = undefined;
  private serviceSampler: DurationSampler;
  private wireSampler: DurationSampler;
  private readonly serviceStream: RandomStream;
  private readonly errorStream: RandomStream;
  private readonly wireStream: RandomStream;
  private readonly connectStream: RandomStream;
  private connectSampler: DurationSampler;

  constructor(
    /** Its number among the servers of the run. */
    readonly index: number,
    readonly address: string,
    private current: Behavior,
    streams: RandomStreams,
  ) {
    this.serviceStream = streams.stream(`service/${address}`);
    this.errorStream = streams.stream(`errors/${address}`);
    this.wireStream = streams.stream(`wire/${address}`);
    this.connectStream = streams.stream(`connect/${address}`);
    this.connectSampler = durationSampler(current.connectTime, this.connectStream);
    this.serviceSampler = durationSampler(current.serviceTime, this.serviceStream);
    this.wireSampler = durationSampler(current.networkLatency, this.wireStream);
  }

  get behavior(): Behavior {
    return this.current;
  }

  set behavior(behavior: Behavior) {
    if (behavior.serviceTime !== this.current.serviceTime) {
      this.serviceSampler = durationSampler(behavior.serviceTime, this.serviceStream);
    }
    if (behavior.networkLatency !== this.current.networkLatency) {
      this.wireSampler = durationSampler(behavior.networkLatency, this.wireStream);
    }
    if (behavior.connectTime !== this.current.connectTime) {
      this.connectSampler = durationSampler(behavior.connectTime, this.connectStream);
    }
    this.current = behavior;
  }

  get busy(): boolean {
    return this.inService >= this.current.concurrency;
  }

  get queueFull(): boolean {
    return this.queued >= this.current.queueLimit;
  }

  enqueue(exchange: Exchange): void {
    if (this.last === undefined) this.first = exchange;
    else this.last.behind = exchange;
    this.last = exchange;
    this.queued++;
  }

  /** Takes out who has waited longest; somebody waits. */
  dequeue(): Exchange {
    const exchange = this.first as Exchange;
    this.first = exchange.behind;
    if (this.first === undefined) this.last = undefined;
    exchange.behind = undefined;
    this.queued--;
    return exchange;
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
    return connectFailureRate > 0 && this.connectStream.uniform() < connectFailureRate;
  }

  /** Status of the next answer. */
  drawStatus(): number {
    const { errorRate, errorStatus } = this.current;
    if (errorRate === 0) return 200;
    return this.errorStream.uniform() < errorRate ? errorStatus : 200;
  }
}
