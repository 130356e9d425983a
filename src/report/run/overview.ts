import { largest } from '../../core/values.js';
import { busiestOf, hostsOf } from '../../result/phase-hosts.js';
import type * as results from '../../result/run-result.js';
import type { ClusterResult } from '../../result/run-result.js';
import { count, counted, decimal, millis, nounOf, percent, printable, seconds, shortPercentDigits } from '../format.js';
import type { ReportLayout } from '../layout.js';
import { columnsOf, table } from '../table.js';
import { groupingOf, groupsOf } from './groups.js';
import { range, rangeAndIdle, expectedRows } from './host-shares.js';
import { hostId } from '../../result/phases.js';
import { hostTable, type TableRow } from './host-table.js';
import { hasLoads, phaseTable } from './phase-section.js';

export function soleCluster(name: string, cluster: ClusterResult, options: ReportLayout, room: number): string[] {
  const layout = { ...options, noun: nounOf(cluster) };
  const { hosts, no_host: noHost, overflow, phases, policy } = cluster;
  const before = layout.before?.clusters[name]?.hosts;
  const title = `${printable(name)}  ${printable(policy)} · ${counted(hosts.length, 'host')}`;
  const lines =
    phases.length > 1
      ? phaseTable(cluster, layout, room - 1)
      : hostTable({ rows: hosts.map(inTruth(phases)), noHost, overflow, atTheEnd: false, before }, layout, 2, room - 2);
  return [layout.paint.strong(title), ...lines.filter((line) => line !== '')];
}

/** Adds to a host of the whole run what it is in the only phase. */
function inTruth([phase]: readonly results.PhaseResult[]): (host: results.HostResult) => TableRow {
  const truths = new Map([...(phase === undefined ? [] : hostsOf(phase))].map((row) => [hostId(row), row.truth]));
  return (host) => {
    const truth = truths.get(hostId(host));
    return truth === undefined ? host : { ...host, truth };
  };
}

/** A line for each of several clusters. @param hidden how many more there are. */
export function clusterTable(
  shown: readonly string[],
  hidden: number,
  { clusters, question }: Pick<results.RunResult, 'clusters' | 'question'>,
  layout: ReportLayout,
): string[] {
  const known = shown.map((name) => clusters[name] as ClusterResult);
  const window = windowOf(question ?? [], known);
  const rows = known.map((cluster, index) => {
    const loads = hasLoads(cluster) ? cluster.phases.map((phase) => busiestOf(phase)?.load ?? 0) : [];
    return { name: shown[index] ?? '', cluster, load: largest(loads, 0) };
  });
  const { name, number, text } = columnsOf(rows);
  const some = (of: (cluster: ClusterResult) => boolean): boolean => rows.some(({ cluster }) => of(cluster));
  const overall = some(({ phases }) => phases.length > 1) ? ' over the run' : '';
  const when = window ? ` from ${decimal(window.from_s, 3)} to ${seconds(window.to_s)}` : overall;
  const columns = [
    name('cluster', (row) => printable(row.name)),
    some(({ policy }) => policy !== rows[0]?.cluster.policy) && name('policy', (row) => printable(row.cluster.policy)),
    number('attempts', (row) => count(row.cluster.requests)),
    some(({ failed }) => failed > 0) &&
      number('failed', ({ cluster: { failed, success } }) => percent(failed / (failed + success))),
    some(({ latency_ms: { max } }) => (max ?? 0) > 0) && number('p50', (row) => millis(row.cluster.latency_ms.p50)),
    some(({ latency_ms: { max } }) => (max ?? 0) > 0) && number('p99', (row) => millis(row.cluster.latency_ms.p99)),
    rows.some(({ load }) => load > 0) && number('peak load', ({ load }) => percent(load, 0)),
    some(({ hosts, members = hosts }) => members.length > 1) &&
      text(`shares${when}`, ({ cluster }) => sharesOf(cluster, window && hostsIn(cluster, window))),
  ];
  const more = hidden === 0 ? [] : [layout.paint.faint(`  … ${counted(hidden, 'more cluster')} (--full)`)];
  return [...table(columns, { ...layout, bars: false }, 2), ...more];
}

type Window = Readonly<{ from_s: number; to_s: number }>;

/** The phase, of every cluster, that the scenario asks about; of several the last one, which shows what has changed. */
function windowOf(question: readonly results.QuestionResult[], clusters: readonly ClusterResult[]): Window | undefined {
  const { from_s: from, to_s: to } = question.findLast((one) => one.from_s !== undefined) ?? {};
  if (from === undefined || to === undefined) return undefined;
  const window = clusters[0]?.phases.find((phase) => phase.from_s <= from && to <= phase.to_s);
  return window && clusters.every((cluster) => hostsIn(cluster, window).length > 0) ? window : undefined;
}

function hostsIn({ phases, members }: ClusterResult, window: Window): readonly results.PhaseHostResult[] {
  const phase =
    members === undefined ? phases.find((one) => one.from_s === window.from_s && one.to_s === window.to_s) : undefined;
  return phase === undefined ? [] : [...hostsOf(phase)];
}

/** More hosts or members than this are a range. */
const MAX_LISTED = 4;

function sharesOf(cluster: ClusterResult, hosts: readonly results.PhaseHostResult[] = cluster.hosts): string {
  const { facts, members } = cluster;
  // What workers do each on their own is not what all together are expected to do.
  const isUneven = facts.some(({ kind }) => kind === 'several_rotations');
  const rows = members ?? (isUneven ? undefined : expectedRows(hosts)) ?? hosts;
  const shares = rows.map(({ share }) => shortPercentDigits(share));
  if (rows.length <= MAX_LISTED && new Set(shares).size > 1) return `${shares.join(' / ')} %`;
  if (members !== undefined) return range(members);
  const each = rangeAndIdle(hosts);
  return (/ to |, but /.test(each) ? groupSharesOf(hosts) : undefined) ?? each;
}

/** "zones a / b: 60.0 / 40.0 %"; undefined: there are none, or too many, or they have long names. */
function groupSharesOf(hosts: readonly results.PhaseHostResult[]): string | undefined {
  const grouping = groupingOf(hosts, MAX_LISTED);
  if (grouping === undefined) return undefined;
  const groups = groupsOf(hosts, grouping);
  const names = groups.map(({ name }) => name).join(' / ');
  if (names.length > MAX_NAMES) return undefined;
  return `${grouping.plural} ${names}: ${groups.map(({ share }) => shortPercentDigits(share)).join(' / ')} %`;
}

/** Longer names would break the table. */
const MAX_NAMES = 20;
