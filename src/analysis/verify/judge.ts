import { microsToSeconds } from '../../core/units.js';
import { localityResult } from '../../result/run-result.js';
import { largest, sameJson } from '../../core/values.js';
import type { HostKey } from '../compare/tally.js';
import { type HostAt, hostsOf } from './capture.js';
import type { Answerer, Decisions, Sent } from './own-decisions.js';
import type { ProxySpec } from '../../settings/world.js';
import type { Situation, Traffic } from './situations.js';
import type * as verified from './verification.js';

/**
 * How far two shares may lie apart that come from the same behaviour: this many standard errors of their difference, and two
 * requests of the recording.
 * @param k  of n requests in the recording.
 * @param k2 of n2 in the simulation.
 */
export function shareTolerance(k: number, n: number, k2: number, n2: number, errors: number): number {
  const pooled = (k + k2) / (n + n2);
  // Counters of what can happen more than once per request pass 1; they then vary like a Poisson count.
  const variance = pooled <= 1 ? pooled * (1 - pooled) : pooled;
  return errors * Math.sqrt(variance * (1 / n + 1 / n2)) + 2 / n;
}

/** As improbable as that is what three standard errors hold: 0.13 % on one side. */
const IMPROBABLE = 0.00135;

/**
 * Whether one side got none while the other's count tells that chance alone does not do that. A tolerance in standard
 * errors knows nothing of it: it is wider than a small share is large.
 * @param k  of n recorded requests; `k2` of `n2` simulated ones, of all runs together.
 * @param jitter part of the requests that real time may have moved.
 */
export function hasVanished(k: number, n: number, k2: number, n2: number, jitter: number): boolean {
  if ((k === 0) === (k2 === 0)) return false;
  // Of all that both got together, each came from the side with some with this probability.
  const [count, of, other] = k2 === 0 ? [k - jitter * n, n, n2] : [k2 - jitter * n2, n2, n];
  return count > 0 && (of / (of + other)) ** count < IMPROBABLE;
}

/** Whether a recorded rotation is part of ours, from any start: that is a random number which no recording knows. */
export const rotationStart = (recorded: readonly number[], ours: readonly number[]): number =>
  firstStart(recorded, ours, (start) => recorded.every((pick, at) => ours[start + at] === pick));

/**
 * Where ours has to start so that after each pick no host has been picked more than once more, or less, than recorded;
 * -1 if nowhere. Weighted schedules break their ties by rounding, so picks may swap with their neighbours.
 *
 * @param hosts number of hosts; picks are indices below it.
 */
export function scheduleStart(recorded: readonly number[], ours: readonly number[], hosts: number): number {
  const lead = new Int32Array(hosts);
  return firstStart(recorded, ours, (start) => {
    lead.fill(0);
    for (let i = 0; i < recorded.length; i++) {
      const theirs = recorded[i] as number;
      const mine = ours[start + i] as number;
      lead[theirs] = (lead[theirs] as number) + 1;
      lead[mine] = (lead[mine] as number) - 1;
      if (Math.abs(lead[theirs]) > 1 || Math.abs(lead[mine]) > 1) return false;
    }
    return true;
  });
}

function firstStart(recorded: readonly number[], ours: readonly number[], fits: (start: number) => boolean): number {
  for (let start = 0; start + recorded.length <= ours.length; start++) if (fits(start)) return start;
  return -1;
}

/** Between the shares of two samples. */
const ERRORS = 5;
const LISTED_KEYS = 5;

/** Both sides of one situation. Addresses are those at loopback: `at` gives them for a host's own. */
export interface Sides {
  readonly situation: Situation;
  readonly proxy: Decisions;
  readonly lbsim: Decisions;
  /** Both at the end of the stage before, whose requests are not counted again; absent: this is the first. */
  readonly before?: { readonly proxy: Decisions; readonly lbsim: Decisions } | undefined;
  readonly spec: ProxySpec;
  readonly at: (address: string) => string;
  /** Clusters of several names, whose answers come in no fixed order. */
  readonly unordered?: ReadonlySet<string>;
}

export function judge(sides: Sides): verified.VerifiedSituation {
  const { fromUs, toUs, proxy, causes, traffic } = sides.situation;
  const splits = traffic.map((one, index) => splitOf(sides, one, index));
  const stats = statsOf(sides);
  return {
    from_s: microsToSeconds(fromUs),
    to_s: microsToSeconds(toUs),
    proxy,
    causes,
    splits,
    stats,
    agrees: [...splits, ...stats].every(({ agrees }) => agrees),
  };
}

function splitOf(sides: Sides, traffic: Traffic, index: number): verified.VerifiedSplit {
  const { situation, at } = sides;
  const theirs = sides.proxy.hosts[index] ?? [];
  const ours = sides.lbsim.hosts[index] ?? [];
  const n = theirs.length;
  const n2 = ours.length;
  const counted = (k: number, k2: number): verified.VerifiedCount => countOf(k, n, k2, n2);
  const picked = countsOf(theirs);
  const simulated = countsOf(ours);
  const rows = rowsOf(situation, traffic.cluster, new Set([...picked.keys(), ...simulated.keys()]), at);
  const hosts = rows.map((row): verified.VerifiedHost => {
    const address = at(row.address);
    return { ...row, ...counted(picked.get(address) ?? 0, simulated.get(address) ?? 0) };
  });
  const own = new Map(rows.map(({ address }) => [at(address), address]));
  const keys = keysOf(traffic, theirs, ours, own, sides.proxy.sent?.[index]);
  const cookies = cookiesOf(sides, traffic, index);
  const order = orderOf(sides, traffic, theirs, ours, own);
  const noHost = counted(picked.get(null) ?? 0, simulated.get(null) ?? 0);
  const other = counted(picked.get('') ?? 0, simulated.get('') ?? 0);
  return {
    cluster: traffic.cluster,
    workload: traffic.workload,
    requests: n,
    hosts,
    no_host: noHost,
    other,
    ...(keys !== undefined && { keys }),
    ...(order !== undefined && { order }),
    ...(cookies !== undefined && { cookies }),
    agrees:
      [...hosts, noHost, other].every(({ agrees }) => agrees) &&
      (keys?.differ ?? 0) + (cookies?.differ ?? 0) === 0 &&
      order?.agrees !== false,
  };
}

/**
 * What each request was given that hosts answered on both sides: whoever is dropped, by chance, is given nothing, and where
 * chance chooses the cluster, some clusters give nothing.
 */
function cookiesOf(
  { proxy, lbsim }: Sides,
  { route, spec, hasSubsets }: Traffic,
  index: number,
): verified.VerifiedSplit['cookies'] {
  const fewest = route.length > 1 && spec.headerName === undefined ? 2 : 1;
  // Each subset that is asked makes the same one again.
  const once = (made: readonly string[]): readonly string[] => (hasSubsets ? [...new Set(made)] : made);
  const given = ({ hosts, sent }: Decisions, at: number): readonly (readonly string[])[] =>
    hosts[index]?.[at] ? [once(sent?.[index]?.[at]?.made ?? [])] : [];
  const compared = (proxy.hosts[index] ?? [])
    .map((_, at) => [...given(proxy, at), ...given(lbsim, at)])
    .filter((both) => both.length === 2 && both.filter(({ length }) => length > 0).length >= fewest);
  const differ = compared.filter(([one = [], other = []]) => !sameJson(one, other)).length;
  return compared.length === 0 ? undefined : { compared: compared.length, differ };
}

/** Counts on both sides, of the same number of requests: ours are scaled to the proxy's. */
function countOf(k: number, n: number, k2: number, n2: number): verified.VerifiedCount {
  const isSame = n === 0 || n2 === 0 ? k === k2 : Math.abs(k / n - k2 / n2) <= shareTolerance(k, n, k2, n2, ERRORS);
  const agrees = isSame && !hasVanished(k, n, k2, n2, 0);
  return { proxy: k, lbsim: n2 === 0 ? k2 : Math.round(((k2 * n) / n2) * 10) / 10, agrees };
}

function countsOf(hosts: readonly Answerer[]): ReadonlyMap<Answerer, number> {
  const counts = new Map<Answerer, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}

/** The hosts of a cluster, and those of other clusters that answered for it, as members of an aggregate do; each address once. */
function rowsOf({ clusters }: Situation, cluster: string, picked: ReadonlySet<Answerer>, at: Sides['at']): HostKey[] {
  const rows = new Map<string, HostKey>();
  for (const [name, levels] of clusters) {
    for (const { host, level, locality } of hostsOf(levels)) {
      const { address } = host;
      if (rows.has(address) || (name !== cluster && !picked.has(at(address)))) continue;
      rows.set(address, { address, priority: level.priority, locality: localityResult(locality) });
    }
  }
  return [...rows.values()];
}

/** Where the cluster looks hosts up by the hash of a key, or of what a client has, each has its host; requests without an answer say nothing of theirs. */
function keysOf(
  { keys, clients, spec, route, looksUpKeys }: Traffic,
  theirs: readonly Answerer[],
  ours: readonly Answerer[],
  own: ReadonlyMap<string, string>,
  sent: readonly Sent[] = [],
): verified.VerifiedKeys | undefined {
  const asked = clients === 1 ? keys : theirs.map((_, index) => `client ${index % clients}`);
  // Where its cookie is yet to be made, chance chooses the cluster.
  const sources = route.length > 1 ? (spec.hashPolicy ?? []) : [];
  const made = sources.flatMap(({ cookie, makes }) => (makes === undefined ? [] : `${cookie ?? ''}=`));
  if (asked.length === 0 || !looksUpKeys) return undefined;
  const compared = asked.flatMap((key, index) => {
    const [proxy = '', lbsim = ''] = [theirs[index], ours[index]];
    const isChance = made.some((name) => sent[index]?.cookie.includes(name) !== true);
    return isChance || proxy === '' || lbsim === '' ? [] : [{ key, proxy, lbsim }];
  });
  if (compared.length === 0) return undefined;
  const nameOf = (at: string | null): string | null => own.get(at ?? '') ?? at;
  const different = compared
    .filter(({ proxy, lbsim }) => proxy !== lbsim)
    .map(({ key, proxy, lbsim }) => ({ key, proxy: nameOf(proxy), lbsim: nameOf(lbsim) }));
  return { compared: compared.length, differ: different.length, different: different.slice(0, LISTED_KEYS) };
}

/** The order of picks, where one schedule makes it: one worker, one list of hosts, and no other requests. */
function orderOf(
  { situation, spec }: Sides,
  { cluster, takesTurns }: Traffic,
  theirs: readonly Answerer[],
  ours: readonly Answerer[],
  own: ReadonlyMap<string, string>,
): verified.VerifiedSplit['order'] {
  const levels = situation.clusters.get(cluster) ?? [];
  const [one, ...more] = situation.traffic.filter((each) => [each.cluster, ...each.members].includes(cluster));
  const isAlone = more.length === 0 && one?.members.includes(cluster) === false;
  // Several workers take turns of their own, and routing by zone draws.
  const isDrawn = spec.workers > 1 || spec.localClusterName !== undefined;
  if (isDrawn || !isAlone || !takesTurns) return undefined;
  const picked = new Set([...theirs, ...ours]);
  const rows = hostsOf(levels).filter(({ host }) => {
    return [...own].some(([at, address]) => address === host.address && picked.has(at));
  });
  const lists = new Set(rows.map(listOf));
  const addresses = new Set(rows.map(({ host }) => host.address));
  if (lists.size !== 1 || addresses.size !== rows.length || rows.length < 2) return undefined;
  const indices = new Map<Answerer, number>([...own.keys()].map((at, index) => [at, index]));
  const toIndices = (hosts: readonly Answerer[]): readonly number[] => hosts.map((host) => indices.get(host) ?? -1);
  const isWeighted = rows.some(({ host }) => host.weight !== rows[0]?.host.weight);
  const recorded = toIndices(theirs).slice(0, LONGEST_ORDER);
  if (recorded.includes(-1)) return undefined;
  const start = isWeighted
    ? scheduleStart(recorded, toIndices(ours), indices.size)
    : rotationStart(recorded, toIndices(ours));
  return { kind: isWeighted ? 'schedule' : 'rotation', agrees: start >= 0 };
}

/** A name for the list that a host takes its turns in: of its priority, its health and, where localities have weights, its locality. */
function listOf({ host, level, locality }: HostAt): string {
  const isWeighted = level.localities.some(({ weight }) => weight !== undefined);
  return JSON.stringify([level.priority, host.status === 'DEGRADED', isWeighted ? locality : null]);
}

/** So many picks tell one order from another. */
const LONGEST_ORDER = 600;

/** Of balancers and their hosts, and of answers by their status, by who asked, and by zone. */
const COMPARED =
  /^cluster\..+\.(lb_(healthy_panic|local_cluster_not_ok|recalculate_zone_structures|subsets_\w+|zone_\w+)|membership_(total|healthy|degraded|excluded)|max_host_weight|(ring_hash|maglev)_lb\.\w+|upstream_rq_(total|retry\w*|drop_overload|dropped|completed|\dxx|\d\d\d)|upstream_cx_(none_healthy|close_notify|destroy_remote_with_active_rq)|(external|internal|canary|zone\.[^.]+\.[^.]+)\.upstream_rq_\w+)$/;
export const isCompared = (statistic: string): boolean => COMPARED.test(statistic);

/** Where each connection of a client has one there: over TCP. */
const OF_CONNECTIONS = /\.upstream_cx_(total|destroy|destroy_(local|remote)|connect_(fail|attempts_exceeded))$/;

/** They count requests: the others are states. */
const BY_REQUEST =
  /\.(lb_(healthy_panic|local_cluster_not_ok|subsets_(selected|fallback\w*)|zone_(routing\w*|no_capacity_left))|upstream_(rq|cx)_\w+)$/;

/** They count tries. */
const OF_TRIES = /\.(retry\.|upstream_rq_(retry|total))/;

/** It counts updates besides: equal, where no request counts. */
const BY_UPDATE_TOO = /\.lb_local_cluster_not_ok$/;

/** With subsets, the table that was built last, and no order of theirs is specified. */
const OF_ONE_TABLE = /\.(ring_hash|maglev)_lb\./;

/** The answer of one name after the other: another order counts otherwise. */
const BY_ORDER = /\.(lb_recalculate_zone_structures|lb_subsets_(created|removed|single_host_\w+)|max_host_weight)$/;

/** Statistics that either side has; those that count requests by what these requests added. */
function statsOf({ proxy, lbsim, before, situation, unordered = new Set() }: Sides): readonly verified.VerifiedStat[] {
  const { traffic } = situation;
  const isOf = (name: string, clusters: readonly string[]): boolean =>
    clusters.some((each) => name.startsWith(`cluster.${each}.`));
  // Requests of an aggregate are also its members'.
  const trafficOf = (name: string): readonly Traffic[] =>
    traffic.filter(({ cluster, members }) => isOf(name, [cluster, ...members]));
  const isInSubsets = (name: string): boolean => trafficOf(name).some(({ hasSubsets }) => hasSubsets);
  const isOverTcp = (name: string): boolean => {
    const own = OF_CONNECTIONS.test(name) ? trafficOf(name) : [];
    return own.length > 0 && own.every(({ spec }) => spec.tcp !== undefined);
  };
  const isByOrder = (name: string): boolean => BY_ORDER.test(name) && isOf(name, [...unordered]);
  const names = [...new Set([...proxy.stats.keys(), ...lbsim.stats.keys()])]
    .filter(
      (name) =>
        (isCompared(name) || isOverTcp(name)) && !(OF_ONE_TABLE.test(name) && isInSubsets(name)) && !isByOrder(name),
    )
    .sort();
  return names.flatMap((name): verified.VerifiedStat[] => {
    const theirs = proxy.stats.get(name) ?? 0;
    const ours = lbsim.stats.get(name) ?? 0;
    if (theirs === 0 && ours === 0) return [];
    if (BY_REQUEST.test(name) && !(BY_UPDATE_TOO.test(name) && theirs === ours)) {
      const tries = trafficOf(name).map(({ spec }) => 1 + (spec.retryPolicy?.numRetries ?? 0));
      // Each of its tries may count, so that chance has more to say than of one yes or no.
      const streams = (tries.length || traffic.length) * (OF_TRIES.test(name) ? largest(tries, 1) : 1);
      const added = theirs - (before?.proxy.stats.get(name) ?? 0);
      const ourAdded = ours - (before?.lbsim.stats.get(name) ?? 0);
      return [{ name, ...countOf(added, streams * proxy.requests, ourAdded, streams * lbsim.requests) }];
    }
    return [{ name, proxy: theirs, lbsim: ours, agrees: theirs === ours }];
  });
}
