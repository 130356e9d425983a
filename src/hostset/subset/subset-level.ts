import { type Struct, entryOf, sameItems } from '../../core/values.js';
import { type Host, type Locality, localityKey } from '../../host/host.js';
import type { HostRows, HostSet } from '../host-set.js';
import { columnsOf, DEGRADED, EXCLUDED, HEALTHY, HostLists } from '../build-host-set.js';

export type RowChange = Readonly<{ row: number; sameMetadata: boolean }>;

/** All balancers of a cluster see the same lists. */
const views = new WeakMap<HostSet, LevelView>();

/**
 * One priority of the whole cluster as columns, one row a host: what subsets are selected from, and what the next
 * update is compared with. The lists of the host set decide what a host is (healthy, degraded, excluded), not its
 * flags, which may have changed since the lists were made.
 */
export class LevelView {
  private readonly emptyGroups = this.hostSet.localities.map(({ locality }) => ({ locality, ...NO_HOSTS.lists() }));
  private readonly groupKeys = this.hostSet.localities.map(({ locality }) => localityKey(locality));
  private readonly rows: HostRows;
  /** By row: the index of the host's locality. */
  private readonly groups: Int32Array;
  private compared: { readonly before: LevelView; readonly changes: readonly RowChange[] } | undefined;

  private constructor(
    readonly hostSet: HostSet,
    before: LevelView | undefined,
  ) {
    const { hosts } = hostSet;
    this.rows = hostSet.rows ?? { classes: classesOf(hostSet), ...columnsOf(hosts) };
    this.groups =
      before !== undefined && sameItems(before.hosts, hosts) && sameItems(before.groupKeys, this.groupKeys)
        ? before.groups
        : groupsOf(hosts, this.groupKeys);
  }

  /** @param before the view of the update before. */
  static of(hostSet: HostSet, before: LevelView | undefined): LevelView {
    return entryOf(views, hostSet, () => new LevelView(hostSet, before));
  }

  get hosts(): readonly Host[] {
    return this.hostSet.hosts;
  }

  /** @param before of the same hosts in the same order. */
  changesFrom(before: LevelView): readonly RowChange[] {
    if (this.compared?.before !== before) {
      const changes: RowChange[] = [];
      const { classes, weights, metadata } = this.rows;
      const { rows } = before;
      for (let row = 0; row < classes.length; row++) {
        const sameMetadata = metadata[row] === rows.metadata[row];
        if (sameMetadata && classes[row] === rows.classes[row] && weights[row] === rows.weights[row]) continue;
        changes.push({ row, sameMetadata });
      }
      this.compared = { before, changes };
      // The lists before those are not kept.
      before.compared = undefined;
    }
    return this.compared.changes;
  }

  /** Whether the host of `row` equals that of `beforeRow` in `before`: same health, weight and metadata. */
  sameRow(row: number, before: LevelView, beforeRow: number): boolean {
    const [own, other] = [this.rows, before.rows];
    if (!this.sameMetadata(row, before, beforeRow)) return false;
    return own.classes[row] === other.classes[beforeRow] && own.weights[row] === other.weights[beforeRow];
  }

  sameMetadata(row: number, before: LevelView, beforeRow: number): boolean {
    return this.rows.metadata[row] === before.rows.metadata[beforeRow];
  }

  metadataOf(row: number): Struct {
    return this.rows.metadata[row] as Struct;
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
    const { hostSet, groups } = this;
    const { classes } = this.rows;
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
    const localities = this.emptyGroups.map((empty, index) => {
      const part = parts[index];
      return part === undefined ? empty : { ...empty, ...part.lists() };
    });
    return {
      priority: hostSet.priority,
      overprovisioningFactor,
      weightedPriorityHealth: hostSet.weightedPriorityHealth,
      ...level.lists(),
      localities,
      hasLocalLocality: hostSet.hasLocalLocality,
      localityWeights: localityWeights(() => localities.map(({ hosts }) => hosts.length)),
    };
  }
}

const NO_HOSTS = new HostLists();

function classesOf({ hosts, healthy, degraded, excluded }: HostSet): Uint8Array {
  const classes = new Map<Host, number>();
  for (const [kind, list] of [
    [HEALTHY, healthy],
    [DEGRADED, degraded],
    [EXCLUDED, excluded],
  ] as const) {
    for (const host of list) classes.set(host, (classes.get(host) ?? 0) | kind);
  }
  return Uint8Array.from(hosts, (host) => classes.get(host) ?? 0);
}

function groupsOf(hosts: readonly Host[], groupKeys: readonly string[]): Int32Array {
  const byKey = new Map(groupKeys.map((key, index) => [key, index]));
  const byLocality = new Map<Locality, number>();
  return Int32Array.from(hosts, ({ locality }) =>
    entryOf(byLocality, locality, () => byKey.get(localityKey(locality)) ?? 0),
  );
}

const sameNumbers = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameItems(a, b);
