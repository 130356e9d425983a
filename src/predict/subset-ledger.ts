import type { Struct } from '../core/json.js';
import type { ProxyVersion } from '../core/version.js';
import type { SubsetConfig } from '../hostset/lb-config.js';
import { SubsetEntry } from '../hostset/subset-entry.js';
import { defaultSubsetMatcher } from '../hostset/subset-members.js';
import type { LevelHosts } from '../hostset/subset-membership.js';
import { Membership } from '../hostset/subset-membership.js';
import { readSelectors } from '../hostset/subset-selectors.js';
import type { LevelSnapshot } from './level-snapshot.js';
import { emptyLevel } from './level-snapshot.js';
import type { Member } from './member.js';
import { availability, UNHEALTHY } from './member.js';
import type { Question } from './question.js';

/** A snapshot's hosts, as subsets are made of them. */
class SnapshotHosts implements LevelHosts<SnapshotHosts> {
  constructor(readonly columns: LevelSnapshot) {}

  get hosts(): readonly Member[] {
    return this.columns.members;
  }

  get overprovisioningFactor(): number {
    return this.columns.overprovisioningFactor;
  }

  metadataOf(row: number): Struct {
    return this.columns.metadata[row] as Struct;
  }

  sameMetadata(row: number, before: SnapshotHosts, beforeRow: number): boolean {
    return this.columns.metadata[row] === before.columns.metadata[beforeRow];
  }

  /** Nothing is kept of a subset's hosts but who they are. */
  sameRow(row: number, before: SnapshotHosts, beforeRow: number): boolean {
    return this.sameMetadata(row, before, beforeRow);
  }
}

/** Which subsets the balancers of one proxy have, and who is in them, since their last delivery. */
export class SubsetLedger {
  /** A host's health counts as it is at the moment of the pick, not as it was delivered. */
  readonly readsHealthLive: boolean;
  private readonly members: Membership<SnapshotHosts, SubsetEntry>;
  private readonly default = new SubsetEntry('default', undefined, false);
  private readonly levels: (LevelSnapshot | undefined)[] = [];
  private readonly positions = new WeakMap<readonly number[], Uint32Array>();

  constructor(config: SubsetConfig, version: ProxyVersion) {
    const selectors = readSelectors(config, version);
    this.readsHealthLive = selectors.singleKey !== undefined;
    this.members = new Membership<SnapshotHosts, SubsetEntry>(
      config,
      selectors,
      version,
      [this.default],
      defaultSubsetMatcher(config),
      (name, key, singleHost) => new SubsetEntry(name, key, singleHost),
      emptyLevel(0).overprovisioningFactor,
    );
  }

  deliver(columns: LevelSnapshot): void {
    const { priority } = columns;
    const before = this.levels[priority];
    this.levels[priority] = columns;
    const same = before?.members === columns.members && before.metadata === columns.metadata;
    const moved = before?.members !== columns.members && differ(before?.members ?? [], columns.members);
    const { gone } = this.members.update(priority, new SnapshotHosts(columns), same ? [] : undefined, moved);
    for (const entry of gone) this.members.drop(entry);
  }

  /** Whether there is a subset of these keys and values to be asked. */
  answers(key: string): boolean {
    const entry = this.members.find(key);
    return entry !== undefined && !(this.readsHealthLive && this.firstIsUnhealthy(entry));
  }

  /** The first host of the lowest priority answers, whatever its health. */
  isSingleHost(question: Question): boolean {
    return question.kind === 'subset' && this.members.find(question.key)?.singleHost === true;
  }

  /** Positions in the columns of a level. */
  in(question: Question, columns: LevelSnapshot): Uint32Array {
    if (question.kind === 'any') return columns.everybody;
    const rows = this.entryOf(question)?.rowsAt(columns.priority) ?? [];
    let positions = this.positions.get(rows);
    if (positions === undefined) this.positions.set(rows, (positions = Uint32Array.from(rows)));
    return positions;
  }

  /** Overprovisioning inside a subset, in percent. */
  factorOf(question: Question, { priority, overprovisioningFactor }: LevelSnapshot): number {
    return this.members.factorOf(this.entryOf(question), priority, overprovisioningFactor);
  }

  private entryOf(question: Question): SubsetEntry | undefined {
    switch (question.kind) {
      case 'any':
        return undefined;
      case 'default':
        return this.default;
      case 'subset':
        return this.members.find(question.key);
    }
  }

  private firstIsUnhealthy(entry: SubsetEntry): boolean {
    for (const [priority, columns] of this.levels.entries()) {
      const [first] = entry.rowsAt(priority);
      if (first === undefined) continue;
      const member = columns?.members[first];
      return member !== undefined && availability(member.status) === UNHEALTHY;
    }
    return false;
  }
}

/** Whether somebody came or went. */
function differ(before: readonly Member[], now: readonly Member[]): boolean {
  if (before.length !== now.length) return true;
  const known = new Set(before);
  return now.some((member) => !known.has(member));
}
