import type { Histogram } from 'hdr-histogram-js';
import { build } from 'hdr-histogram-js';
import type { HistogramResult, LatencyOrNone } from './run-result.js';

/** Durations in whole µs, kept as a histogram: percentiles within the given digits, count, mean and maximum exact. */
export class DurationRecorder {
  private histogram: Histogram | undefined;
  private count = 0;
  private sum = 0;
  private max = 0;
  private min = Infinity;

  /** @param digits significant decimal digits of the percentiles: 2 (some 10 kB) or 3 (some 70 kB). */
  constructor(private readonly digits: 2 | 3) {}

  record(us: number): void {
    // Hosts that answer at once are the most common case of all; they need no histogram.
    if (us > 0) this.ensure().recordValue(us);
    this.count++;
    this.sum += us;
    if (us > this.max) this.max = us;
    if (us < this.min) this.min = us;
  }

  add(other: DurationRecorder): void {
    if (other.histogram !== undefined) this.ensure().add(other.histogram);
    this.count += other.count;
    this.sum += other.sum;
    if (other.max > this.max) this.max = other.max;
    if (other.min < this.min) this.min = other.min;
  }

  /** The duration that `percentile` percent of all do not exceed, in µs; undefined without any. */
  percentileUs(percentile: number): number | undefined {
    if (this.count === 0) return undefined;
    const positive = this.histogram?.totalCount ?? 0;
    const zeros = this.count - positive;
    const rank = Math.max(1, Math.ceil((percentile / 100) * this.count));
    if (rank <= zeros || this.histogram === undefined) return 0;
    const value = this.histogram.getValueAtPercentile((100 * (rank - zeros)) / positive);
    return Math.min(value, this.max);
  }

  /** Milliseconds; null everywhere without any. */
  summaryMs(): LatencyOrNone {
    if (this.count === 0) return { p50: null, p90: null, p99: null, max: null, mean: null };
    const ms = (percentile: number): number => (this.percentileUs(percentile) ?? 0) / 1000;
    return { p50: ms(50), p90: ms(90), p99: ms(99), max: this.max / 1000, mean: this.sum / this.count / 1000 };
  }

  /** The shape of a histogram among the statistics, in ms. */
  histogramMs(): HistogramResult | undefined {
    if (this.count === 0) return undefined;
    const ms = (percentile: number): number => (this.percentileUs(percentile) ?? 0) / 1000;
    return {
      count: this.count,
      min: this.min / 1000,
      p50: ms(50),
      p90: ms(90),
      p99: ms(99),
      max: this.max / 1000,
      mean: this.sum / this.count / 1000,
    };
  }

  private ensure(): Histogram {
    this.histogram ??= build({
      bitBucketSize: 32,
      autoResize: true,
      lowestDiscernibleValue: 1,
      highestTrackableValue: 2,
      numberOfSignificantValueDigits: this.digits,
    });
    return this.histogram;
  }
}
