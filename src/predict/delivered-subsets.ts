import { without, type Struct } from '../core/values.js';
import type { ProxyVersion } from '../core/version.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../hostset/host-set.js';
import { subsetLocalityWeights } from '../hostset/locality-weights.js';
import { BalancedSubset } from '../hostset/subset/subset-balanced.js';
import { Membership } from '../hostset/subset/subset-membership.js';
import { readSelectors, type SubsetCandidate, subsetRules } from '../hostset/subset/subset-plan.js';
import type { DeliveredLevel } from './delivered-level.js';

export class DeliveredSubsets {
  /** A host's health is read at the moment of the pick, not taken from the delivery. */
  readonly readsHealthLive: boolean;
  private readonly members: Membership;
  private readonly default = new BalancedSubset('default', undefined, false);
  private readonly rules: ReturnType<typeof subsetRules>;

  constructor(
    readonly config: SubsetConfig,
    version: ProxyVersion,
  ) {
    const selectors = readSelectors(config, version);
    this.rules = subsetRules(config, selectors);
    this.readsHealthLive = selectors.singleKey !== undefined;
    this.members = new Membership(config, selectors, version, [this.default], DEFAULT_OVERPROVISIONING_FACTOR);
  }

  deliver(hostSet: HostSet): void {
    const { priority, hosts } = hostSet;
    const known = this.members.levels[priority]?.hosts.hosts ?? [];
    const moved = hosts !== known && (hosts.length !== known.length || without(hosts, known).length > 0);
    for (const entry of this.members.update(hostSet, moved).gone) this.members.drop(entry);
  }

  /** The subsets and fallbacks that a request with this metadata tries, in order. */
  candidates(metadata: Struct | undefined): readonly SubsetCandidate[] {
    return this.rules(metadata, ({ subset }) => {
      const entry = this.members.find(subset);
      return entry !== undefined && !(this.readsHealthLive && this.firstIsUnhealthy(entry));
    });
  }

  levelsOf(candidate: SubsetCandidate, levels: readonly DeliveredLevel[]): DeliveredLevel[] {
    const entry = this.entryOf(candidate);
    return levels.map((level) => {
      const { delivered, localities, priority } = level;
      const view = this.members.levels[priority]?.hosts;
      const factor = this.members.factorOf(entry, priority, level.overprovisioningFactor);
      const weights = (counts: () => readonly number[]) => subsetLocalityWeights(this.config, level, counts);
      if (candidate.kind === 'any' || view === undefined) {
        const localityWeights = weights(() => localities.map(({ hosts }) => hosts.length));
        return { ...level, localityWeights, overprovisioningFactor: factor };
      }
      return { ...view.select(entry?.rowsAt(priority) ?? [], factor, weights), delivered };
    });
  }

  /** How many hosts a subset has, whatever their health. */
  sizeOf(candidate: SubsetCandidate, levels: readonly DeliveredLevel[]): number {
    const entry = this.entryOf(candidate);
    return levels.reduce((sum, { hosts, priority }) => {
      return sum + (candidate.kind === 'any' ? hosts : (entry?.rowsAt(priority) ?? [])).length;
    }, 0);
  }

  /** The first host of the lowest priority answers, whatever its health. */
  isSingleHost(candidate: SubsetCandidate): boolean {
    return candidate.kind === 'subset' && this.members.find(candidate.key)?.singleHost === true;
  }

  /** undefined: there is none, or it has all hosts. */
  private entryOf(candidate: SubsetCandidate): BalancedSubset | undefined {
    if (candidate.kind === 'subset') return this.members.find(candidate.key);
    return candidate.kind === 'default' ? this.default : undefined;
  }

  private firstIsUnhealthy(entry: BalancedSubset): boolean {
    for (const [priority, level] of this.members.levels.entries()) {
      const [first] = entry.rowsAt(priority);
      if (first === undefined) continue;
      return level?.hosts.hosts[first]?.isUnhealthy === true;
    }
    return false;
  }
}
