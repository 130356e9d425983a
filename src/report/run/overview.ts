import { printable } from '../../core/printable.js';
import { largest } from '../../core/lists.js';
import { busiestOf, hostsOf } from '../../result/phase-hosts.js';
import type { ClusterResult, HostResult, PhaseResult, RunResult } from '../../result/run-result.js';
import { count, counted, millis, percent, shortPercentDigits } from '../format.js';
import type { ReportLayout } from '../layout.js';
import { columnsOf, table } from '../table.js';
import { range, expectedRows } from './host-shares.js';
import { hostKey, hostTable, type TableRow } from './host-table.js';
import { hasLoads, phaseTable } from './phase-section.js';

/** One cluster: what happened in each phase, or the shares of its hosts where nothing did. */
export function soleCluster(name: string, cluster: ClusterResult, layout: ReportLayout, room: number): string[] {
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
function inTruth([phase]: readonly PhaseResult[]): (host: HostResult) => TableRow {
  const truths = new Map([...(phase === undefined ? [] : hostsOf(phase))].map((row) => [hostKey(row), row.truth]));
  return (host) => {
    const truth = truths.get(hostKey(host));
    return truth === undefined ? host : { ...host, truth };
  };
}

/** A line for each of several clusters. @param hidden how many more there are. */
export function clusterTable(
  shown: readonly string[],
  hidden: number,
  clusters: RunResult['clusters'],
  layout: ReportLayout,
): string[] {
  const rows = shown.map((name) => {
    const cluster = clusters[name] as ClusterResult;
    const loads = hasLoads(cluster) ? cluster.phases.map((phase) => busiestOf(phase)?.load ?? 0) : [];
    return { name, cluster, load: largest(loads, 0) };
  });
  const { name, number, text } = columnsOf(rows);
  const some = (of: (cluster: ClusterResult) => boolean): boolean => rows.some(({ cluster }) => of(cluster));
  const columns = [
    name('cluster', (row) => printable(row.name)),
    some(({ policy }) => policy !== rows[0]?.cluster.policy) && name('policy', (row) => printable(row.cluster.policy)),
    number('attempts', (row) => count(row.cluster.requests)),
    some(({ failed }) => failed > 0) &&
      number('failed', ({ cluster: { failed, success } }) => percent(failed / (failed + success))),
    some(({ latency_ms: { max } }) => (max ?? 0) > 0) && number('p50', (row) => millis(row.cluster.latency_ms.p50)),
    some(({ latency_ms: { max } }) => (max ?? 0) > 0) && number('p99', (row) => millis(row.cluster.latency_ms.p99)),
    rows.some(({ load }) => load > 0) && number('most load', ({ load }) => percent(load, 0)),
    text('shares', ({ cluster }) => sharesOf(cluster)),
  ];
  const more = hidden === 0 ? [] : [layout.paint.faint(`  … ${counted(hidden, 'more cluster')} (--full)`)];
  return [...table(columns, { ...layout, bars: false }, 2), ...more];
}

/** More hosts or members than this are a range. */
const MAX_LISTED = 4;

function sharesOf({ hosts, members }: ClusterResult): string {
  const rows = members ?? expectedRows(hosts) ?? hosts;
  const shares = rows.map(({ share }) => shortPercentDigits(share));
  if (rows.length <= MAX_LISTED && new Set(shares).size > 1) return `${shares.join(' / ')} %`;
  const idle = rows.filter(({ requests }) => requests === 0).length;
  return range(rows) + (idle === 0 || idle === rows.length ? '' : `, ${count(idle)} with none`);
}
