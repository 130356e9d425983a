import type { ClusterResult, GroupResult, LatencyOrNone, PhaseResult, ProxyResult } from '../result/run-result.js';
import { range, sentence } from './answer.js';
import { count, counted, digitsNeeded, millis, percent, printable, shortPercentDigits } from './format.js';
import { groupBy, localityGrouping, localityName, localityParts, PRIORITY_GROUPING } from './groups.js';
import type { ReportLayout } from './host-table.js';
import { hostTable, MAX_HOSTS } from './host-table.js';
import { displayWidth, leading, shorten, spread, wrap } from './layout.js';
import type { Column } from './table.js';
import { table } from './table.js';

/** Host tables of all phases together may take this many lines; beyond it a line per phase has to do. */
const MAX_PHASE_LINES = 60;
const MAX_PHASE_ROWS = 24;
const LEADING_PHASES = 16;
const TRAILING_PHASES = 4;

/** The evidence for one cluster: heading, phases, hosts, groups, latency. */
export function clusterSection(name: string, cluster: ClusterResult, layout: ReportLayout): string[] {
  const lines = [...heading(name, cluster, layout), ''];
  const { phases } = cluster;
  const stacked =
    layout.all ||
    phases.reduce((sum, phase) => sum + Math.min(phase.hosts.length, MAX_HOSTS) + 3, 0) <= MAX_PHASE_LINES;
  if (phases.length > 1) {
    lines.push(
      ...(stacked ? phases.flatMap((phase) => phaseBlock(phase, phases, layout)) : phaseTable(cluster, layout)),
    );
    lines.push(...spread(`  ${layout.paint.strong('whole run')}`, counted(cluster.requests, 'request'), layout.width));
  } else {
    lines.push(...labels(phases[0], layout, 2));
  }
  if (cluster.hosts.length > 0) {
    const { requests, no_host: noHost, overflow } = cluster;
    lines.push(
      ...hostTable({ rows: cluster.hosts, requests, noHost, overflow }, layout, phases.length > 1 ? 4 : 2),
      '',
    );
  }
  lines.push(...groupTables(cluster, layout));
  lines.push(...latencyLine(cluster.latency_ms, layout));
  return lines;
}

function heading(name: string, cluster: ClusterResult, layout: ReportLayout): string[] {
  const facts = [cluster.policy, counted(cluster.hosts.length, 'host'), counted(cluster.requests, 'request')];
  const balancer = cluster.load_balancer;
  if (balancer !== undefined && 'size' in balancer) {
    const { size, min_hashes_per_host: low, max_hashes_per_host: high } = balancer;
    const each = low === high ? count(low) : `${count(low)} to ${count(high)}`;
    facts.push(`table of ${count(size)}, ${each} entries a host`);
  }
  return leading(printable(name), facts.join(' · '), layout.width, layout.paint);
}

/** A phase with all its hosts. */
function phaseBlock(phase: PhaseResult, phases: readonly PhaseResult[], layout: ReportLayout): string[] {
  const title = `  ${times(phases)(phase)}   ${printable(phase.cause)}`;
  const { requests, no_host: noHost, overflow } = phase;
  const lines = spread(title, counted(requests, 'request'), layout.width).map(layout.paint.strong);
  lines.push(...reasons(phase, layout, 4), ...labels(phase, layout, 4));
  if (phase.requests > 0 && phase.hosts.length > 0) {
    lines.push(...hostTable({ rows: phase.hosts, requests, noHost, overflow }, layout, 4));
  }
  return [...lines, ''];
}

/** "  0.0 – 20.0 s", aligned over all phases. The last one ends with the last answer, at no round time. */
function times(phases: readonly PhaseResult[]): (phase: PhaseResult) => string {
  const digits = digitsNeeded(phases.map((phase) => phase.from_s));
  const from = (phase: PhaseResult): string => phase.from_s.toFixed(digits);
  const to = (phase: PhaseResult): string => phase.to_s.toFixed(digits);
  const fromWidth = Math.max(...phases.map((phase) => from(phase).length));
  const toWidth = Math.max(...phases.map((phase) => to(phase).length));
  return (phase) => `${from(phase).padStart(fromWidth)} – ${to(phase).padStart(toWidth)} s`;
}

/** @param known said of the phase before already. */
function reasons(phase: PhaseResult, layout: ReportLayout, indent: number, known: readonly string[] = []): string[] {
  const margin = ' '.repeat(indent);
  return phase.reasons
    .filter((reason) => !known.includes(reason))
    .flatMap((reason) =>
      wrap(sentence(reason), layout.width, `${margin}→ `, `${margin}  `).map((line) => layout.paint.odd(line)),
    );
}

function labels(phase: PhaseResult | undefined, layout: ReportLayout, indent: number): string[] {
  const margin = ' '.repeat(indent);
  const all = phase?.labels ?? [];
  const shown = layout.all || all.length <= 8 ? all : all.slice(0, 7);
  const lines = shown.flatMap((label) => wrap(printable(label), layout.width, `${margin}· `, `${margin}  `));
  if (shown.length < all.length) lines.push(`${margin}· … ${all.length - shown.length} more (--all)`);
  return phase !== undefined && lines.length > 0 && indent === 2 ? [...lines, ''] : lines;
}

/** A line or two per phase, for runs with many. */
function phaseTable(cluster: ClusterResult, layout: ReportLayout): string[] {
  const { phases } = cluster;
  const all = layout.all || phases.length <= MAX_PHASE_ROWS;
  const shown = all ? phases : [...phases.slice(0, LEADING_PHASES), ...phases.slice(-TRAILING_PHASES)];
  const time = times(phases);
  const columns: Column[] = [
    { heading: 'phase', cells: shown.map(time) },
    { heading: 'requests', align: 'right', cells: shown.map((phase) => count(phase.requests)) },
    sharesColumn(cluster, shown),
  ];
  if (phases.some((phase) => phase.no_host.requests > 0)) {
    columns.push({ heading: 'no host', align: 'right', cells: shown.map((phase) => percent(phase.no_host.share)) });
  }
  if (phases.some((phase) => phase.priorities.some((priority) => priority.panic))) {
    const panic = (phase: PhaseResult): string =>
      phase.priorities.flatMap((priority) => (priority.panic ? [String(priority.priority)] : [])).join(', ');
    columns.push({ heading: 'panic in', cells: shown.map(panic), paint: layout.paint.odd });
  }
  // What happened stands beside the numbers where there is room, so the columns keep their natural width.
  const [headings = '', ...rows] = table(columns, { width: Infinity, indent: 2, paint: layout.paint });
  const lines = [headings];
  const rowWidth = Math.max(...rows.map(displayWidth));
  rows.forEach((row, index) => {
    const phase = shown[index];
    if (phase === undefined) return;
    const before = shown[index - 1];
    lines.push(...beside(row, rowWidth, printable(phase.cause), layout.width));
    lines.push(...reasons(phase, layout, 6, before?.reasons), ...labels(phase, layout, 6));
    if (!all && index === LEADING_PHASES - 1) {
      lines.push(`  … ${counted(phases.length - shown.length, 'phase')} in between (--all lists them)`);
    }
  });
  return [...lines, ''];
}

/** The shares of few zones or priorities in one cell, else the range of the hosts' shares. */
function sharesColumn(cluster: ClusterResult, phases: readonly PhaseResult[]): Column {
  const grouping = [localityGrouping(cluster.hosts), PRIORITY_GROUPING].find((candidate) => {
    const groups = new Set(cluster.hosts.map(candidate.of)).size;
    return groups > 1 && groups <= 4;
  });
  const some = phases.map((phase) => phase.requests > 0);
  if (grouping === undefined) {
    return {
      heading: 'a host gets',
      cells: phases.map((phase, index) => (some[index] === true ? range(phase.hosts) : '')),
    };
  }
  const names = groupBy(cluster.hosts, grouping).map((group) => group.name);
  const cells = phases.map((phase, index) => {
    const groups = new Map(groupBy(phase.hosts, grouping).map((group) => [group.name, group.share]));
    return some[index] === true
      ? `${names.map((name) => shortPercentDigits(groups.get(name) ?? 0)).join(' / ')} %`
      : '';
  });
  return { heading: `${grouping.plural} ${names.map((name) => shorten(name, 12)).join(' / ')}`, cells };
}

/** `text` behind `row`, in a column of its own where that fits, or below it. */
function beside(row: string, rowWidth: number, text: string, width: number): string[] {
  const line = `${row}${' '.repeat(rowWidth - displayWidth(row))}  ${text}`;
  if (displayWidth(line) <= width) return [line];
  return [...wrap(row.trimStart(), width, '  ', '      '), ...wrap(text, width, '      ')];
}

/** Localities, priorities and subsets, each only where there are several and they are not the hosts over again. */
function groupTables(cluster: ClusterResult, layout: ReportLayout): string[] {
  const hosts = cluster.hosts.length;
  const lines: string[] = [];
  const { localities, priorities, subsets } = cluster;
  if (localities.length > 1 && localities.length < hosts && !followsPriorities(cluster)) {
    const parts = localityParts(localities.map((group) => group.locality));
    const heading = parts.region || parts.subZone ? 'locality' : 'zone';
    const names = localities.map((group) => localityName(group.locality, parts));
    lines.push(...groupTable(heading, names, localities, layout), '');
  }
  if (priorities.length > 1) {
    const names = priorities.map((group) => String(group.priority));
    lines.push(...groupTable('priority', names, priorities, layout, priorityLoads(cluster)), '');
  }
  if (subsets.length > 1) {
    const names = subsets.map((group) => printable(group.subset));
    lines.push(...groupTable('subset', names, subsets, layout), '');
  }
  return lines;
}

/** Whether each priority is one locality: then one table says it all. */
function followsPriorities(cluster: ClusterResult): boolean {
  const pairs = new Set(cluster.hosts.map((row) => JSON.stringify([row.priority, row.locality])));
  return pairs.size === cluster.localities.length && pairs.size === cluster.priorities.length;
}

/** The load that the balancer gave each priority, where it stayed the same all the time. */
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

function groupTable(
  heading: string,
  names: readonly string[],
  groups: readonly GroupResult[],
  layout: ReportLayout,
  extra: readonly Column[] = [],
): string[] {
  const columns: Column[] = [
    { heading, name: true, cells: names },
    ...(extra.length > 0
      ? extra
      : [{ heading: 'hosts', align: 'right' as const, cells: groups.map((group) => count(group.hosts)) }]),
    { heading: 'requests', align: 'right', cells: groups.map((group) => count(group.requests)) },
    { heading: 'share', align: 'right', cells: groups.map((group) => percent(group.share)) },
  ];
  if (groups.some((group) => group.predicted_share !== undefined)) {
    const cells = groups.map((group) =>
      group.predicted_share === undefined ? '' : `${(group.predicted_share * 100).toFixed(2)} %`,
    );
    columns.push({ heading: 'predicted', align: 'right', cells });
  }
  if (groups.some((group) => group.errors > 0)) {
    columns.push({ heading: 'errors', align: 'right', cells: groups.map((group) => count(group.errors)) });
  }
  const longest = groups.reduce((most, group) => Math.max(most, group.share), 0);
  const bars = layout.bars ? groups.map((group) => (longest === 0 ? 0 : group.share / longest)) : undefined;
  return table(columns, { width: layout.width, indent: 2, paint: layout.paint, bars });
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
  const text = parts.map(([name, value]) => `${name} ${millis(value)}`).join('   ');
  const line = `latency   ${text}`;
  return line.length <= layout.width ? [line, ''] : [...wrap(line, layout.width, '', '  '), ''];
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
