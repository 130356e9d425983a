import type { Host, Locality } from '../host/host.js';
import type { Turns } from '../policy/turns.js';
import type { LevelLists } from './host-set.js';
import type { LocalityScheduleDescription } from './locality-weights.js';
import { availablePercent } from './panic.js';
import type { TableHosts } from './normalized-weights.js';
import type { PriorityState } from './priority-load.js';
import type { AggregateLevel, BalancerFinding, PriorityFinding } from './reasons.js';
import type { ShownTable } from './table-kind.js';

import type { ZoneRouting } from './zone-aware.js';

export type { AggregateLevel } from './reasons.js';

/** The state of a balancer since its last update, for reports: read-only, and never read by a pick. */
export interface BalancerDescription extends BalancerFinding {
  readonly priorities: readonly PriorityDescription[];
  /** undefined where zone-aware routing cannot happen: no local cluster, or a hashing policy. */
  readonly zone: ZoneRouting | undefined;
  /** What each pick checks before it is routed by zone, as of now; present where `zone` is. */
  readonly zonePicks?: ZonePicks;
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

export interface PriorityDescription extends PriorityFinding {
  /** Effective locality weights; undefined without locality-weighted balancing. */
  readonly localitySchedule: LocalityScheduleDescription | undefined;
  /** undefined unless the policy keeps tables. */
  readonly table: TableDescription | undefined;
}

/** A level's table; the tables' host indices point into `hosts`. */
export interface TableDescription extends TableHosts, ShownTable {}

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
