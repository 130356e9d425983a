import { type Micros, MICROS_PER_MILLI } from '../core/units.js';
import type { HistogramResult, LatencyOrNone } from './run-result.js';

/** Each power of two is divided into 128 bins: a bin is at most 0.8 % wide. */
const BINS_PER_OCTAVE_LOG2 = 7;
const BINS_PER_OCTAVE = 1 << BINS_PER_OCTAVE_LOG2;
/** Durations buffered before they are sorted into bins; the buffer grows from a few. */
const BATCH = 64;
const FIRST_BATCH = 8;
/** 2³¹ µs are 36 minutes; longer durations share the last octave's bins. */
const LONGEST_BINNED = 2 ** 31 - 1;
const NONE: Float64Array<ArrayBuffer> = new Float64Array(0);
/** Of no durations. */
export const NO_LATENCY: LatencyOrNone = { p50: null, p90: null, p99: null, max: null, mean: null };

function binOf(us: number): number {
  const value = us > LONGEST_BINNED ? LONGEST_BINNED : us | 0;
  // Up to the end of the second octave a bin is one value.
  const octave = 31 - BINS_PER_OCTAVE_LOG2 - Math.clz32(value | BINS_PER_OCTAVE);
  return (octave << BINS_PER_OCTAVE_LOG2) + (value >>> octave);
}

/** How many durations there are, and how many of them are shorter than one. */
export type CountedDurations = Pick<DurationRecorder, 'count' | 'around'>;

/** Those that a recorder has packed: bins of memory that are empty are not there. */
export class PackedDurations implements CountedDurations {
  readonly count: number = this.within(Infinity);

  constructor(private readonly packed: readonly number[]) {}

  around(us: Micros): ReturnType<DurationRecorder['around']> {
    const bin = binOf(us);
    return { below: this.within(bin), through: this.within(bin + 1) };
  }

  private within(end: number): number {
    const { packed } = this;
    let sum = 0;
    for (let at = 0; at < packed.length && (packed[at] as number) < end; at += 3) sum += packed[at + 1] as number;
    return sum;
  }
}

/**
 * Durations in whole µs: count, mean, minimum and maximum exactly, percentiles as the mean of their bin, hence exact where
 * durations repeat and within 0.8 % elsewhere.
 * Bins are logarithmic, as in an HDR histogram. A library's histogram costs 300 ns and 70 kB per host and is the most
 * expensive step of a request; this one costs a few ns and has 2 kB for each octave between the shortest and the longest.
 */
export class DurationRecorder {
  /** Count and sum of each bin from {@link from} on, side by side: a record touches one cache line. */
  private bins = NONE;
  /** First bin in memory: that of the octave of the shortest duration. */
  private from = 0;
  /** Made with the first duration: of many recorders most stay empty, and most others never need bins. */
  private batch = NONE;
  private batched = 0;
  private settled = 0;
  private sum = 0;
  private max = 0;
  private min = Infinity;

  get count(): number {
    return this.settled + this.batched;
  }

  record(us: Micros): void {
    if (this.batched === this.batch.length) this.makeRoom();
    this.batch[this.batched++] = us;
  }

  add(other: DurationRecorder): void {
    if (other.settled === 0 && this.batched + other.batched <= BATCH) {
      for (let i = 0; i < other.batched; i++) this.record(other.batch[i] as number);
      return;
    }
    this.settle();
    other.settle();
    this.settled += other.settled;
    this.sum += other.sum;
    if (other.max > this.max) this.max = other.max;
    if (other.min < this.min) this.min = other.min;
    const others = other.bins;
    if (others.length === 0) return;
    const bins = this.covering(other.from, other.from + others.length);
    const shift = other.from - this.from;
    for (let at = other.firstAt; at < others.length; at++)
      bins[shift + at] = (bins[shift + at] as number) + (others[at] as number);
  }

  /** Bin, count and sum of each bin that is not empty, in their order. */
  packed(): readonly number[] {
    this.settle();
    const { bins, from } = this;
    const packed: number[] = [];
    for (let at = 0; at < bins.length; at += 2) {
      const inBin = bins[at] as number;
      if (inBin > 0) packed.push((from + at) / 2, inBin, bins[at + 1] as number);
    }
    return packed;
  }

  /** Adds what another one has {@link packed}: its shortest and longest are the means of their bins then. */
  addPacked(packed: readonly number[]): void {
    this.settle();
    for (let at = 0; at < packed.length; at += 3) {
      const [bin, count, sum] = packed.slice(at, at + 3) as [number, number, number];
      const bins = this.covering(2 * bin, 2 * bin + 2);
      const own = 2 * bin - this.from;
      bins[own] = (bins[own] as number) + count;
      bins[own + 1] = (bins[own + 1] as number) + sum;
      this.settled += count;
      this.sum += sum;
      this.min = Math.min(this.min, sum / count);
      this.max = Math.max(this.max, sum / count);
    }
  }

  static sum(recorders: readonly DurationRecorder[]): DurationRecorder {
    const [only, ...more] = recorders.filter(({ count }) => count > 0);
    if (only !== undefined && more.length === 0) return only;
    const sum = new DurationRecorder();
    for (const recorder of recorders) sum.add(recorder);
    return sum;
  }

  /** The duration that `percentile` percent of all do not exceed, in µs; undefined without any. */
  percentileUs(percentile: number): number | undefined {
    return this.count === 0 ? undefined : this.percentilesUs([percentile])[0];
  }

  /** How many are shorter than `us`, and how many not longer, as far as the bins tell them apart. */
  around(us: Micros): { readonly below: number; readonly through: number } {
    this.settle();
    const { bins, from } = this;
    const at = 2 * binOf(us) - from;
    let below = 0;
    for (let bin = 0; bin < Math.min(at, bins.length); bin += 2) below += bins[bin] as number;
    return { below, through: below + (at < 0 ? 0 : (bins[at] ?? 0)) };
  }

  /** µs; undefined without any. */
  meanUs(): number | undefined {
    return this.histogram(1)?.mean;
  }

  /** Milliseconds; null everywhere without any. */
  summaryMs(): LatencyOrNone {
    const histogram = this.histogram(MICROS_PER_MILLI);
    if (histogram === undefined) return NO_LATENCY;
    const { p50, p90, p99, max, mean } = histogram;
    return { p50, p90, p99, max, mean };
  }

  /** Among the statistics; undefined without any. @param unit in recorded units: 1000 where ms are recorded as µs. */
  histogram(unit: number): HistogramResult | undefined {
    const { count } = this;
    if (count === 0) return undefined;
    const [p50 = 0, p90 = 0, p99 = 0] = this.percentilesUs([50, 90, 99]);
    let { sum, max, min } = this;
    for (let i = 0; i < this.batched; i++) {
      const us = this.batch[i] as number;
      sum += us;
      if (us > max) max = us;
      if (us < min) min = us;
    }
    return {
      count,
      min: min / unit,
      p50: p50 / unit,
      p90: p90 / unit,
      p99: p99 / unit,
      max: max / unit,
      mean: sum / count / unit,
    };
  }

  /** @param percentiles ascending. */
  private percentilesUs(percentiles: readonly number[]): number[] {
    if (this.settled === 0) return ofFew(this.batch.slice(0, this.batched).sort(), percentiles);
    this.settle();
    return this.walk(percentiles);
  }

  /** Bins before this are empty: no duration was as short. */
  private get firstAt(): number {
    return 2 * binOf(this.min) - this.from;
  }

  /** @param percentiles ascending: one pass over the bins finds them all. */
  private walk(percentiles: readonly number[]): number[] {
    const { bins, count } = this;
    let at = this.firstAt;
    let before = 0;
    return percentiles.map((percentile) => {
      const rank = rankOf(percentile, count);
      for (; at < bins.length; at += 2) {
        const inBin = bins[at] as number;
        if (before + inBin >= rank) return (bins[at + 1] as number) / inBin;
        before += inBin;
      }
      return this.max;
    });
  }

  private makeRoom(): void {
    const { batch } = this;
    if (batch.length === BATCH) {
      this.settle();
      return;
    }
    this.batch = new Float64Array(Math.max(FIRST_BATCH, 2 * batch.length));
    this.batch.set(batch);
  }

  /** Sorts the buffer into the bins. The bins of many hosts do not fit into the cache; in a batch, cache misses overlap. */
  private settle(): void {
    const { batch, batched } = this;
    let { bins, from, sum, max, min } = this;
    for (let i = 0; i < batched; i++) {
      const us = batch[i] as number;
      sum += us;
      if (us > max) max = us;
      if (us < min) min = us;
      const bin = binOf(us) << 1;
      let at = bin - from;
      if (at < 0 || at >= bins.length) {
        bins = this.covering(bin, bin + 2);
        ({ from } = this);
        at = bin - from;
      }
      bins[at] = (bins[at] as number) + 1;
      bins[at + 1] = (bins[at + 1] as number) + us;
    }
    this.settled += batched;
    this.sum = sum;
    this.max = max;
    this.min = min;
    this.batched = 0;
  }

  /** Extends the bins to `from` … `to` (exclusive), in whole octaves. */
  private covering(from: number, to: number): Float64Array<ArrayBuffer> {
    const { bins } = this;
    const unit = 2 * BINS_PER_OCTAVE;
    const isEmpty = bins.length === 0;
    const first = isEmpty ? from : Math.min(from, this.from);
    const last = isEmpty ? to : Math.max(to, this.from + bins.length);
    const start = Math.floor(first / unit) * unit;
    const end = Math.ceil(last / unit) * unit;
    if (!isEmpty && start === this.from && end === start + bins.length) return bins;
    const grown = new Float64Array(end - start);
    if (!isEmpty) grown.set(bins, this.from - start);
    this.bins = grown;
    this.from = start;
    return grown;
  }
}

/** The rank, from 1, that `percentile` percent of `count` do not exceed. */
const rankOf = (percentile: number, count: number): number => Math.max(1, Math.ceil((percentile / 100) * count));

const ofFew = (sorted: Float64Array, percentiles: readonly number[]): number[] =>
  percentiles.map((percentile) => {
    const bin = binOf(sorted[rankOf(percentile, sorted.length) - 1] as number);
    let alike = 0;
    let sum = 0;
    for (let i = 0; i < sorted.length; i++) {
      const us = sorted[i] as number;
      if (binOf(us) !== bin) continue;
      alike++;
      sum += us;
    }
    return sum / alike;
  });
