import { TABLE_POLICIES } from '../policy/registry.js';
import { STAT_NAMES } from './generated/stat-names.js';
import { entryOf } from '../core/values.js';
import type { StatsConfig } from '../settings/world.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { LogLinearHistogram } from './log-linear-histogram.js';
import { statsFilter } from './matcher.js';
import { tagExtractor, type TaggedName } from './tags.js';

/** Without this in its configuration a cluster never has a statistic. */
export type StatNeed =
  | {
      readonly kind: Exclude<keyof typeof STAT_NAMES, 'always' | 'lazy' | 'manager' | 'histograms' | `set_${string}`>;
    }
  | { readonly kind: 'policy'; readonly policy: string };

/** A statistic after `cluster.NAME.` */
export interface ClusterStat {
  /** With placeholders. */
  readonly name: string;
  readonly kind: 'number' | 'histogram';
  readonly lazy: boolean;
  readonly needs: StatNeed | undefined;
}

const statsOf = (names: readonly string[], about: Partial<ClusterStat> = {}): readonly ClusterStat[] =>
  expand(names).map((name) => ({ name, kind: 'number', lazy: false, needs: undefined, ...about }));
const statsWith = (kind: Exclude<StatNeed['kind'], 'policy'>): readonly ClusterStat[] =>
  statsOf(STAT_NAMES[kind], { needs: { kind } });

export const CLUSTER_STATS: readonly ClusterStat[] = [
  ...statsOf(STAT_NAMES.always),
  ...statsOf(STAT_NAMES.lazy, { lazy: true }),
  ...(['eds', 'track_remaining', 'subsets', 'policy_statistics'] as const).flatMap(statsWith),
  ...TABLE_POLICIES.flatMap(({ name, statNames }) =>
    statsOf(Object.values(statNames), { needs: { kind: 'policy', policy: name } }),
  ),
  ...(['out_of_band', 'health_checks', 'outlier_detection'] as const).flatMap(statsWith),
  ...statsOf(STAT_NAMES.histograms, { kind: 'histogram', lazy: true }),
];

export const MANAGER_STATS: readonly string[] = expand(STAT_NAMES.manager);

const patterns = new Map<string, RegExp>();

/** The statistic after `cluster.NAME.`; undefined: there is none of that name. */
export const clusterStat = (name: string): ClusterStat | undefined =>
  CLUSTER_STATS.find((stat) =>
    stat.name.includes('<') ? entryOf(patterns, stat.name, () => patternOf(stat.name)).test(name) : stat.name === name,
  );

const SET_AT_ONCE = expand(STAT_NAMES.set_at_once);
/** Of gauges the counter that they are set with. */
const SET_WITH = [
  [expand(STAT_NAMES.set_with_connections), 'upstream_cx_total'],
  [expand(STAT_NAMES.set_with_requests), 'upstream_rq_total'],
  [expand(STAT_NAMES.set_with_retries), 'upstream_rq_retry'],
] as const;

/** Whether a gauge of 0 was ever set: the proxy sends only gauges that it ever set. */
export function gaugeIsSet(name: string, values: StatValues): boolean {
  const isOf = (gauge: string): boolean => name.endsWith(`.${gauge}`);
  if (!name.startsWith('cluster.') || SET_AT_ONCE.some(isOf)) return true;
  for (const [gauges, counter] of SET_WITH) {
    const gauge = gauges.find(isOf);
    if (gauge !== undefined) return (values.counters[name.slice(0, -gauge.length) + counter] ?? 0) > 0;
  }
  return false;
}

/** "a_{b,c}_{d,e}" → a_b_d, a_b_e, a_c_d, a_c_e; of all words of some lines. */
function expand(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' ')).flatMap(expandWord);
}

function expandWord(word: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/.exec(word) ?? [];
  if (whole === undefined || choices === undefined) return [word];
  return choices.split(',').flatMap((choice) => expandWord(word.replace(whole, choice)));
}

function patternOf(name: string): RegExp {
  const escaped = name.replaceAll('.', '\\.');
  const filled = escaped
    .replace('<status>', '[1-9]\\d\\d')
    .replace('<family>', '[1-9]')
    .replace('<statistic>', '[a-z][a-z0-9_]*')
    .replace('<priority>', '(?:default|high)')
    .replace(/<(?:from|to|match)>/g, '.+');
  return new RegExp(`^${filled}$`);
}

export type StatValues = Readonly<{ counters: Record<string, number>; gauges: Record<string, number> }>;

/** Writes plain counts under their names: `upstreamCxTotal` becomes `<prefix>upstream_cx_total`. */
export function writeCounts(into: Record<string, number>, counts: Readonly<Record<string, number>>, prefix = ''): void {
  for (const field of Object.keys(counts)) {
    const name = entryOf(inSnakeCase, field, () => field.replace(WORD, (start) => `_${start.toLowerCase()}`));
    into[prefix + name] = counts[field] as number;
  }
}

/** Where a word of a field begins: `5xx` is one. */
const WORD = /[A-Z]|\d(?=xx)/g;
/** The same few fields for each cluster. */
const inSnakeCase = new Map<string, string>();

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
    for (const known of [this.flushed, this.histograms])
      for (const name of known.keys()) if (name.startsWith(prefix) && !left.has(name)) known.delete(name);
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

export const existingStats = <Value>(
  values: Readonly<Record<string, Value>>,
  exists: (name: string) => boolean,
): Record<string, Value> => Object.fromEntries(Object.entries(values).filter(([name]) => exists(name)));
