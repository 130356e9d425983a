import { FEWEST_RUNS } from '../analysis/replicate/estimates.js';
import type { Estimate, ReplicatedCluster, Replications } from '../analysis/generated/experiments.js';
import { behavesAs, count, counted, estimateParts, printable, seconds, seedsText, type Unit } from './format.js';
import { MAX_HOSTS } from './run/host-table.js';
import { fill, SENTENCES } from './words.js';
import { headLines, type ReportLayout, labelled, leading, noteLines, wrap } from './layout.js';
import { otherClusters, toldClusters } from './run/groups.js';
import { columnsOf, table } from './table.js';

const WORDS = SENTENCES.replicated;

export function* replicationsReport(found: Replications, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* header(found, layout);
  if (found.partial === true) yield* wrap(fill(WORDS.partial, found), width).map(paint.bad);
  const clusters = Object.entries(found.clusters);
  if (clusters.length === 0) yield* ['', 'No request was counted.'];
  const failed = clusters.map(([name]) => [name, found.numbers[`clusters.${name}.failed_share`]?.mean ?? 0] as const);
  const told = toldClusters(failed, layout.all, (a, b) => b - a);
  for (const [name, cluster] of clusters) {
    if (!told.has(name)) continue;
    yield '';
    yield* leading(printable(name), [cluster.policy, counted(cluster.hosts.length, 'host')], width, paint);
    yield* clusterTable(name, cluster, found, layout);
  }
  yield* otherClusters(clusters.length - told.size, paint);
  yield '';
  yield* expectations(found, layout);
  yield* precisionLines(found, layout);
  const { confidence, dependence, numbers } = found;
  if (dependence !== undefined)
    yield* labelled('note', printable(fill(WORDS.dependence, dependence)), width).map(paint.odd);
  yield* noteLines(found.notes, width);
  yield* wrap(fill(WORDS.key, { confidence, numbers: Object.keys(numbers).length }), width).map(paint.faint);
}

function header(found: Replications, layout: ReportLayout): Iterable<string> {
  const { seeds, runs, method } = found;
  const of = method === 'batches' ? counted(runs, 'batch', 'batches') : counted(runs, 'run');
  const facts = [
    `${of}${method === 'batches' ? ' of one run' : ''}`,
    seedsText(seeds),
    ...(found.warmup_s > 0 ? [`warm-up ${seconds(found.warmup_s)}`] : []),
    behavesAs(found),
  ];
  return headLines(found, facts, layout);
}

type Row = Readonly<{ label: string; parts: readonly [string, string] }>;

function clusterTable(name: string, { hosts }: ReplicatedCluster, found: Replications, layout: ReportLayout): string[] {
  const of = (number: string): Estimate | undefined => found.numbers[`clusters.${name}.${number}`];
  const row = (label: string, number: string, unit: Unit): Row[] => {
    const estimate = of(number);
    return estimate === undefined ? [] : [{ label, parts: estimateParts(estimate, unit) }];
  };
  const shown = layout.all ? hosts : hosts.slice(0, MAX_HOSTS);
  const rows = [
    ...row('requests', 'requests', ''),
    ...row('failed', 'failed_share', '%'),
    ...((of('no_host.share')?.mean ?? 0) > 0 ? row('(no host)', 'no_host.share', '%') : []),
    ...row('mean latency', 'latency_ms.mean', 'ms'),
    ...['p50', 'p90', 'p99', 'max'].flatMap((measure) => row(measure, `latency_ms.${measure}`, 'ms')),
    ...shown.flatMap((host) => row(printable(host), `hosts.${host}.share`, '%')),
  ];
  const hidden = hosts.length - shown.length;
  const { name: label, number, text } = columnsOf(rows);
  const columns = [
    label('', (one) => one.label),
    number('', ({ parts: [mean] }) => mean),
    text('', ({ parts: [, reach] }) => reach),
  ];
  const [, ...lines] = table(columns, layout, 2);
  return hidden === 0
    ? lines
    : [...lines, layout.paint.faint(`  … ${counted(hidden, 'more host')} (--all lists them)`)];
}

function expectations({ expect }: Replications, { width, paint }: ReportLayout): string[] {
  const lines = expect.flatMap(({ expectation, passed, runs }) => {
    const verdict = passed === runs ? 'ok' : 'FAILED';
    const of = runs === 1 ? '' : ` (${count(passed)} of ${count(runs)} runs)`;
    const text = `${printable(expectation)}  ${`${verdict}${of}`.replaceAll(' ', '\u00a0')}`;
    return labelled('expect', text, width).map(passed === runs ? paint.good : paint.bad);
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

function precisionLines({ precision, runs }: Replications, { width, paint }: ReportLayout): string[] {
  if (precision === undefined) return [];
  const { wanted, reached, widest, half_width: reach } = precision;
  const known = widest === null || reach === null ? undefined : fill(WORDS.known, precision);
  const is = reached ? 'reached' : runs < FEWEST_RUNS ? 'too_few' : 'missed';
  const text = printable(fill(WORDS.precision, { is, wanted, runs, known, fewest: FEWEST_RUNS }));
  return labelled('precision', text, width).map(reached ? paint.good : paint.bad);
}
