import { printable } from '../../core/printable.js';
import { panicsUnderLoad } from '../../result/cluster-overview.js';
import type { ClusterResult, PhaseResult, RunResult } from '../../result/run-result.js';
import type { PhaseFact } from '../../result/facts.js';
import { reasonText, reasonTexts } from '../../words/reasons.js';
import { epochs, MAX_EPOCHS } from './epochs.js';
import {
  count,
  counted,
  listed,
  millis,
  ofTheAnswered,
  percent,
  seconds,
  sentence,
  shortPercentDigits,
} from '../format.js';
import { type Group, type Grouping, groupingOf, groupsOf, type HostRow } from './groups.js';
import { headlineOf } from './headline.js';
import { hostShares, whyNothing } from './host-shares.js';
import { areChance, expectedRows } from './predicted-shares.js';
import { ANY_TABLE, demand, optional, RESULT } from '../../core/arguments.js';

/** More shares than this are not listed in a sentence. */
const MAX_LISTED = 8;
/** As {@link MAX_LISTED}, for sentences that list shares more than once. */
const MAX_LISTED_OVER_TIME = 4;
/** With more changes than this, so are their reasons. */
const MAX_EXPLAINED = 3;
/** A longer reason does not fit a clause. */
const MAX_REASON = 110;

/**
 * The answer in sentences: what happened to users, how each cluster split, further remarks.
 *
 * @param told the clusters described one by one.
 */
export function answer(result: RunResult, told?: RunResult['clusters']): string[] {
  demand('answer', ['result', result, RESULT], ['told', told, optional(ANY_TABLE)]);
  const shown = told ?? result.clusters;
  // If all clusters have the same latency, it is left out.
  const several = new Set(Object.values(shown).flatMap((cluster) => latencyText(cluster) ?? [])).size > 1;
  const paragraphs = Object.entries(shown).map(([name, cluster]) => clusterAnswer(name, cluster, several));
  return [headlineOf(result).text, ...paragraphs, ...remarks(result)];
}

function clusterAnswer(name: string, cluster: ClusterResult, showsLatency: boolean): string {
  const title = printable(name);
  if (cluster.members !== undefined) return aggregateAnswer(title, cluster, cluster.members);
  if (cluster.hosts.length === 0) {
    const asked = cluster.requests === 0 ? '' : `; none of ${counted(cluster.requests, 'request')} could be sent`;
    return `${title}: no hosts${asked}.`;
  }
  const hosts = counted(cluster.hosts.length, 'host');
  if (cluster.requests === 0) return `${title}: ${hosts}, no requests.`;
  const overTime = sharedGrouping(cluster, MAX_LISTED_OVER_TIME);
  const steady = epochs(cluster, overTime);
  const [first] = steady;
  if (first === undefined || steady.length === 1) {
    const context = { cluster, phase: first, again: false };
    const expected = expectedRows(cluster.hosts);
    const few = expected && ` (expected; ${counted(cluster.requests, 'request')} cannot show it)`;
    const shared = [
      split(expected ?? cluster.hosts, sharedGrouping(cluster, MAX_LISTED), context) + (few ?? fewOf(cluster)),
      ...lost(cluster),
      ...measures(cluster, showsLatency, expected === undefined && !areChance(cluster.hosts)),
    ];
    const clauses = isLost(cluster) ? ['no request found a host'] : shared;
    return `${title}: ${hosts}, ${clauses.join('; ')}.${reasonsOf(cluster)}`;
  }
  if (steady.length > MAX_EPOCHS) {
    const context = { cluster, phase: undefined, again: false };
    const clauses = [
      `over ${cluster.phases.length} phases ${split(cluster.hosts, overTime, context)}`,
      ...lost(cluster),
    ];
    return `${title}: ${hosts}, ${clauses.join('; ')}.${panics(cluster.phases)}`;
  }
  const texts: { toS: number; text: string }[] = [];
  const explains = steady.length <= MAX_EXPLAINED;
  for (const epoch of steady) {
    const context = { cluster, phase: epoch, again: texts.length > 0 };
    const panic = epoch.priorities.some(panicsUnderLoad) ? ['in panic'] : [];
    const text = isLost(epoch)
      ? 'no request found a host'
      : [
          split(epoch.hosts, overTime, context) + fewOf(epoch) + (explains ? because(epoch) : ''),
          ...panic,
          ...lost(epoch),
        ].join(', ');
    const last = texts[texts.length - 1];
    if (last?.text === text) last.toS = epoch.to_s;
    else texts.push({ toS: epoch.to_s, text });
  }
  const clauses = texts.map(({ toS, text }, index) =>
    texts.length === 1 ? text : `${index === texts.length - 1 ? 'then' : `until ${seconds(toS)}`} ${text}`,
  );
  return `${title}: ${hosts}, ${[...clauses, ...measures(cluster, showsLatency)].join('; ')}.`;
}

/** That shares which were counted are chance. */
function fewOf({ hosts, requests }: Pick<PhaseResult, 'hosts' | 'requests'>): string {
  return areChance(hosts) ? ` (of ${counted(requests, 'request')}, too few to show shares)` : '';
}

/** What the numbers of the split show by themselves. */
const SHOWN: ReadonlySet<PhaseFact['kind']> = new Set([
  'panic',
  'no_panic',
  'total_panic',
  'spill',
  'no_hosts',
  'no_host_available',
]);

/** The reasons that the split itself does not show. */
function because({ facts }: PhaseResult): string {
  const fact = facts.find(({ kind, ...of }) => !SHOWN.has(kind) || 'subset' in of);
  const reason = fact && reasonText(fact);
  return reason === undefined || reason.length > MAX_REASON ? '' : ` (${printable(reason)})`;
}

/** Further measures of a cluster: cross-zone traffic, where requests show it, and latency. */
function measures(cluster: ClusterResult, showsLatency: boolean, areShown = true): string[] {
  const { hosts } = cluster;
  const fleet = areShown ? cluster.fleet : undefined;
  const busiest = hosts.reduce((most, { relative_load: load = 0 }) => Math.max(most, load), 0);
  const crossing = fleet === undefined ? '' : `${percent(fleet.cross_zone.share)} cross zones`;
  const latency = showsLatency ? latencyText(cluster) : undefined;
  return [
    ...(fleet === undefined ? [] : [`${crossing}, busiest host ${busiest.toFixed(2)} × the mean`]),
    ...(latency === undefined ? [] : [`${latency}${ofTheAnswered(cluster)}`]),
  ];
}

/** "p50 5.00 ms, p99 20.0 ms"; undefined without any latency. */
function latencyText({ latency_ms: { p50, p99, max } }: ClusterResult): string | undefined {
  if (max === null || max === 0) return undefined;
  return `p50\u00a0${millis(p50)}, p99\u00a0${millis(p99)}`;
}

/** An aggregate has no hosts: which cluster got what. */
function aggregateAnswer(
  title: string,
  cluster: ClusterResult,
  members: NonNullable<ClusterResult['members']>,
): string {
  const clusters = counted(members.length, 'cluster');
  if (cluster.requests === 0) return `${title}: passes on to ${clusters}, no requests.`;
  const shares = listed(members.map((member) => `${percent(member.share)} to ${printable(member.cluster)}`));
  const clauses = isLost(cluster) ? ['no request found a host'] : [`passes on ${shares}`, ...lost(cluster)];
  return `${title}: ${clauses.join('; ')}.${reasonsOf(cluster)}`;
}

/** Of several phases their tables tell. */
function reasonsOf({ phases: [only, ...more] }: ClusterResult): string {
  if (only === undefined || more.length > 0 || only.requests === 0) return '';
  return [...new Set(reasonTexts(only.facts))].map((reason) => ` ${sentence(reason)}`).join('');
}

/** The rows whose shares a sentence lists: few hosts, else zones, else priorities, else a range. */
function sharedGrouping(cluster: ClusterResult, most: number): Grouping | undefined {
  return cluster.hosts.length <= most ? undefined : groupingOf(cluster.hosts, most);
}

/**
 * The shares, and why some got nothing.
 *
 * @param again the groups were named before.
 */
function split(
  rows: readonly HostRow[],
  grouping: Grouping | undefined,
  { cluster, phase, again }: SplitContext,
): string {
  const why = (some: readonly HostRow[]): string => whyNothing(some, cluster, phase);
  if (grouping === undefined) return hostShares(rows, cluster.hosts.length, why);
  const groups = groupsOf(rows, grouping);
  const names = `${grouping.plural} ${groups.map((group) => group.name).join(' / ')} get `;
  const shared = (again ? '' : names) + shares(groups);
  return [shared, ...without(rows, groups, grouping, why)].join(', ');
}

interface SplitContext {
  readonly cluster: ClusterResult;
  readonly phase: PhaseResult | undefined;
  readonly again: boolean;
}

function shares(groups: readonly Group[]): string {
  const digits = groups.map((row) => shortPercentDigits(row.share));
  if (groups.length > 2 && digits.every((text) => text === digits[0])) return `${digits[0] ?? ''} % each`;
  return `${digits.join(' / ')} %`;
}

/** "zone a out (unhealthy)", and hosts of other groups that are not healthy: hosts that are expected to get nothing. */
function without(
  rows: readonly HostRow[],
  groups: readonly Group[],
  grouping: Grouping,
  why: (rows: readonly HostRow[]) => string,
): string[] {
  const isOut = (row: HostRow): boolean => row.requests === 0 && row.health !== 'healthy';
  const empty = groups.length < 2 ? [] : groups.filter((group) => group.rows.every(isOut));
  const named = new Set(empty.flatMap((group) => group.rows));
  const out = rows.filter((row) => isOut(row) && !named.has(row));
  const hosts = out.length > 2 ? [counted(out.length, 'host')] : out.map((row) => printable(row.address));
  return [
    ...empty.map((group) => `${grouping.singular} ${group.name} out (${why(group.rows)})`),
    ...(out.length === 0 ? [] : [`${listed(hosts)} out (${why(out)})`]),
  ];
}

function isLost(part: { readonly no_host: { share: number } }): boolean {
  return part.no_host.share > 1 - 1e-9;
}

/** Requests that reached no host. */
function lost(part: { readonly no_host: { share: number }; readonly overflow: { share: number } }): string[] {
  return [
    ...(part.no_host.share > 0 ? [`${shortPercentDigits(part.no_host.share)} % found no host`] : []),
    ...(part.overflow.share > 0 ? [`${shortPercentDigits(part.overflow.share)} % overflowed a circuit breaker`] : []),
  ];
}

function panics(phases: readonly PhaseResult[]): string {
  const times = phases.filter((phase) => phase.priorities.some(panicsUnderLoad));
  const [first] = times;
  return first === undefined
    ? ''
    : ` In panic in ${counted(times.length, 'phase')}, first from ${seconds(first.from_s)}.`;
}

/** Further remarks before the evidence. */
function remarks(result: RunResult): string[] {
  const { in_flight, retries, failed } = result.totals;
  const lines: string[] = [];
  if (retries > 0 && failed > 0) lines.push(`There were ${counted(retries, 'retry', 'retries')}.`);
  if (in_flight > 0) lines.push(`${counted(in_flight, 'request')} had no answer yet when the run stopped.`);
  const broken = result.expect.filter((expectation) => !expectation.passed);
  const [first] = broken;
  if (first !== undefined) {
    const of = `${count(broken.length)} of ${counted(result.expect.length, 'expectation')} failed`;
    lines.push(`${of}: ${printable(first.expectation)}${broken.length > 1 ? ' …' : ''}.`);
  }
  return lines.length === 0 ? [] : [lines.join(' ')];
}
