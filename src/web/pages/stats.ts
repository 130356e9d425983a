import { printable } from '../../core/printable.js';
import type { JsonValue } from '../../core/values.js';
import type { LogLinearHistogram } from '../../stats/log-linear-histogram.js';
import type { HistogramSample, StatsSnapshot } from '../../stats/store.js';

export const STAT_TYPES = ['All', 'Counters', 'Gauges', 'Histograms', 'TextReadouts'] as const;
export type StatType = (typeof STAT_TYPES)[number];

export interface StatsQuery {
  /** On the full name. */
  readonly filter: (name: string) => boolean;
  /** Only statistics ever incremented, set or recorded. */
  readonly usedOnly: boolean;
  readonly type: StatType;
}

const PERCENTS = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 100];

/** The part of a snapshot that the query selects, by name; there are no text readouts here. */
export function selected(snapshot: StatsSnapshot, { filter, usedOnly, type }: StatsQuery): StatsSnapshot {
  const wants = (kind: StatType): boolean => type === 'All' || type === kind;
  const fits = ({ stat, used }: Named & { readonly used: boolean }): boolean =>
    (used || !usedOnly) && filter(stat.name);
  return {
    timeUs: snapshot.timeUs,
    counters: wants('Counters') ? snapshot.counters.filter(fits) : [],
    gauges: wants('Gauges') ? snapshot.gauges.filter(fits) : [],
    histograms: wants('Histograms')
      ? snapshot.histograms.filter(({ stat, cumulative }) => fits({ stat, used: cumulative.count > 0 })).sort(byName)
      : [],
  };
}

type Named = Pick<HistogramSample, 'stat'>;

const byName = ({ stat: a }: Named, { stat: b }: Named): number => (a.name < b.name ? -1 : 1);

/** `/stats`: counters and gauges by name, then histograms by name with quantiles of the last interval and of all time. */
export function statsText({ counters, gauges, histograms }: StatsSnapshot): string {
  let text = '';
  for (const { stat, value } of [...counters, ...gauges].sort(byName)) text += `${printable(stat.name)}: ${value}\n`;
  for (const { stat, interval, cumulative } of histograms)
    text += `${printable(stat.name)}: ${summary(interval, cumulative)}\n`;
  return text;
}

function summary(interval: LogLinearHistogram, cumulative: LogLinearHistogram): string {
  if (cumulative.count === 0) return 'No recorded values';
  const both = (percent: number): string =>
    [interval, cumulative].map((of) => of.quantile(percent / 100) ?? 'nan').join();
  return PERCENTS.map((percent) => `P${percent}(${both(percent)})`).join(' ');
}

export function statsJson({ counters, gauges, histograms }: StatsSnapshot): JsonValue {
  const sorted = [...counters, ...gauges].sort(byName);
  const stats: JsonValue[] = sorted.map(({ stat, value }) => ({ name: stat.name, value }));
  if (histograms.length === 0) return { stats };
  const computed = histograms.map(({ stat, interval, cumulative }) => ({
    name: stat.name,
    values: PERCENTS.map((percent) => ({
      cumulative: cumulative.quantile(percent / 100) ?? null,
      interval: interval.quantile(percent / 100) ?? null,
    })),
  }));
  return { stats: [...stats, { histograms: { supported_quantiles: PERCENTS, computed_quantiles: computed } }] };
}
