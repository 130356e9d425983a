import { entryOf, without } from '../core/lists.js';
import type { Struct } from '../core/json-value.js';
import type { ProxyVersion } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { DEFAULT_OVERPROVISIONING_FACTOR } from '../hostset/host-set.js';
import { subsetLocalityWeights } from '../hostset/locality-weights.js';
import { defaultSubsetMatcher, SubsetEntry } from '../hostset/subset/subset-balanced.js';
import { Membership } from '../hostset/subset/subset-membership.js';
import { readSelectors } from '../hostset/subset/subset-selectors.js';
import type { LevelColumns, LevelView } from './level-view.js';
import { type SubsetCandidate, subsetRules } from '../hostset/subset/subset-plan.js';

/** The subsets that the balancers of one proxy have, and their hosts, since the last delivery. */
export class DeliveredSubsets {
  /** A host's health is read at the moment of the pick, not taken from the delivery. */
  readonly readsHealthLive: boolean;
  private readonly members: Membership<LevelColumns, SubsetEntry>;
  private readonly default = new SubsetEntry('default', undefined, false);
  private readonly levels: (LevelColumns | undefined)[] = [];
  private readonly positions = new WeakMap<readonly number[], Uint32Array>();
  private readonly rules: ReturnType<typeof subsetRules>;

  constructor(
    readonly config: SubsetConfig,
    version: ProxyVersion,
  ) {
    const selectors = readSelectors(config, version);
    this.rules = subsetRules(config, selectors);
    this.readsHealthLive = selectors.singleKey !== undefined;
    this.members = new Membership<LevelColumns, SubsetEntry>(
      config,
      selectors,
      version,
      [this.default],
      defaultSubsetMatcher(config),
      (name, key, singleHost) => new SubsetEntry(name, key, singleHost),
      DEFAULT_OVERPROVISIONING_FACTOR,
    );
  }

  deliver(columns: LevelColumns): void {
    const { priority } = columns.hostSet;
    const before = this.levels[priority];
    this.levels[priority] = columns;
    const same = before?.hosts === columns.hosts && before.metadata === columns.metadata;
    const moved = before?.hosts !== columns.hosts && differ(before?.hosts ?? [], columns.hosts);
    const { gone } = this.members.update(priority, columns, same ? [] : undefined, moved);
    for (const entry of gone) this.members.drop(entry);
  }

  /** The subsets and fallbacks that a request with this metadata tries, in order. */
  candidates(metadata: Struct | undefined): readonly SubsetCandidate[] {
    return this.rules(metadata, ({ subset }) => this.answers(subset));
  }

  /** The part of each level that a subset has. */
  levelsOf(candidate: SubsetCandidate, levels: readonly LevelView[]): LevelView[] {
    return levels.map((level) =>
      level.filter(
        this.in(candidate, level.columns),
        (counts) => subsetLocalityWeights(this.config, level, counts),
        this.factorOf(candidate, level.columns),
      ),
    );
  }

  /** Whether a subset of these keys and values exists. */
  private answers(key: string): boolean {
    const entry = this.members.find(key);
    return entry !== undefined && !(this.readsHealthLive && this.firstIsUnhealthy(entry));
  }

  /** The first host of the lowest priority answers, whatever its health. */
  isSingleHost(candidate: SubsetCandidate): boolean {
    return candidate.kind === 'subset' && this.members.find(candidate.key)?.singleHost === true;
  }

  /** Positions in the columns of a level. */
  in(candidate: SubsetCandidate, columns: LevelColumns): Uint32Array {
    if (candidate.kind === 'any') return columns.allPositions;
    const rows = this.entryOf(candidate)?.rowsAt(columns.hostSet.priority) ?? [];
    return entryOf(this.positions, rows, () => Uint32Array.from(rows));
  }

  /** Overprovisioning inside a subset, in percent. */
  private factorOf(
    candidate: SubsetCandidate,
    { hostSet: { priority, overprovisioningFactor } }: LevelColumns,
  ): number {
    return this.members.factorOf(this.entryOf(candidate), priority, overprovisioningFactor);
  }

  private entryOf(candidate: SubsetCandidate): SubsetEntry | undefined {
    switch (candidate.kind) {
      case 'any':
        return undefined;
      case 'default':
        return this.default;
      case 'subset':
        return this.members.find(candidate.key);
    }
  }

  private firstIsUnhealthy(entry: SubsetEntry): boolean {
    for (const [priority, columns] of this.levels.entries()) {
      const [first] = entry.rowsAt(priority);
      if (first === undefined) continue;
      return columns?.hosts[first]?.isUnhealthy === true;
    }
    return false;
  }
}

/** Whether hosts came or went. */
function differ(before: readonly Host[], now: readonly Host[]): boolean {
  return before.length !== now.length || without(now, before).length > 0;
}
