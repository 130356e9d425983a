import type { KeyHasher } from '../hash/request-key.js';
import { mod } from '../core/u64.js';
import type { KeyDistribution } from '../scenario/model.js';

/** The keys of a workload with their hashes. */
export class HashedKeys {
  readonly count: number;
  /** Shape [count, 2]: high and low half of each key's hash. */
  readonly hashes: Uint32Array;
  /** Each key's hash mod 100, which chooses the priority. */
  readonly residues: Uint8Array;
  /** Keys come in turn, not by chance. */
  readonly inTurn: boolean;
  /** Probability of each key where keys are drawn, or in the long run of taking turns. */
  readonly probabilities: Float64Array;

  constructor(distribution: KeyDistribution, hasher: KeyHasher) {
    const { kind } = distribution;
    this.count = kind === 'cycle' ? distribution.keys.length : distribution.keys;
    this.inTurn = kind === 'sequence' || kind === 'cycle';
    this.hashes = new Uint32Array(2 * this.count);
    this.residues = new Uint8Array(this.count);
    const out = { hi: 0, lo: 0 };
    for (let index = 0; index < this.count; index++) {
      hasher.hash(kind === 'cycle' ? (distribution.keys[index] ?? '') : `${distribution.prefix}${index}`, out);
      this.hashes[2 * index] = out.hi;
      this.hashes[2 * index + 1] = out.lo;
      this.residues[index] = mod(out.hi, out.lo, 100);
    }
    this.probabilities = new Float64Array(this.count).fill(1 / this.count);
    if (kind === 'zipf') {
      let sum = 0;
      for (let rank = this.count; rank >= 1; rank--) sum += Math.pow(rank, -distribution.exponent);
      for (let rank = 1; rank <= this.count; rank++) {
        this.probabilities[rank - 1] = Math.pow(rank, -distribution.exponent) / sum;
      }
    }
  }

  /**
   * Of requests number `from` up to `to`, the portion that each key has where keys come in turn. The numbers may be
   * means: a key at an edge then counts in part.
   */
  window(from: number, to: number): Float64Array {
    const { count } = this;
    const length = to - from;
    const rounds = Math.floor(length / count);
    const portions = new Float64Array(count).fill(rounds);
    let at = from;
    const end = from + (length - rounds * count);
    while (at < end) {
      const next = Math.min(Math.floor(at) + 1, end);
      const index = Math.floor(at) % count;
      portions[index] = (portions[index] as number) + (next - at);
      at = next;
    }
    return portions.map((value) => value / length);
  }
}
