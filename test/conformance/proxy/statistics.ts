import type { StatsResult } from '../../../src/result/run-result.js';
import type { Micros } from '../../../src/core/units.js';
import { MICROS_PER_SECOND } from '../../../src/core/units.js';
import type { Check } from '../check.js';
import { FormatError } from '../fields.js';
import { NEAR_US } from './replay.js';
import { hasVanished } from '../../../src/analysis/verify/judge.js';
import { nearest, type Range, sameShare, type ShareRule } from './share-rule.js';

/** Statistics of a recording, by the proxy's names. */
export type Statistics = ReadonlyMap<string, number>;

/** How a statistic is compared. */
export type Rule =
  /** To the unit. */
  | 'exact'
  /** Within a round of checks or of resolutions per host. */
  | 'periodic'
  /** As a share of the requests. */
  | 'share'
  /** One of the weights of a cluster's names: that of the name which DNS answered last. */
  | 'answered-last'
  /** Requests that are open at one moment: within as many as arrive in 50 ms. */
  | 'moment'
  /** Connections: a third of ours at least, at most twice as many and four per host, and one for each request in 150 ms. */
  | 'connections'
  /** Hosts made for requests (ORIGINAL_DST): one more than ours at the most. */
  | 'made'
  /** To what order there is between the requests of one instant and the connections that are made for them. */
  | 'interleaved';

/** Why a rule is no better than it is, for those that are not exact. */
const WHY: Readonly<Record<Exclude<Rule, 'exact' | 'share'>, string>> = {
  'answered-last': 'several names are resolved at once: the weight of the one that is answered last',
  periodic: 'checks and resolutions drift in real time: within one round per host and 3 ms each time',
  moment: 'requests under way when they were counted: within as many as arrive in 50 ms',
  connections:
    'which requests overlap, and on which thread, is a matter of microseconds: a third to twice as many, and some',
  made: 'a second request for an address may come before the main thread has made its host, and makes another: at most one',
  interleaved: 'how many connections of one instant are ready before others are refused is a matter of microseconds',
};

export interface ComparedStatistics {
  /** Where in the recording, for messages: `phase 2: `. */
  readonly where: string;
  readonly recorded: Statistics;
  /** undefined: counted from 0. */
  readonly recordedAtStart: Statistics | undefined;
  /** What ours have before the first request: what is counted without any is no share of them. */
  readonly unasked: (name: string) => number;
  /** What ours have, as the increase since the start: the means of several runs, and all values that any of them has. */
  readonly mean: (name: string) => Range;
  readonly span: (name: string) => Range;
  /** How many requests were answered with such a status until then: `200`, `5xx`. */
  readonly answered: (status: string) => number;
  /** Requests sent until then, recorded and simulated. */
  readonly recordedRequests: number;
  readonly ourRequests: number;
  /** How many of them a second; 0: one after another. */
  readonly perSecond: number;
  readonly rule: ShareRule;
  /** How long before time 0 the statistics at the start were read. */
  readonly readBeforeUs: Micros;
  /** Requests were sent one by one, not by workloads: what becomes of each is then certain. */
  readonly explicit: boolean;
  /** By the name in a cluster's statistics. */
  readonly clusters: ReadonlyMap<string, ClusterFacts>;
  /** Patterns of names to leave out; `*` is anything. */
  readonly notCompared: readonly string[];
  /** Pattern → `5% + 2`. */
  readonly loose: ReadonlyMap<string, string>;
}

export interface ClusterFacts {
  /** How its hosts are discovered. */
  readonly type: string;
  /** How many hosts there are at the most. */
  readonly hosts: number;
  /** How often they are checked, or resolved; Infinity: never. */
  readonly intervalUs: Micros;
  /**
   * For how long workers may have had a newer table than ours: hosts that fail together change the main thread's one after
   * the other, and how many of them a worker sees with the first delivery is a race; the rest waits in the merge window.
   * Of 5 times in which a proxy 1.40.0 lost all its hosts at once, RING_HASH panicked at once in 2.
   */
  readonly racedUs: Micros;
  /** The weights of the names that DNS resolves. */
  readonly nameWeights: ReadonlySet<number>;
  /** Its configuration is updated. */
  readonly isUpdated: boolean;
  /** Connections opened at instants at which several requests arrived. */
  readonly burstConnections: number;
}

/** Names of a cluster's statistics, without their `cluster.<name>.`, and how they are compared; the first that fits. */
const RULES: readonly (readonly [RegExp, Rule | { readonly workloads: Rule; readonly explicit: Rule }])[] = [
  [/^membership_|^max_host_weight$|^warming_state$/, 'exact'],
  [/^(ring_hash_lb|maglev_lb)\./, 'exact'],
  [/^lb_subsets_(active|created|removed|single_host_per_subset_duplicate)$/, 'exact'],
  [/^lb_recalculate_zone_structures$/, 'exact'],
  [/^lb_zone_(cluster_too_small|number_differs)$/, 'exact'],
  [/^outlier_detection\.ejections_active$/, 'exact'],
  [/\.total_match_count$/, 'exact'],
  [/^original_dst_host_invalid$/, 'share'],
  [/^circuit_breakers\./, 'exact'],
  [/^health_check\.(healthy|degraded)$/, 'exact'],
  [/^health_check\./, 'periodic'],
  [/^lb_(healthy_panic$|zone_|local_cluster_not_ok$|subsets_(selected|fallback))/, 'share'],
  [/^outlier_detection\./, 'share'],
  [/^upstream_cx_overflow$/, { workloads: 'share', explicit: 'interleaved' }],
  [/_overflow$/, { workloads: 'share', explicit: 'exact' }],
  [/^upstream_rq_(active|pending_active)$/, { workloads: 'moment', explicit: 'exact' }],
  [/^upstream_rq_pending_total$/, { workloads: 'connections', explicit: 'interleaved' }],
  [/^upstream_cx_(none_healthy|connect_fail|connect_timeout|max_requests)$/, 'share'],
  [/^upstream_cx_destroy_\w+_with_active_rq$|^upstream_cx_destroy_with_active_rq$/, 'share'],
  [
    /^upstream_cx_(total|active|http[123]_total|destroy(_local|_remote)?)$/,
    { workloads: 'connections', explicit: 'interleaved' },
  ],
  [/(^|\.)upstream_rq_/, { workloads: 'share', explicit: 'exact' }],
];

/** Has no like in the simulation, which says so on its page of statistics. */
const NOT_SIMULATED = /^circuit_breakers\.\w+\.(remaining_cx_pools|cx_pool_open)$|_bytes_|^upstream_cx_pool_overflow$/;

/** Compares every statistic for which there is a rule; the check tells which are looser than to the unit, and why. */
export function compareStatistics(check: Check, compared: ComparedStatistics): void {
  for (const [name, end] of compared.recorded) {
    const isLeftOut = (one: string): boolean => compared.notCompared.some((pattern) => matches(pattern, one));
    if (isLeftOut(name)) {
      check.loose('left out by the case itself', name);
      continue;
    }
    const cluster = clusterOf(name, compared);
    if (name.endsWith('.total_match_count') && isLeftOut(`cluster.${cluster?.name ?? ''}.update_attempt`)) {
      check.loose('counts deliveries that change nothing, which the case leaves out', name);
      continue;
    }
    const rule = ruleFor(name, cluster, compared);
    if (rule === undefined || (cluster !== undefined && NOT_SIMULATED.test(localName(name, cluster)))) {
      check.loose('not simulated', name);
      continue;
    }
    const recorded = end - (compared.recordedAtStart?.get(name) ?? 0);
    const tolerance = [...compared.loose].find(([pattern]) => matches(pattern, name))?.[1];
    const status = cluster?.isUpdated === true ? STATUS.exec(name)?.[1] : undefined;
    const range = rule === 'share' ? compared.mean(name) : compared.span(name);
    const allowed =
      status === undefined ? range : { low: range.low, high: Math.max(range.high, compared.answered(status)) };
    if (status !== undefined) check.loose(ANEW, name);
    if (tolerance !== undefined) check.loose('the case itself gives it more room', name);
    else if (rule !== 'exact' && rule !== 'share') check.loose(WHY[rule], name);
    else if (name.endsWith('.lb_healthy_panic') && racedRequests(cluster, compared) > 0) check.loose(RACED, name);
    else if (rule === 'exact' && range.low !== range.high) check.loose(READ_NEAR, `${compared.where}${name}`);
    const holds =
      tolerance === undefined
        ? agree(name, rule, recorded, allowed, cluster, compared)
        : isClose(tolerance, recorded, nearest(allowed, recorded));
    check.that(`${compared.where === '' ? '' : 'phases: '}stats: ${name}`, holds, () => {
      const { low, high } = allowed;
      const ours = low === high ? String(low) : `${low} to ${high}`;
      return `${compared.where}${name}: recorded ${recorded}, simulated ${ours} (${tolerance ?? rule})`;
    });
  }
}

/** Counts answers by their status, and starts anew with the configuration of its cluster. */
const STATUS = /(?:^|\.)upstream_rq_(\d(?:xx|\d\d))$/;
const ANEW = 'starts anew when its cluster is updated, unless a request is open just then, which is a matter of ms';
const RACED = 'a worker takes over the table of the main thread with or without the hosts that failed a moment later';
const READ_NEAR = 'changes within 50 ms of its reading, or with the seed';

interface NamedCluster extends ClusterFacts {
  readonly name: string;
}

function clusterOf(name: string, { clusters }: ComparedStatistics): NamedCluster | undefined {
  for (const [cluster, facts] of clusters)
    if (name.startsWith(`cluster.${cluster}.`)) return { name: cluster, ...facts };
  return undefined;
}

function localName(name: string, cluster: NamedCluster): string {
  return name.slice(`cluster.${cluster.name}.`.length);
}

function ruleFor(name: string, cluster: NamedCluster | undefined, compared: ComparedStatistics): Rule | undefined {
  if (name.startsWith('cluster_manager.')) {
    const makesHosts = [...compared.clusters.values()].some(({ type }) => type === 'ORIGINAL_DST');
    return makesHosts && name === 'cluster_manager.cluster_updated' ? 'made' : 'exact';
  }
  if (cluster === undefined) return undefined;
  const local = localName(name, cluster);
  if (local === 'max_host_weight' && cluster.nameWeights.size > 1) return 'answered-last';
  if (cluster.type === 'ORIGINAL_DST' && /^membership_(change|healthy|total)$/.test(local)) return 'made';
  if (local.startsWith('update_')) {
    return cluster.type === 'STRICT_DNS' || cluster.type === 'LOGICAL_DNS' ? 'periodic' : 'exact';
  }
  const rule = RULES.find(([pattern]) => pattern.test(local))?.[1];
  return typeof rule === 'object' ? rule[compared.explicit ? 'explicit' : 'workloads'] : rule;
}

function racedRequests(cluster: ClusterFacts | undefined, { perSecond }: ComparedStatistics): number {
  return ((cluster?.racedUs ?? 0) * perSecond) / MICROS_PER_SECOND;
}

function agree(
  name: string,
  rule: Rule,
  recorded: number,
  range: Range,
  cluster: ClusterFacts | undefined,
  compared: ComparedStatistics,
): boolean {
  const ours = nearest(range, recorded);
  const off = Math.abs(recorded - ours);
  const inPassing = Math.ceil((compared.perSecond * NEAR_US) / MICROS_PER_SECOND) + 2;
  switch (rule) {
    case 'exact':
      return off === 0;
    case 'periodic': {
      const { hosts, intervalUs } = cluster ?? { hosts: 0, intervalUs: Infinity };
      const early = Math.floor(compared.readBeforeUs / intervalUs);
      return off <= Math.max(1, hosts) * (1 + early) + (ours * DRIFT_US) / intervalUs;
    }
    case 'answered-last':
      return cluster?.nameWeights.has(compared.recorded.get(name) ?? 0) === true;
    case 'made':
      return off === 0 || recorded === ours + 1;
    case 'moment':
      return off <= inPassing;
    case 'connections':
      return recorded < ours ? 3 * (recorded + 3) >= ours : off <= ours + 3 * inPassing + 4 * (cluster?.hosts ?? 0);
    case 'interleaved':
      // Whether there are any at all is certain.
      if (recorded === 0 || ours === 0) return recorded === ours;
      return off <= (cluster?.burstConnections ?? 0);
    case 'share': {
      const { recordedRequests, ourRequests } = compared;
      const raced = name.endsWith('.lb_healthy_panic') ? racedRequests(cluster, compared) : 0;
      const unasked = compared.recordedAtStart === undefined ? compared.unasked(name) : 0;
      const k = recorded - unasked;
      const k2 = nearest(
        { low: range.low - unasked - raced, high: range.high - unasked + raced },
        ourRequests === 0 ? 0 : (k / recordedRequests) * ourRequests,
      );
      const isThere = !hasVanished(k, recordedRequests, k2, ourRequests, 0);
      return isThere && sameShare(k, recordedRequests, k2, ourRequests, compared.rule);
    }
  }
}

/** A timer is late by so much each time, and the next one starts then. */
const DRIFT_US = 3_000;

/** `5% + 2`: a part of what was recorded and so many more. */
function isClose(tolerance: string, recorded: number, ours: number): boolean {
  const parts = /^(\d+(?:\.\d+)?)% \+ (\d+)$/.exec(tolerance);
  if (parts === null) throw new FormatError(`unknown tolerance ${JSON.stringify(tolerance)}`);
  return Math.abs(recorded - ours) <= (Number(parts[1]) / 100) * recorded + Number(parts[2]);
}

export function valueOf(stats: StatsResult | undefined, name: string): number {
  return stats?.counters[name] ?? stats?.gauges[name] ?? 0;
}

export function matches(pattern: string, name: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(name);
}
