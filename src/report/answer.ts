import { isTablePolicy } from '../policy/registry.js';
import { sumOfFailures } from '../result/failures.js';
import { printable } from '../core/printable.js';
import { hostsOf } from '../result/phase-hosts.js';
import type { ClusterResult, PhaseResult, RunResult } from '../result/run-result.js';
import {
  count,
  counted,
  listed,
  percent,
  percentDigits,
  seconds,
  sentence,
  shareDigits,
  shortPercentDigits,
} from './format.js';
import { failureList } from './failure-list.js';
import type { Group, Grouping, HostRow } from './groups.js';
import { groupBy, localityGrouping, PRIORITY_GROUPING } from './groups.js';

/** More shares than this are no longer read in a sentence. */
const MAX_LISTED = 8;
/** As {@link MAX_LISTED}, where the sentence lists them more than once. */
const MAX_LISTED_OVER_TIME = 4;
/** More changes than this are left to the tables. */
const MAX_EPOCHS = 6;
/** With more changes than this, who gets nothing is left to the tables too. */
const MAX_EXPLAINED = 3;
/** Below this many requests a host, a host without any is chance, not a finding. */
const REQUESTS_TO_JUDGE = 10;

/** The sentences that answer: one paragraph a cluster, then one about what failed. */
export function answer(result: RunResult): string[] {
  const paragraphs = Object.entries(result.clusters).map(([name, cluster]) => clusterAnswer(name, cluster));
  return [...paragraphs, ...failures(result)];
}

function clusterAnswer(name: string, cluster: ClusterResult): string {
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
    const grouping = sharedGrouping(cluster, MAX_LISTED);
    const shared = [
      split(cluster.hosts, grouping),
      ...findings(cluster.hosts, cluster.policy, first),
      ...lost(cluster),
    ];
    const clauses = isLost(cluster) ? ['no request found a host'] : shared;
    const reasons = [...new Set(cluster.phases.flatMap((phase) => (phase.requests > 0 ? phase.reasons : [])))];
    return `${title}: ${hosts}, ${clauses.join('; ')}.${cluster.phases.length === 1 ? sentences(reasons) : ''}`;
  }
  if (steady.length > MAX_EPOCHS) {
    const clauses = [`over ${cluster.phases.length} phases ${split(cluster.hosts, overTime)}`, ...lost(cluster)];
    return `${title}: ${hosts}, ${clauses.join('; ')}.${panics(cluster.phases)}`;
  }
  const clauses = steady.map((epoch, index) => {
    const when = index === steady.length - 1 ? 'then' : `until ${seconds(epoch.to_s)}`;
    if (isLost(epoch)) return `${when} no request found a host`;
    const panic = epoch.priorities.some((priority) => priority.panic) ? ['in panic'] : [];
    const found = steady.length > MAX_EXPLAINED ? [] : findings(epoch.hosts, cluster.policy, epoch);
    return [`${when} ${split(epoch.hosts, overTime, index > 0)}`, ...panic, ...found, ...lost(epoch)].join(', ');
  });
  return `${title}: ${hosts}, ${clauses.join('; ')}.`;
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
  const reasons = [...new Set(cluster.phases.flatMap((phase) => (phase.requests > 0 ? phase.reasons : [])))];
  return `${title}: ${clauses.join('; ')}.${cluster.phases.length === 1 ? sentences(reasons) : ''}`;
}

/**
 * Phases with requests, those in a row that split alike (but for chance) taken together. Where they are too many to be
 * told, the rest is not looked at.
 */
function epochs(cluster: ClusterResult, grouping: Grouping | undefined): PhaseResult[] {
  const merged: PhaseResult[] = [];
  for (const phase of cluster.phases) {
    if (phase.requests === 0) continue;
    if (merged.length > MAX_EPOCHS) break;
    const last = merged[merged.length - 1];
    if (last !== undefined && alike(last, phase, grouping)) merged[merged.length - 1] = joined(last, phase);
    else merged.push(phase);
  }
  return merged;
}

const rowKey = (row: HostRow): string => JSON.stringify([row.priority, row.locality, row.address]);

function isSameRow(a: HostRow, b: HostRow): boolean {
  const [one, other] = [a.locality, b.locality];
  return (
    a.address === b.address &&
    a.priority === b.priority &&
    (one === other || (one.zone === other.zone && one.region === other.region && one.sub_zone === other.sub_zone))
  );
}

/** The same rows in the same order, as phases mostly have them. */
function haveSameRows(one: readonly HostRow[], other: readonly HostRow[]): boolean {
  return one.length === other.length && one.every((row, index) => isSameRow(row, other[index] as HostRow));
}

/** Nothing differs that a sentence would tell apart: who there is, in which health, and which priorities panic. */
function haveOneOutlook(one: PhaseResult, other: PhaseResult, grouping: Grouping | undefined): boolean {
  const panics = ({ priorities }: PhaseResult): string => JSON.stringify(priorities.map(({ panic }) => panic));
  if (panics(one) !== panics(other)) return false;
  if (grouping !== undefined) return true;
  return inPairs(one, other, (row, its) => row.health === its.health && isSameRow(row, its));
}

/** Whether two phases have as many hosts, and something holds of each and the other's at its place. */
function inPairs(one: PhaseResult, other: PhaseResult, holds: (row: HostRow, its: HostRow) => boolean): boolean {
  const others = hostsOf(other)[Symbol.iterator]();
  for (const row of hostsOf(one)) {
    const next = others.next();
    if (next.done === true || !holds(row, next.value)) return false;
  }
  return others.next().done === true;
}

function alike(one: PhaseResult, other: PhaseResult, grouping: Grouping | undefined): boolean {
  if (!haveOneOutlook(one, other, grouping)) return false;
  const same = (a: number, b: number): boolean => {
    const share = (a * one.requests + b * other.requests) / (one.requests + other.requests);
    const error = Math.sqrt((share * (1 - share) * (one.requests + other.requests)) / (one.requests * other.requests));
    return Math.abs(a - b) <= Math.max(4 * error, 1 / Math.min(one.requests, other.requests));
  };
  return (
    shareAlike(one, other, grouping, same) &&
    same(one.no_host.share, other.no_host.share) &&
    same(one.overflow.share, other.overflow.share)
  );
}

/** Without a grouping both have the same rows. */
function shareAlike(
  one: PhaseResult,
  other: PhaseResult,
  grouping: Grouping | undefined,
  same: (a: number, b: number) => boolean,
): boolean {
  if (grouping === undefined) return inPairs(one, other, (row, its) => same(row.share, its.share));
  const [left, right] = [one, other].map(
    (phase) => new Map(groupBy(hostsOf(phase), grouping).map((group) => [group.name, group.share])),
  ) as [Map<string, number>, Map<string, number>];
  return [...new Set([...left.keys(), ...right.keys()])].every((name) =>
    same(left.get(name) ?? 0, right.get(name) ?? 0),
  );
}

/** Both phases as one; a host is as it was in the later one. */
function joined(one: PhaseResult, other: PhaseResult): PhaseResult {
  const total = one.requests + other.requests;
  const portion = (a = 0, b = 0): { requests: number; share: number } => ({ requests: a + b, share: (a + b) / total });
  return {
    ...other,
    from_s: one.from_s,
    requests: total,
    hosts: haveSameRows(one.hosts, other.hosts)
      ? other.hosts.map((row, index) => withPortion(row, portion(row.requests, one.hosts[index]?.requests)))
      : joinedRows(one.hosts, other.hosts, portion),
    no_host: portion(one.no_host.requests, other.no_host.requests),
    overflow: portion(one.overflow.requests, other.overflow.requests),
    failed: one.failed + other.failed,
    failures: sumOfFailures(one.failures, other.failures),
  };
}

/** No sentence asks what was predicted. */
function withPortion(row: HostRow, { requests, share }: { requests: number; share: number }): HostRow {
  const { address, priority, locality, weight, health } = row;
  return { address, priority, locality, weight, health, requests, share };
}

/** Those that are gone stand at the end. */
function joinedRows(
  one: PhaseResult['hosts'],
  other: PhaseResult['hosts'],
  portion: (a: number, b?: number) => { requests: number; share: number },
): PhaseResult['hosts'] {
  const before = new Map(one.map((row) => [rowKey(row), row]));
  const after = new Set(other.map(rowKey));
  const gone = one.filter((row) => !after.has(rowKey(row)));
  return [
    ...other.map((row) => withPortion(row, portion(row.requests, before.get(rowKey(row))?.requests))),
    ...gone.map((row) => withPortion(row, portion(row.requests))),
  ];
}

function sentences(reasons: readonly string[]): string {
  return reasons.map((reason) => ` ${sentence(reason)}`).join('');
}

/** What the shares of a sentence belong to: hosts where they are few, else zones, else priorities, else a range. */
function sharedGrouping(cluster: ClusterResult, most: number): Grouping | undefined {
  if (cluster.hosts.length <= most) return undefined;
  const candidates = [localityGrouping(cluster.hosts), PRIORITY_GROUPING];
  return candidates.find((grouping) => {
    const groups = new Set(cluster.hosts.map(grouping.of)).size;
    return groups > 1 && groups <= most;
  });
}

/** @param again the groups were named before. */
function split(rows: readonly HostRow[], grouping: Grouping | undefined, again = false): string {
  if (grouping !== undefined) {
    const groups = groupBy(rows, grouping);
    const names = `${grouping.plural} ${groups.map((group) => group.name).join(' / ')} get `;
    return (again ? '' : names) + shares(groups);
  }
  return rows.length <= MAX_LISTED ? shares(rows) : (exception(rows) ?? range(rows));
}

function shares(rows: readonly { readonly share: number }[]): string {
  const digits = rows.map((row) => shortPercentDigits(row.share));
  if (rows.length > 2 && digits.every((text) => text === digits[0])) return `${digits[0] ?? ''} % each`;
  return `${digits.join(' / ')} %`;
}

/** "10.0.1.1:80 gets 0.6 %, the 9 others 11.0 to 11.1 % each": one host apart from others that are alike. */
function exception(rows: readonly HostRow[]): string | undefined {
  const order = [...rows].sort((a, b) => a.share - b.share);
  for (const odd of [order[0], order[order.length - 1]]) {
    if (odd === undefined) continue;
    const others = order.filter((row) => row !== odd);
    const low = others[0]?.share ?? 0;
    const high = others[others.length - 1]?.share ?? 0;
    const middle = (low + high) / 2;
    if (low > 0 && high - low < 0.1 * middle && Math.abs(odd.share - middle) > 0.3 * middle) {
      const share = shortPercentDigits(odd.share);
      return `${printable(odd.address)} gets ${share} %, the ${others.length} others ${range(others)}`;
    }
  }
  return undefined;
}

/** "0.9 to 1.1 % each", of those that get something at all. */
export function range(rows: Iterable<{ readonly share: number; readonly requests: number }>): string {
  let [least, most] = [Infinity, 0];
  let count = 0;
  for (const { share, requests } of rows) {
    count++;
    if (requests === 0) continue;
    least = Math.min(least, share);
    most = Math.max(most, share);
  }
  if (least === Infinity) return 'nothing';
  if (count === 1) return `${shortPercentDigits(most)} %`;
  const digits = shareDigits(count);
  const [low, high] = [percentDigits(least, digits), percentDigits(most, digits)];
  return low === high ? `${low} % each` : `${low} to ${high} % each`;
}

/** Who gets nothing, and why. */
function findings(rows: readonly HostRow[], policy: string, phase: PhaseResult | undefined): string[] {
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  if (requests === 0) return [];
  const judged = requests >= REQUESTS_TO_JUDGE * rows.length;
  const nothing = rows.filter((row) => row.requests === 0 && (judged || row.health !== 'healthy'));
  if (nothing.length === 0) return [];
  const clauses: string[] = [];
  let rest = nothing;
  for (const grouping of [localityGrouping(rows), PRIORITY_GROUPING]) {
    for (const group of wholeGroups(rows, rest, grouping)) {
      clauses.push(`${grouping.singular} ${group.name} gets nothing: ${why(group.rows, policy, phase)}`);
      const named = new Set(group.rows);
      rest = rest.filter((row) => !named.has(row));
    }
  }
  for (const [reason, members] of byReason(rest, policy, phase)) clauses.push(hostsClause(members, reason));
  return clauses;
}

/** The groups all of whose rows got nothing; none where that is every group, or where there is only one. */
function wholeGroups(rows: readonly HostRow[], nothing: readonly HostRow[], grouping: Grouping): Group[] {
  const groups = groupBy(rows, grouping);
  const set = new Set(nothing);
  return groups.length < 2 ? [] : groups.filter((group) => group.rows.every((row) => set.has(row)));
}

function byReason(rows: readonly HostRow[], policy: string, phase: PhaseResult | undefined): Map<string, HostRow[]> {
  const reasons = new Map<string, HostRow[]>();
  for (const row of rows) {
    const reason = why([row], policy, phase);
    const members = reasons.get(reason);
    if (members === undefined) reasons.set(reason, [row]);
    else members.push(row);
  }
  return reasons;
}

function hostsClause(rows: readonly HostRow[], reason: string): string {
  const names = rows.map((row) => printable(row.address));
  if (names.length > 3) return `${names.length} hosts get nothing: ${reason}`;
  return `${listed(names)} ${names.length === 1 ? 'gets' : 'get'} nothing: ${reason}`;
}

function why(rows: readonly HostRow[], policy: string, phase: PhaseResult | undefined): string {
  const health = new Set(rows.map((row) => row.health));
  if (health.size === 1 && health.has('unhealthy')) return 'unhealthy';
  const priorities = new Set(rows.map((row) => row.priority));
  const loads = (phase?.priorities ?? []).filter((load) => priorities.has(load.priority));
  if (loads.length > 0 && loads.every((load) => load.healthy_load + load.degraded_load === 0)) {
    return 'the priorities before it carry all the load';
  }
  if (health.size > 1)
    return listed([...health].map((kind) => `${rows.filter((row) => row.health === kind).length} ${kind}`));
  if (health.has('degraded')) return 'degraded, and the healthy hosts carry the load';
  if (isTablePolicy(policy)) return 'healthy, but no key of this traffic falls to it';
  return 'healthy, but never chosen';
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
  const times = phases.filter((phase) => phase.priorities.some((priority) => priority.panic));
  const [first] = times;
  return first === undefined
    ? ''
    : ` In panic in ${counted(times.length, 'phase')}, first from ${seconds(first.from_s)}.`;
}

/** Whose requests failed, where that is a question: ", 29 of a, 12 of b". */
function byCluster(result: RunResult): string {
  const clusters = Object.entries(result.clusters);
  const failing = clusters.filter(([, { failed }]) => failed > 0);
  if (clusters.length < 2 || failing.length > MAX_LISTED) return '';
  return `, ${listed(failing.map(([name, { failed }]) => `${failing.length === 1 ? 'all' : count(failed)} of ${printable(name)}`))}`;
}

function failures(result: RunResult): string[] {
  const { failed, requests, in_flight, retries } = result.totals;
  const refused = Object.values(result.clusters).reduce((sum, cluster) => sum + cluster.retry_overflow, 0);
  const lines: string[] = [];
  if (failed > 0) {
    const share = percent(failed / requests);
    lines.push(`${counted(failed, 'request')} (${share}) failed${byCluster(result)}: ${failureList(result.failures)}.`);
  }
  if (refused > 0) lines.push(`A circuit breaker turned away ${counted(refused, 'retry', 'retries')}.`);
  if (retries > 0) lines.push(`With ${counted(retries, 'retry', 'retries')} clusters got more attempts than requests.`);
  if (in_flight > 0) lines.push(`${counted(in_flight, 'request')} had no answer yet when the run stopped.`);
  const broken = result.expect.filter((expectation) => !expectation.passed).length;
  if (broken > 0) lines.push(`${broken} of ${counted(result.expect.length, 'expectation')} failed.`);
  return lines.length === 0 ? [] : [lines.join(' ')];
}
