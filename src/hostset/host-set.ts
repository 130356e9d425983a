import type { Host, Locality } from '../host/host.js';
import type { HostChanges } from './host-changes.js';

/** The hosts of one place inside one priority. */
export interface LocalityGroup {
  readonly locality: Locality;
  readonly hosts: readonly Host[];
  readonly healthy: readonly Host[];
  readonly degraded: readonly Host[];
  /** Hosts that count in no denominator. */
  readonly excluded: readonly Host[];
}

/**
 * One priority of a cluster as it was at one update: lists that do not change any more, of hosts that do.
 *
 * The order inside every list is the order of `hosts`.
 */
export interface HostSet {
  readonly priority: number;
  /** Percent, 140 by default. */
  readonly overprovisioningFactor: number;
  /** Load counts host weights instead of hosts (modern). */
  readonly weightedPriorityHealth: boolean;
  readonly hosts: readonly Host[];
  readonly healthy: readonly Host[];
  readonly degraded: readonly Host[];
  readonly excluded: readonly Host[];
  /** The node's own locality first if the level has a host there, then by (region, zone, sub_zone). */
  readonly localities: readonly LocalityGroup[];
  /** `localities[0]` is the node's own. */
  readonly hasLocalLocality: boolean;
  /** Parallel to `localities`, 0 where none was given; undefined where the level has no locality weights. */
  readonly localityWeights: readonly number[] | undefined;
  /** What the hosts are, shared by the sets of all updates in which no host comes or goes; absent: compare host by host. */
  readonly hostChanges?: HostChanges;
  /** Length of their log when these lists were made. */
  readonly changes?: number;
}
