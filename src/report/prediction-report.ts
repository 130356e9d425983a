import { causesText } from '../words/happenings.js';
import { obstacleText } from '../words/obstacles.js';
import { reasonTexts } from '../words/reasons.js';
import { fill, SENTENCES } from './words.js';
import { scaleFor } from './run/host-shares.js';
import { addAll } from '../core/values.js';
import { columnsOf } from '../predict/host-columns.js';
import type { PredictedExpectation } from '../predict/judge-expectations.js';
import type {
  ClusterPrediction,
  PredictedSplit,
  PredictedSuccess,
  Prediction,
} from '../predict/generated/prediction.js';
import { standardError } from '../result/expected.js';
import { behavesAs, count, counted, decimal, nounOf, phaseTimes, printable, seconds, sentence } from './format.js';
import { localityHeading, localityNames, localityParts, otherClusters, toldClusters } from './run/groups.js';
import { MAX_HOSTS } from './run/host-table.js';
import { headLines, labelled, leading, noteLines, type ReportLayout, spread, wrap } from './layout.js';
import { columnsOf as tableColumns, table } from './table.js';

const WORDS = SENTENCES.predicted;

const MAX_PHASES = 20;
const EXTREMES = 4;

export function* predictionReport(
  prediction: Prediction,
  layout: ReportLayout,
  expect: readonly PredictedExpectation[] = [],
): Generator<string> {
  const { width, paint } = layout;
  const facts = [
    'predicted, nothing was run',
    behavesAs(prediction),
    ...(prediction.duration_s > 0 ? [seconds(prediction.duration_s)] : []),
  ];
  yield* headLines(prediction, facts, layout);
  const clusters = Object.entries(prediction.clusters);
  const told = toldClusters(clusters, layout.all, byImportance);
  for (const [name, cluster] of clusters) {
    if (!told.has(name)) continue;
    yield '';
    yield* clusterLines(name, cluster, layout);
  }
  for (const [proxy, { clusters: own }] of Object.entries(prediction.proxies)) {
    for (const [name, cluster] of Object.entries(own)) {
      if (cluster.requests === 0 || !told.has(name)) continue;
      yield '';
      yield* splitLines(`${printable(proxy)} to ${printable(name)}, whole run`, cluster, cluster, layout);
    }
  }
  yield* otherClusters(clusters.length - told.size, paint);
  yield* expectationLines(expect, layout);
  if (prediction.notes.length > 0) yield '';
  yield* noteLines(prediction.notes, width);
}

/** First those that lose most requests to no host, then those with most requests. */
const byImportance = (a: ClusterPrediction, b: ClusterPrediction): number =>
  (b.no_host?.share ?? 0) - (a.no_host?.share ?? 0) || (b.requests ?? 0) - (a.requests ?? 0);

/** Those that only a run can judge are counted. */
function* expectationLines(expect: readonly PredictedExpectation[], { width, paint }: ReportLayout): Generator<string> {
  if (expect.length > 0) yield '';
  for (const { expectation, passed, predicted } of expect) {
    if (passed === null) continue;
    const end = `${passed ? 'ok' : 'FAILS'} (predicted ${percent(predicted ?? 0)})`.replaceAll(' ', '\u00a0');
    const lines = labelled('expect', `${printable(expectation)}  ${end}`, width);
    yield* passed ? lines : lines.map(paint.bad);
  }
  const open = expect.filter(({ passed }) => passed === null).length;
  if (open > 0) yield* labelled('expect', fill(WORDS.only_runs, { open }), width);
}

function* clusterLines(name: string, cluster: ClusterPrediction, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  yield* leading(printable(name), [cluster.policy, ...trust(cluster)], width, paint);
  const shown = layout.all ? cluster.phases : cluster.phases.slice(0, MAX_PHASES);
  const time = phaseTimes(cluster.phases, false);
  for (const [index, phase] of shown.entries()) {
    if (index > 0) yield '';
    const title = `${time(phase)}   ${printable(causesText(phase.causes))}`;
    yield* splitLines(title, phase, cluster, layout, reasonTexts(phase.facts));
  }
  const hidden = cluster.phases.length - shown.length;
  if (hidden > 0) yield* ['', paint.faint(fill(WORDS.more, { hidden }))];
}

/** More tries than these are not listed one by one. */
const MOST_TRIES = 4;

function successLine(
  { method, error, obstacle, chance = 0, after = [] }: PredictedSuccess,
  { over_tcp }: Pick<ClusterPrediction, 'over_tcp'>,
): string {
  if (obstacle !== undefined) return fill(WORDS.unknown, { why: fill(obstacleText(obstacle), { over_tcp }) });
  const bound = error === undefined ? '' : ` ± ${points(error)}`;
  const about = method === 'approximate' ? 'about ' : '';
  const tries = after.slice(0, Math.min(MOST_TRIES, after.length - 1));
  const steps = tries.map(
    (own, index) => `${percent(own)} ${index === 0 ? 'with one try' : `with ${count(index + 1)}`}`,
  );
  return fill(WORDS.succeeds, { about, chance: percent(chance), bound, steps });
}

function trust({ phases }: ClusterPrediction): string[] {
  const of = (method: string): number => phases.filter((phase) => phase.method === method).length;
  if (of('none') === phases.length) return ['no prediction'];
  if (of('exact') === phases.length) return [`${counted(phases.length, 'phase')}, exact`];
  const parts = Object.entries(WORDS.methods).flatMap(([method, words]) =>
    of(method) > 0 ? [`${count(of(method))} ${words}`] : [],
  );
  return [`${counted(phases.length, 'phase')}: ${parts.join(', ')}`];
}

function splitLines(
  title: string,
  split: PredictedSplit,
  cluster: ClusterPrediction,
  layout: ReportLayout,
  reasons: string[] = [],
): string[] {
  const { width } = layout;
  const { requests, method, error } = split;
  const { over_tcp } = cluster;
  const noun = nounOf(cluster);
  // A mean is seldom a whole number: "166.7 requests", "1 request".
  const mean = decimal(requests ?? 0, 1);
  const expected = requests === null ? `${noun}s unknown` : `${mean} ${mean === '1' ? noun : `${noun}s`}`;
  const lines = spread(`  ${title}`, expected, width).map(layout.paint.strong);
  for (const reason of reasons) lines.push(...wrap(sentence(reason), width, '    → ', '      ').map(layout.paint.odd));
  const { success } = split;
  if (success !== undefined)
    lines.push(...wrap(successLine(success, cluster), width, '    success   ', '              '));
  if (split.obstacle !== undefined)
    return [
      ...lines,
      ...wrap(fill(WORDS.no_prediction, { why: fill(obstacleText(split.obstacle), { over_tcp }) }), width, '    '),
    ];
  if (error !== undefined) lines.push(...wrap(fill(WORDS.precision, { method, error: points(error) }), width, '    '));
  addAll(lines, hostLines(split, layout));
  if (split.subsets.length > 0) {
    const parts = split.subsets.map(({ subset, share }) => `${printable(subset)} ${percent(share)}`);
    lines.push(...wrap(parts.join(', '), width, '    subsets   ', '              '));
  }
  return lines;
}

function hostLines(split: PredictedSplit, layout: ReportLayout): string[] {
  const { requests, no_host: noHost } = split;
  const { identities, at } = columnsOf(split);
  const share = Float64Array.from(identities, (_, row) => at(row).share);
  const few = layout.all || identities.length <= MAX_HOSTS;
  const all = [...identities.keys()];
  // Of equal ones the first are most, the last least.
  const order = few ? all : [...all].sort((a, b) => (share[b] ?? 0) - (share[a] ?? 0));
  const rows = few ? all : [...order.slice(0, EXTREMES), ...order.slice(-EXTREMES)];
  const shown = rows.map(at);
  const portions = [
    ...shown.map((host) => ({ ...host, name: printable(host.address), host })),
    ...(noHost !== undefined && noHost.share > 0 ? [{ name: '(no host)', host: undefined, ...noHost }] : []),
  ];
  const localities = [...new Set(identities.map(({ locality }) => locality))];
  const parts = localityParts(localities);
  const nameOf = localityNames(parts);
  const differ = (of: (host: ReturnType<typeof at>) => unknown): boolean =>
    identities.some((_, row) => of(at(row)) !== of(at(0)));
  const own = tableColumns(portions);
  const { name, number, text } = tableColumns(portions.map(({ host }) => host));
  const columns = [
    own.name('host', (portion) => portion.name),
    new Set(localities.map(nameOf)).size > 1 && name(localityHeading(parts), ({ locality }) => nameOf(locality)),
    differ(({ priority }) => priority) && number('prio', ({ priority }) => String(priority)),
    differ(({ weight }) => weight) && number('weight', ({ weight }) => count(weight)),
    identities.some((_, row) => at(row).health !== 'healthy') && text('health', ({ health }) => health),
    own.number('share', (portion) => percent(portion.share)),
    requests !== null &&
      requests !== 0 &&
      own.number('std. error', (portion) => `± ${points(standardError(portion, requests))}`),
  ];
  const bars = portions.map((portion) => ({ share: portion.share, failed: portion.host === undefined ? 1 : 0 }));
  const barScale = scaleFor(shown.map((host) => host.share));
  const lines = table(columns, { ...layout, barScale }, 4, bars);
  if (few) return lines;
  const [most = 0, least = 0] = [order[EXTREMES], order.at(-EXTREMES - 1)].map((row = 0) => share[row]);
  const range = { least: percent(least), most: percent(most) };
  const between = fill(WORDS.between, { others: identities.length - rows.length, ...range });
  return [...lines, ...wrap(between, layout.width, '    ').map(layout.paint.faint)];
}

/** Two digits after the point, since shares are exact; only an exact 0 is written as 0. */
const percent = (share: number): string => (share > 0 && share < 0.00005 ? '<0.01 %' : `${(share * 100).toFixed(2)} %`);

function points(share: number): string {
  if (share === 0) return '0 %';
  const digits = share >= 0.001 ? 2 : Math.min(9, 1 - Math.floor(Math.log10(share * 100)));
  return `${(share * 100).toFixed(digits)} %`;
}
