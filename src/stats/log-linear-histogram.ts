type Bin = Readonly<{ left: number; width: number }> & { count: number };

/**
 * Whole, non-negative values in bins of two significant digits, as the proxy's histograms are: 2 is in [2, 2.1), 54 in [54,
 * 55), 1575 in [1500, 1600); 0 has a bin without width. The n values of a bin are assumed to be spread evenly in it.
 * Source: Hartmann and Schlossnagle, "Circllhist", 2020.
 */
export class LogLinearHistogram {
  private readonly bins = new Map<number, Bin>();

  get count(): number {
    return this.countUpTo(Infinity);
  }

  record(value: number): void {
    this.binOf(value).count++;
  }

  add(other: LogLinearHistogram): void {
    for (const { left, count } of other.bins.values()) this.binOf(left).count += count;
  }

  /** @param portion 0–1. undefined without values. */
  quantile(portion: number): number | undefined {
    let rank = Math.max(1, Math.ceil(portion * this.count - 1e-9));
    for (const bin of [...this.bins.values()].sort((one, other) => one.left - other.left)) {
      if (rank <= bin.count) return bin.left + (bin.width * rank) / (bin.count + 1);
      rank -= bin.count;
    }
    return undefined;
  }

  /** How many values are at most `limit`; the bin that holds `limit` counts as a whole. */
  countUpTo(limit: number): number {
    let upTo = 0;
    for (const { left, count } of this.bins.values()) if (left <= limit) upTo += count;
    return upTo;
  }

  /** Computed from the bins: a value counts as the harmonic mean of its bin's ends, where relative errors balance. */
  get sum(): number {
    let sum = 0;
    for (const { left, width, count } of this.bins.values())
      if (left > 0) sum += ((2 * left * (left + width)) / (2 * left + width)) * count;
    return sum;
  }

  private binOf(value: number): Bin {
    const exponent = value < 1 ? 0 : Math.floor(Math.log10(value) + 1e-12);
    const width = value < 1 ? 0 : 10 ** (exponent - 1);
    const left = value < 1 ? 0 : exponent === 0 ? value : Math.floor(value / width) * width;
    let bin = this.bins.get(left);
    if (bin === undefined) this.bins.set(left, (bin = { left, width, count: 0 }));
    return bin;
  }
}
