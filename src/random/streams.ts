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
  /** Three fractions, oldest first, and the carry. */
  private readonly state: Float64Array;

  constructor(seed: string) {
    const { s0, s1, s2, c } = seedrandom.alea(seed, { state: true }).state();
    this.state = Float64Array.of(s0, s1, s2, c);
  }

  next(): void {
    const { state } = this;
    const first = FACTOR * (state[0] as number) + (state[3] as number) * TWO_MINUS_32;
    const firstCarry = Math.floor(first);
    const second = FACTOR * (state[1] as number) + firstCarry * TWO_MINUS_32;
    const secondCarry = Math.floor(second);
    state[0] = state[2] as number;
    state[1] = first - firstCarry;
    state[2] = second - secondCarry;
    state[3] = secondCarry;
    this.hi = Math.floor(state[1] * TWO_32);
    this.lo = Math.floor(state[2] * TWO_32);
  }

  uniform(): number {
    const { state } = this;
    const drawn = FACTOR * (state[0] as number) + (state[3] as number) * TWO_MINUS_32;
    const carry = Math.floor(drawn);
    state[0] = state[1] as number;
    state[1] = state[2] as number;
    state[3] = carry;
    return (state[2] = drawn - carry);
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
