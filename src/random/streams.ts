import murmurhash from 'murmurhash';
import seedrandom from 'seedrandom';
import { TWO_32 } from '../core/u64.js';
import type { Random64 } from './random64.js';

/** One named stream of randomness: 64-bit draws for decisions, doubles in [0, 1) for distributions. */
export interface RandomStream extends Random64 {
  /** Uniform in [0, 1), 32 bits of it random. */
  uniform(): number;
}

const TWO_MINUS_32 = 2.3283064365386963e-10;
const FACTOR = 2091639;

/** Alea as seedrandom seeds it, stepped here: its closures take twice the time, and no step is taken more often. */
class AleaStream implements RandomStream {
  hi = 0;
  lo = 0;
  /** Three fractions. */
  private oldest: number;
  private older: number;
  private newest: number;
  /** A fraction too: as a whole number it would be another kind of field, which takes longer to read. */
  private carry: number;

  constructor(seed: string) {
    const { s0, s1, s2, c } = seedrandom.alea(seed, { state: true }).state();
    this.oldest = s0;
    this.older = s1;
    this.newest = s2;
    this.carry = c * TWO_MINUS_32;
  }

  next(): void {
    const first = FACTOR * this.oldest + this.carry;
    const firstCarry = Math.floor(first);
    const second = FACTOR * this.older + firstCarry * TWO_MINUS_32;
    const secondCarry = Math.floor(second);
    this.oldest = this.newest;
    this.older = first - firstCarry;
    this.newest = second - secondCarry;
    this.carry = secondCarry * TWO_MINUS_32;
    this.hi = Math.floor(this.older * TWO_32);
    this.lo = Math.floor(this.newest * TWO_32);
  }

  uniform(): number {
    const drawn = FACTOR * this.oldest + this.carry;
    const carry = Math.floor(drawn);
    this.oldest = this.older;
    this.older = this.newest;
    this.carry = carry * TWO_MINUS_32;
    return (this.newest = drawn - carry);
  }
}

/**
 * Independent streams from one seed.
 * A stream is named after its use (`arrivals/users`, `balancer/edge/0/backend`), so that a change in one part of a run,
 * such as another policy, does not change the values in any other part. The generator is seedrandom's Alea, seeded with the
 * 32-bit MurmurHash3 of "seed/name"; both choices define results and never change.
 */
export class RandomStreams {
  constructor(private readonly seed: string) {}

  stream(name: string): RandomStream {
    return new AleaStream(String(murmurhash.v3(`${this.seed}/${name}`)));
  }
}
