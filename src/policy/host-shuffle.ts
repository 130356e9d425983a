import { TWO_32 } from '../core/u64.js';
import type { HostIndex } from './policy-kinds.js';
import { MersenneTwister } from './mersenne-twister.js';

/**
 * Hosts in a random order that depends on a seed: a Fisher–Yates shuffle, done only as far as it is read.
 *
 * One object serves one walk after another; nothing is carried over from the walk before.
 *
 * Source: the proxy's bounded-load walk, whose orders these are.
 */
export class HostShuffle {
  private readonly generator = new MersenneTwister();
  private order = new Uint32Array(0);
  private hostCount = 0;
  private walked = 0;

  /** Starts the walk of `seed`, an unsigned 32-bit integer, over `hostCount` hosts. */
  start(seed: number, hostCount: number): void {
    if (this.order.length < hostCount) this.order = new Uint32Array(hostCount);
    for (let i = 0; i < hostCount; i++) this.order[i] = i;
    this.hostCount = hostCount;
    this.walked = 0;
    this.generator.seed(seed);
  }

  /** The next host of the walk; -1 once all were seen. */
  next(): HostIndex {
    if (this.walked === this.hostCount) return -1;
    const { order } = this;
    const here = this.walked++;
    const there = here + this.below(this.hostCount - here);
    const host = order[there] as number;
    order[there] = order[here] as number;
    order[here] = host;
    return host;
  }

  /** Uniform in 0 … bound − 1, by rejection. */
  private below(bound: number): number {
    const width = Math.floor(TWO_32 / bound);
    for (;;) {
      const value = Math.floor(this.generator.next() / width);
      if (value < bound) return value;
    }
  }
}
