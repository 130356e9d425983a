import type { StatsConfig } from '../settings/world.js';
import { entryOf } from '../core/lists.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import type { StatValues } from './stat-values.js';
import { LogLinearHistogram } from './log-linear-histogram.js';
import { statsFilter } from './matcher.js';
import { tagExtractor, type TaggedName } from './tags.js';

/** A statistic that exists; its tags are computed on demand. */
export class Stat {
  private resolved: TaggedName | undefined;

  constructor(
    /** The full name, without a sink's prefix. */
    readonly name: string,
    private readonly extract: (name: string) => TaggedName,
  ) {}

  get tagged(): TaggedName {
    return (this.resolved ??= this.extract(this.name));
  }
}

export interface GaugeSample {
  readonly stat: Stat;
  readonly value: number;
  /** Was ever set, or incremented. */
  readonly used: boolean;
}

export interface CounterSample extends GaugeSample {
  /** Since the flush before. */
  readonly delta: number;
}

/** As of the last flush; later samples show with the next one. */
export interface HistogramSample {
  readonly stat: Stat;
  /** Of all time. */
  readonly cumulative: LogLinearHistogram;
  /** Between the last two flushes. */
  readonly interval: LogLinearHistogram;
}

/** All statistics of one proxy at one flush, or in between. */
export interface StatsSnapshot {
  readonly timeUs: Micros;
  readonly counters: readonly CounterSample[];
  readonly gauges: readonly GaugeSample[];
  readonly histograms: readonly HistogramSample[];
}

interface Histogram extends HistogramSample {
  interval: LogLinearHistogram;
  /** Since the last flush. */
  open: LogLinearHistogram;
}

/** Whether a gauge that is 0 was set to it. */
type IsGaugeSet = (name: string, values: StatValues) => boolean;

/** Read from the plain counters of a run at each flush, so that only samples cost time per request. */
export class StatsStore {
  private readonly exists: (name: string) => boolean;
  private readonly extract: (name: string) => TaggedName;
  private readonly stats = new Map<string, Stat | undefined>();
  private readonly flushed = new Map<string, number>();
  private readonly usedGauges = new Set<string>();
  private readonly histograms = new Map<string, Histogram>();

  constructor(config: StatsConfig | undefined, version: ProxyVersion) {
    this.exists = statsFilter(config?.statsMatcher);
    this.extract = tagExtractor(config, version);
  }

  /** The statistic of this name; undefined if the matcher rejects it. */
  stat(name: string): Stat | undefined {
    if (!this.stats.has(name)) this.stats.set(name, this.exists(name) ? new Stat(name, this.extract) : undefined);
    return this.stats.get(name);
  }

  /** @param value whole. */
  sample(name: string, value: number): Stat | undefined {
    const stat = this.stat(name);
    if (stat === undefined) return undefined;
    const empty = (): LogLinearHistogram => new LogLinearHistogram();
    const made = (): Histogram => ({ stat, cumulative: empty(), interval: empty(), open: empty() });
    entryOf(this.histograms, name, made).open.record(value);
    return stat;
  }

  /** Keeps only these counters and histograms of a prefix; others restart if they come back. */
  forget(prefix: string, left: ReadonlySet<string>): void {
    for (const known of [this.flushed, this.histograms]) {
      for (const name of known.keys()) if (name.startsWith(prefix) && !left.has(name)) known.delete(name);
    }
  }

  flush(timeUs: Micros, values: StatValues, isGaugeSet: IsGaugeSet): StatsSnapshot {
    for (const histogram of this.histograms.values()) {
      histogram.cumulative.add(histogram.open);
      histogram.interval = histogram.open;
      histogram.open = new LogLinearHistogram();
    }
    const snapshot = this.look(timeUs, values, isGaugeSet);
    for (const { stat, value } of snapshot.counters) this.flushed.set(stat.name, value);
    return snapshot;
  }

  /** Reads without closing an interval. */
  look(timeUs: Micros, values: StatValues, isGaugeSet: IsGaugeSet): StatsSnapshot {
    const counters: CounterSample[] = [];
    for (const [name, value] of Object.entries(values.counters)) {
      const stat = this.stat(name);
      if (stat === undefined) continue;
      const before = this.flushed.get(name) ?? 0;
      // A cluster that was removed and came back counts from 0.
      counters.push({ stat, value, delta: value < before ? value : value - before, used: value > 0 });
    }
    const gauges: GaugeSample[] = [];
    for (const [name, value] of Object.entries(values.gauges)) {
      const stat = this.stat(name);
      if (stat === undefined) continue;
      if (value !== 0 || isGaugeSet(name, values)) this.usedGauges.add(name);
      gauges.push({ stat, value, used: this.usedGauges.has(name) });
    }
    const histograms = Array.from(this.histograms.values(), ({ open: _, ...sample }): HistogramSample => sample);
    return { timeUs, counters, gauges, histograms };
  }
}

export function existingStats<Value>(
  values: Readonly<Record<string, Value>>,
  exists: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => exists(name)));
}
