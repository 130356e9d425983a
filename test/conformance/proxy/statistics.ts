import type { StatsResult } from '../../../src/result/run-result.js';
import type { Check } from '../check.js';
import { FormatError } from '../fields.js';
import { sameShare } from './shares.js';

/**
 * How a statistic is compared: to the unit, within a round of checks per host, as a share of the requests, or to what
 * order there is between the requests of one instant and the connections that are made for them: each connection that is
 * ready while others cannot be opened counts one more refusal, and how many are ready by then is a matter of real time.
 */
type Rule = 'exact' | 'periodic' | 'share' | 'interleaved';

/** Statistics of a recording, by the proxy's names. */
export type Statistics = ReadonlyMap<string, number>;

export interface ComparedStatistics {
  readonly recorded: Statistics;
  /** undefined: counted from 0. */
  readonly recordedAtStart: Statistics | undefined;
  readonly ours: StatsResult;
  readonly oursAtStart: StatsResult | undefined;
  /** Requests sent, recorded and simulated. */
  readonly recordedRequests: number;
  readonly ourRequests: number;
  /** Requests were sent one by one, not by workloads: overflows are then certain. */
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
  /** Connections opened at instants at which several requests arrived. */
  readonly burstConnections: number;
}

const EXACT = [
  /^membership_/,
  /^(ring_hash_lb|maglev_lb)\./,
  /^lb_subsets_(active|created|removed)$/,
  /^lb_recalculate_zone_structures$/,
  /^lb_zone_(cluster_too_small|number_differs)$/,
  /^outlier_detection\.ejections_active$/,
];
const PER_REQUEST = [
  /^lb_healthy_panic$/,
  /^lb_zone_/,
  /^lb_local_cluster_not_ok$/,
  /^lb_subsets_(selected|fallback)/,
  /retry/,
  /(^|\.)upstream_rq_(completed|\dxx|\d{3})$/,
  /^outlier_detection\./,
];

/** Compares every statistic for which there is a rule; the others inform the reader. */
export function compareStatistics(check: Check, compared: ComparedStatistics): void {
  for (const [name, end] of compared.recorded) {
    const cluster = clusterOf(name, compared);
    const rule = ruleFor(name, cluster, compared);
    if (rule === undefined || compared.notCompared.some((pattern) => matches(pattern, name))) continue;
    const recorded = end - (compared.recordedAtStart?.get(name) ?? 0);
    const ours = value(compared.ours, name) - value(compared.oursAtStart, name);
    const loose = [...compared.loose].find(([pattern]) => matches(pattern, name))?.[1];
    const holds = loose === undefined ? agree(rule, recorded, ours, cluster, compared) : isClose(loose, recorded, ours);
    check.that(`stats: ${name}`, holds, () => `${name}: recorded ${recorded}, simulated ${ours} (${loose ?? rule})`);
  }
}

interface NamedCluster extends ClusterFacts {
  readonly name: string;
}

function clusterOf(name: string, { clusters }: ComparedStatistics): NamedCluster | undefined {
  for (const [cluster, facts] of clusters)
    if (name.startsWith(`cluster.${cluster}.`)) return { name: cluster, ...facts };
  return undefined;
}

function ruleFor(name: string, cluster: NamedCluster | undefined, compared: ComparedStatistics): Rule | undefined {
  if (name.startsWith('cluster_manager.')) return 'exact';
  if (cluster === undefined) return undefined;
  const local = name.slice(`cluster.${cluster.name}.`.length);
  if (local.startsWith('update_')) {
    if (cluster.type === 'EDS') return 'exact';
    return cluster.type === 'STRICT_DNS' || cluster.type === 'LOGICAL_DNS' ? 'periodic' : undefined;
  }
  if (local.startsWith('health_check.')) return 'periodic';
  if (local === 'upstream_cx_overflow' && compared.explicit) return 'interleaved';
  if (local.endsWith('_overflow') && !local.startsWith('outlier_detection.'))
    return compared.explicit ? 'exact' : 'share';
  if (EXACT.some((pattern) => pattern.test(local))) return 'exact';
  return PER_REQUEST.some((pattern) => pattern.test(local)) ? 'share' : undefined;
}

function agree(
  rule: Rule,
  recorded: number,
  ours: number,
  cluster: ClusterFacts | undefined,
  compared: ComparedStatistics,
): boolean {
  switch (rule) {
    case 'exact':
      return recorded === ours;
    case 'periodic':
      return Math.abs(recorded - ours) <= Math.max(1, cluster?.hosts ?? 0);
    case 'interleaved':
      // Whether there are refusals at all is certain.
      if (recorded === 0 || ours === 0) return recorded === ours;
      return Math.abs(recorded - ours) <= (cluster?.burstConnections ?? 0);
    case 'share':
      return sameShare(recorded, compared.recordedRequests, ours, compared.ourRequests);
  }
}

/** `5% + 2`: a part of what was recorded and so many more. */
function isClose(tolerance: string, recorded: number, ours: number): boolean {
  const parts = /^(\d+(?:\.\d+)?)% \+ (\d+)$/.exec(tolerance);
  if (parts === null) throw new FormatError(`unknown tolerance ${JSON.stringify(tolerance)}`);
  return Math.abs(recorded - ours) <= (Number(parts[1]) / 100) * recorded + Number(parts[2]);
}

function value(stats: StatsResult | undefined, name: string): number {
  return stats?.counters[name] ?? stats?.gauges[name] ?? 0;
}

export function matches(pattern: string, name: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(name);
}
