import type { Struct } from '../../core/json-value.js';
import { type Host, type Locality, localityKey } from '../../host/host.js';
import { entryOf, sameItems } from '../../core/lists.js';
import type { HostSet, LocalityGroup } from '../host-set.js';
import { DEGRADED, EXCLUDED, HEALTHY } from '../host-changes.js';
import { HostLists } from '../build-host-set.js';

/** One row each; `groups` is the index into the localities of the host set. */
interface Columns {
  readonly classes: Uint8Array;
  readonly weights: Float64Array;
  readonly metadata: Struct[];
  readonly groups: Int32Array;
}

export interface RowChange {
  readonly row: number;
  readonly sameMetadata: boolean;
}

/**
 * One priority of the whole cluster as columns, one row a host: what subsets are selected from, and what the next
 * update is compared with. The lists of the host set decide what a host is (healthy, degraded, excluded), not its
 * flags, which may have changed since the lists were made.
 */
export class LevelView {
  readonly hosts: readonly Host[];
  private readonly emptyGroups: readonly LocalityGroup[];
  private readonly groupKeys: readonly string[];
  private readonly columns: Columns;

  private constructor(
    readonly hostSet: HostSet,
    before: LevelView | undefined,
    columns: Columns | undefined,
  ) {
    this.hosts = hostSet.hosts;
    this.groupKeys = keysOf(hostSet.localities);
    this.emptyGroups = hostSet.localities.map(({ locality }) => emptyGroup(locality));
    this.columns = columns ?? {
      classes: classesOf(hostSet),
      weights: weightsOf(hostSet.hosts),
      metadata: hostSet.hosts.map((host) => host.metadata),
      groups:
        before !== undefined && sameItems(before.hosts, this.hosts) && sameItems(before.groupKeys, this.groupKeys)
          ? before.columns.groups
          : groupsOf(hostSet, this.groupKeys),
    };
  }

  /** @param before the view of the update before; its rows are reused where hosts stayed in their places. */
  static of(hostSet: HostSet, before: LevelView | undefined): LevelView {
    return new LevelView(hostSet, before, undefined);
  }

  /** undefined where every host has to be compared. This view must not be used afterwards: its columns become the next one's. */
  followedBy(hostSet: HostSet): { readonly view: LevelView; readonly changes: readonly RowChange[] } | undefined {
    const { hostChanges, changes: logged } = this.hostSet;
    if (hostChanges === undefined || logged === undefined || hostSet.hostChanges !== hostChanges) return undefined;
    // It cannot describe lists other than the last ones.
    if (hostSet.changes !== hostChanges.changed.length) return undefined;
    const { classes, weights, metadata } = this.columns;
    const changes: RowChange[] = [];
    // In the order of the hosts, not of the changes: several updates may have been merged.
    const rows = [...new Set(hostChanges.changed.slice(logged))].sort((a, b) => a - b);
    for (const row of rows) {
      const [kind, weight] = [hostChanges.classes[row] as number, hostChanges.weights[row] as number];
      const entries = hostChanges.metadata[row] as Struct;
      const sameMetadata = entries === metadata[row];
      if (kind === classes[row] && weight === weights[row] && sameMetadata) continue;
      classes[row] = kind;
      weights[row] = weight;
      metadata[row] = entries;
      changes.push({ row, sameMetadata });
    }
    return { view: new LevelView(hostSet, this, this.columns), changes };
  }

  /** Whether the host of `row` equals that of `beforeRow` in `before`: same health, weight and metadata. */
  sameRow(row: number, before: LevelView, beforeRow: number): boolean {
    const [own, other] = [this.columns, before.columns];
    return (
      own.classes[row] === other.classes[beforeRow] &&
      own.weights[row] === other.weights[beforeRow] &&
      own.metadata[row] === other.metadata[beforeRow]
    );
  }

  sameMetadata(row: number, before: LevelView, beforeRow: number): boolean {
    return this.columns.metadata[row] === before.columns.metadata[beforeRow];
  }

  get overprovisioningFactor(): number {
    return this.hostSet.overprovisioningFactor;
  }

  metadataOf(row: number): Struct {
    return this.columns.metadata[row] as Struct;
  }

  sharesWith(before: LevelView, localityWeights: boolean, groupSizes: boolean): boolean {
    const a = this.hostSet;
    const b = before.hostSet;
    return (
      a.overprovisioningFactor === b.overprovisioningFactor &&
      a.weightedPriorityHealth === b.weightedPriorityHealth &&
      a.hasLocalLocality === b.hasLocalLocality &&
      sameItems(this.groupKeys, before.groupKeys) &&
      (!localityWeights || sameNumbers(a.localityWeights, b.localityWeights)) &&
      (!groupSizes || a.localities.every((group, i) => group.hosts.length === b.localities[i]?.hosts.length))
    );
  }

  /**
   * The host set of a subset. All localities stay, also those the subset has no host in, and the first stays the node's
   * own if it was: zones are compared by these groups. @param rows ascending. @param overprovisioningFactor percent.
   */
  select(
    rows: readonly number[],
    overprovisioningFactor: number,
    localityWeights: (counts: () => readonly number[]) => readonly number[] | undefined,
  ): HostSet {
    const { hostSet } = this;
    const { classes, groups } = this.columns;
    const level = new HostLists();
    const single = this.emptyGroups.length === 1;
    const parts: (HostLists | undefined)[] = [];
    for (const row of rows) {
      const host = this.hosts[row] as Host;
      const kind = classes[row] as number;
      level.add(host, kind);
      if (!single) (parts[groups[row] as number] ??= new HostLists()).add(host, kind);
    }
    if (single && rows.length > 0) parts[0] = level;
    const localities = this.emptyGroups.map((empty, index) => parts[index]?.group(empty.locality) ?? empty);
    return {
      priority: hostSet.priority,
      overprovisioningFactor,
      weightedPriorityHealth: hostSet.weightedPriorityHealth,
      hosts: level.hosts,
      healthy: level.healthy,
      degraded: level.degraded,
      excluded: level.excluded,
      localities,
      hasLocalLocality: hostSet.hasLocalLocality,
      localityWeights: localityWeights(() => localities.map(({ hosts }) => hosts.length)),
    };
  }
}

const NO_HOSTS: readonly Host[] = [];

function emptyGroup(locality: Locality): LocalityGroup {
  return { locality, hosts: NO_HOSTS, healthy: NO_HOSTS, degraded: NO_HOSTS, excluded: NO_HOSTS };
}

export function weightsOf(hosts: readonly Host[]): Float64Array {
  const weights = new Float64Array(hosts.length);
  for (let row = 0; row < hosts.length; row++) weights[row] = (hosts[row] as Host).weight;
  return weights;
}

/** Each list keeps the order of `hosts`, so one pass over them classifies every host. */
export function classesOf({ hosts, healthy, degraded, excluded }: HostSet): Uint8Array {
  const classes = new Uint8Array(hosts.length);
  let nextHealthy = 0;
  let nextDegraded = 0;
  let nextExcluded = 0;
  for (let row = 0; row < hosts.length; row++) {
    const host = hosts[row];
    let kind = 0;
    if (healthy[nextHealthy] === host) {
      kind |= HEALTHY;
      nextHealthy++;
    }
    if (degraded[nextDegraded] === host) {
      kind |= DEGRADED;
      nextDegraded++;
    }
    if (excluded[nextExcluded] === host) {
      kind |= EXCLUDED;
      nextExcluded++;
    }
    classes[row] = kind;
  }
  return classes;
}

/** By host: the index of its locality. */
export function groupsOf({ hosts, localities }: HostSet, groupKeys = keysOf(localities)): Int32Array {
  const byKey = new Map(groupKeys.map((key, index) => [key, index]));
  const byLocality = new Map<Locality, number>();
  return Int32Array.from(hosts, ({ locality }) =>
    entryOf(byLocality, locality, () => byKey.get(localityKey(locality)) ?? 0),
  );
}

function keysOf(localities: readonly LocalityGroup[]): readonly string[] {
  return localities.map(({ locality }) => localityKey(locality));
}

function sameNumbers(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameItems(a, b);
}
