import { DEFAULT_PREFIX } from './statsd.js';
import type { Stat, StatsSnapshot } from './store.js';
import type { Tag } from './tags.js';

/** Upper bounds of the buckets, in the unit of the histogram. */
const BUCKETS = [
  0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
  3_600_000,
];

export interface ExpositionOptions {
  /** Only what was ever incremented, set or recorded. */
  readonly usedOnly?: boolean;
  /** On the full name. */
  readonly filter?: (name: string) => boolean;
}

/** One proxy's part of an exposition; `labels` tell several proxies apart. */
export interface ExpositionSource {
  readonly snapshot: StatsSnapshot;
  readonly labels: readonly Tag[];
}

type Kind = 'counter' | 'gauge' | 'histogram';

/**
 * Statistics in Prometheus' text format: groups by `# TYPE`, counters first, then gauges, then histograms.
 *
 * Source: "Exposition formats", Prometheus documentation, version 0.0.4.
 */
export function prometheusText(sources: readonly ExpositionSource[], options: ExpositionOptions = {}): string {
  const { usedOnly = false, filter = () => true } = options;
  const groups: Readonly<Record<Kind, Map<string, string[]>>> = {
    counter: new Map(),
    gauge: new Map(),
    histogram: new Map(),
  };
  const add = (kind: Kind, stat: Stat, labels: readonly Tag[], lines: (name: string, tags: string) => string[]) => {
    if (!filter(stat.name)) return;
    const name = metricName(stat.tagged.name);
    let group = groups[kind].get(name);
    if (group === undefined) groups[kind].set(name, (group = []));
    group.push(...lines(name, [...stat.tagged.tags, ...labels].map(labelText).join(',')));
  };
  for (const { snapshot, labels } of sources) {
    for (const { stat, value, used } of snapshot.counters) {
      if (used || !usedOnly) add('counter', stat, labels, (name, tags) => [`${name}{${tags}} ${value}`]);
    }
    for (const { stat, value, used } of snapshot.gauges) {
      if (used || !usedOnly) add('gauge', stat, labels, (name, tags) => [`${name}{${tags}} ${value}`]);
    }
    for (const { stat, cumulative } of snapshot.histograms) {
      if (usedOnly && cumulative.count === 0) continue;
      add('histogram', stat, labels, (name, tags) => {
        const separator = tags === '' ? '' : ',';
        const bucket = (bound: string, count: number): string =>
          `${name}_bucket{${tags}${separator}le="${bound}"} ${count}`;
        return [
          ...BUCKETS.map((bound) => bucket(String(bound), cumulative.countUpTo(bound))),
          bucket('+Inf', cumulative.count),
          `${name}_sum{${tags}} ${round(cumulative.sum)}`,
          `${name}_count{${tags}} ${cumulative.count}`,
        ];
      });
    }
  }
  let text = '';
  for (const kind of ['counter', 'gauge', 'histogram'] as const) {
    const names = [...groups[kind].keys()].sort();
    for (const name of names) text += `# TYPE ${name} ${kind}\n${(groups[kind].get(name) ?? []).join('\n')}\n`;
  }
  return text;
}

function metricName(name: string): string {
  return sanitised(`${DEFAULT_PREFIX}_${name}`);
}

function sanitised(name: string): string {
  return name.replace(/[^a-zA-Z0-9_]/g, '_');
}

function labelText({ name, value }: Tag): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `${sanitised(name)}="${escaped}"`;
}

/** What lies behind is the noise of doubles. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
