import { type Struct, addTo, sameItems } from '../../core/values.js';
import { type ProxyVersion, quirksOf } from '../../core/version.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../host-set.js';
import type { SubsetConfig } from '../lb-config.js';
import {
  hasLists,
  hostTuple,
  listTuples,
  BalancedSubset,
  defaultSubsetMatcher,
  tupleEntries,
  tuplesOf,
} from './subset-balanced.js';
import { LevelView } from './subset-level.js';
import { keysText, type Selector, selectorOf, type Selectors } from './subset-plan.js';
import { canonicalEntries, describeEntries, type MetadataEntry } from './subset-values.js';

interface Level {
  readonly hosts: LevelView;
  /** By row the subsets that the host matches, active or not. */
  readonly memberships: readonly (readonly BalancedSubset[])[];
}

class Findings {
  readonly touched = new Set<BalancedSubset>();
  /** Inactive subsets that an announced host of the update creates. */
  readonly led = new Set<BalancedSubset>();
  /** A set of keys that no selector has, but a tuple of `list_as_any` does. */
  readonly parts: Selector[] = [];
}

const NO_ROWS: readonly number[] = [];

/**
 * Which subsets there are, and which hosts belong to them, update by update. A host belongs to all whose keys and
 * values it has. Not all of these are active: a subset is created by a host that an update announces, and releases
 * differ in which hosts are announced.
 */
export class Membership {
  private readonly entries = new Map<string, BalancedSubset>();
  /** By priority; absent: it had no update yet. */
  readonly levels: (Level | undefined)[] = [];
  /** Inactive entries: hosts that can create them may be waiting. */
  private readonly idle = new Set<BalancedSubset>();
  /** Entries that were kept without hosts, and have a pending delivery of some level. */
  private readonly behind = new Set<BalancedSubset>();
  /** Key sets of subsets that an empty list has shortened; by the text of their keys. */
  private readonly parts = new Map<string, Selector>();
  private readonly inDefault: (metadata: Struct) => boolean;
  private readonly listAsAny: boolean;
  private readonly onlyAddedMake: boolean;
  private readonly matchesHosts: boolean;
  private readonly erasesEmpty: boolean;
  private readonly keepsFactor: boolean;
  /** Subsets that exist from the start: the default subset and the any-endpoint one. */
  private readonly factorsFromStart: number[];

  /**
   * @param defaults the default subset, once for each use that has its own; always active.
   * @param firstFactor overprovisioning of priority 0 when the cluster came up, in percent.
   */
  constructor(
    config: SubsetConfig,
    private readonly selectors: Selectors,
    version: ProxyVersion,
    private readonly defaults: readonly BalancedSubset[],
    firstFactor: number,
  ) {
    this.inDefault = defaultSubsetMatcher(config);
    const byValue = selectors.singleKey !== undefined;
    this.listAsAny = config.listAsAny && !byValue;
    const quirks = quirksOf(version);
    this.onlyAddedMake = quirks.onlyAddedHostsMakeSubsets && !byValue;
    this.matchesHosts = quirks.subsetsMatchHosts;
    this.erasesEmpty = quirks.emptySubsetsAreErased || byValue;
    this.keepsFactor = quirks.factorStays;
    this.factorsFromStart = [firstFactor];
  }

  find(key: string): BalancedSubset | undefined {
    const entry = this.entries.get(key);
    return entry?.active === true ? entry : undefined;
  }

  /** All subsets of selectors, active or not. */
  all(): Iterable<BalancedSubset> {
    return this.entries.values();
  }

  /** The overprovisioning of a priority in a subset, in percent. @param entry undefined: the any-endpoint subset. */
  factorOf(entry: BalancedSubset | undefined, priority: number, now: number): number {
    if (!this.keepsFactor) return now;
    return (entry?.key === undefined ? this.factorsFromStart : entry.factors)[priority] ?? now;
  }

  /** @param moved hosts came or went. @returns `regrouped`: every subset has new rows; `before`: undefined at the first update. */
  update(hostSet: HostSet, moved: boolean) {
    const { priority } = hostSet;
    const before = this.levels[priority];
    const hosts = LevelView.of(hostSet, before?.hosts);
    const findings = new Findings();
    const announcesAll = !moved || !this.onlyAddedMake;
    const memberships =
      before === undefined
        ? hosts.hosts.map((_, row) => this.entriesOf(hosts, row, true, findings))
        : sameItems(hosts.hosts, before.hosts.hosts)
          ? this.takeChanges(hosts, before, announcesAll, findings)
          : this.compareMoved(hosts, before, announcesAll, findings);
    this.levels[priority] = { hosts, memberships };
    if (before === undefined) this.noteFactor(priority, hostSet.overprovisioningFactor);
    const regrouped = memberships !== before?.memberships;
    if (regrouped) this.collect(priority);
    for (const part of findings.parts) this.admit(part, findings);
    if (announcesAll) this.wake(priority, findings);
    return { ...this.settle(priority, findings), regrouped, hosts, before: before?.hosts };
  }

  /** How often hosts of a level come to a subset of `single_host_per_subset` that has its host: see {@link tuplesOf}. */
  surplusAt(priority: number): number {
    const hosts = this.levels[priority]?.hosts;
    if (hosts === undefined || !this.selectors.list.some(({ singleHost }) => singleHost)) return 0;
    const taken = new Set<string>();
    let surplus = 0;
    for (let row = 0; row < hosts.hosts.length; row++) {
      for (const key of tuplesOf(this.selectors.list, this.listAsAny, hosts.metadataOf(row))) {
        if (taken.has(key)) surplus++;
        else if (this.entries.get(key)?.singleHost === true) taken.add(key);
      }
    }
    return surplus;
  }

  /** After all deliveries. */
  drop(entry: BalancedSubset): void {
    entry.state = 'empty';
    if (this.erasesEmpty) this.forget(entry);
    else this.idle.add(entry);
  }

  private takeChanges(hosts: LevelView, before: Level, announced: boolean, findings: Findings): Level['memberships'] {
    let memberships: (readonly BalancedSubset[])[] | undefined;
    for (const { row, sameMetadata } of hosts.changesFrom(before.hosts)) {
      addAll(findings.touched, before.memberships[row] as readonly BalancedSubset[]);
      if (sameMetadata) continue;
      memberships ??= [...before.memberships];
      memberships[row] = this.entriesOf(hosts, row, announced, findings);
    }
    return memberships ?? before.memberships;
  }

  private compareMoved(hosts: LevelView, before: Level, announced: boolean, findings: Findings): Level['memberships'] {
    const { touched } = findings;
    const leaving = new Map(before.hosts.hosts.map((host, row) => [host, row]));
    let last = -1;
    const memberships = hosts.hosts.map((host, row) => {
      const beforeRow = leaving.get(host);
      if (beforeRow === undefined) return this.entriesOf(hosts, row, true, findings);
      leaving.delete(host);
      const known = before.memberships[beforeRow] as readonly BalancedSubset[];
      // A host that moved past another changes the order in its subsets.
      if (beforeRow < last || !hosts.sameRow(row, before.hosts, beforeRow)) addAll(touched, known);
      last = Math.max(last, beforeRow);
      const stays = hosts.sameMetadata(row, before.hosts, beforeRow);
      return stays ? known : this.entriesOf(hosts, row, announced, findings);
    });
    for (const beforeRow of leaving.values()) {
      const left = before.memberships[beforeRow] as readonly BalancedSubset[];
      addAll(touched, left);
      // A host that leaves touches its subsets too, where they were kept; it creates none.
      for (const entry of left) if (entry.state === 'empty') findings.led.add(entry);
    }
    return memberships;
  }

  /** The subsets that a host belongs to; unknown ones are added. @param announced whether the host creates them. */
  private entriesOf(hosts: LevelView, row: number, announced: boolean, findings: Findings): readonly BalancedSubset[] {
    const metadata = hosts.metadataOf(row);
    const found: BalancedSubset[] = this.inDefault(metadata) ? [...this.defaults] : [];
    for (const selector of this.selectors.list) {
      if (this.listAsAny && hasLists(selector, metadata)) {
        for (const tuple of listTuples(selector, metadata)) {
          if (tuple.length < selector.keys.length) this.notePart(tuple, findings);
          join(found, this.entryOf(canonicalEntries(tuple), tuple, selector));
        }
        continue;
      }
      const key = hostTuple(selector, metadata);
      if (key === undefined) continue;
      const known = this.entries.get(key);
      join(found, known ?? this.entryOf(key, tupleEntries(selector, metadata), selector));
    }
    if (announced) for (const entry of found) if (!entry.active) findings.led.add(entry);
    for (const part of this.parts.values()) for (const entry of this.partsOf(part, metadata)) join(found, entry);
    addAll(findings.touched, found);
    return found;
  }

  private entryOf(key: string, entries: readonly MetadataEntry[], { singleHost }: Selector): BalancedSubset {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const entry = new BalancedSubset(describeEntries(entries), key, singleHost);
    this.entries.set(key, entry);
    this.idle.add(entry);
    return entry;
  }

  /** Subsets shortened by an empty list also match hosts that no selector would put there. */
  private notePart(tuple: readonly MetadataEntry[], findings: Findings): void {
    if (!this.matchesHosts) return;
    const keys = tuple.map(({ key }) => key);
    const text = keysText(keys);
    if (this.parts.has(text) || this.selectors.list.some((selector) => keysText(selector.keys) === text)) return;
    const part = selectorOf(keys, false);
    this.parts.set(text, part);
    findings.parts.push(part);
  }

  private partsOf(part: Selector, metadata: Struct): readonly BalancedSubset[] {
    return listTuples(part, metadata)
      .filter((tuple) => tuple.length === part.keys.length)
      .map((tuple) => this.entryOf(canonicalEntries(tuple), tuple, part));
  }

  /** All existing hosts may belong to subsets of a new set of keys. */
  private admit(part: Selector, findings: Findings): void {
    this.levels.forEach((level, priority) => {
      if (level === undefined) return;
      const memberships = level.memberships.map((known, row) => {
        const found = [...known];
        for (const entry of this.partsOf(part, level.hosts.metadataOf(row))) {
          join(found, entry);
          findings.touched.add(entry);
        }
        return found;
      });
      this.levels[priority] = { hosts: level.hosts, memberships };
      this.collect(priority);
    });
  }

  private collect(priority: number): void {
    const rowsOf = new Map<BalancedSubset, number[]>();
    const memberships = this.levels[priority]?.memberships ?? [];
    for (let row = 0; row < memberships.length; row++)
      for (const entry of memberships[row] as readonly BalancedSubset[]) addTo(rowsOf, entry, row);
    for (const list of [this.defaults, this.entries.values()])
      for (const entry of list) entry.rows[priority] = rowsOf.get(entry) ?? NO_ROWS;
  }

  /** All hosts of the level are announced: no subset has to wait for one of them any more. */
  private wake(priority: number, { led }: Findings): void {
    for (const entry of this.idle) {
      if (led.has(entry)) continue;
      if (entry.rows[priority]?.some((row) => this.leads(priority, row, entry)) === true) led.add(entry);
    }
  }

  /** Whether a host that belongs to a subset can create it: not if it only matches a subset that another one created. */
  private leads(priority: number, row: number, { key }: BalancedSubset): boolean {
    const hosts = this.levels[priority]?.hosts;
    if (this.parts.size === 0 || hosts === undefined) return true;
    const metadata = hosts.metadataOf(row);
    return this.selectors.list.some((selector) =>
      listTuples(selector, metadata).some((tuple) => canonicalEntries(tuple) === key),
    );
  }

  private settle(priority: number, { led, touched }: Findings) {
    const created: BalancedSubset[] = [];
    const revived: BalancedSubset[] = [];
    for (const entry of led) {
      if (entry.state === 'waiting') created.push(entry);
      else if ((entry.rows[priority]?.length ?? 0) > 0) revived.push(entry);
      else continue;
      this.idle.delete(entry);
      touched.add(entry);
    }
    const factorOf = (level: Level | undefined): number =>
      level?.hosts.hostSet.overprovisioningFactor ?? DEFAULT_OVERPROVISIONING_FACTOR;
    for (const entry of created) {
      entry.state = 'active';
      if (this.keepsFactor) entry.factors = this.levels.map(factorOf);
    }
    for (const entry of revived) entry.state = 'active';
    for (const entry of this.behind) if (entry.active && entry.pending?.has(priority) === true) touched.add(entry);

    const gone: BalancedSubset[] = [];
    for (const entry of touched) {
      if (entry.active) {
        entry.pending?.delete(priority);
        if ((entry.pending?.size ?? 0) === 0) this.behind.delete(entry);
        if (entry.key !== undefined && entry.size === 0) gone.push(entry);
        continue;
      }
      touched.delete(entry);
      if (entry.state === 'empty') {
        (entry.pending ??= new Set()).add(priority);
        this.behind.add(entry);
      } else if (!entry.rows.some((rows) => rows !== undefined && rows.length > 0)) {
        this.forget(entry);
      }
    }
    return {
      /** In the order in which hosts created them. */
      created,
      /** Subsets that had lost all their hosts, were kept, and have some again. */
      revived,
      /** All subsets whose hosts at this priority changed, in number or in themselves; those above included. */
      touched,
      /** Of those touched: the ones that lost their last host, to be dropped after all deliveries. */
      gone,
    };
  }

  private forget(entry: BalancedSubset): void {
    this.idle.delete(entry);
    this.behind.delete(entry);
    if (entry.key !== undefined) this.entries.delete(entry.key);
  }

  /** A new level passes its factor to all existing subsets. */
  private noteFactor(priority: number, factor: number): void {
    if (!this.keepsFactor) return;
    this.factorsFromStart[priority] ??= factor;
    for (const entry of this.entries.values()) if (entry.state !== 'waiting') entry.factors[priority] ??= factor;
  }
}

/** An element listed twice, or two selectors with the same keys, count once. */
function join(found: BalancedSubset[], entry: BalancedSubset): void {
  if (!found.includes(entry)) found.push(entry);
}

function addAll<T>(set: Set<T>, values: readonly T[]): void {
  for (const value of values) set.add(value);
}
