import type { Race, RaceEntry } from '../../analysis/generated/experiments.js';
import { largest } from '../../core/values.js';
import { decimal, millis, percent, printable, seedsText } from '../format.js';
import { inputLines, noteLines, type ReportLayout, wrap } from '../layout.js';
import { otherClusters, toldClusters } from '../run/groups.js';
import { columnsOf, table } from '../table.js';
import { fill, SENTENCES } from '../words.js';

const WORDS = SENTENCES.raced;

export function* raceReport(race: Race, layout: ReportLayout): Generator<string> {
  const { clusters, notes, runs, seeds } = race;
  const { width, paint } = layout;
  yield* wrap(printable(fill(WORDS.head, race)), width);
  yield* inputLines(race.input, width);
  const all = Object.entries(clusters);
  const told = toldClusters(all, layout.all, byDistance);
  for (const [name, entries] of all) {
    if (!told.has(name)) continue;
    yield '';
    yield paint.strong(printable(name));
    yield* tableOf(entries, layout);
    yield* equals(entries, layout);
  }
  yield* otherClusters(all.length - told.size, paint);
  yield '';
  const load = all.some(([, entries]) => entries.some((one) => one.load !== null)) ? WORDS.load : undefined;
  yield* wrap(fill(WORDS.key, { runs, seeds: seedsText(seeds.slice(0, runs)), load }), width).map(paint.faint);
  yield* noteLines(notes, width);
}

/** First the clusters whose policies lie farthest apart in failures, then in the 99th percentile, then those that fail. */
function byDistance(a: readonly RaceEntry[], b: readonly RaceEntry[]): number {
  const spread = (values: readonly (number | null)[]): number => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known);
  };
  const failed = (entries: readonly RaceEntry[]): number => spread(entries.map((entry) => entry.failed));
  const p99 = (entries: readonly RaceEntry[]): number => spread(entries.map(({ latency_ms: { p99: own } }) => own));
  return failed(b) - failed(a) || p99(b) - p99(a) || (b[0]?.failed ?? 0) - (a[0]?.failed ?? 0);
}

/** Policies whose differences from the first may be chance: the order among them says nothing. */
function equals(entries: readonly RaceEntry[], { width }: ReportLayout): string[] {
  const names = entries.flatMap(({ policy, behind }) => {
    const known = [behind?.failed, behind?.latency_ms.mean, behind?.latency_ms.p99].filter((one) => one !== null);
    // Nothing is clearly more; one run has no intervals, and tells nothing.
    const isAsGood = known.length > 0 && known.every((one) => (one?.low ?? Infinity) <= 0);
    return isAsGood ? [printable(policy)] : [];
  });
  if (names.length === 0) return [];
  return wrap(fill(WORDS.alike, { names }), width, '  ', '  ');
}

function tableOf(entries: readonly RaceEntry[], layout: ReportLayout): string[] {
  const known = (value: number | null, shown: (value: number) => string): string =>
    value === null ? '–' : shown(value);
  const three = (value: number): string => decimal(value, 3);
  const { name, text } = columnsOf(entries);
  const columns = [
    name('policy', ({ policy }) => printable(policy)),
    text('failed', ({ failed }) => known(failed, percent)),
    text('mean', ({ latency_ms: { mean } }) => known(mean, millis)),
    text('p50', ({ latency_ms: { p50 } }) => known(p50, millis)),
    text('p99', ({ latency_ms: { p99 } }) => known(p99, millis)),
    text('peak', ({ imbalance }) => known(imbalance.peak_to_mean, three)),
    entries.some(({ load }) => load !== null) && text('load', ({ load }) => known(load, percent)),
    text('Jain', ({ imbalance }) => known(imbalance.jain, three)),
    text('CoV', ({ imbalance }) => known(imbalance.cov, three)),
    entries.some(({ moved_keys: moved }) => moved !== null) &&
      text('moved', ({ moved_keys: moved }) => known(moved && Math.max(0, moved.moved - moved.minimum), percent)),
  ];
  const times = entries.map(({ latency_ms: { p99 } }) => p99 ?? 0);
  const slowest = largest(times, 0);
  const bars = times.map((p99) => ({ share: slowest === 0 ? 0 : p99 / slowest, failed: 0 }));
  return table(columns, layout, 2, bars);
}
