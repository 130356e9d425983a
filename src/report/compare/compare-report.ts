import { causesText } from '../../words/happenings.js';
import { changesText, effectText, releasesOf } from '../../words/versions.js';
import type { Interval } from '../../analysis/interval.js';
import type * as compared from '../../analysis/compare/generated/comparison.js';
import * as compareAnswer from './compare-answer.js';
import { isClear } from './compare-answer.js';
import { behavesAs, count, counted, millis, percent, phaseTimes, seedsText, sentence, shareDigits } from '../format.js';
import { inputLines, leading, noteLines, type ReportLayout, wrap } from '../layout.js';
import { columnsOf, table } from '../table.js';
import { fill, SENTENCES } from '../words.js';
import { printable } from '../../core/printable.js';
import { groupBy, largest, smallest } from '../../core/values.js';
import { MAX_CLUSTERS, toldClusters } from '../run/groups.js';

const WORDS = SENTENCES.beside;

/** Of many clusters those that differ most, in their order, and how many others differ less or not at all; of few all. */
function changedClusters(clusters: compared.Comparison['clusters'], all: boolean) {
  const entries = Object.entries(clusters);
  if (all || entries.length <= MAX_CLUSTERS) return { shown: clusters, less: 0, unchanged: 0 };
  const changed = entries
    .map(([name, cluster]) => [name, differenceOf(cluster)] as const)
    .filter(([, size]) => size > 0);
  const most = toldClusters(changed, false, (a, b) => b - a);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => most.has(name))),
    less: changed.length - most.size,
    unchanged: entries.length - changed.length,
  };
}

/** Less than any part of requests that a report can tell. */
const LATENCY_ONLY = 1e-9;

/** The largest change of its requests, of a part of them or of its keys that chance does not explain, 0–1; 0: none. */
function differenceOf({ policy, whole, phases, keys }: compared.ClusterComparison): number {
  if (policy.includes(null)) return 1;
  const stretches = [whole, ...phases];
  const parts = stretches.flatMap(({ failed, no_host: noHost, hosts }) => [failed, noHost, ...hosts]);
  const times = stretches.flatMap(({ latency_ms: latency }) => Object.values(latency));
  return Math.max(
    ...(keys?.between.map((moved) => moved?.moved ?? 0) ?? []),
    ...parts.map(changeOf),
    ...stretches.map(({ requests }) => changeOf(requests) / Math.max(1, ...compareAnswer.sharesOf(requests))),
    ...(times.some((time) => changeOf(time) > 0) ? [LATENCY_ONLY] : []),
  );
}

const changeOf = ({ change }: compared.Measure): number =>
  Math.max(0, ...change.map((one) => (one !== null && isClear(one) ? Math.abs(one.mean) : 0)));

const MAX_PHASES = 12;
const MAX_HOSTS = 12;

export function* compareReport(comparison: compared.Comparison, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const { sides, runs, seeds } = comparison;
  const isOne = (of: (side: compared.SideHead) => unknown): boolean => new Set(sides.map(of)).size === 1;
  const [sameVersion, sameRequests] = [isOne(({ version }) => version), isOne(({ requests }) => requests)];
  for (const [index, side] of sides.entries()) {
    const own = [
      printable(side.name),
      ...(sameVersion ? [] : [behavesAs(side)]),
      ...(sameRequests ? [] : [counted(side.requests, 'request')]),
    ];
    const [first = '', ...more] = wrap(own.join(' · '), width, `${compareAnswer.letterOf(index)}  `, '   ');
    yield* [paint.strong(compareAnswer.letterOf(index)) + first.slice(1), ...more];
  }
  const [head] = sides;
  const common = [
    ...(sameVersion ? [behavesAs({ version: head?.version ?? '' })] : []),
    ...(sameRequests ? [counted(head?.requests ?? 0, 'request')] : []),
  ];
  if (common.length > 0) yield paint.faint(`   ${sides.length > 2 ? 'all' : 'both'}: ${common.join(' · ')}`);
  yield '';
  yield* inputLines(comparison.input, width);
  if (comparison.input !== undefined) yield '';
  const { shown, less, unchanged } = changedClusters(comparison.clusters, layout.all);
  const answer = compareAnswer.answerWith(compareAnswer.letterOf, comparison, shown);
  for (const paragraph of answer) yield* wrap(paragraph, width);
  const others = `${counted(less + unchanged, 'more cluster')}: ${count(less)} differ less, ${count(unchanged)} not at all`;
  if (less + unchanged > 0) yield* wrap(`… ${others} (--all shows each)`, width);
  for (const [name, cluster] of Object.entries(shown)) {
    yield '';
    yield* clusterLines(name, cluster, layout);
  }
  if (comparison.version_changes !== undefined) {
    yield* ['', ...wrap(sentence(changesText(comparison.version_changes)), width)];
    for (const { effects, evidence, what, ...quirk } of comparison.version_changes.felt ?? []) {
      yield* wrap(`${releasesOf(quirk)}: ${what}`, width, '  ', '    ');
      for (const effect of effects) yield* wrap(printable(effectText(effect)), width, '    → ', '      ');
      yield* wrap(`known by ${evidence}`, width, '    ');
    }
  }
  yield '';
  yield* wrap(fill(WORDS.key, { runs, seeds: seedsText(seeds.slice(0, runs)) }), width).map(paint.faint);
  yield* noteLines(comparison.notes, width);
}

function* clusterLines(name: string, cluster: compared.ClusterComparison, layout: ReportLayout): Generator<string> {
  const { width, paint } = layout;
  const policies = cluster.policy.map((policy) => policy ?? 'not there');
  const kinds = new Set(policies).size;
  // Of more than two the heading has said which side has which.
  const policy = kinds === 1 ? (policies[0] ?? '') : policies.join(' → ');
  yield* leading(printable(name), kinds > 2 ? [] : [policy], width, paint);
  const whole = stretchLines(cluster.whole, layout, true);
  yield* cluster.phases.length > 1 ? [paint.strong('  whole run'), ...whole] : whole;
  if (cluster.phases.length > 1) {
    const shown = layout.all ? cluster.phases : cluster.phases.slice(0, MAX_PHASES);
    const time = phaseTimes(cluster.phases, false);
    for (const phase of shown) {
      yield* wrap(`${time(phase)}   ${causeOf(phase)}`, width, '  ', '    ').map(paint.strong);
      yield* stretchLines(phase, layout, false);
    }
    const hidden = cluster.phases.length - shown.length;
    if (hidden > 0) yield paint.faint(`  … ${counted(hidden, 'more phase')} (--all lists them)`);
  }
  if (cluster.keys !== undefined) yield* compareAnswer.keyLines(cluster.keys, layout);
}

/** The cause of a phase, and its side if not all. */
function causeOf({ began }: compared.PhaseComparison): string {
  const causes = began.map(causesText);
  const known = causes.filter((cause) => cause !== '');
  if (known.length === causes.length && new Set(known).size === 1) return printable(known[0] ?? '');
  const parts = causes.flatMap((cause, side) => (cause === '' ? [] : [`${compareAnswer.letterOf(side)}: ${cause}`]));
  return printable(parts.join('; '));
}

/** @param whole unchanged rows are shown too. */
const stretchLines = (stretch: compared.StretchComparison, layout: ReportLayout, whole: boolean): string[] =>
  stretch.requests.mean.length === 2 ? pairLines(stretch, layout, whole) : rankLines(stretch, layout);

type Row = Readonly<{ label: string; cells: readonly string[]; change: string }>;

function rowOf(
  label: string,
  { change: [change = null], mean }: compared.Measure,
  shown: (value: number | null) => string,
  changed: (change: Interval) => string,
): Row {
  const none = mean.every((value) => value === null) ? '' : 'not comparable';
  return { label, cells: mean.map(shown), change: change === null ? none : isClear(change) ? changed(change) : 'none' };
}

/** Two sides: a line for each measure. */
function pairLines(stretch: compared.StretchComparison, layout: ReportLayout, whole: boolean): string[] {
  const { failed, latency_ms: latency, hosts, no_host: noHost, requests } = stretch;
  const digits = shareDigits(hosts.length);
  const part = (value: number | null): string => (value === null ? '–' : percent(value, digits));
  const share = (label: string, measure: compared.Measure): Row =>
    rowOf(label, measure, part, (change) => compareAnswer.pointsChange(change, digits));
  const hasAny = (measure: compared.Measure): boolean => compareAnswer.sharesOf(measure).some((value) => value > 0);
  const tells = (measure: compared.Measure): boolean => (whole ? hasAny(measure) : isClear(measure.change[0]));
  const times = Object.entries({ 'mean latency': latency.mean, p50: latency.p50, p99: latency.p99 });
  const toldTimes = times.filter(([, measure]) => tells(measure));
  const sizeOf = ({ change: [change] }: compared.Measure): number => Math.abs(change?.mean ?? 0);
  const moved = hosts.filter(({ change }) => isClear(change[0])).sort((a, b) => sizeOf(b) - sizeOf(a));
  const few = new Set(layout.all ? hosts : moved.slice(0, MAX_HOSTS));
  const rows: Row[] = [
    // Of requests that arrived.
    ...(isClear(requests.change[0])
      ? [rowOf('requests', requests, (value) => count(value ?? 0), compareAnswer.countChange)]
      : []),
    // Latencies are those of answered requests: what was not answered stands beside them.
    ...(tells(failed) || (toldTimes.length > 0 && hasAny(failed)) ? [share('failed', failed)] : []),
    ...toldTimes.map(([label, measure]) => rowOf(label, measure, millis, compareAnswer.millisChange)),
    ...alike(hosts.filter((host) => few.has(host)).map((host) => share(printable(host.address), host))),
    ...(tells(noHost) ? [share('(no host)', noHost)] : []),
  ];
  if (rows.length === 0) return wrap(unchanged(stretch), layout.width, '    ');
  const of = columnsOf(rows);
  const columns = [
    of.name('', ({ label }) => label),
    of.number('A', ({ cells }) => cells[0] ?? ''),
    of.number('B', ({ cells }) => cells[1] ?? ''),
    of.text('change', ({ change }) => change),
  ];
  const lines = table(columns, layout, 4);
  if (few.size === hosts.length) return lines;
  const hidden = counted(hosts.length - few.size, 'host');
  const rest =
    moved.length > few.size
      ? `… ${hidden} changed less or not at all (--all lists them)`
      : `${hidden}: no change of share`;
  return [...lines, layout.paint.faint(`    ${rest}`)];
}

/** Three or more equal hosts are one line. */
function alike(rows: readonly Row[]): Row[] {
  return [...groupBy(rows, (row) => [...row.cells, row.change].join('\n')).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < ALIKE) return group;
    return [{ ...first, label: `${first.label} and ${count(group.length - 1)} more, each` }];
  });
}

const ALIKE = 3;

function unchanged({ failed, latency_ms: latency, requests }: compared.StretchComparison): string {
  const arrived = compareAnswer.sharesOf(requests);
  const [requestsOfOne = 0, ...others] = arrived;
  if (requests.mean.includes(null) && arrived.length > 0) {
    const alone = compareAnswer.letterOf(requests.mean.findIndex((value) => value !== null));
    return `only ${alone} has it: ${counted(Math.round(requestsOfOne), 'request')}`;
  }
  if (requestsOfOne === 0 && others.every((value) => value === 0)) return 'no requests';
  const [part, p99] = [failed.mean[0] ?? 0, latency.p99.mean[0] ?? 0];
  return `no difference: ${part === 0 ? 'none' : percent(part)} of the requests failed, p99 ${millis(p99)}`;
}

/** Several sides: a line for each of them. */
function rankLines(stretch: compared.StretchComparison, layout: ReportLayout): string[] {
  const { latency_ms: latency, hosts, failed, requests } = stretch;
  const digits = shareDigits(hosts.length);
  const sides = requests.mean.map((_, side) => side);
  const part = (value: number | null | undefined, ...own: number[]): string =>
    value === null || value === undefined ? '–' : percent(value, ...own);
  const marked = (measure: compared.Measure, shown: (value: number | null) => string) => (side: number) => {
    const change = side === 0 ? null : measure.change[side - 1];
    return shown(measure.mean[side] ?? null) + (!change || !isClear(change) ? '' : change.mean > 0 ? ' ▲' : ' ▼');
  };
  const extreme = (pick: (values: readonly number[]) => number) => (side: number) => {
    const shares = hosts.flatMap(({ mean }) => mean[side] ?? []);
    return part(shares.length === 0 ? null : pick(shares), digits);
  };
  const { number, text } = columnsOf(sides);
  const columns = [
    text('', compareAnswer.letterOf),
    number('requests', (side) => count(requests.mean[side] ?? 0)),
    number('failed', marked(failed, part)),
    number('mean', marked(latency.mean, millis)),
    number('p99', marked(latency.p99, millis)),
    number('busiest', extreme(largest)),
    number('least busy', extreme(smallest)),
  ];
  return table(columns, layout, 4);
}
