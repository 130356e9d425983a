import { addAll } from '../core/lists.js';
import { printable } from '../core/printable.js';
import type { ClusterResult, GroupResult, LatencyOrNone, ProxyResult } from '../result/run-result.js';
import { count, counted, entriesAHost, millis, percent, shortPercentDigits } from './format.js';
import { failureList } from './failure-list.js';
import { courseSection } from './course-section.js';
import { fleetSection } from './fleet-section.js';
import { localityName, localityParts } from './groups.js';
import type { ReportLayout } from './host-table.js';
import { range } from './host-shares.js';
import { hostTable, MAX_HOSTS, showsPrediction } from './host-table.js';
import { leading, spread, wrap } from './layout.js';
import { detectionLines, mergeWindowLines } from './detection-lines.js';
import { labels, phaseSection } from './phase-section.js';
import type { Column } from './table.js';
import { table } from './table.js';

/**
 * The evidence for one cluster: heading, phases, hosts, groups, latency.
 *
 * @param run context: several proxies, several clusters.
 */
export function* clusterSection(
  name: string,
  cluster: ClusterResult,
  layout: ReportLayout,
  run: { readonly proxies: boolean; readonly clusters: boolean },
): Generator<string> {
  yield* heading(name, cluster, layout);
  yield '';
  // The answer says it for a single cluster.
  const failed = run.clusters && cluster.failed > 0 ? failureLines(cluster, layout) : [];
  if (cluster.requests === 0) {
    yield* failed;
    return;
  }
  const { phases } = cluster;
  if (phases.length > 1) {
    if (layout.events !== true) yield* phaseSection(cluster, layout);
    yield* spread(`  ${layout.paint.strong('whole run')}`, counted(cluster.requests, 'request'), layout.width);
  } else {
    if (layout.events !== true) yield* labels(phases[0], layout, 2);
  }
  if (cluster.hosts.length > 0) {
    const { requests, no_host: noHost, overflow } = cluster;
    const before = layout.before?.clusters[name]?.hosts;
    const rows = { rows: cluster.hosts, requests, noHost, overflow, atTheEnd: phases.length > 1, before };
    yield* hostTable(rows, layout, phases.length > 1 ? 4 : 2);
    yield '';
  }
  yield* groupTables(cluster, layout);
  yield* courseSection(cluster, layout);
  yield* fleetSection(cluster, layout);
  yield* failed;
  yield* detectionLines(cluster.detections ?? [], layout, run.proxies);
  yield* mergeWindowLines(cluster, layout);
  if ([...cluster.hosts, ...(cluster.members ?? [])].some(({ answered }) => answered > 0))
    yield* latencyLine(cluster.latency_ms, layout);
}

function heading(name: string, cluster: ClusterResult, layout: ReportLayout): string[] {
  const madeUp = cluster.hosts.filter(({ made_up: isMadeUp }) => isMadeUp === true).length;
  const some = madeUp === cluster.hosts.length ? ', made up' : `, ${count(madeUp)} of them made up`;
  const hosts = `${counted(cluster.hosts.length, 'host')}${madeUp === 0 ? '' : some}`;
  const { members } = cluster;
  const parts = members === undefined ? hosts : counted(members.length, 'cluster');
  const facts = [cluster.policy, parts, counted(cluster.requests, 'request')];
  const balancer = cluster.load_balancer;
  if (balancer !== undefined && 'size' in balancer) {
    const { size, min_hashes_per_host: low, max_hashes_per_host: high } = balancer;
    facts.push(`table of ${count(size)}, ${entriesAHost(low, high)}`);
  }
  return leading(printable(name), facts, layout.width, layout.paint);
}

/** Localities, priorities and subsets, each only if there are several and the rows are not those of the hosts. */
function groupTables(cluster: ClusterResult, layout: ReportLayout): string[] {
  const hosts = cluster.hosts.length;
  const lines: string[] = [];
  const { localities, priorities, subsets, members = [] } = cluster;
  if (localities.length > 1 && localities.length < hosts && !followsPriorities(cluster)) {
    const parts = localityParts(localities.map((group) => group.locality));
    const heading = parts.region || parts.subZone ? 'locality' : 'zone';
    const names = localities.map((group) => localityName(group.locality, parts));
    addAll(lines, [...groupTable(heading, names, localities, layout), '']);
  }
  if (priorities.length > 1) {
    const names = priorities.map((group) => String(group.priority));
    addAll(lines, [...groupTable('priority', names, priorities, layout, priorityLoads(cluster)), '']);
  }
  if (members.length > 0) {
    const names = members.map((group) => printable(group.cluster));
    lines.push(...groupTable('passed on to', names, members, layout), '');
  }
  if (subsets.length > 1) {
    const names = subsets.map((group) => printable(group.subset));
    addAll(lines, [...groupTable('subset', names, subsets, layout), '']);
  }
  return lines;
}

/** Whether each priority is one locality: then one table is enough. */
function followsPriorities(cluster: ClusterResult): boolean {
  if (cluster.localities.length !== cluster.priorities.length) return false;
  const pairs = new Set(cluster.hosts.map((row) => JSON.stringify([row.priority, row.locality])));
  return pairs.size === cluster.localities.length;
}

/** The load that the balancer gave each priority, where it never changed. */
function priorityLoads(cluster: ClusterResult): Column[] {
  const [phase, ...later] = cluster.phases;
  if (phase === undefined || later.length > 0) return [];
  const state = cluster.priorities.map((group) => phase.priorities.find((one) => one.priority === group.priority));
  const columns: Column[] = [
    {
      heading: 'load',
      align: 'right',
      cells: state.map((one) => (one === undefined ? '' : `${one.healthy_load + one.degraded_load} %`)),
    },
    {
      heading: 'healthy',
      align: 'right',
      cells: state.map((one) => (one === undefined ? '' : `${count(one.healthy)} of ${count(one.total)}`)),
    },
  ];
  if (state.some((one) => (one?.degraded ?? 0) > 0)) {
    const cells = state.map((one) => (one === undefined ? '' : count(one.degraded)));
    columns.push({ heading: 'degraded', align: 'right', cells });
  }
  if (state.some((one) => one?.panic === true)) {
    columns.push({ heading: 'panic', cells: state.map((one) => (one?.panic === true ? 'yes' : '')) });
  }
  return columns;
}

/** Nothing where they were not counted. */
function hostsColumn(groups: readonly Partial<Pick<GroupResult, 'hosts'>>[]): Column[] {
  const cells = groups.flatMap(({ hosts }) => (hosts === undefined ? [] : [count(hosts)]));
  return cells.length < groups.length ? [] : [{ heading: 'hosts', align: 'right', cells }];
}

function groupTable(
  heading: string,
  names: readonly string[],
  groups: readonly (Omit<GroupResult, 'hosts'> & Partial<Pick<GroupResult, 'hosts'>>)[],
  layout: ReportLayout,
  extra: readonly Column[] = [],
): string[] {
  const columns: Column[] = [
    { heading, name: true, cells: names },
    ...(extra.length > 0 ? extra : hostsColumn(groups)),
    { heading: 'requests', align: 'right', cells: groups.map((group) => count(group.requests)) },
    { heading: 'share', align: 'right', cells: groups.map((group) => percent(group.share)) },
  ];
  if (showsPrediction(groups, layout)) {
    const cells = groups.map((group) =>
      group.predicted_share === undefined ? '' : `${(group.predicted_share * 100).toFixed(2)} %`,
    );
    columns.push({ heading: 'predicted', align: 'right', cells });
  }
  if (groups.some((group) => group.errors > 0)) {
    columns.push({ heading: 'errors', align: 'right', cells: groups.map((group) => count(group.errors)) });
  }
  const bars = layout.bars
    ? groups.map(({ share, errors, requests }) => ({ share, failed: requests === 0 ? 0 : errors / requests }))
    : undefined;
  return table(columns, { width: layout.width, indent: 2, paint: layout.paint, bars, barScale: layout.barScale });
}

function failureLines({ failures }: ClusterResult, layout: ReportLayout): string[] {
  return [...wrap(failureList(failures), layout.width, 'failed    ', '          '), ''];
}

function latencyLine(latency: LatencyOrNone, layout: ReportLayout): string[] {
  if (latency.max === null) return [];
  if (latency.max === 0)
    return [...wrap('latency   every answer came at once (0 ms)', layout.width, '', '          '), ''];
  const { p50, p90, p99, max } = latency;
  const parts = [
    ['p50', p50],
    ['p90', p90],
    ['p99', p99],
    ['max', max],
  ] as const;
  const text = parts.map(([name, value]) => `${name} ${millis(value)}`.replaceAll(' ', '\u00a0')).join('   ');
  return [...wrap(text, layout.width, 'latency   ', '          '), ''];
}

/** Where several proxies ran: each one's own spread, a line per proxy and cluster. */
export function proxyTable(proxies: Readonly<Record<string, ProxyResult>>, layout: ReportLayout): string[] {
  const entries = Object.entries(proxies);
  if (entries.length < 2) return [];
  const rows = entries.flatMap(([proxy, { clusters }]) =>
    Object.entries(clusters).map(([name, cluster]) => ({ proxy, name, cluster })),
  );
  const shown = layout.all || rows.length <= MAX_HOSTS ? rows : rows.slice(0, MAX_HOSTS);
  const several = new Set(rows.map((row) => row.name)).size > 1;
  const shares = ({ cluster }: (typeof rows)[number]): string => {
    if (cluster.requests === 0) return '';
    if (cluster.hosts.length > 6) return range(cluster.hosts);
    return `${cluster.hosts.map((host) => shortPercentDigits(host.share)).join(' / ')} %`;
  };
  const columns: Column[] = [
    { heading: 'proxy', name: true, cells: shown.map((row) => printable(row.proxy)) },
    ...(several ? [{ heading: 'cluster', name: true as const, cells: shown.map((row) => printable(row.name)) }] : []),
    { heading: 'requests', align: 'right', cells: shown.map((row) => count(row.cluster.requests)) },
    { heading: 'a host gets', cells: shown.map(shares) },
  ];
  const lines = table(columns, { width: layout.width, indent: 2, paint: layout.paint });
  if (shown.length < rows.length) lines.push(`  … ${count(rows.length - shown.length)} more lines (--all lists them)`);
  return [layout.paint.strong('each proxy'), '', ...lines, ''];
}
