import { causesText } from '../../words/happenings.js';
import { changesText, effectText, releasesOf } from '../../words/versions.js';
import type { Interval } from '../../analysis/interval.js';
import type * as compared from '../../analysis/compare/comparison.js';
import { printable } from '../../core/printable.js';
import * as compareAnswer from './compare-answer.js';
import { behavesAs, count, counted, millis, percent, phaseTimes, seedsText, sentence, shareDigits } from '../format.js';
import { inputLines, leading, noteLines, type ReportLayout, wrap } from '../layout.js';
import { columnsOf, table } from '../table.js';
import { groupBy, largest, smallest } from '../../core/values.js';
import { MAX_CLUSTERS, toldClusters } from '../run/groups.js';

type Clusters = compared.Comparison['clusters'];

/** Of many clusters those that differ most, in their order, and how many others differ less or not at all; of few all. */
function changedClusters(clusters: Clusters, all: boolean) {
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

function changeOf({ change }: compared.Measure): number {
  return Math.max(0, ...change.map((one) => (one !== null && compareAnswer.isClear(one) ? Math.abs(one.mean) : 0)));
}

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
  for (const sentence of compareAnswer.letteredAnswer(comparison, shown)) yield* wrap(sentence, width);
  const others = `${counted(less + unchanged, 'more cluster')}: ${count(less)} differ less, ${count(unchanged)} not at all`;
  if (less + unchanged > 0) yield* wrap(`… ${others} (--all shows each)`, width);
  for (const [name, cluster] of Object.entries(shown)) {
    yield '';
    yield* clusterLines(name, cluster, layout);
  }
  if (comparison.version_changes !== undefined) {
    yield '';
    yield* versionLines(comparison.version_changes, width);
  }
  yield '';
  const trust =
    runs === 1
      ? 'one run cannot tell change from chance, --runs 10 can'
      : '± is the 95 % confidence interval; a change without it is exact, and one within it counts as none';
  yield* wrap(`${counted(runs, 'run')} of each with ${seedsText(seeds.slice(0, runs))}; ${trust}.`, width).map(
    paint.faint,
  );
  yield* noteLines(comparison.notes, width);
}

function* versionLines(changes: compared.VersionChanges, width: number): Generator<string> {
  yield* wrap(sentence(changesText(changes)), width);
  for (const { effects, evidence, what, ...quirk } of changes.felt ?? []) {
    yield* wrap(`${releasesOf(quirk)}: ${what}`, width, '  ', '    ');
    for (const effect of effects) yield* wrap(printable(effectText(effect)), width, '    → ', '      ');
    yield* wrap(`known by ${evidence}`, width, '    ');
  }
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
function stretchLines(stretch: compared.StretchComparison, layout: ReportLayout, whole: boolean): string[] {
  return stretch.requests.mean.length === 2 ? pairLines(stretch, layout, whole) : rankLines(stretch, layout);
}

type Row = Readonly<{ label: string; cells: readonly string[]; change: string }>;

/** Two sides: a line for each measure. */
function pairLines(stretch: compared.StretchComparison, layout: ReportLayout, whole: boolean): string[] {
  const { latency_ms: latency, hosts } = stretch;
  const digits = shareDigits(hosts.length);
  const part = (value: number | null): string => (value === null ? '–' : percent(value, digits));
  const points = (change: Interval): string => compareAnswer.pointsChange(change, digits);
  const share = (label: string, measure: compared.Measure): Row => rowOf(label, measure, part, points);
  const time = (label: string, measure: compared.Measure): Row =>
    rowOf(label, measure, millis, compareAnswer.millisChange);
  // Of requests that arrived.
  const number = (label: string, measure: compared.Measure): Row =>
    rowOf(label, measure, (value) => count(Math.round(value ?? 0)), compareAnswer.countChange);
  const moved = hosts.filter((host) => compareAnswer.isClear(host.change[0] ?? null));
  const order = [...moved].sort((a, b) => Math.abs(meanOf(b)) - Math.abs(meanOf(a)));
  const few = new Set(layout.all ? hosts : order.slice(0, MAX_HOSTS));
  const tells = (measure: compared.Measure): boolean =>
    whole
      ? compareAnswer.sharesOf(measure).some((value) => value > 0)
      : compareAnswer.isClear(measure.change[0] ?? null);
  const { requests } = stretch;
  // Latencies are those of answered requests: what was not answered stands beside them.
  const tellsLatency = Object.values(latency).some(tells);
  const somethingFailed = compareAnswer.sharesOf(stretch.failed).some((value) => value > 0);
  const rows: Row[] = [
    ...(compareAnswer.isClear(requests.change[0] ?? null) ? [number('requests', requests)] : []),
    ...(tells(stretch.failed) || (tellsLatency && somethingFailed) ? [share('failed', stretch.failed)] : []),
    ...(tells(latency.mean) ? [time('mean latency', latency.mean)] : []),
    ...(tells(latency.p50) ? [time('p50', latency.p50)] : []),
    ...(tells(latency.p99) ? [time('p99', latency.p99)] : []),
    ...alike(hosts.filter((host) => few.has(host)).map((host) => share(printable(host.address), host))),
    ...(tells(stretch.no_host) ? [share('(no host)', stretch.no_host)] : []),
  ];
  if (rows.length === 0) return wrap(unchanged(stretch), layout.width, '    ');
  const hidden = hosts.length - few.size;
  const rest = hidden === 0 ? [] : [otherHosts(hidden, moved.length > few.size)];
  const of = columnsOf(rows);
  const columns = [
    of.name('', ({ label }) => label),
    of.number('A', ({ cells }) => cells[0] ?? ''),
    of.number('B', ({ cells }) => cells[1] ?? ''),
    of.text('change', ({ change }) => change),
  ];
  return [...table(columns, layout, 4), ...rest.map(layout.paint.faint)];
}

function rowOf(
  label: string,
  measure: compared.Measure,
  shown: (value: number | null) => string,
  change: (change: Interval) => string,
): Row {
  return { label, cells: measure.mean.map(shown), change: changeText(measure, change) };
}

/** Three or more equal hosts are one line. */
function alike(rows: readonly Row[]): Row[] {
  const groups = groupBy(rows, (row) => [...row.cells, row.change].join('\n'));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length < ALIKE) return group;
    return [{ ...first, label: `${first.label} and ${count(group.length - 1)} more, each` }];
  });
}

const ALIKE = 3;

function unchanged({ failed, latency_ms: latency, requests }: compared.StretchComparison): string {
  const alone = requests.mean.includes(null) ? requests.mean.findIndex((value) => value !== null) : -1;
  if (alone >= 0)
    return `only ${compareAnswer.letterOf(alone)} has it: ${counted(Math.round(requests.mean[alone] ?? 0), 'request')}`;
  if (!compareAnswer.sharesOf(requests).some((value) => value > 0)) return 'no requests';
  const [part, p99] = [failed.mean[0] ?? 0, latency.p99.mean[0] ?? 0];
  return `no difference: ${part === 0 ? 'none' : percent(part)} of the requests failed, p99 ${millis(p99)}`;
}

function otherHosts(hidden: number, someMoved: boolean): string {
  const whose = counted(hidden, 'host');
  return someMoved
    ? `    … ${whose} changed less or not at all (--all lists them)`
    : `    ${whose}: no change of share`;
}

const meanOf = ({ change: [first] }: compared.Measure): number => first?.mean ?? 0;

function changeText({ change: [change = null], mean }: compared.Measure, shown: (change: Interval) => string): string {
  if (change === null) return mean.every((value) => value === null) ? '' : 'not comparable';
  return compareAnswer.isClear(change) ? shown(change) : 'none';
}

/** Several sides: a line for each of them. */
function rankLines(stretch: compared.StretchComparison, layout: ReportLayout): string[] {
  const { latency_ms: latency, hosts, failed, requests } = stretch;
  const digits = shareDigits(hosts.length);
  const sides = requests.mean.map((_, side) => side);
  const shares = sides.map((side) => hosts.flatMap(({ mean }) => mean[side] ?? []));
  const mark = (measure: compared.Measure, side: number): string => {
    const change = side === 0 ? null : (measure.change[side - 1] ?? null);
    return change === null || !compareAnswer.isClear(change) ? '' : change.mean > 0 ? ' ▲' : ' ▼';
  };
  const part = (values: readonly number[], pick: (values: readonly number[]) => number): string =>
    values.length === 0 ? '–' : percent(pick(values), digits);
  const asPercent = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : percent(value);
  const { number, text } = columnsOf(sides);
  const columns = [
    text('', compareAnswer.letterOf),
    number('requests', (side) => count(requests.mean[side] ?? 0)),
    number('failed', (side) => asPercent(failed.mean[side]) + mark(failed, side)),
    number('mean', (side) => millis(latency.mean.mean[side] ?? null) + mark(latency.mean, side)),
    number('p99', (side) => millis(latency.p99.mean[side] ?? null) + mark(latency.p99, side)),
    number('busiest', (side) => part(shares[side] ?? [], largest)),
    number('least busy', (side) => part(shares[side] ?? [], smallest)),
  ];
  return table(columns, layout, 4);
}
