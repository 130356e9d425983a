import type { Host, Locality } from '../host/host.js';
import { buildHostSet } from '../hostset/build-host-set.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../hostset/host-set.js';

export class Level {
  hosts: readonly Host[] = [];
  localityWeights: ReadonlyMap<string, number> | undefined = undefined;
  /** Hosts of the last lists, in their order; an update that changes nothing keeps it. undefined: there were never any. */
  listed: readonly Host[] | undefined = undefined;
  /** Lists of `listed`; stale where a rebuild is pending, see {@link PrioritySet.makeLists}. */
  hostSet: HostSet | undefined = undefined;
  isStale = false;
}

export class PrioritySet {
  readonly levels: Level[] = [];
  private overprovisioningFactor = DEFAULT_OVERPROVISIONING_FACTOR;
  private weightedPriorityHealth = false;

  /** @param nodeLocality undefined: the node states none. @param keepsRows for subsets. */
  constructor(
    private readonly nodeLocality: Locality | undefined,
    private readonly keepsRows: boolean,
  ) {}

  /** Lists by priority; undefined for a level that never had a host. */
  get hostSets(): readonly (HostSet | undefined)[] {
    this.makeLists();
    return this.levels.map(({ hostSet }) => hostSet);
  }

  hostsByPriority(): readonly (readonly Host[])[] {
    return this.levels.map(({ hosts }) => hosts);
  }

  *hosts(): Iterable<{ readonly host: Host; readonly priority: number }> {
    for (const [priority, { hosts }] of this.levels.entries()) for (const host of hosts) yield { host, priority };
  }

  /** @returns true where they changed. */
  setFactors(overprovisioningFactor: number, weightedPriorityHealth: boolean): boolean {
    const same =
      overprovisioningFactor === this.overprovisioningFactor && weightedPriorityHealth === this.weightedPriorityHealth;
    this.overprovisioningFactor = overprovisioningFactor;
    this.weightedPriorityHealth = weightedPriorityHealth;
    return !same;
  }

  level(priority: number): Level {
    while (this.levels.length <= priority) this.levels.push(new Level());
    return this.levels[priority] as Level;
  }

  /** Marks the lists of a priority for a rebuild from these hosts as they are now. */
  list(priority: number, hosts: readonly Host[]): void {
    const level = this.level(priority);
    level.listed = hosts;
    level.isStale = true;
  }

  /**
   * Builds the pending lists, late: of a thousand hosts that fail at one instant the merge window delivers one change,
   * and the others need no lists. Must be called before anything changes in a host without a rebuild.
   */
  makeLists(): void {
    for (const [priority, level] of this.levels.entries()) {
      if (!level.isStale) continue;
      level.isStale = false;
      level.hostSet = buildHostSet({
        priority,
        hosts: level.listed ?? [],
        overprovisioningFactor: this.overprovisioningFactor,
        weightedPriorityHealth: this.weightedPriorityHealth,
        nodeLocality: this.nodeLocality,
        localityWeights: level.localityWeights,
        before: level.hostSet,
        keepsRows: this.keepsRows,
      });
    }
  }

  clear(): void {
    this.levels.length = 0;
  }
}
