import type { Struct } from '../core/values.js';
import type { Host, Locality } from '../host/host.js';

/** A list of hosts, as far as rules count them. */
export interface WeightedList extends Iterable<Pick<Host, 'weight'>> {
  readonly length: number;
}

/** The hosts of a level or of a locality, by health. */
export interface HealthLists<List extends WeightedList = WeightedList> {
  readonly hosts: List;
  readonly healthy: List;
  readonly degraded: List;
  /** Hosts that no denominator counts. */
  readonly excluded: List;
}

/** What of a level decides its load, and that of its localities. */
export interface LevelLists<List extends WeightedList = WeightedList> extends HealthLists<List> {
  readonly priority: number;
  /** Percent, 140 by default. */
  readonly overprovisioningFactor: number;
  /** Load counts host weights instead of hosts (modern). */
  readonly weightedPriorityHealth: boolean;
  readonly localities: readonly HealthLists<List>[];
  /** Parallel to `localities`, 0 where none was given; undefined where the level has no locality weights. */
  readonly localityWeights: readonly number[] | undefined;
}

export interface LocalityGroup extends HealthLists<readonly Host[]> {
  readonly locality: Locality;
}

/**
 * One priority of a cluster as of one update: the lists never change, the hosts in them do.
 *
 * The order inside every list is the order of `hosts`.
 */
export interface HostSet extends LevelLists<readonly Host[]> {
  /** The node's own locality first if the level has a host there, then by (region, zone, sub_zone). */
  readonly localities: readonly LocalityGroup[];
  /** `localities[0]` is the node's own. */
  readonly hasLocalLocality: boolean;
  /** Absent where no subsets are made of the level. */
  readonly rows?: HostRows;
}

/** The hosts of a level in columns, as they were when its lists were built: flags and weights of hosts change meanwhile. */
export interface HostRows {
  /** Bits: healthy, degraded, excluded. */
  readonly classes: Uint8Array;
  readonly weights: Float64Array;
  readonly metadata: readonly Struct[];
}

/** Percent. */
export const DEFAULT_OVERPROVISIONING_FACTOR = 140;

/** A priority without any update so far. */
export const emptyHostSet = (priority: number): HostSet => ({
  priority,
  overprovisioningFactor: DEFAULT_OVERPROVISIONING_FACTOR,
  weightedPriorityHealth: false,
  hosts: [],
  healthy: [],
  degraded: [],
  excluded: [],
  localities: [],
  hasLocalLocality: false,
  localityWeights: undefined,
});
