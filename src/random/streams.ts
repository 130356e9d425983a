import murmurhash from 'murmurhash';
import seedrandom from 'seedrandom';
import type { Random64 } from './random64.js';

/** One named stream of randomness: 64-bit draws for decisions, doubles in [0, 1) for distributions. */
export interface RandomStream extends Random64 {
  /** Uniform in [0, 1), 32 bits of it random. */
  uniform(): number;
}

class AleaStream implements RandomStream {
  hi = 0;
  lo = 0;

  constructor(private readonly generator: seedrandom.PRNG) {}

  next(): void {
    this.hi = this.generator.int32() >>> 0;
    this.lo = this.generator.int32() >>> 0;
  }

  uniform(): number {
    return this.generator();
  }
}

/**
 * Independent streams from one seed.
 *
 * A stream is named after what it feeds (`arrivals/users`, `balancer/edge/0/backend`), so that a change in one part of a
 * run, another policy for instance, leaves the values that every other part sees as they were. The generator is
 * seedrandom's Alea, seeded with the 32-bit MurmurHash3 of "seed/name"; both choices define results and never change.
 */
export class RandomStreams {
  constructor(private readonly seed: string) {}

  stream(name: string): RandomStream {
    return new AleaStream(seedrandom.alea(String(murmurhash.v3(`${this.seed}/${name}`))));
  }
}
