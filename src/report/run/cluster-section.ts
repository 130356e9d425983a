import { groupBy, largest, smallest } from '../../core/values.js';
import { printable } from '../../core/printable.js';
import type * as results from '../../result/run-result.js';
import * as formats from '../format.js';
import { courseSection } from './course-section.js';
import { localityHeading, localityName, localityParts, type LocalityParts } from './groups.js';
import { range, expectedRows, showsPrediction } from './host-shares.js';
import { hostTable, MAX_HOSTS } from './host-table.js';
import { labelled, leading, type ReportLayout, spread, wrap } from '../layout.js';
import { labels, phaseSection } from './phase-section.js';
import { type Column, columnsOf, table } from '../table.js';
import { unseenText } from './outage.js';
import { fill, SENTENCES } from '../../words/fill.js';
import { failureList, noticeText } from '../../words/happenings.js';

const WORDS = SENTENCES.run;

/** With more localities than this the matrix is too large: only the cross-zone part of each is shown. */
const MAX_LOCALITIES = 8;

function fleetSection(cluster: results.ClusterResult, layout: ReportLayout): string[] {
  const { fleet } = cluster;
  if (fleet === undefined || fleet.from.every(({ requests }) => requests === 0)) return [];
  const places = [...fleet.to.map(({ locality }) => locality), ...fleet.from.flatMap(({ locality }) => locality ?? [])];
  const parts = localityParts(places);
  const { from, to } = fleet;
  const { name, number } = columnsOf(from.map((group, row) => ({ ...group, flows: fleet.flows[row] ?? [] })));
  const columns = [
    name(`from ${localityHeading(parts)}`, ({ locality }) =>
      locality === null ? '(no place)' : localityName(locality, parts),
    ),
    number('proxies', ({ proxies }) => formats.count(proxies)),
    number('requests', ({ requests }) => formats.count(requests)),
    ...(to.length <= MAX_LOCALITIES || layout.all ? to : []).map(({ locality }, index) =>
      number(`to ${localityName(locality, parts)}`, ({ flows, requests }) =>
        requests === 0 ? '' : formats.percent((flows[index] ?? 0) / requests),
      ),
    ),
    number('crosses', ({ locality, cross_zone: crosses }) => (locality === null ? '' : formats.percent(crosses.share))),
  ];
  return [...table(columns, layout, 2), '', ...wrap(sentences(cluster, fleet, parts), layout.width, '  '), ''];
}

function sentences(cluster: results.ClusterResult, fleet: results.FleetResult, parts: LocalityParts): string {
  const { cross_zone: crosses, mean_requests: mean } = fleet;
  const crossing = fill(WORDS.cross_zone, crosses);
  const order = [...cluster.hosts].sort((a, b) => b.requests - a.requests);
  const [most, least] = [order[0], order[order.length - 1]];
  if (most === undefined || least === undefined) return crossing;
  const times = ({ relative_load: ratio = 0 }: results.HostResult): string => ratio.toFixed(2);
  const text = fill(times(most) === times(least) ? WORDS.even : WORDS.uneven, {
    ...{ mean, hosts: order.length, most_times: times(most), least_times: times(least) },
    ...{ most: most.address, most_in: localityName(most.locality, parts) },
    ...{ least: least.address, least_in: localityName(least.locality, parts) },
  });
  return printable(`${crossing} ${text}`);
}

/** More than this are left to the JSON document. */
const MAX_DETECTIONS = 6;

/** Hosts that failed together are one sentence. @param fleet there are several proxies, which have to be named. */
function detectionLines({ detections = [] }: results.ClusterResult, layout: ReportLayout, fleet: boolean): string[] {
  if (detections.length === 0) return [];
  const all = [...groupBy(detections, ({ event, failed_at_s }) => JSON.stringify([event, failed_at_s])).values()];
  const shown = layout.all ? all : all.slice(0, MAX_DETECTIONS);
  const lines = shown.flatMap((group, index) =>
    wrap(sentence(group, fleet), layout.width, index === 0 ? 'detection ' : '          ', '            '),
  );
  if (shown.length < all.length)
    lines.push(`          … ${formats.count(all.length - shown.length)} more (--all lists them)`);
  return [...lines, ''];
}

function sentence(group: readonly results.DetectionResult[], fleet: boolean): string {
  const [first] = group;
  if (first === undefined) return '';
  const hosts = group.length === 1 ? undefined : group.length;
  const seen = group.flatMap((detection) => detection.seen);
  if (seen.length === 0) return printable(fill(WORDS.undetected, { ...first, hosts, why: unseenText(group) }));
  const missed = group.filter((detection) => detection.seen.length === 0).length || undefined;
  const back = group.flatMap((detection) => detection.back);
  const again = back.length === 0 ? 'not used again' : `used again ${after(back, fleet)}`;
  const trusted = first.recovered_at_s === null ? undefined : again;
  return printable(fill(WORDS.detected, { ...first, hosts, missed, noticed: after(seen, fleet), trusted }));
}

function after(notices: readonly results.NoticeResult[], fleet: boolean): string {
  const times = notices.map((notice) => notice.after_s);
  const [least, most] = [smallest(times), largest(times)];
  const range = least === most ? formats.seconds(least) : `${String(round(least))} to ${formats.seconds(round(most))}`;
  const proxies = [...new Set(notices.map(({ proxy }) => printable(proxy)))];
  const by = proxies.length > 3 ? formats.counted(proxies.length, 'proxy', 'proxies') : formats.listed(proxies);
  const facts = [...new Set(notices.map((notice) => noticeText(notice.fact)))];
  return fill(WORDS.noticed, { times: range, proxies: fleet ? by : undefined, facts });
}

/** Three significant figures. */
const round = (value: number): number => Number(value.toPrecision(3));

/** Heading, phases, hosts, groups, latency. @param run context: several proxies, several clusters. */
export function* clusterSection(
  name: string,
  cluster: results.ClusterResult,
  options: ReportLayout,
  run: { readonly proxies: boolean; readonly clusters: boolean },
): Generator<string> {
  const asked = { ...options, noun: formats.nounOf(cluster) };
  const layout = expectedRows(cluster.hosts) === undefined ? asked : { ...asked, predicted: true };
  yield* heading(name, cluster, layout);
  yield '';
  // The answer says it for a single cluster.
  const tellsFailed = run.clusters && cluster.failed > 0;
  const failed = tellsFailed ? [...labelled('failed', failureList(cluster.failures), layout.width), ''] : [];
  if (cluster.requests === 0) return yield* failed;
  const { phases } = cluster;
  if (layout.events !== true) yield* phases.length > 1 ? phaseSection(cluster, layout) : labels(phases[0], layout, 2);
  if (phases.length > 1)
    yield* spread(
      `  ${layout.paint.strong('whole run')}`,
      formats.counted(cluster.requests, formats.nounOf(cluster)),
      layout.width,
    );
  if (cluster.hosts.length > 0) {
    const { no_host: noHost, overflow } = cluster;
    const before = layout.before?.clusters[name]?.hosts;
    const rows = { rows: cluster.hosts, noHost, overflow, atTheEnd: phases.length > 1, before };
    yield* hostTable(rows, layout, phases.length > 1 ? 4 : 2);
    yield '';
  }
  yield* groupTables(cluster, layout);
  yield* courseSection(cluster, layout);
  yield* fleetSection(cluster, layout);
  yield* failed;
  yield* detectionLines(cluster, layout, run.proxies);
  const { merge_window: window } = cluster;
  if (window !== undefined) {
    const { requests: bad, share } = window.requests_to_known_bad;
    yield* [...labelled('merging', fill(WORDS.merged, { ...window, bad, share }), layout.width), ''];
  }
  yield* latencyLine(cluster, layout);
}

function heading(name: string, cluster: results.ClusterResult, layout: ReportLayout): string[] {
  const madeUp = cluster.hosts.filter(({ made_up: isMadeUp }) => isMadeUp === true).length;
  const some = madeUp === cluster.hosts.length ? ', made up' : `, ${formats.count(madeUp)} of them made up`;
  const hosts = `${formats.counted(cluster.hosts.length, 'host')}${madeUp === 0 ? '' : some}`;
  const { members } = cluster;
  const parts = members === undefined ? hosts : formats.counted(members.length, 'cluster');
  const facts = [cluster.policy, parts, formats.counted(cluster.requests, formats.nounOf(cluster))];
  const balancer = cluster.load_balancer;
  if (balancer !== undefined && 'size' in balancer) {
    const { size, min_hashes_per_host: low, max_hashes_per_host: high } = balancer;
    facts.push(`table of ${formats.count(size)}, ${formats.entriesAHost(low, high)}`);
  }
  return leading(printable(name), facts, layout.width, layout.paint);
}

/** Localities, priorities and subsets, each only if there are several and the rows are not those of the hosts. */
function groupTables(cluster: results.ClusterResult, layout: ReportLayout): string[] {
  const { hosts, localities, priorities, subsets, members = [] } = cluster;
  const parts = localityParts(localities.map(({ locality }) => locality));
  const hasLocalities = localities.length > 1 && localities.length < hosts.length && !followsPriorities(cluster);
  const places = localities.map(({ locality }) => localityName(locality, parts));
  const levels = priorities.map(({ priority }) => String(priority));
  const passedOn = members.map((member) => printable(member.cluster));
  const named = subsets.map(({ subset }) => printable(subset));
  const tables = [
    hasLocalities && groupTable(localityHeading(parts), places, localities, layout),
    priorities.length > 1 && groupTable('priority', levels, priorities, layout, priorityLoads(cluster)),
    members.length > 0 && groupTable('passed on to', passedOn, members, layout),
    subsets.length > 1 && groupTable('subset', named, subsets, layout),
  ];
  return tables.flatMap((lines) => (lines === false ? [] : [...lines, '']));
}

type GroupRow = Omit<results.GroupResult, 'hosts'> & Partial<Pick<results.GroupResult, 'hosts'>>;

/** Whether each priority is one locality: then one table is enough. */
function followsPriorities(cluster: results.ClusterResult): boolean {
  if (cluster.localities.length !== cluster.priorities.length) return false;
  const pairs = new Set(cluster.hosts.map((row) => JSON.stringify([row.priority, row.locality])));
  return pairs.size === cluster.localities.length;
}

/** The load that the balancer gave each priority, where it never changed. */
function priorityLoads(cluster: results.ClusterResult): readonly (Column | false)[] {
  const [phase, ...later] = cluster.phases;
  if (phase === undefined || later.length > 0) return [];
  const states = cluster.priorities.map((group) => phase.priorities.find((one) => one.priority === group.priority));
  const { number, text } = columnsOf(states);
  return [
    number('load', (one) => `${one.healthy_load + one.degraded_load} %`),
    number('healthy', (one) => `${formats.count(one.healthy)} of ${formats.count(one.total)}`),
    states.some((one) => (one?.degraded ?? 0) > 0) && number('degraded', (one) => formats.count(one.degraded)),
    states.some((one) => one?.panic === true) && text('panic', ({ panic }) => (panic ? 'yes' : '')),
  ];
}

function groupTable(
  heading: string,
  names: readonly string[],
  groups: readonly GroupRow[],
  layout: ReportLayout,
  extra: readonly (Column | false)[] = [],
): string[] {
  const { number } = columnsOf(groups);
  const columns = [
    { heading, name: true as const, cells: names },
    ...extra,
    // They were not counted of every kind of group.
    extra.length === 0 &&
      groups.every(({ hosts }) => hosts !== undefined) &&
      number('hosts', ({ hosts = 0 }) => formats.count(hosts)),
    number(`${layout.noun ?? 'request'}s`, ({ requests }) => formats.count(requests)),
    number('share', ({ share }) => formats.percent(share)),
    showsPrediction(groups, layout) &&
      number('predicted', ({ predicted_share: share }) => (share === undefined ? '' : `${(share * 100).toFixed(2)} %`)),
    groups.some((group) => group.errors > 0) && number('errors', ({ errors }) => formats.count(errors)),
  ];
  const bars = groups.map(({ share, errors, requests }) => ({ share, failed: requests === 0 ? 0 : errors / requests }));
  return table(columns, layout, 2, bars);
}

/** Of the answered requests, and how many these are where others were not. */
function latencyLine(cluster: results.ClusterResult, layout: ReportLayout): string[] {
  const { p50, p90, p99, max } = cluster.latency_ms;
  if (max === null) return [];
  const of = formats.ofTheAnswered(cluster);
  const label = cluster.over_tcp ? 'lasted' : 'latency';
  if (max === 0) return [...labelled('latency', `every answer came at once (0 ms)${of}`, layout.width), ''];
  const parts = Object.entries({ p50, p90, p99, max });
  const text = parts.map(([name, value]) => `${name} ${formats.millis(value)}`.replaceAll(' ', '\u00a0')).join('   ');
  return [...labelled(label, text + of, layout.width), ''];
}

/** Where several proxies ran: each one's own spread, a line per proxy and cluster. */
export function proxyTable(proxies: Readonly<Record<string, results.ProxyResult>>, layout: ReportLayout): string[] {
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
    return `${cluster.hosts.map((host) => formats.shortPercentDigits(host.share)).join(' / ')} %`;
  };
  const { name, number, text } = columnsOf(shown);
  const columns = [
    name('proxy', (row) => printable(row.proxy)),
    several && name('cluster', (row) => printable(row.name)),
    number('requests', (row) => formats.count(row.cluster.requests)),
    text('a host gets', shares),
  ];
  const lines = table(columns, layout, 2);
  if (shown.length < rows.length)
    lines.push(`  … ${formats.count(rows.length - shown.length)} more lines (--all lists them)`);
  return [layout.paint.strong('each proxy'), '', ...lines, ''];
}
