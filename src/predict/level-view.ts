import type { Host } from '../host/host.js';
import type { HostSet } from '../hostset/host-set.js';
import { emptyHostSet } from '../hostset/host-set.js';
import { DEGRADED, EXCLUDED, HEALTHY } from '../hostset/host-changes.js';
import { LevelView as SubsetSource } from '../hostset/subset-level.js';
import type { LevelColumns } from './level-columns.js';
import { columnsOf } from './level-columns.js';

/** Hosts that a policy picks from, as of their delivery to the balancer. */
export interface HostGroup {
  readonly columns: LevelColumns;
  /** Positions in the columns, ascending. */
  readonly at: Uint32Array;
}

/** The hosts of a priority, or of one locality of it, by class. */
export interface Lists {
  readonly all: HostGroup;
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  /** Number of hosts that no denominator counts. */
  readonly excluded: number;
}

/** One priority, or a subset's part of it, in a balancer of one proxy since the last delivery. */
export class LevelView implements Lists {
  readonly healthy: HostGroup;
  readonly degraded: HostGroup;
  readonly excluded: number;
  /** All, healthy and degraded hosts: in hosts, or in weight where health is weighted; the first without excluded hosts. */
  readonly measure: { readonly total: number; readonly healthy: number; readonly degraded: number };
  private localityLists: readonly Lists[] | undefined;

  /**
   * @param all          the hosts of the view.
   * @param localityWeights parallel to `localities`; undefined: localities have no weights.
   */
  private constructor(
    readonly columns: LevelColumns,
    readonly all: HostGroup,
    readonly localityWeights: readonly number[] | undefined,
    readonly overprovisioningFactor: number,
  ) {
    const { healthy, degraded, excluded } = listsOf(all);
    this.healthy = healthy;
    this.degraded = degraded;
    this.excluded = excluded;
    if (!columns.hostSet.weightedPriorityHealth) {
      const total = all.at.length - excluded;
      this.measure = { total, healthy: healthy.at.length, degraded: degraded.at.length };
      return;
    }
    let total = 0;
    for (const i of all.at) {
      if (((columns.classes[i] as number) & EXCLUDED) === 0) total += columns.weights[i] as number;
    }
    this.measure = { total, healthy: weightOf(healthy), degraded: weightOf(degraded) };
  }

  /**
   * A priority as delivered now.
   *
   * @param before the view of the delivery before.
   */
  static of(hostSet: HostSet | undefined, priority: number, before: LevelView | undefined): LevelView {
    const columns = columnsOf(hostSet ?? emptyHostSet(priority), before?.columns);
    const { localityWeights, overprovisioningFactor } = columns.hostSet;
    return new LevelView(columns, { columns, at: columns.allPositions }, localityWeights, overprovisioningFactor);
  }

  get priority(): number {
    return this.columns.hostSet.priority;
  }

  get localityCount(): number {
    return this.columns.hostSet.localities.length;
  }

  /** The lists as balancers have them. */
  get hostSet(): HostSet {
    const { columns, all, overprovisioningFactor, localityWeights } = this;
    if (all.at === columns.allPositions) return columns.hostSet;
    return SubsetSource.of(columns.hostSet, undefined).select(
      [...all.at],
      overprovisioningFactor,
      () => localityWeights,
    );
  }

  /**
   * Lists by locality, the node's own first where it has hosts; made on demand: only locality weights and zones need them.
   */
  get localities(): readonly Lists[] {
    if (this.localityLists !== undefined) return this.localityLists;
    const { columns } = this;
    const { groups } = columns;
    const { at } = this.all;
    const sizes = this.localitySizes(at);
    const positions = Array.from(sizes, (size) => new Uint32Array(size));
    sizes.fill(0);
    for (let index = 0; index < at.length; index++) {
      const i = at[index] as number;
      const place = groups[i] as number;
      const next = sizes[place] as number;
      (positions[place] as Uint32Array)[next] = i;
      sizes[place] = next + 1;
    }
    this.localityLists = positions.map((own) => {
      const all = { columns, at: own };
      return { all, ...listsOf(all) };
    });
    return this.localityLists;
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
    return new LevelView(columns, { columns, at }, weights, overprovisioningFactor);
  }

  /** How many of the hosts at some positions are in each locality. */
  private localitySizes(at: Uint32Array): Uint32Array {
    const sizes = new Uint32Array(this.localityCount);
    const { groups } = this.columns;
    for (let index = 0; index < at.length; index++) {
      const place = groups[at[index] as number] as number;
      sizes[place] = (sizes[place] as number) + 1;
    }
    return sizes;
  }
}

export function sizeOf({ at }: HostGroup): number {
  return at.length;
}

export function hostAt({ columns, at }: HostGroup, index: number): Host {
  return columns.hosts[at[index] as number] as Host;
}

/** Sum of the weights as they were delivered. */
function weightOf({ columns, at }: HostGroup): number {
  const { weights } = columns;
  let sum = 0;
  for (let index = 0; index < at.length; index++) sum += weights[at[index] as number] as number;
  return sum;
}

function listsOf(all: HostGroup): Omit<Lists, 'all'> {
  const { columns, at } = all;
  const { classes } = columns;
  const of = (kind: number): Uint32Array => at.filter((i) => ((classes[i] as number) & kind) !== 0);
  const healthy = of(HEALTHY);
  const excluded = of(EXCLUDED).length;
  // Mostly these are all of them.
  if (healthy.length === at.length) return { healthy: all, degraded: { columns, at: NO_POSITIONS }, excluded };
  return { healthy: { columns, at: healthy }, degraded: { columns, at: of(DEGRADED) }, excluded };
}

const NO_POSITIONS = new Uint32Array(0);
