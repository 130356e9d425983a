import type { Struct } from '../core/json-value.js';
import { sameItems } from '../core/lists.js';
import type { Host } from '../host/host.js';
import { emptyHostSet, type HealthLists, type HostList, type HostSet, type LevelLists } from '../hostset/host-set.js';
import { DEGRADED, EXCLUDED, HEALTHY } from '../hostset/host-changes.js';
import { classesOf, groupsOf, LevelView as SubsetSource, weightsOf } from '../hostset/subset/subset-level.js';
import type { LevelHosts } from '../hostset/subset/subset-membership.js';

/**
 * The hosts of one priority as they were delivered, in columns, one position each. Columns are immutable: the same column
 * has the same values.
 */
export class LevelColumns implements LevelHosts<LevelColumns> {
  readonly hosts: readonly Host[];
  readonly rows: Uint32Array;
  /** Two hosts have one row: the same address twice in one locality. */
  readonly sharesRows: boolean;
  /** 0, 1, 2 … */
  readonly allPositions: Uint32Array;
  /** The class of each host, as bits of the host set's columns. */
  readonly classes: Uint8Array;
  /** Weights at the delivery: those of the hosts may have changed since. */
  readonly weights: Float64Array;
  readonly evenWeights: boolean;
  readonly metadata: readonly Struct[];
  /** Index into the localities of the host set. */
  readonly groups: Int32Array;

  /** @param before the columns of the delivery before: unchanged ones are shared. */
  constructor(
    readonly hostSet: HostSet,
    before: LevelColumns | undefined,
  ) {
    const { hosts, hostChanges, changes } = hostSet;
    const stays = before?.hosts === hosts ? before : undefined;
    // The log describes only the last lists.
    const known = hostChanges?.changed.length === changes ? hostChanges : undefined;
    const metadata = known?.metadata ?? hosts.map((host) => host.metadata);
    this.hosts = hosts;
    this.rows = stays?.rows ?? Uint32Array.from(hosts, ({ index }) => index);
    this.sharesRows = stays?.sharesRows ?? hasTwice(this.rows);
    this.allPositions = stays?.allPositions ?? this.rows.map((_, position) => position);
    this.classes = known?.classes.slice() ?? classesOf(hostSet);
    this.weights = known?.weights.slice() ?? weightsOf(hosts);
    this.evenWeights = this.weights.every((weight) => weight === this.weights[0]);
    this.metadata = stays !== undefined && sameItems(metadata, stays.metadata) ? stays.metadata : [...metadata];
    this.groups = stays?.groups ?? groupsOf(hostSet);
  }

  get overprovisioningFactor(): number {
    return this.hostSet.overprovisioningFactor;
  }

  metadataOf(row: number): Struct {
    return this.metadata[row] as Struct;
  }

  sameMetadata(row: number, before: LevelColumns, beforeRow: number): boolean {
    return this.metadata[row] === before.metadata[beforeRow];
  }

  /** Only the identity of a subset's hosts is kept. */
  sameRow(row: number, before: LevelColumns, beforeRow: number): boolean {
    return this.sameMetadata(row, before, beforeRow);
  }
}

function hasTwice(rows: Uint32Array): boolean {
  const seen = new Uint8Array(rows.reduce((highest, row) => Math.max(highest, row), 0) + 1);
  return rows.some((row) => {
    const isKnown = seen[row] === 1;
    seen[row] = 1;
    return isKnown;
  });
}

/** Hosts that a policy picks from, as of their delivery to the balancer. */
export class HostGroup implements HostList {
  constructor(
    readonly columns: LevelColumns,
    /** Positions in the columns, ascending. */
    readonly at: Uint32Array,
  ) {}

  get length(): number {
    return this.at.length;
  }

  host(index: number): Host {
    return this.columns.hosts[this.at[index] as number] as Host;
  }

  /** The weights as they were delivered. */
  *[Symbol.iterator](): Generator<Pick<Host, 'weight'>> {
    for (const position of this.at) yield { weight: this.columns.weights[position] as number };
  }
}

/** The hosts of a priority, or of one locality of it, by class. */
export type Lists = HealthLists<HostGroup>;

/** One priority, or a subset's part of it, in a balancer of one proxy since the last delivery. */
export class LevelView implements LevelLists<HostGroup> {
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  readonly excluded: HostGroup;
  private localityLists: readonly Lists[] | undefined;

  /** @param localityWeights parallel to `localities`; undefined: localities have no weights. */
  private constructor(
    readonly hosts: HostGroup,
    readonly localityWeights: readonly number[] | undefined,
    readonly overprovisioningFactor: number,
  ) {
    const { healthy, degraded, excluded } = listsOf(hosts);
    this.healthy = healthy;
    this.degraded = degraded;
    this.excluded = excluded;
  }

  /** A priority as delivered now. @param before the view of the delivery before. */
  static of(hostSet: HostSet | undefined, priority: number, before: LevelView | undefined): LevelView {
    const columns = new LevelColumns(hostSet ?? emptyHostSet(priority), before?.columns);
    const { localityWeights, overprovisioningFactor } = columns.hostSet;
    return new LevelView(new HostGroup(columns, columns.allPositions), localityWeights, overprovisioningFactor);
  }

  get columns(): LevelColumns {
    return this.hosts.columns;
  }

  get priority(): number {
    return this.columns.hostSet.priority;
  }

  get weightedPriorityHealth(): boolean {
    return this.columns.hostSet.weightedPriorityHealth;
  }

  get localityCount(): number {
    return this.columns.hostSet.localities.length;
  }

  /** The lists as balancers have them. */
  get hostSet(): HostSet {
    const { columns, hosts, overprovisioningFactor, localityWeights } = this;
    if (hosts.at === columns.allPositions) return columns.hostSet;
    return SubsetSource.of(columns.hostSet, undefined).select(
      [...hosts.at],
      overprovisioningFactor,
      () => localityWeights,
    );
  }

  /**
   * Lists by locality, the node's own first where it has hosts; made on demand: only locality weights and zones need them.
   */
  get localities(): readonly Lists[] {
    if (this.localityLists !== undefined) return this.localityLists;
    const { columns, hosts } = this;
    const positions = Array.from({ length: this.localityCount }, (): number[] => []);
    for (const position of hosts.at) positions[columns.groups[position] as number]?.push(position);
    return (this.localityLists = positions.map((own) => listsOf(new HostGroup(columns, Uint32Array.from(own)))));
  }

  /** Current weights of the columns' hosts: hosts are shared, so that all balancers see a new weight at once. */
  get weightsNow(): Float64Array {
    return Float64Array.from(this.columns.hosts, ({ weight }) => weight);
  }

  /**
   * The hosts at some positions. All localities stay, in their order, even without hosts.
   *
   * @param localityWeights           computed from the number of hosts in each locality, on demand.
   * @param overprovisioningFactor percent.
   */
  filter(
    at: Uint32Array,
    localityWeights: (counts: () => readonly number[]) => readonly number[] | undefined,
    overprovisioningFactor: number,
  ): LevelView {
    const { columns } = this;
    const weights = localityWeights(() => [...this.localitySizes(at)]);
    return new LevelView(new HostGroup(columns, at), weights, overprovisioningFactor);
  }

  /** How many of the hosts at some positions are in each locality. */
  private localitySizes(at: Uint32Array): Uint32Array {
    const sizes = new Uint32Array(this.localityCount);
    const { groups } = this.columns;
    for (const position of at) {
      const place = groups[position] as number;
      sizes[place] = (sizes[place] as number) + 1;
    }
    return sizes;
  }
}

function listsOf(hosts: HostGroup): Lists {
  const { columns, at } = hosts;
  const { classes } = columns;
  const of = (kind: number): HostGroup => {
    const own = at.filter((i) => ((classes[i] as number) & kind) !== 0);
    // Mostly these are all of them.
    return own.length === at.length ? hosts : new HostGroup(columns, own);
  };
  return { hosts, healthy: of(HEALTHY), degraded: of(DEGRADED), excluded: of(EXCLUDED) };
}
