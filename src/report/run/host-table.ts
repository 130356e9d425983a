import { sum } from '../../core/values.js';
import { hostId } from '../../result/phases.js';
import type { HostResult, PhaseHostResult, Portion } from '../../result/run-result.js';
import { count, counted, decimal, millis, percent, printable, shareDigits, truthInWords } from '../format.js';
import { localityHeading, localityNames, localityParts } from './groups.js';
import { displayWidth, type ReportLayout, wrap } from '../layout.js';
import { range, DISAGREES, showsPrediction } from './host-shares.js';
import { type Bar, columnsOf, table } from '../table.js';

export type TableRow = PhaseHostResult &
  Partial<
    Pick<HostResult, 'errors' | 'latency_ms' | 'removed_at_s' | 'hostname' | 'relative_load' | 'transport_socket_match'>
  >;

export interface HostTableInput {
  readonly rows: readonly TableRow[];
  readonly noHost: Portion;
  readonly overflow: Portion;
  /** The rows span several phases: their health is that of the last one. */
  readonly atTheEnd: boolean;
  readonly before?: readonly TableRow[] | undefined;
}

export const MAX_HOSTS = 20;
const EXTREMES = 4;

type Line = Readonly<{ name: string; host?: TableRow; requests: number; share: number; isLost?: true }>;

/** A line per host; columns with the same value on every line are left out, and many hosts are summarised. */
export function hostTable(input: HostTableInput, layout: ReportLayout, indent: number, most = MAX_HOSTS): string[] {
  const { rows } = input;
  const { paint } = layout;
  const few = layout.all || rows.length <= most;
  const extremes = Math.min(EXTREMES, Math.max(1, (most - 2) >> 1));
  const byShare = few ? [] : [...rows].sort((a, b) => b.share - a.share);
  const between = few ? [] : byShare.slice(extremes, -extremes);
  const lineOf = (host: TableRow): Line => {
    const { address, requests, share } = host;
    return { name: printable(address), host, requests, share };
  };
  const gap: Line = {
    name: `… ${count(between.length)} more`,
    requests: sum(between.map(({ requests }) => requests)),
    share: sum(between.map(({ share }) => share)),
  };
  const lines = [
    ...(few ? rows : byShare.slice(0, extremes)).map(lineOf),
    ...(few ? [] : [gap, ...byShare.slice(-extremes).map(lineOf)]),
    ...lostLine('(no host)', input.noHost),
    ...lostLine('(overflow)', input.overflow),
  ];
  const all = columnsOf(lines);
  const { name, number, text } = columnsOf(lines.map(({ host }) => host));
  const [first] = rows;
  const differ = (of: (row: TableRow) => unknown): boolean =>
    first !== undefined && rows.some((row) => of(row) !== of(first));
  const parts = localityParts(rows.map((row) => row.locality));
  const nameOf = localityNames(parts);
  const digits = shareDigits(rows.length);
  const before = number('before', earlierShare(input.before, digits), { paint: paint.odd });
  const predicted = showsPrediction(rows, layout);
  const latencies = haveSeveralLatencies(rows);
  const columns = [
    all.name('host', (line) => line.name),
    differ((row) => row.hostname ?? '') && name('hostname', (row) => printable(row.hostname ?? '')),
    differ((row) => nameOf(row.locality)) && name(localityHeading(parts), (row) => nameOf(row.locality)),
    differ((row) => row.priority) && number('prio', (row) => String(row.priority)),
    differ((row) => row.weight) && number('weight', (row) => count(row.weight)),
    rows.some((row) => row.transport_socket_match !== undefined) &&
      name('socket', (row) => printable(row.transport_socket_match ?? '')),
    rows.some((row) => row.removed_at_s !== undefined || healthText(row) !== 'healthy') &&
      text(input.atTheEnd ? 'at the end' : 'health', healthText, {
        paint: (cell) => (cell === 'healthy' ? cell : cell === 'unhealthy' ? paint.bad(cell) : paint.odd(cell)),
      }),
    all.number(`${layout.noun ?? 'request'}s`, ({ requests }) => count(requests)),
    all.number('share', ({ share }) => percent(share, digits), {
      sharesHeading: true,
      paint: (cell, row) => (lines[row]?.isLost === true ? paint.bad(cell) : cell),
    }),
    before.cells.some((cell) => cell !== '') && before,
    rows.some((row) => row.load !== undefined) &&
      number('load', ({ load }) => (load === undefined ? '' : percent(load)), {
        paint: (cell, row) => ((lines[row]?.host?.load ?? 0) > 1 ? paint.bad(cell) : cell),
      }),
    rows.some((row) => row.relative_load !== undefined) &&
      number('of mean', ({ relative_load: load }) => (load === undefined ? '' : `${load.toFixed(2)} ×`), {
        sharesHeading: true,
      }),
    predicted &&
      number('predicted', ({ predicted_share: share }) => (share === undefined ? '' : `${(share * 100).toFixed(2)} %`)),
    predicted && number('z', deviation, { sharesHeading: true }),
    rows.some((row) => (row.errors ?? 0) > 0) && number('errors', (row) => count(row.errors ?? 0)),
    latencies && number('p50', (row) => millis(row.latency_ms?.p50 ?? null)),
    latencies && number('p99', (row) => millis(row.latency_ms?.p99 ?? null), { sharesHeading: true }),
  ];
  return [
    ...table(columns, layout, indent, lines.map(barOf)),
    ...(few ? [] : rangeNote(between, indent, layout)),
    // Explains the two columns where they were not requested.
    ...(predicted ? wrap(PREDICTION_NOTE, layout.width, ' '.repeat(indent)).map(paint.faint) : []),
  ];
}

const PREDICTION_NOTE = `predicted: the exact share by the rules; z: standard errors between the two, beyond ${DISAGREES} not by chance`;

const lostLine = (name: string, { requests, share }: Portion): Line[] =>
  requests > 0 ? [{ name, requests, share, isLost: true }] : [];

function barOf({ host, share, isLost }: Line): Bar {
  if (isLost === true) return { share, failed: 1 };
  if (host === undefined) return { share: 0, failed: 0 };
  const { errors = 0, requests } = host;
  return { share, failed: requests === 0 ? 0 : errors / requests };
}

/** The share of a row in the run before, where it was another one; else ''. */
function earlierShare(before: readonly TableRow[] | undefined, digits: number): (row: TableRow) => string {
  const known = new Map(before?.map((row) => [hostId(row), percent(row.share, digits)]));
  return (row) => {
    const text = before === undefined ? '' : (known.get(hostId(row)) ?? 'new');
    return text === percent(row.share, digits) ? '' : text;
  };
}

/** Of the hosts that answered. */
function haveSeveralLatencies(rows: readonly TableRow[]): boolean {
  const first = rows.find(({ latency_ms: latency }) => typeof latency?.p50 === 'number')?.latency_ms;
  return rows.some(({ latency_ms: latency }) => {
    if (first === undefined || typeof latency?.p50 !== 'number') return false;
    return latency.p50 !== first.p50 || latency.p99 !== first.p99;
  });
}

function rangeNote(between: readonly TableRow[], indent: number, layout: ReportLayout): string[] {
  const silent = between.filter((row) => row.requests === 0).length;
  const none = `${counted(silent, 'host')} without a request`;
  const parts = [...(silent < between.length ? [range(between)] : []), ...(silent > 0 ? [none] : [])].join(', ');
  const margin = ' '.repeat(indent);
  const text = `${margin}… ${counted(between.length, 'host')} in between: ${parts} (--all lists them)`;
  const short = `${margin}… ${count(between.length)} in between: ${parts}`;
  return [layout.paint.faint(displayWidth(text) <= layout.width ? text : short)];
}

function healthText(row: TableRow): string {
  if (row.removed_at_s !== undefined) return `left ${decimal(row.removed_at_s, 3)} s`;
  const { health, truth } = row;
  return health === 'unhealthy' && truth !== 'back' ? health : truthInWords(health, truth) || health;
}

/** Number of standard errors between the count and the prediction. */
function deviation(row: TableRow): string {
  const z = row.predicted_z;
  if (z === undefined) return '';
  return Math.abs(z) >= 1000 ? '∞' : z.toFixed(1).replace(/^-0\.0$/, '0.0');
}
