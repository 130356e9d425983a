import { entryOf } from '../core/values.js';
import { printable } from '../core/printable.js';
import { LogLinearHistogram } from './log-linear-histogram.js';
import { DEFAULT_PREFIX } from './statsd.js';
import type { Stat, StatsSnapshot } from './store.js';
import type { Tag } from './tags.js';

/** Upper bounds of the buckets, in the unit of the histogram. */
const BUCKETS = [
  0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
  3_600_000,
];

const KINDS = ['counter', 'gauge', 'histogram'] as const;
type Kind = (typeof KINDS)[number];

/** One line, or the lines of one histogram, by its labels. */
type Series = Map<string, { value: number } | LogLinearHistogram>;

/**
 * Statistics in Prometheus' text format: groups by `# TYPE`, counters first, then gauges, then histograms.
 * Tags can make several statistics one: those are added up. Tags can also have names that are invalid labels, or become
 * equal after `.` is replaced by `_`, and a counter and a gauge can get one name; the proxy writes all that unchanged, and
 * a strict parser rejects it. Here such labels are renamed (`tag_1x`, `a_b_2`), and such a gauge ends in `_gauge`.
 * Source: "Exposition formats", Prometheus documentation, version 0.0.4.
 */
export function prometheusText(
  sources: readonly { readonly snapshot: StatsSnapshot; readonly labels: readonly Tag[] }[],
): string {
  const groups: Readonly<Record<Kind, Map<string, Series>>> = {
    counter: new Map(),
    gauge: new Map(),
    histogram: new Map(),
  };
  const seriesOf = (kind: Kind, stat: Stat): Series => {
    const name = sanitised(`${DEFAULT_PREFIX}_${stat.tagged.name}`);
    const isTaken = KINDS.some((other) => KINDS.indexOf(other) < KINDS.indexOf(kind) && groups[other].has(name));
    const key = isTaken ? `${name}_${kind}` : name;
    return entryOf(groups[kind], key, (): Series => new Map());
  };
  const add = (kind: 'counter' | 'gauge', stat: Stat, labels: readonly Tag[], value: number): void => {
    const series = seriesOf(kind, stat);
    const key = labelsText([...stat.tagged.tags, ...labels], []);
    const known = series.get(key);
    if (known !== undefined && 'value' in known) known.value += value;
    else series.set(key, { value });
  };
  for (const kind of ['counter', 'gauge'] as const) {
    for (const { snapshot, labels } of sources)
      for (const { stat, value } of snapshot[`${kind}s`]) add(kind, stat, labels, value);
  }
  for (const { snapshot, labels } of sources) {
    for (const { stat, cumulative } of snapshot.histograms) {
      const series = seriesOf('histogram', stat);
      const key = labelsText([...stat.tagged.tags, ...labels], ['le']);
      const sum = new LogLinearHistogram();
      for (const part of [series.get(key), cumulative]) if (part instanceof LogLinearHistogram) sum.add(part);
      series.set(key, sum);
    }
  }
  let text = '';
  for (const kind of KINDS) {
    for (const [name, series] of [...groups[kind]].sort(([one], [other]) => (one < other ? -1 : 1))) {
      text += `# TYPE ${name} ${kind}\n`;
      for (const [labels, value] of series) text += seriesText(name, labels, value);
    }
  }
  return text;
}

function seriesText(name: string, labels: string, value: { readonly value: number } | LogLinearHistogram): string {
  if (!(value instanceof LogLinearHistogram)) return `${name}{${labels}} ${value.value}\n`;
  const separator = labels === '' ? '' : ',';
  const bucket = (bound: string, count: number): string =>
    `${name}_bucket{${labels}${separator}le="${bound}"} ${count}\n`;
  // Further digits are rounding errors.
  return (
    BUCKETS.map((bound) => bucket(String(bound), value.countUpTo(bound))).join('') +
    bucket('+Inf', value.count) +
    `${name}_sum{${labels}} ${Math.round(value.sum * 1e6) / 1e6}\n` +
    `${name}_count{${labels}} ${value.count}\n`
  );
}

const sanitised = (name: string): string => name.replace(/[^a-zA-Z0-9_]/g, '_');

/** @param reserved names that mean something else here. */
function labelsText(tags: readonly Tag[], reserved: readonly string[]): string {
  const taken = new Set(reserved);
  return tags
    .map(({ name, value }) => {
      const plain = sanitised(name);
      // A label begins with a letter; two underscores are Prometheus' own.
      const base = /^(?:\d|__|_?$)/.test(plain) ? `tag_${plain}` : plain;
      let label = base;
      for (let count = 2; taken.has(label); count++) label = `${base}_${count}`;
      taken.add(label);
      return `${label}="${printable(value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'))}"`;
    })
    .join(',');
}
