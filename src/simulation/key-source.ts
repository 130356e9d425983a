import { hashInto } from '../hash/text-hashes.js';
import { drawIndex, runningSums } from '../random/draws.js';
import type { RandomStream } from '../random/streams.js';
import type { KeyDistribution } from '../settings/world.js';

/** Hashes of up to this many different keys are kept; beyond, each request hashes its key. */
const REMEMBERED_KEYS = 1 << 20;

export class KeySource {
  /** Hash of the key drawn last, as two unsigned halves. */
  hi = 0;
  lo = 0;
  private readonly count: number;
  private readonly hashes: Uint32Array;
  private readonly known: Uint8Array;
  /** Of a Zipf distribution: running sums of the weights of its keys. */
  private readonly cumulative: Float64Array | undefined;
  private position = 0;
  private last = 0;
  private readonly scratch = { hi: 0, lo: 0 };

  constructor(
    private readonly distribution: KeyDistribution,
    private readonly stream: RandomStream,
  ) {
    this.count = distribution.kind === 'cycle' ? distribution.keys.length : distribution.keys;
    const remembered = this.count <= REMEMBERED_KEYS ? this.count : 0;
    this.hashes = new Uint32Array(2 * remembered);
    this.known = new Uint8Array(remembered);
    if (distribution.kind !== 'zipf') return;
    // The weight of a rank is rank^−exponent; rank 1 is key 0.
    const { exponent } = distribution;
    this.cumulative = runningSums(Float64Array.from({ length: this.count }, (_, key) => Math.pow(key + 1, -exponent)));
  }

  next(): void {
    const index = this.nextIndex();
    this.last = index;
    if (index >= this.known.length) {
      hashInto(this.keyAt(index), this);
      return;
    }
    if (this.known[index] === 0) {
      hashInto(this.keyAt(index), this.scratch);
      this.hashes[2 * index] = this.scratch.hi;
      this.hashes[2 * index + 1] = this.scratch.lo;
      this.known[index] = 1;
    }
    this.hi = this.hashes[2 * index] as number;
    this.lo = this.hashes[2 * index + 1] as number;
  }

  /** The key drawn last. */
  get text(): string {
    return this.keyAt(this.last);
  }

  private nextIndex(): number {
    switch (this.distribution.kind) {
      case 'uniform':
        return Math.floor(this.stream.uniform() * this.count);
      case 'zipf':
        return drawIndex(this.cumulative as Float64Array, this.stream);
      case 'sequence':
      case 'cycle': {
        const index = this.position;
        this.position = index + 1 === this.count ? 0 : index + 1;
        return index;
      }
    }
  }

  private keyAt(index: number): string {
    const { distribution } = this;
    return distribution.kind === 'cycle' ? (distribution.keys[index] ?? '') : `${distribution.prefix}${index}`;
  }
}
