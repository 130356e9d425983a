import { sum } from '../../core/values.js';
import type { ClusterResult, CourseResult, IntervalResult } from '../../result/run-result.js';
import { count, millis, percent, printable, seconds } from '../format.js';
import { displayWidth, type ReportLayout, shorten, widest } from '../layout.js';
import { columnsOf, table } from '../table.js';
import { failureList } from '../../words/happenings.js';

/** Eighths of a line, from almost nothing to full. */
const LEVELS = '▁▂▃▄▅▆▇█';

/** A column for each value, with a height relative to `most`; 0 is a dot, and an unknown value a gap. */
const sparkline = (values: readonly (number | null)[], most: number): string =>
  values
    .map((value) => {
      if (value === null) return ' ';
      if (value <= 0) return '·';
      const level = most <= 0 ? 0 : Math.ceil((value / most) * LEVELS.length) - 1;
      return LEVELS.charAt(Math.min(LEVELS.length - 1, Math.max(0, level)));
    })
    .join('');

const MAX_ROWS = 40;
const MAX_HOSTS_DRAWN = 12;
/** A line is drawn if its largest value is this many times its median, or the median is 0. */
const UNEVEN = 1.5;

interface Track {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly show: (value: number) => string;
  /** Always drawn where any value is not 0. */
  readonly always?: true;
  /** Standard deviation by chance; default 0. */
  readonly noise?: number;
}

/** Values closer than this many standard deviations count as equal. */
const CHANCE = 6;

export function courseSection({ course }: ClusterResult, layout: ReportLayout): string[] {
  if (course === undefined || course.intervals.length < 2) return [];
  const drawing = drawings(course, layout);
  const rows = layout.every === true ? intervalTable(course, layout) : [];
  if (drawing.lines.length + rows.length === 0) return [];
  const end = course.intervals[course.intervals.length - 1]?.to_s ?? 0;
  const isDrawn = layout.bars && drawing.lines.length > 0;
  const each = !isDrawn ? '' : `, a column is ${seconds(course.every_s * drawing.each)}`;
  const heading = `  ${layout.paint.strong('over time')}  0 to ${seconds(end)}${each}`;
  return [heading, ...drawing.lines, ...(rows.length > 0 ? ['', ...rows] : []), ''];
}

/** Lines, and the number of intervals per column. */
function drawings(course: CourseResult, layout: ReportLayout) {
  const { intervals } = course;
  const share = (part: (interval: IntervalResult) => number): (number | null)[] =>
    intervals.map((interval) => (interval.requests === 0 ? null : part(interval) / interval.requests));
  const counted = (name: string, of: (interval: IntervalResult) => number): Track => {
    const values = intervals.map(of);
    return { name, values, show: count, noise: Math.sqrt(Math.max(1, meanOf(values))) };
  };
  const tracks: Track[] = [
    { name: 'failed', values: intervals.map(({ failed }) => failed), show: count, always: true },
    { name: 'p50', values: intervals.map(({ latency_ms: { p50 } }) => p50), show: millis },
    { name: 'p99', values: intervals.map(({ latency_ms: { p99 } }) => p99), show: millis },
    counted('in flight', ({ in_flight: open }) => open),
    { name: 'ejected', values: intervals.map(({ ejected }) => ejected), show: count, always: true },
    counted('attempts', ({ requests }) => requests),
    // If nothing is drawn, a dozen maxima of shares would add nothing to the tables.
    ...(layout.bars ? hostTracks(course, share) : []),
  ];
  const shown = tracks.filter(changes);
  const nameWidth = Math.min(24, widest(shown.map(({ name }) => name)));
  const notes = shown.map(({ values, show }) => {
    const most = largestKnown(values) ?? 0;
    const at = intervals[values.indexOf(most)];
    return at === undefined ? '' : `most ${show(most)}, at ${seconds(at.from_s)}`;
  });
  const noteWidth = widest(notes);
  const room = Math.max(10, Math.min(intervals.length, layout.width - 4 - nameWidth - 2 - 2 - noteWidth));
  // As many columns as fit: of neighbours the largest.
  const each = Math.max(1, Math.ceil(intervals.length / room));
  const lines = shown.map((track, index) => {
    const columns = Array.from({ length: Math.ceil(intervals.length / each) }, (_, at) =>
      largestKnown(track.values.slice(at * each, (at + 1) * each)),
    );
    const line = sparkline(columns, largestKnown(track.values) ?? 0);
    const name = shorten(track.name, 24);
    const paint = track.name === 'failed' ? layout.paint.bad : layout.paint.bar;
    const drawn = layout.bars ? `${paint(line)}  ` : '';
    return `    ${name}${' '.repeat(nameWidth - displayWidth(name))}  ${drawn}${notes[index] ?? ''}`;
  });
  return { lines, each };
}

/** Shares of few hosts, drawn only where they change. */
function hostTracks(
  { hosts = [], intervals }: CourseResult,
  share: (part: (interval: IntervalResult) => number) => (number | null)[],
): Track[] {
  if (hosts.length < 2 || hosts.length > MAX_HOSTS_DRAWN) return [];
  const mean = Math.max(1, meanOf(intervals.map((interval) => interval.requests)));
  return hosts.map(({ address, requests }) => {
    let at = 0;
    const values = share(() => requests[at++] ?? 0);
    const fair = Math.min(1, meanOf(requests) / mean);
    const noise = Math.sqrt((fair * (1 - fair)) / mean);
    return { name: printable(address), values, show: (value) => percent(value), noise };
  });
}

const largestKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, value) => (value === null ? most : most === null ? value : Math.max(most, value)), null);

function changes({ values, always, noise = 0 }: Track): boolean {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const most = known[known.length - 1] ?? 0;
  if (most === 0) return false;
  if (always === true) return true;
  // The first and the last interval are often cut short.
  const inner = values.slice(1, -1).filter((value) => value !== null);
  const middle = known[known.length >> 1] ?? 0;
  const [low, high] = [Math.min(...inner), Math.max(...inner)];
  return inner.length > 0 && high - low > CHANCE * noise && (high > UNEVEN * middle || low * UNEVEN < middle);
}

const meanOf = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);

function intervalTable({ intervals }: CourseResult, layout: ReportLayout): string[] {
  const all = layout.all || intervals.length <= MAX_ROWS;
  const shown = all ? intervals : intervals.slice(0, MAX_ROWS);
  const { name, number } = columnsOf(shown);
  const columns = [
    number('from', ({ from_s: from }) => seconds(from)),
    number('attempts', ({ requests }) => count(requests)),
    number('failed', ({ failed }) => count(failed)),
    number('p50', ({ latency_ms: { p50 } }) => millis(p50)),
    number('p99', ({ latency_ms: { p99 } }) => millis(p99)),
    number('in flight', ({ in_flight: open }) => count(open)),
    intervals.some(({ ejected }) => ejected > 0) && number('ejected', ({ ejected }) => count(ejected)),
    intervals.some(({ failed }) => failed > 0) && name('failures', ({ failures }) => failureList(failures)),
  ];
  const lines = table(columns, layout, 4);
  if (!all) lines.push(`    … ${count(intervals.length - shown.length)} more intervals (--all lists them)`);
  return lines;
}
