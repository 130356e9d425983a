import { printable } from '../core/printable.js';
import type { HostResult, PhaseHostResult, Portion, Predicted, RunResult } from '../result/run-result.js';
import { count, counted, decimal, millis, percent, shareDigits } from './format.js';
import { localityNames, localityParts } from './groups.js';
import { displayWidth, wrap } from './layout.js';
import { range } from './host-shares.js';
import type { Paint } from './paint.js';
import type { Column } from './table.js';
import { NO_BAR, table } from './table.js';

/** How a report is laid out; see {@link ./text-report.ts}. */
export interface ReportLayout {
  readonly width: number;
  readonly bars: boolean;
  readonly paint: Paint;
  /** Every host and every phase, however many. */
  readonly all: boolean;
  /** Intervals were requested: a row for each. */
  readonly every?: boolean;
  /** Show predictions beside counts even where both agree. */
  readonly predicted?: boolean;
  /** Show events instead of phases. */
  readonly events?: boolean;
  /** The run before, to mark what differs from it. */
  readonly before?: RunResult | undefined;
  /** The share of the longest bar; default 1. */
  readonly barScale?: number;
}

/** A row of a host table; the measures of the whole run are there or not. */
export type TableRow = PhaseHostResult &
  Partial<
    Pick<HostResult, 'errors' | 'latency_ms' | 'removed_at_s' | 'hostname' | 'relative_load' | 'transport_socket_match'>
  >;

export interface HostTableInput {
  readonly rows: readonly TableRow[];
  /** Total of attempts. */
  readonly requests: number;
  readonly noHost: Portion;
  readonly overflow: Portion;
  /** The rows span several phases: their health is that of the last one. */
  readonly atTheEnd: boolean;
  /** The rows of the run before. */
  readonly before?: readonly TableRow[] | undefined;
}

/** More hosts than this are summarised. */
export const MAX_HOSTS = 20;
const EXTREMES = 4;

/** A line per host; columns with the same value on every line are left out, and many hosts are summarised. */
export function hostTable(input: HostTableInput, layout: ReportLayout, indent: number): string[] {
  const { rows } = input;
  if (layout.all || rows.length <= MAX_HOSTS) return render(rows, input, layout, indent, undefined);
  const order = rows
    .map((row, index) => ({ row, index }))
    .sort((a, b) => b.row.share - a.row.share || a.index - b.index);
  const extremes = [...order.slice(0, EXTREMES), ...order.slice(-EXTREMES)].map((entry) => entry.row);
  const between = order.slice(EXTREMES, -EXTREMES).map((entry) => entry.row);
  return render(extremes, input, layout, indent, between);
}

function render(
  rows: readonly TableRow[],
  input: HostTableInput,
  layout: ReportLayout,
  indent: number,
  between: readonly TableRow[] | undefined,
): string[] {
  const everyone = input.rows;
  const { paint } = layout;
  const rest = [
    ...(input.noHost.requests > 0 ? [{ name: '(no host)', ...input.noHost }] : []),
    ...(input.overflow.requests > 0 ? [{ name: '(overflow)', ...input.overflow }] : []),
  ];
  const gap = between === undefined ? rows.length : EXTREMES;
  const withGap = <Cell>(cells: readonly Cell[], filler: Cell): Cell[] =>
    between === undefined ? [...cells] : [...cells.slice(0, gap), filler, ...cells.slice(gap)];
  const cells = (of: (row: TableRow) => string, filler = '', last: readonly string[] = []): string[] => [
    ...withGap(rows.map(of), filler),
    ...last,
  ];

  const columns: Column[] = [];
  const add = (column: Column): void => {
    columns.push(column);
  };
  const hidden = between === undefined ? '' : `… ${count(between.length)} more`;
  add({
    heading: 'host',
    name: true,
    cells: cells(
      (row) => printable(row.address),
      hidden,
      rest.map((part) => part.name),
    ),
  });
  const [first] = everyone;
  const differ = (of: (row: TableRow) => unknown): boolean =>
    first !== undefined && everyone.some((row) => of(row) !== of(first));
  if (differ((row) => row.hostname ?? ''))
    add({ heading: 'hostname', name: true, cells: cells((row) => printable(row.hostname ?? '')) });
  const parts = localityParts(everyone.map((row) => row.locality));
  const nameOf = localityNames(parts);
  if (differ((row) => nameOf(row.locality))) {
    const heading = parts.region || parts.subZone ? 'locality' : 'zone';
    add({ heading, name: true, cells: cells((row) => nameOf(row.locality)) });
  }
  if (differ((row) => row.priority)) {
    add({ heading: 'prio', align: 'right', cells: cells((row) => String(row.priority)) });
  }
  if (differ((row) => row.weight)) {
    add({ heading: 'weight', align: 'right', cells: cells((row) => count(row.weight)) });
  }
  if (everyone.some((row) => row.transport_socket_match !== undefined)) {
    add({ heading: 'socket', name: true, cells: cells((row) => printable(row.transport_socket_match ?? '')) });
  }
  if (everyone.some((row) => row.health !== 'healthy' || row.removed_at_s !== undefined)) {
    const health = cells(healthText);
    add({
      heading: input.atTheEnd ? 'at the end' : 'health',
      cells: health,
      paint: (text) => healthPaint(text, paint),
    });
  }
  const requests = between?.reduce((sum, row) => sum + row.requests, 0) ?? 0;
  add({
    heading: 'requests',
    align: 'right',
    cells: cells(
      (row) => count(row.requests),
      count(requests),
      rest.map((part) => count(part.requests)),
    ),
  });
  const digits = shareDigits(everyone.length);
  const share = between?.reduce((sum, row) => sum + row.share, 0) ?? 0;
  add({
    heading: 'share',
    sharesHeading: true,
    align: 'right',
    cells: cells(
      (row) => percent(row.share, digits),
      percent(share, digits),
      rest.map((part) => percent(part.share, digits)),
    ),
    paint: (text, row) => (row >= rows.length + (between === undefined ? 0 : 1) ? paint.bad(text) : text),
  });
  const before = earlierShares(rows, input.before, digits);
  if (before.some((text) => text !== '')) {
    const last = rest.map(() => '');
    add({ heading: 'before', align: 'right', cells: [...withGap(before, ''), ...last], paint: paint.odd });
  }
  if (everyone.some((row) => row.relative_load !== undefined)) {
    const times = (row: TableRow): string =>
      row.relative_load === undefined ? '' : `${row.relative_load.toFixed(2)} ×`;
    add({ heading: 'of mean', sharesHeading: true, align: 'right', cells: cells(times) });
  }
  if (showsPrediction(everyone, layout)) {
    add({
      heading: 'predicted',
      align: 'right',
      cells: cells((row) => (row.predicted_share === undefined ? '' : `${decimal2(row.predicted_share * 100)} %`)),
    });
    add({ heading: 'z', sharesHeading: true, align: 'right', cells: cells((row) => deviation(row)) });
  }
  if (everyone.some((row) => (row.errors ?? 0) > 0)) {
    add({ heading: 'errors', align: 'right', cells: cells((row) => count(row.errors ?? 0)) });
  }
  if (haveSeveralLatencies(everyone)) {
    add({ heading: 'p50', align: 'right', cells: cells((row) => millis(row.latency_ms?.p50 ?? null)) });
    add({
      heading: 'p99',
      sharesHeading: true,
      align: 'right',
      cells: cells((row) => millis(row.latency_ms?.p99 ?? null)),
    });
  }
  const bars = layout.bars
    ? [
        ...withGap(
          rows.map((row) => ({ share: row.share, failed: failedPart(row) })),
          NO_BAR,
        ),
        ...rest.map((part) => ({ share: part.share, failed: 1 })),
      ]
    : undefined;
  const lines = table(columns, { width: layout.width, indent, paint, bars, barScale: layout.barScale });
  const note = showsPrediction(everyone, layout) ? predictionNote(indent, layout) : [];
  return between === undefined ? [...lines, ...note] : [...lines, ...rangeNote(between, indent, layout), ...note];
}

/** The same host in two runs. */
export function hostKey({ address, priority }: Pick<TableRow, 'address' | 'priority'>): string {
  return `${address} ${priority}`;
}

/** The share of each row in the run before, where it was another one; else ''. */
function earlierShares(rows: readonly TableRow[], before: readonly TableRow[] | undefined, digits: number): string[] {
  if (before === undefined) return [];
  const known = new Map(before.map((row) => [hostKey(row), percent(row.share, digits)]));
  return rows.map((row) => {
    const text = known.get(hostKey(row)) ?? 'new';
    return text === percent(row.share, digits) ? '' : text;
  });
}

/** Of the hosts that answered. */
function haveSeveralLatencies(rows: readonly TableRow[]): boolean {
  const first = rows.find(({ latency_ms: latency }) => typeof latency?.p50 === 'number')?.latency_ms;
  return rows.some(({ latency_ms: latency }) => {
    if (first === undefined || typeof latency?.p50 !== 'number') return false;
    return latency.p50 !== first.p50 || latency.p99 !== first.p99;
  });
}

/** The part of a host's attempts that failed. */
function failedPart({ errors = 0, requests }: TableRow): number {
  return requests === 0 ? 0 : errors / requests;
}

function rangeNote(between: readonly TableRow[], indent: number, layout: ReportLayout): string[] {
  const silent = between.filter((row) => row.requests === 0).length;
  const some = between.length - silent;
  const parts = [
    ...(some > 0 ? [range(between)] : []),
    ...(silent > 0 ? [`${counted(silent, 'host')} without a request`] : []),
  ];
  const text = `${' '.repeat(indent)}… ${counted(between.length, 'host')} in between: ${parts.join(', ')} (--all lists them)`;
  const short = `${' '.repeat(indent)}… ${count(between.length)} in between: ${parts.join(', ')}`;
  return [layout.paint.faint(displayWidth(text) <= layout.width ? text : short)];
}

/** From this many standard errors on, chance is no explanation. */
export const DISAGREES = 5;

/** Whether predictions are shown: on request, or if the run does not agree. */
export function showsPrediction(rows: readonly Predicted[], { predicted }: ReportLayout): boolean {
  if (predicted === true) return rows.some((row) => row.predicted_share !== undefined);
  return rows.some(({ predicted_z: z = 0 }) => Math.abs(z) > DISAGREES);
}

/** Explains the two columns where they were not requested. */
function predictionNote(indent: number, layout: ReportLayout): string[] {
  const text = `predicted: the exact share by the rules; z: how many standard errors lie between; beyond ${DISAGREES} it is not chance`;
  return wrap(text, layout.width, ' '.repeat(indent)).map(layout.paint.faint);
}

function healthText(row: TableRow): string {
  if (row.removed_at_s !== undefined) return `left ${decimal(row.removed_at_s, 3)} s`;
  return row.health;
}

function healthPaint(text: string, paint: Paint): string {
  if (text === 'healthy') return text;
  return text === 'unhealthy' ? paint.bad(text) : paint.odd(text);
}

function decimal2(value: number): string {
  return value.toFixed(2);
}

/** Number of standard errors between the count and the prediction. */
function deviation(row: TableRow): string {
  const z = row.predicted_z;
  if (z === undefined) return '';
  return Math.abs(z) >= 1000 ? '∞' : z.toFixed(1).replace(/^-0\.0$/, '0.0');
}
