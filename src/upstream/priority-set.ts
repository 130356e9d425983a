import { sameItems } from '../core/values.js';
import type { Host, Locality } from '../host/host.js';
import { buildHostSet } from '../hostset/build-host-set.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../hostset/host-set.js';

/** After more changes than this it is quicker to look at all hosts. */
const FEW = 8;

export class Level {
  hosts: readonly Host[] = [];
  localityWeights: ReadonlyMap<string, number> | undefined = undefined;
  /** Hosts of the last lists, in their order; an update that changes nothing keeps it. undefined: there were never any. */
  listed: readonly Host[] | undefined = undefined;
  /** Lists of `listed`; stale where a rebuild is pending, see {@link PrioritySet.makeLists}. */
  hostSet: HostSet | undefined = undefined;
  isStale = false;
  /** Hosts that changed since the lists were built, up to one more than {@link FEW}. */
  readonly changed: Host[] = [];
}

export class PrioritySet {
  readonly levels: Level[] = [];
  private overprovisioningFactor = DEFAULT_OVERPROVISIONING_FACTOR;
  private weightedPriorityHealth = false;
  /** Hosts that changed since {@link takeChanged}, and what was asked with it. */
  private readonly changes: Host[] = [];
  private asked: readonly unknown[] = [];

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

  /** Flags, weight or metadata of a host are others now. */
  changed(host: Host): void {
    for (const list of [this.changes, ...this.levels.map(({ changed }) => changed)])
      if (list.length <= FEW && !list.includes(host)) list.push(host);
  }

  /** The hosts that changed since it was last asked; undefined: they are many, hosts came or went, or `also` differs. */
  takeChanged(...also: readonly unknown[]): readonly Host[] | undefined {
    const before = this.asked;
    this.asked = [...this.hostsByPriority(), ...also];
    const changed = few(this.changes);
    return sameItems(this.asked, before) ? changed : undefined;
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
        changed: few(level.changed),
        keepsRows: this.keepsRows,
      });
    }
  }

  clear(): void {
    this.levels.length = 0;
  }
}

function few(changed: Host[]): readonly Host[] | undefined {
  const all = changed.splice(0);
  return all.length > FEW ? undefined : all;
}
