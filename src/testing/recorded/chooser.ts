import type { RandomStream } from '../../random/streams.js';

/** Draws the parts of trials. The order of the draws defines them. */
export class Chooser {
  constructor(private readonly stream: RandomStream) {}

  /** A whole number, both ends included. */
  from(low: number, high: number): number {
    return low + Math.floor(this.stream.uniform() * (high - low + 1));
  }

  percent(chance: number): boolean {
    return this.from(0, 99) < chance;
  }

  of<T>(...values: readonly T[]): T {
    return values[this.from(0, values.length - 1)] as T;
  }

  /** 32 bits. */
  word(): number {
    return this.from(0, 0xffffffff);
  }
}
