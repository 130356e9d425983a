import type { Host, Locality } from '../host/host.js';
import type { Turns } from '../policy/turns.js';
import type { LevelLists } from './host-set.js';
import type { LocalityScheduleDescription } from './locality-weights.js';
import { availablePercent, type Measured, type PriorityState } from './priority-load.js';
import type { EmptyTable, TableHosts } from './normalized-weights.js';
import type { ShownTable } from './table-cache.js';
import type { ZoneRouting } from './zone-aware.js';

/** A level of an aggregate: the priority of one of its members. */
export interface AggregateLevel {
  readonly cluster: string;
  readonly priority: number;
}

/**
 * The state of a balancer since its last update, for reports and for the reasons of a split: read-only, and never read by a
 * pick. Predictions have one, too.
 */
export interface BalancerDescription {
  /** The threshold that the panic flags were set by, an integer percentage. */
  readonly panicThreshold: number;
  /** min(100, health of all levels): a level panics only below 100. */
  readonly normalizedTotal: number;
  readonly priorities: readonly PriorityDescription[];
  /** undefined where zone-aware routing cannot happen: no local cluster, or a hashing policy. */
  readonly zone: ZoneRouting | undefined;
  /** What each pick checks before it is routed by zone, as of now; present where `zone` is. */
  readonly zonePicks?: ZonePicks | undefined;
  /** Headers in which requests may name their hosts. */
  readonly overrideHeaders?: readonly string[] | undefined;
  /** Under subset load balancing: `any` and `default` where they are needed, then all active subsets. */
  readonly subsets?: readonly SubsetDescription[];
  /** Of an aggregate: whose levels `priorities` are, in their order. */
  readonly aggregate?: readonly AggregateLevel[];
}

/** One list of hosts in which hosts take turns. */
export interface ListTurns {
  /** Of subsets: its name. */
  readonly subset?: string;
  readonly priority: number;
  readonly health: 'healthy' | 'degraded' | 'any';
  /** undefined: the hosts of all localities. */
  readonly locality: Locality | undefined;
  readonly hosts: readonly Host[];
  /** Its host indices point into `hosts`. */
  readonly turns: Turns;
}

export interface ZonePicks {
  /** Percent of the picks that are routed by zone at all. */
  readonly enabledPercent: number;
  /** Then no pick is routed by zone. */
  readonly localClusterInPanic: boolean;
}

export interface SubsetDescription {
  /** As `{version: "2"}`, `any`, `default`. */
  readonly subset: string;
  /** Over all priorities. */
  readonly hosts: number;
  readonly healthy: number;
  /** `single_host_per_subset`: its first host takes everything, whatever its health. */
  readonly singleHost: boolean;
  /** Its single host is unhealthy, and this version then uses the cluster's fallback instead. */
  readonly passedOver: boolean;
  /** Each subset is balanced by itself; undefined for a single host. */
  readonly balancer: BalancerDescription | undefined;
}

/** What explains one priority's load. */
export interface PriorityDescription {
  readonly priority: number;
  readonly hosts: number;
  readonly healthy: number;
  readonly degraded: number;
  readonly excluded: number;
  /** What health is measured by: sums of weights (`weighted_priority_health`), or the number of hosts. */
  readonly measured: Measured;
  readonly byWeight: boolean;
  readonly overprovisioningFactor: number;
  /** Percent of the traffic for this level's healthy and degraded hosts. */
  readonly healthyLoad: number;
  readonly degradedLoad: number;
  readonly panic: boolean;
  /** What is compared with the threshold: percent of hosts that are healthy or degraded. */
  readonly availablePercent: number;
  /** Effective locality weights; undefined without locality-weighted balancing. */
  readonly localitySchedule: LocalityScheduleDescription | undefined;
  /** Weights by which localities divide the table of a hashing policy; undefined where they have none. */
  readonly tableWeights: readonly number[] | undefined;
  /** Why the table of a hashing policy is empty though there are hosts to choose from; undefined: it is not. */
  readonly emptyTable: EmptyTable | undefined;
  /** undefined unless the policy keeps tables. */
  readonly table: TableDescription | undefined;
}

/** A level's table; the tables' host indices point into `hosts`. */
export interface TableDescription extends TableHosts, ShownTable {}

/** Of what a fact holds. */
export interface FactScope {
  /** Inside this subset, which is balanced by itself: as `{version: "2"}`, `default` or `any`. */
  readonly subset?: string;
  /** For these kinds of proxies only; absent: for all. */
  readonly proxies?: readonly string[];
}

/** A priority of the hosts; absent where the cluster has priority 0 alone. */
export type OfPriority = Readonly<{ priority?: number }>;

/** How many hosts of a level are healthy or degraded: what panic is judged by. */
export interface Available extends OfPriority {
  readonly available: number;
  /** All that are not excluded. */
  readonly counted: number;
  readonly available_percent: number;
  /** The panic threshold, in percent. */
  readonly threshold: number;
}

/** How much the healthy hosts of a level cover. */
export interface Cover {
  /** Hosts, or their weights where health is measured by them. */
  readonly healthy: number;
  readonly counted: number;
  readonly by_weight: boolean;
  /** The overprovisioning factor, as 1.4. */
  readonly factor: number;
  readonly percent: number;
}

export interface LevelLoad {
  readonly priority: number;
  /** Percent. */
  readonly load: number;
}

/** Why nothing is routed by zone. */
export type ZoneOff =
  | { readonly gate: 'upstream-zones' | 'local-zones'; readonly zones: number; readonly needed: number }
  | { readonly gate: 'zone-number-differs'; readonly upstream_zones: number; readonly local_zones: number }
  | { readonly gate: 'cluster-too-small'; readonly healthy_hosts: number; readonly min_cluster_size: number }
  | {
      readonly gate:
        'not-computed' | 'no-local-hosts' | 'no-upstream-local-hosts' | 'routing-enabled' | 'local-cluster-in-panic';
    };

/** @param more what the balancer knows of the level besides. */
export function describePriority(
  hostSet: LevelLists,
  state: PriorityState,
  more: Partial<PriorityDescription> = {},
): PriorityDescription {
  const { priority } = hostSet;
  return {
    priority,
    hosts: hostSet.hosts.length,
    healthy: hostSet.healthy.length,
    degraded: hostSet.degraded.length,
    excluded: hostSet.excluded.length,
    measured: state.measured[priority] ?? { healthy: 0, degraded: 0, counted: 0 },
    byWeight: hostSet.weightedPriorityHealth,
    overprovisioningFactor: hostSet.overprovisioningFactor,
    healthyLoad: state.load.healthy[priority] ?? 0,
    degradedLoad: state.load.degraded[priority] ?? 0,
    panic: state.panic[priority] ?? false,
    availablePercent: availablePercent(hostSet),
    localitySchedule: undefined,
    tableWeights: undefined,
    emptyTable: undefined,
    table: undefined,
    ...more,
  };
}

/** "no locality of priority 1 has a load_balancing_weight, so its RING_HASH table is empty". */
export function emptyTableText(why: EmptyTable, policy: string, priority: number | undefined): string {
  const [of, its] = priority === undefined ? ['', 'the'] : [` of priority ${priority}`, 'its'];
  const lacks =
    why === 'no-weight'
      ? `no locality${of} has a load_balancing_weight`
      : `no locality${of} with a load_balancing_weight has a host available`;
  return `${lacks}, so ${its} ${policy} table is empty`;
}
