import { sameItems, without } from '../../core/values.js';
import { quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import { policyOf } from '../../policy/policy-of.js';
import { emptyHostSet, type HostSet } from '../host-set.js';
import { subsetLocalityWeights } from '../locality-weights.js';
import type { LoadBalancerConfig, SubsetConfig } from '../lb-config.js';
import type { LbEnvironment, LoadBalancer } from '../load-balancer.js';
import type { BalancedSubset } from './subset-balanced.js';
import type { LevelView } from './subset-level.js';
import type { Membership } from './subset-membership.js';
import type { SubsetStats } from './subset-stats.js';

export class SubsetDelivery {
  /** As it was delivered last. */
  updatedLocalCluster: HostSet | undefined;
  /** By level: subsets whose inner state restarts at each update even if their lists do not change. */
  readonly restarting: Set<BalancedSubset>[] = [];
  private readonly withoutLevel0 = new Set<BalancedSubset>();

  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly subsetConfig: SubsetConfig,
    private readonly environment: Pick<LbEnvironment, 'hasLocalCluster' | 'localCluster' | 'weighHosts'>,
    private readonly subsetStats: SubsetStats,
    private readonly members: Membership,
  ) {}

  get localCluster(): HostSet | undefined {
    return this.updatedLocalCluster ?? this.environment.localCluster?.();
  }

  announceEmpty(subset: BalancedSubset, priority: number): void {
    this.deliverLists(subset, emptyHostSet(priority), [], []);
  }

  /** Those that lack the localities of level 0; from now on they have them. */
  takeWithoutLevel0(): readonly BalancedSubset[] {
    const taken = [...this.withoutLevel0];
    this.withoutLevel0.clear();
    return taken;
  }

  forget(subset: BalancedSubset): void {
    // Not every priority has an entry; forEach skips those without.
    this.restarting.forEach((restarting) => restarting.delete(subset));
    this.withoutLevel0.delete(subset);
  }

  deliver(subset: BalancedSubset, view: LevelView): void {
    const { priority, overprovisioningFactor } = view.hostSet;
    const rows = subset.rowsAt(priority);
    const factor = this.members.factorOf(subset, priority, overprovisioningFactor);
    const hostSet = view.select(rows, factor, (counts) =>
      subsetLocalityWeights(this.subsetConfig, view.hostSet, counts),
    );
    const before = subset.levels[priority];
    this.deliverLists(subset, hostSet, newcomers(hostSet, before), newcomers(before, hostSet));
  }

  fill(subset: BalancedSubset): void {
    for (const [priority, level] of this.members.levels.entries()) {
      if (level !== undefined) this.deliver(subset, level.hosts);
      else this.announceEmpty(subset, priority);
    }
  }

  /** The any-endpoint subset is the level itself, save for its locality weights. */
  deliverAll(subset: BalancedSubset, view: LevelView, added: readonly Host[], removed: readonly Host[]): void {
    const { hostSet } = view;
    const counts = (): readonly number[] => hostSet.localities.map(({ hosts }) => hosts.length);
    const localityWeights = subsetLocalityWeights(this.subsetConfig, hostSet, counts);
    const factor = this.members.factorOf(undefined, hostSet.priority, hostSet.overprovisioningFactor);
    this.deliverLists(subset, { ...hostSet, localityWeights, overprovisioningFactor: factor }, added, removed);
  }

  private deliverLists(subset: BalancedSubset, hostSet: HostSet, added: readonly Host[], removed: readonly Host[]) {
    const { priority } = hostSet;
    const isNew = subset.levels.length === 0;
    if (isNew && priority > 0 && this.environment.hasLocalCluster) {
      // Zones belong to level 0: the proxy announces it to every new subset, at first without localities.
      this.announceEmpty(subset, 0);
      this.withoutLevel0.add(subset);
    }
    subset.hostCount += hostSet.hosts.length - (subset.levels[priority]?.hosts.length ?? 0);
    subset.levels[priority] = hostSet;
    const restarting = (this.restarting[priority] ??= new Set());
    if (this.startsAfresh(hostSet)) restarting.add(subset);
    else restarting.delete(subset);
    this.weigh(subset);
    this.notify(subset, priority === 0, (inner) => inner.update(hostSet, added, removed));
    const { localCluster } = this;
    const meets = isNew && priority === 0 && quirksOf(this.config.version).newSubsetsMeetLocalCluster;
    if (meets && localCluster !== undefined) this.deliverLocalCluster(subset, localCluster);
  }

  refresh(subset: BalancedSubset, priority: number): void {
    const hostSet = subset.levels[priority] as HostSet;
    this.weigh(subset);
    this.notify(subset, priority === 0, (inner) => inner.update(hostSet, [], []));
  }

  /** Those without a report get the median of their subset: where a host is in several, that of the one weighed last. */
  weigh({ inner, levels }: BalancedSubset): void {
    const { weighHosts } = this.environment;
    if (weighHosts === undefined || inner === undefined) return;
    for (const level of levels) if (level !== undefined) weighHosts(level.hosts);
  }

  deliverLocalCluster(subset: BalancedSubset, hostSet: HostSet): void {
    this.notify(subset, true, (inner) => inner.updateLocalCluster(hostSet));
  }

  private notify(subset: BalancedSubset, rebuildsZones: boolean, act: (inner: LoadBalancer) => void): void {
    const { inner } = subset;
    if (inner === undefined) return;
    if (rebuildsZones && this.environment.hasLocalCluster) this.subsetStats.rebuildZones(subset, () => act(inner));
    else act(inner);
  }

  /** Whether equal lists, delivered again, would change the next pick: a weighted schedule restarts. */
  private startsAfresh(hostSet: HostSet): boolean {
    const { lbPolicy, slowStart, localityWeighted } = this.config;
    if (this.environment.weighHosts !== undefined) return true;
    const { kind, usesWeights } = policyOf(lbPolicy);
    if (kind === 'table') return false;
    if (localityWeighted && hostSet.localityWeights !== undefined) return true;
    if (!usesWeights) return false;
    const weight = hostSet.hosts[0]?.weight;
    return slowStart !== undefined || hostSet.hosts.some((host) => host.weight !== weight);
  }
}

function newcomers(now: HostSet | undefined, before: HostSet | undefined): readonly Host[] {
  if (now === undefined || before === undefined) return now?.hosts ?? [];
  return sameItems(now.hosts, before.hosts) ? [] : without(now.hosts, before.hosts);
}
