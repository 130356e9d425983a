import { entryOf, freeName } from '../core/values.js';
import { printable } from '../core/printable.js';
import { LogLinearHistogram } from './log-linear-histogram.js';
import { DEFAULT_PREFIX } from './statsd.js';
import type { StatsSnapshot } from './store.js';
import type { Tag } from './tags.js';

/** Upper bounds of the buckets, in the unit of the histogram. */
const BUCKETS = [
  0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000,
  3_600_000,
];

/** Of one line, or of the lines of one histogram. */
type Value = number | LogLinearHistogram;

/** Values by their labels. */
type Series = Map<string, Value>;

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
  const taken = new Set<string>();
  let text = '';
  for (const kind of ['counter', 'gauge', 'histogram'] as const) {
    const groups = new Map<string, Series>();
    for (const { snapshot, labels } of sources) {
      for (const sample of snapshot[`${kind}s`]) {
        const { tagged } = sample.stat;
        const name = sanitised(`${DEFAULT_PREFIX}_${tagged.name}`);
        const series = entryOf(groups, taken.has(name) ? `${name}_${kind}` : name, (): Series => new Map());
        const key = labelsText([...tagged.tags, ...labels], kind === 'histogram' ? ['le'] : []);
        series.set(key, added(series.get(key), 'cumulative' in sample ? sample.cumulative : sample.value));
      }
    }
    for (const [name, series] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
      taken.add(name);
      text += `# TYPE ${name} ${kind}\n`;
      for (const [labels, value] of series) text += seriesText(name, labels, value);
    }
  }
  return text;
}

function added(known: Value | undefined, value: Value): Value {
  if (typeof value === 'number') return typeof known === 'number' ? known + value : value;
  const sum = new LogLinearHistogram();
  for (const part of [known, value]) if (part instanceof LogLinearHistogram) sum.add(part);
  return sum;
}

function seriesText(name: string, labels: string, value: Value): string {
  if (typeof value === 'number') return `${name}{${labels}} ${value}\n`;
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
      const label = freeName(/^(?:\d|__|_?$)/.test(plain) ? `tag_${plain}` : plain, taken, '_');
      return `${label}="${printable(value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'))}"`;
    })
    .join(',');
}
