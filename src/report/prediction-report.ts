import { scaleFor } from './bar-scale.js';
import { addAll } from '../core/lists.js';
import { printable } from '../core/printable.js';
import type { HostColumns, HostIdentity } from '../predict/host-columns.js';
import { columnsOf } from '../predict/host-columns.js';
import type { PredictedExpectation } from '../predict/judge-expectations.js';
import type { ClusterPrediction, PredictedSplit, PredictedSuccess, Prediction } from '../predict/prediction.js';
import { standardError } from '../result/standard-error.js';
import { behavesAs, count, counted, decimal, seconds, sentence } from './format.js';
import { localityName, localityParts } from './groups.js';
import type { ReportLayout } from './host-table.js';
import { MAX_HOSTS } from './host-table.js';
import { inputLines } from './input-lines.js';
import { leading, linesOfText, spread, wrap } from './layout.js';
import { phaseTimes } from './phase-times.js';
import type { Column } from './table.js';
import { table } from './table.js';

/** Phases that are shown without `--all`. */
const MAX_PHASES = 20;
const EXTREMES = 4;

/** A prediction for people: its precision, then the shares phase by phase. */
export function predictionReport(
  prediction: Prediction,
  layout: ReportLayout,
  expect: readonly PredictedExpectation[] = [],
): Generator<string> {
  return linesOfText(reportLines(prediction, layout, expect));
}

function* reportLines(
  prediction: Prediction,
  layout: ReportLayout,
  expect: readonly PredictedExpectation[],
): Generator<string> {
  const { width, paint } = layout;
  const facts = [
    'predicted, nothing was run',
    behavesAs(prediction),
    ...(prediction.duration_s > 0 ? [seconds(prediction.duration_s)] : []),
  ];
  yield* leading(printable(prediction.scenario), facts, width, paint);
  yield* inputLines(prediction.input, width);
  for (const [name, cluster] of Object.entries(prediction.clusters)) {
    yield '';
    yield* clusterLines(name, cluster, layout);
  }
  for (const [proxy, { clusters }] of Object.entries(prediction.proxies)) {
    for (const [name, cluster] of Object.entries(clusters)) {
      if (cluster.requests === 0) continue;
      yield '';
      yield* splitLines(`${printable(proxy)} to ${printable(name)}, whole run`, cluster, layout);
    }
  }
  yield* expectationLines(expect, layout);
  if (prediction.notes.length > 0) yield '';
  for (const note of prediction.notes) yield* wrap(printable(note), width, 'note      ', '          ');
}

/** Those that only a run can judge are counted. */
function* expectationLines(expect: readonly PredictedExpectation[], { width, paint }: ReportLayout): Generator<string> {
  if (expect.length > 0) yield '';
  for (const { expectation, passed, predicted } of expect) {
    if (passed === null) continue;
    const end = `${passed ? 'ok' : 'FAILS'} (predicted ${percent(predicted ?? 0)})`.replaceAll(' ', '\u00a0');
    const lines = wrap(`${printable(expectation)}  ${end}`, width, 'expect    ', '          ');
    yield* passed ? lines : lines.map(paint.bad);
  }
  const open = expect.filter(({ passed }) => passed === null).length;
  if (open > 0) yield* wrap(`${counted(open, 'expectation')} only a run can judge`, width, 'expect    ', '          ');
}

function* clusterLines(name: string, cluster: ClusterPrediction, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* leading(printable(name), [cluster.policy, ...trust(cluster)], width, paint);
  const shown = layout.all ? cluster.phases : cluster.phases.slice(0, MAX_PHASES);
  const time = phaseTimes(cluster.phases, false);
  for (const [index, phase] of shown.entries()) {
    if (index > 0) yield '';
    yield* splitLines(`${time(phase)}   ${printable(phase.cause)}`, phase, layout, phase.reasons);
  }
  const hidden = cluster.phases.length - shown.length;
  if (hidden === 0) return;
  yield '';
  yield paint.faint(`  … ${counted(hidden, 'more phase')} (--all lists them)`);
}

/** More tries than these are not told one by one. */
const MOST_TRIES = 4;

function successLine({ method, error, why_not: why, chance = 0, after = [] }: PredictedSuccess): string {
  if (method === 'none') return `not known: ${why ?? ''}`;
  const bound = error === undefined ? '' : ` ± ${points(error)}`;
  const about = method === 'approximate' ? 'about ' : '';
  const tries = after.slice(0, Math.min(MOST_TRIES, after.length - 1));
  const steps = tries.map(
    (own, index) => `${percent(own)} ${index === 0 ? 'with one try' : `with ${count(index + 1)}`}`,
  );
  const of = `${about}${percent(chance)}${bound} of requests end below 500`;
  return steps.length === 0 ? of : `${of} (${steps.join(', ')})`;
}

function precision(method: PredictedSplit['method'], error: string): string {
  return method === 'approximate'
    ? `approximate: a model of busy hosts; shares are within about ${error} of the truth`
    : `shares are within ${error} of the truth`;
}

/** Number of phases by precision. */
function trust({ phases }: ClusterPrediction): string[] {
  const of = (method: PredictedSplit['method']): number => phases.filter((phase) => phase.method === method).length;
  const known = phases.length - of('none');
  if (known === 0) return ['no prediction'];
  const parts = [];
  if (of('exact') === phases.length) return [`${counted(phases.length, 'phase')}, exact`];
  if (of('exact') > 0) parts.push(`${count(of('exact'))} exact`);
  if (of('numeric') > 0) parts.push(`${count(of('numeric'))} with an error bound`);
  if (of('approximate') > 0) parts.push(`${count(of('approximate'))} approximate`);
  if (of('none') > 0) parts.push(`${count(of('none'))} without a prediction`);
  return [`${counted(phases.length, 'phase')}: ${parts.join(', ')}`];
}

function splitLines(
  title: string,
  split: PredictedSplit,
  layout: ReportLayout,
  reasons: readonly string[] = [],
): string[] {
  const { width } = layout;
  const { requests, method, error } = split;
  const expected = requests === null ? 'requests unknown' : expectedRequests(requests);
  const lines = spread(`  ${title}`, expected, width).map(layout.paint.strong);
  for (const reason of reasons) {
    lines.push(...wrap(sentence(reason), width, '    → ', '      ').map(layout.paint.odd));
  }
  const { success } = split;
  if (success !== undefined) lines.push(...wrap(successLine(success), width, '    success   ', '              '));
  if (method === 'none') return [...lines, ...wrap(`no prediction: ${split.why_not ?? ''}`, width, '    ')];
  if (error !== undefined) lines.push(...wrap(precision(method, points(error)), width, '    '));
  addAll(lines, hostLines(split, layout));
  if (split.subsets.length > 0) {
    const parts = split.subsets.map(({ subset, share }) => `${printable(subset)} ${percent(share)}`);
    lines.push(...wrap(parts.join(', '), width, '    subsets   ', '              '));
  }
  return lines;
}

function hostLines(split: PredictedSplit, layout: ReportLayout): string[] {
  const { requests, no_host: noHost } = split;
  const columns = columnsOf(split);
  const { identities, share, weight } = columns;
  const hosts = identities.length;
  const few = layout.all || hosts <= MAX_HOSTS;
  const { most, least } = few ? { most: [], least: [] } : extremes(share);
  const rows = few ? [...identities.keys()] : [...most.slice(0, EXTREMES), ...least.slice(-EXTREMES)];
  const nobody = noHost !== undefined && noHost.share > 0 ? [noHost] : [];
  const localities = localitiesOf(identities);
  const parts = localityParts(localities);
  const column = (heading: string, of: (row: number) => string, more: Partial<Column> = {}): Column => ({
    heading,
    cells: [...rows.map(of), ...nobody.map(() => '')],
    ...more,
  });
  const placeName = (row: number): string => localityName(identities[row]?.locality ?? NOWHERE, parts);
  const standardErrorOf = (row: number): string =>
    points(standardError({ variance: columns.variance(row), granularity: columns.granularity(row) }, requests ?? 0));
  const tableColumns: Column[] = [
    {
      heading: 'host',
      name: true,
      cells: [...rows.map((row) => printable(identities[row]?.address ?? '')), ...nobody.map(() => '(no host)')],
    },
    ...(new Set(localities.map((locality) => localityName(locality, parts))).size > 1
      ? [column(parts.region || parts.subZone ? 'locality' : 'zone', placeName, { name: true })]
      : []),
    ...(severalPriorities(identities)
      ? [column('prio', (row) => String(identities[row]?.priority ?? 0), { align: 'right' as const })]
      : []),
    ...(differ(weight) ? [column('weight', (row) => count(weight[row] ?? 1), { align: 'right' as const })] : []),
    ...(someUnwell(columns) ? [column('health', (row) => columns.health(row))] : []),
    {
      heading: 'share',
      align: 'right',
      cells: [...rows.map((row) => percent(share[row] ?? 0)), ...nobody.map((portion) => percent(portion.share))],
    },
    ...(requests === null || requests === 0
      ? []
      : [
          {
            heading: 'std. error',
            align: 'right' as const,
            cells: [
              ...rows.map((row) => `± ${standardErrorOf(row)}`),
              ...nobody.map((portion) => `± ${points(standardError(portion, requests))}`),
            ],
          },
        ]),
  ];
  const shares = rows.map((row) => share[row] ?? 0);
  const bars = layout.bars
    ? [
        ...shares.map((own) => ({ share: own, failed: 0 })),
        ...nobody.map((portion) => ({ share: portion.share, failed: 1 })),
      ]
    : undefined;
  const barScale = scaleFor(shares);
  const lines = table(tableColumns, { width: layout.width, indent: 4, paint: layout.paint, bars, barScale });
  const [first, last] = [most[EXTREMES], least[0]];
  if (first === undefined || last === undefined) return lines;
  const others = counted(hosts - rows.length, 'host');
  const range = `${percent(share[last] ?? 0)} to ${percent(share[first] ?? 0)}`;
  const between = `… ${others} in between: ${range} (--all lists them)`;
  return [...lines, ...wrap(between, layout.width, '    ').map(layout.paint.faint)];
}

const NOWHERE = { region: '', zone: '', sub_zone: '' };

/** Each once; hosts of one locality mostly follow each other. */
function localitiesOf(identities: HostColumns['identities']): HostIdentity['locality'][] {
  const found = new Set<HostIdentity['locality']>();
  let last: HostIdentity['locality'] | undefined;
  for (const { locality } of identities) {
    if (locality !== last) found.add(locality);
    last = locality;
  }
  return [...found];
}

function severalPriorities(identities: HostColumns['identities']): boolean {
  for (const { priority } of identities) if (priority !== identities[0]?.priority) return true;
  return false;
}

function differ(values: ArrayLike<number>): boolean {
  for (let row = 1; row < values.length; row++) if (values[row] !== values[0]) return true;
  return false;
}

function someUnwell({ identities, health }: HostColumns): boolean {
  for (let row = 0; row < identities.length; row++) if (health(row) !== 'healthy') return true;
  return false;
}

/**
 * The hosts with most and least, and one more of each, which bounds the others. Of equal hosts, the first count as most and
 * the last as least.
 */
function extremes(share: ArrayLike<number>): { readonly most: readonly number[]; readonly least: readonly number[] } {
  const most: number[] = [];
  for (let row = 0; row < share.length; row++) {
    const own = share[row] as number;
    const last = most[EXTREMES];
    if (last === undefined || own > (share[last] as number))
      insert(most, row, (other) => own > (share[other] as number));
  }
  const least: number[] = [];
  for (let row = share.length - 1; row >= 0; row--) {
    const own = share[row] as number;
    const last = least[EXTREMES];
    if (last === undefined || own < (share[last] as number))
      insert(least, row, (other) => own < (share[other] as number));
  }
  return { most, least: least.reverse() };
}

/** Puts a row before those that it precedes; one more than {@link EXTREMES} are kept. */
function insert(rows: number[], row: number, precedes: (other: number) => boolean): void {
  const place = rows.findIndex(precedes);
  rows.splice(place < 0 ? rows.length : place, 0, row);
  if (rows.length > EXTREMES + 1) rows.pop();
}

/** A mean is seldom a whole number: "166.7 requests", "1 request". */
function expectedRequests(requests: number): string {
  const number = decimal(requests, 1);
  return number === '1' ? '1 request' : `${number} requests`;
}

/** Two digits after the point, since shares are exact; only an exact 0 is written as 0. */
function percent(share: number): string {
  if (share > 0 && share < 0.00005) return '<0.01 %';
  return `${(share * 100).toFixed(2)} %`;
}

function points(share: number): string {
  if (share === 0) return '0 %';
  const digits = share >= 0.001 ? 2 : Math.min(9, 1 - Math.floor(Math.log10(share * 100)));
  return `${(share * 100).toFixed(digits)} %`;
}
