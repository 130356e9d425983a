import type { Race, RaceEntry } from '../analysis/race.js';
import { printable } from '../core/printable.js';
import { counted, decimal, millis, percent } from './format.js';
import type { ReportLayout } from './host-table.js';
import { linesOfText, wrap } from './layout.js';
import type { Bar } from './table.js';
import { table } from './table.js';

/** A race for people: a table for each cluster, the winner first, with its latency as a bar. */
export function raceReport(race: Race, layout: ReportLayout): Generator<string> {
  return linesOfText(reportLines(race, layout));
}

function* reportLines({ clusters, notes, runs, scenario, seeds }: Race, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* wrap(
    `${printable(scenario)}, once under each policy: the first has the fewest failures, then the lowest p99, then mean`,
    width,
  );
  for (const [name, entries] of Object.entries(clusters)) {
    yield '';
    yield paint.strong(printable(name));
    yield* tableOf(entries, layout);
  }
  yield '';
  const seedText = runs === 1 ? `seed ${seeds[0] ?? ''}` : `seeds ${seeds[0] ?? ''} to ${seeds[runs - 1] ?? ''}`;
  const words =
    `${counted(runs, 'run')} of each with ${printable(seedText)}. peak: the most that a host got over the mean; Jain: 1 is even; ` +
    'CoV: standard deviation over mean; moved: keys that change their host where one of the others is lost too, mean over all hosts.';
  yield* wrap(words, width).map(paint.faint);
  for (const note of notes) yield* wrap(printable(note), width, 'note      ', '          ');
}

function tableOf(entries: readonly RaceEntry[], { width, paint, bars }: ReportLayout): string[] {
  const cells = (of: (entry: RaceEntry) => string): string[] => entries.map(of);
  const number = (value: number | null, shown: (value: number) => string): string =>
    value === null ? '–' : shown(value);
  const three = (value: number): string => decimal(value, 3);
  const columns = [
    { heading: 'policy', cells: cells(({ policy }) => printable(policy)), align: 'left' as const, name: true as const },
    { heading: 'failed', cells: cells(({ failed }) => number(failed, percent)) },
    { heading: 'mean', cells: cells(({ latency_ms: { mean } }) => number(mean, millis)) },
    { heading: 'p50', cells: cells(({ latency_ms: { p50 } }) => number(p50, millis)) },
    { heading: 'p99', cells: cells(({ latency_ms: { p99 } }) => number(p99, millis)) },
    { heading: 'peak', cells: cells(({ imbalance }) => number(imbalance.peak_to_mean, three)) },
    { heading: 'Jain', cells: cells(({ imbalance }) => number(imbalance.jain, three)) },
    { heading: 'CoV', cells: cells(({ imbalance }) => number(imbalance.cov, three)) },
    ...(entries.some(({ moved_keys: moved }) => moved !== null)
      ? [
          {
            heading: 'moved',
            cells: cells(({ moved_keys: moved }) => number(moved && Math.max(0, moved.moved - moved.minimum), percent)),
          },
        ]
      : []),
  ];
  const slowest = entries.reduce((most, { latency_ms: { p99 } }) => Math.max(most, p99 ?? 0), 0);
  const drawn = entries.map(({ latency_ms: { p99 } }): Bar => ({
    share: slowest === 0 ? 0 : (p99 ?? 0) / slowest,
    failed: 0,
  }));
  return table(columns, { width, indent: 2, paint, bars: bars ? drawn : undefined, barScale: 1 });
}
