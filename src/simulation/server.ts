import type { DurationSampler } from '../random/distributions.js';
import { durationSampler } from '../random/distributions.js';
import type { RandomStream, RandomStreams } from '../random/streams.js';
import type { Behavior } from '../scenario/model.js';

/** A first-in-first-out queue of small integers in a ring of a power-of-two size. */
class SlotQueue {
  private slots = new Int32Array(16);
  private head = 0;
  length = 0;

  push(slot: number): void {
    if (this.length === this.slots.length) this.grow();
    this.slots[(this.head + this.length++) & (this.slots.length - 1)] = slot;
  }

  shift(): number {
    const slot = this.slots[this.head] as number;
    this.head = (this.head + 1) & (this.slots.length - 1);
    this.length--;
    return slot;
  }

  private grow(): void {
    const larger = new Int32Array(this.slots.length * 2);
    for (let i = 0; i < this.length; i++) {
      larger[i] = this.slots[(this.head + i) & (this.slots.length - 1)] as number;
    }
    this.slots = larger;
    this.head = 0;
  }
}

/**
 * One simulated server: what answers at an address, for every proxy and cluster that sends there.
 *
 * Its service times, errors and wire times come from streams of its own, so that another server's traffic, or another
 * policy, leaves them as they are.
 */
export class Server {
  readonly queue = new SlotQueue();
  inService = 0;
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
    return this.queue.length >= this.current.queueLimit;
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
