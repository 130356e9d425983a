import { isModern } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { BalancerDescription, SubsetDescription } from './describe.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import type { LoadBalancerConfig, SubsetConfig } from './lb-config.js';
import type { LbEnvironment } from './lb-environment.js';
import type { Decision, LoadBalancer, PickRequest } from './load-balancer.js';
import { resetDecision } from './load-balancer.js';
import { panicThreshold } from './panic.js';
import { sameHosts } from './build-host-set.js';
import type { RowChange } from './subset-level.js';
import { LevelView } from './subset-level.js';
import { defaultSubsetMatcher, hasLists, hostTuple, listTuples, tupleEntries } from './subset-members.js';
import type { Plan } from './subset-plan.js';
import { Planner } from './subset-plan.js';
import type { Selectors } from './subset-selectors.js';
import { readSelectors } from './subset-selectors.js';
import type { MetadataEntry } from './subset-values.js';
import { canonicalEntries, describeEntries } from './subset-values.js';
import { ZoneCounts } from './zone-counts.js';

/** Makes the balancer that picks inside one subset. */
export type CreateBalancer = (config: LoadBalancerConfig, environment: LbEnvironment) => LoadBalancer;

/** One subset: a cluster of its own, with its own levels, panic and indices. */
interface Subset {
  /** As reports write it: `{version: "2"}`, `any`, `default`. */
  readonly name: string;
  /** Canonical text of its keys and values; undefined: the any-endpoint or the default subset. */
  readonly key: string | undefined;
  /** undefined: `single_host_per_subset`, the first host of the lowest level answers. */
  readonly inner: LoadBalancer | undefined;
  readonly levels: (SubsetLevel | undefined)[];
  /** Hosts in all levels, whatever their health. */
  hostCount: number;
  /** It had a host after the last update, and counts as active. */
  active: boolean;
  /** What the last rebuild of its zone structures counted. */
  readonly zoneCounts: ZoneCounts;
}

interface SubsetLevel {
  /** Rows of the level's view, ascending. */
  rows: readonly number[];
  hostSet: HostSet;
}

/** One priority of the cluster, and who is where in it. */
interface Level {
  readonly view: LevelView;
  /** Per row the subsets that the host is in, the default subset included. */
  readonly memberships: readonly (readonly Subset[])[];
  /** Hosts that a `single_host_per_subset` subset of this level has no use for. */
  readonly singleHostDuplicates: number;
}

/** What an update changes, before anything is delivered. */
interface LevelChange {
  readonly memberships: readonly (readonly Subset[])[];
  /** Subsets whose lists, weights or metadata changed. */
  readonly touched: Set<Subset>;
  /** Rows or memberships changed: each subset's rows have to be collected anew. */
  readonly regroup: boolean;
}

/**
 * Subset load balancing (`lb_subset_config`): hosts are grouped by their metadata, a request by its own picks a group,
 * and a fallback rules where there is no such group. Each group is balanced by itself.
 *
 * An update delivers whole lists, but only subsets that contain a changed host are cut anew. The others would come out
 * as they are, save for what the proxy starts afresh at every update: weighted schedules, which are refreshed here too,
 * and the counters of zone recalculation, which are added.
 *
 * Draws: those of the balancers inside. Source: the proxy's subset load balancer and its documentation.
 */
export function createSubsetLoadBalancer(
  config: LoadBalancerConfig,
  subsetConfig: SubsetConfig,
  environment: LbEnvironment,
  createInner: CreateBalancer,
): SubsetLoadBalancer {
  return new SubsetLoadBalancer(config, subsetConfig, environment, createInner);
}

export class SubsetLoadBalancer implements LoadBalancer {
  private readonly selectors: Selectors;
  private readonly planner: Planner;
  private readonly innerConfig: LoadBalancerConfig;
  private readonly innerEnvironment: LbEnvironment;
  private readonly inDefaultSubset: (metadata: Host['metadata']) => boolean;
  /** By canonical text of keys and values. The v2 era keeps subsets that lost their hosts, for when they return. */
  private readonly subsets = new Map<string, Subset>();
  private readonly any: Subset | undefined;
  private readonly default: Subset | undefined;
  private readonly levels: (Level | undefined)[] = [];
  /** Per level those subsets whose inner state starts afresh at each update even if their lists stay. */
  private readonly restless: Set<Subset>[] = [];
  /** Subsets that have not been told the localities of level 0. */
  private readonly withoutLevel0 = new Set<Subset>();
  private localCluster: HostSet | undefined;
  /** Sum of all subsets' zone counts. */
  private readonly zoneTotals = new ZoneCounts();
  /** Zone counts of subsets that the running update has not refreshed. */
  private readonly zonePending = new ZoneCounts();
  /** Runtime values that balancers read at updates only, as of the last one. */
  private latchedRuntime = '';

  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly subsetConfig: SubsetConfig,
    private readonly environment: LbEnvironment,
    private readonly createInner: CreateBalancer,
  ) {
    this.selectors = readSelectors(subsetConfig);
    this.planner = new Planner(subsetConfig, this.selectors);
    this.innerConfig = { ...config, subset: undefined };
    const { initial, ...innerEnvironment } = environment;
    this.innerEnvironment = innerEnvironment;
    this.inDefaultSubset = defaultSubsetMatcher(subsetConfig);
    const asked = this.specialSubsets();
    this.any = asked.has('ANY_ENDPOINT') ? this.createSpecial('any') : undefined;
    this.default = asked.has('DEFAULT_SUBSET') ? this.createSpecial('default') : undefined;
    this.latchedRuntime = this.runtimeReadAtUpdates();
    for (const hostSet of initial ?? []) this.update(hostSet, hostSet.hosts, []);
  }

  // --- picking -----------------------------------------------------------------------------------------------------

  choose(request: PickRequest, decision: Decision): void {
    const plans = this.planner.plansFor(request.metadataMatch);
    for (let i = 0; i < plans.length; i++) {
      this.follow(plans[i] as Plan, request, decision);
      if (decision.host !== undefined) return;
    }
  }

  private follow(plan: Plan, request: PickRequest, decision: Decision): void {
    const { stats } = this.environment;
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i] as Plan['steps'][number];
      const subset = this.subsets.get(step.subset);
      if (subset?.active !== true) continue;
      stats.lbSubsetsSelected++;
      this.ask(subset, step.fallback, request, decision);
      return;
    }
    switch (plan.last) {
      case 'none':
        this.askNobody(plan.fallback, decision);
        return;
      case 'any':
        this.ask(this.any, plan.fallback, request, decision);
        return;
      case 'default':
        this.ask(this.default, plan.fallback, request, decision);
        return;
      case 'cluster':
        this.followCluster(plan, request, decision);
    }
  }

  private followCluster(plan: Plan, request: PickRequest, decision: Decision): void {
    const { stats } = this.environment;
    if (this.subsetConfig.fallbackPolicy === 'NO_FALLBACK') {
      this.askNobody(plan.fallback, decision);
      return;
    }
    const fallback = this.subsetConfig.fallbackPolicy === 'ANY_ENDPOINT' ? this.any : this.default;
    if (this.ask(fallback, plan.fallback, request, decision)) {
      stats.lbSubsetsFallback++;
    } else if (this.subsetConfig.panicModeAny && this.ask(this.any, plan.panicFallback, request, decision)) {
      stats.lbSubsetsFallbackPanic++;
    }
  }

  /** @returns whether it had a host to give. */
  private ask(
    subset: Subset | undefined,
    fallback: string | undefined,
    request: PickRequest,
    decision: Decision,
  ): boolean {
    if (subset === undefined) {
      this.askNobody(fallback, decision);
      return false;
    }
    if (subset.inner === undefined) chooseSingleHost(subset, decision);
    else subset.inner.choose(request, decision);
    decision.subset = subset.name;
    decision.subsetFallback = fallback;
    return decision.host !== undefined;
  }

  private askNobody(fallback: string | undefined, decision: Decision): void {
    resetDecision(decision);
    decision.subsetFallback = fallback;
  }

  // --- updates -----------------------------------------------------------------------------------------------------

  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    const { priority } = hostSet;
    const before = this.levels[priority];
    const followed = before?.view.followedBy(hostSet);
    const view = followed?.view ?? LevelView.of(hostSet, before?.view);
    const { localityWeightAware, scaleLocalityWeight } = this.subsetConfig;
    const refreshAll =
      this.latchRuntime() ||
      before === undefined ||
      !view.sharesWith(before.view, localityWeightAware, localityWeightAware && scaleLocalityWeight);

    const change = this.compare(view, before, followed?.changes);
    if (priority === 0) {
      this.zonePending.set(this.zoneTotals);
      for (const subset of this.withoutLevel0) change.touched.add(subset);
      this.withoutLevel0.clear();
    }
    const rowsOf = change.regroup ? collectRows(change.memberships) : undefined;
    this.levels[priority] = {
      view,
      memberships: change.memberships,
      singleHostDuplicates: rowsOf === undefined ? (before?.singleHostDuplicates ?? 0) : singleHostDuplicates(rowsOf),
    };

    if (this.any !== undefined) this.deliverAll(this.any, view, added, removed);
    const gone: Subset[] = [];
    for (const subset of this.everySubset(refreshAll ? undefined : change.touched, rowsOf !== undefined)) {
      const rows = rowsOf === undefined ? subset.levels[priority]?.rows : rowsOf.get(subset);
      if (refreshAll || change.touched.has(subset)) {
        this.deliver(subset, view, rows ?? []);
        if (subset.hostCount === 0) gone.push(subset);
      } else {
        const level = subset.levels[priority];
        if (level !== undefined) level.rows = rows ?? [];
      }
    }
    for (const subset of this.restless[priority] ?? []) {
      if (!refreshAll && !change.touched.has(subset) && subset !== this.any) this.refresh(subset, priority);
    }
    for (const subset of gone) this.retire(subset);
    this.environment.stats.lbSubsetsSingleHostPerSubsetDuplicate = this.levels[priority].singleHostDuplicates;
    if (priority === 0) this.zonePending.addTo(this.environment.stats);
  }

  updateLocalCluster(hostSet: HostSet): void {
    this.localCluster = hostSet;
    for (const subset of this.everySubset(undefined, true)) this.deliverLocalCluster(subset, hostSet);
    if (this.any !== undefined) this.deliverLocalCluster(this.any, hostSet);
  }

  /** The cluster is replaced or removed: its subsets no longer count as active. */
  destroy(): void {
    const { stats } = this.environment;
    for (const subset of this.subsets.values()) {
      if (!subset.active) continue;
      subset.active = false;
      stats.lbSubsetsActive--;
      stats.lbSubsetsRemoved++;
    }
  }

  /**
   * Which subsets to look at.
   *
   * @param touched undefined: all of them.
   * @param every   also those that are not touched, whose rows have moved.
   */
  private *everySubset(touched: ReadonlySet<Subset> | undefined, every: boolean): Iterable<Subset> {
    if (touched !== undefined && !every) {
      yield* touched;
      return;
    }
    if (this.default !== undefined) yield this.default;
    yield* this.subsets.values();
  }

  /** Finds what differs from the update before, host by host; new subsets are made on the way. */
  private compare(view: LevelView, before: Level | undefined, changes: readonly RowChange[] | undefined): LevelChange {
    const touched = new Set<Subset>();
    if (before === undefined) {
      const memberships = view.hosts.map((_, row) => this.membershipsOf(view, row, touched));
      return { memberships, touched, regroup: true };
    }
    if (changes !== undefined) return this.takeChanges(view, before, changes, touched);
    return sameHosts(view.hosts, before.view.hosts)
      ? this.takeChanges(view, before, changedRows(view, before.view), touched)
      : this.compareMoved(view, before, touched);
  }

  private takeChanges(
    view: LevelView,
    before: Level,
    changes: readonly RowChange[],
    touched: Set<Subset>,
  ): LevelChange {
    let memberships: (readonly Subset[])[] | undefined;
    for (const { row, sameMetadata } of changes) {
      addAll(touched, before.memberships[row] as readonly Subset[]);
      if (sameMetadata) continue;
      memberships ??= [...before.memberships];
      memberships[row] = this.membershipsOf(view, row, touched);
    }
    return { memberships: memberships ?? before.memberships, touched, regroup: memberships !== undefined };
  }

  private compareMoved(view: LevelView, before: Level, touched: Set<Subset>): LevelChange {
    const leaving = new Map(before.view.hosts.map((host, row) => [host, row]));
    let last = -1;
    const memberships = view.hosts.map((host, row) => {
      const beforeRow = leaving.get(host);
      if (beforeRow === undefined) return this.membershipsOf(view, row, touched);
      leaving.delete(host);
      const known = before.memberships[beforeRow] as readonly Subset[];
      // A host that passed another one has changed the order in its subsets.
      if (beforeRow < last || !view.sameRow(row, before.view, beforeRow)) addAll(touched, known);
      last = Math.max(last, beforeRow);
      return view.sameMetadata(row, before.view, beforeRow) ? known : this.membershipsOf(view, row, touched);
    });
    for (const beforeRow of leaving.values()) addAll(touched, before.memberships[beforeRow] as readonly Subset[]);
    return { memberships, touched, regroup: true };
  }

  private membershipsOf(view: LevelView, row: number, touched: Set<Subset>): readonly Subset[] {
    const metadata = view.metadataOf(row);
    const memberships: Subset[] = [];
    if (this.default !== undefined && this.inDefaultSubset(metadata)) memberships.push(this.default);
    for (const selector of this.selectors.list) {
      if (this.subsetConfig.listAsAny && hasLists(selector, metadata)) {
        for (const entries of listTuples(selector, metadata)) {
          const text = canonicalEntries(entries);
          join(memberships, this.subsets.get(text) ?? this.createSubset(text, entries, selector.singleHost));
        }
        continue;
      }
      const text = hostTuple(selector, metadata);
      if (text === undefined) continue;
      const known = this.subsets.get(text);
      const subset = known ?? this.createSubset(text, tupleEntries(selector, metadata), selector.singleHost);
      join(memberships, subset);
    }
    addAll(touched, memberships);
    return memberships;
  }

  private deliver(subset: Subset, view: LevelView, rows: readonly number[]): void {
    const { priority } = view.hostSet;
    const hostSet = view.cut(rows, (localities) => this.localityWeights(view.hostSet, localities));
    const before = subset.levels[priority];
    this.hand(subset, rows, hostSet, newcomers(hostSet, before?.hostSet), newcomers(before?.hostSet, hostSet));
    if (subset.key === undefined || subset.active || subset.hostCount === 0) return;
    subset.active = true;
    this.environment.stats.lbSubsetsActive++;
    this.environment.stats.lbSubsetsCreated++;
  }

  /** The any-endpoint subset is the level itself, save for its locality weights. */
  private deliverAll(subset: Subset, view: LevelView, added: readonly Host[], removed: readonly Host[]): void {
    const { hostSet } = view;
    const localityWeights = this.localityWeights(hostSet, hostSet.localities);
    this.hand(subset, [], { ...hostSet, localityWeights }, added, removed);
  }

  private hand(
    subset: Subset,
    rows: readonly number[],
    hostSet: HostSet,
    added: readonly Host[],
    removed: readonly Host[],
  ): void {
    const { priority } = hostSet;
    const isNew = subset.levels.length === 0;
    if (isNew && priority > 0 && this.environment.hasLocalCluster) {
      // Zones are those of level 0: the proxy announces one to every new subset, without localities as yet.
      this.hand(subset, [], emptyLevel(0), [], []);
      this.withoutLevel0.add(subset);
    }
    subset.hostCount += hostSet.hosts.length - (subset.levels[priority]?.hostSet.hosts.length ?? 0);
    subset.levels[priority] = { rows, hostSet };
    this.noteRestless(subset, hostSet);
    this.measured(subset, priority === 0, (inner) => {
      inner.update(hostSet, added, removed);
    });
    if (isNew && priority === 0 && this.localCluster !== undefined) {
      // What a new subset counts comes on top; the books must not take it off again.
      this.zonePending.add(subset.zoneCounts);
      this.deliverLocalCluster(subset, this.localCluster);
    }
  }

  private refresh(subset: Subset, priority: number): void {
    const level = subset.levels[priority];
    if (level === undefined) return;
    this.measured(subset, priority === 0, (inner) => {
      inner.update(level.hostSet, [], []);
    });
  }

  private deliverLocalCluster(subset: Subset, hostSet: HostSet): void {
    this.measured(subset, true, (inner) => {
      inner.updateLocalCluster(hostSet);
    });
  }

  /** Keeps the books of zone recalculation while a subset is updated. */
  private measured(subset: Subset, rebuildsZones: boolean, act: (inner: LoadBalancer) => void): void {
    if (subset.inner === undefined) return;
    if (!rebuildsZones || !this.environment.hasLocalCluster) {
      act(subset.inner);
      return;
    }
    const { stats } = this.environment;
    this.zonePending.subtract(subset.zoneCounts);
    this.zoneTotals.subtract(subset.zoneCounts);
    subset.zoneCounts.markStart(stats);
    act(subset.inner);
    subset.zoneCounts.markEnd(stats);
    this.zoneTotals.add(subset.zoneCounts);
  }

  private noteRestless(subset: Subset, hostSet: HostSet): void {
    const restless = (this.restless[hostSet.priority] ??= new Set());
    if (this.startsAfresh(hostSet)) restless.add(subset);
    else restless.delete(subset);
  }

  /** Whether equal lists, delivered again, would change what is picked next: a weighted schedule begins anew. */
  private startsAfresh(hostSet: HostSet): boolean {
    const { lbPolicy, slowStart, localityWeighted } = this.config;
    if (lbPolicy === 'RING_HASH' || lbPolicy === 'MAGLEV') return false;
    if (localityWeighted && hostSet.localityWeights !== undefined) return true;
    if (lbPolicy === 'RANDOM') return false;
    const weight = hostSet.hosts[0]?.weight;
    return slowStart !== undefined || hostSet.hosts.some((host) => host.weight !== weight);
  }

  private retire(subset: Subset): void {
    if (subset.key === undefined || !subset.active) return;
    subset.active = false;
    this.environment.stats.lbSubsetsActive--;
    this.environment.stats.lbSubsetsRemoved++;
    if (!isModern(this.config.version)) return;
    this.subsets.delete(subset.key);
    this.zoneTotals.subtract(subset.zoneCounts);
    // Not every priority has an entry; forEach passes over those that have none.
    this.restless.forEach((restless) => restless.delete(subset));
    this.withoutLevel0.delete(subset);
  }

  // --- creation ----------------------------------------------------------------------------------------------------

  /** Which of the subsets that need no selector some fallback asks for. */
  private specialSubsets(): ReadonlySet<string> {
    const asked = new Set<string>([this.subsetConfig.fallbackPolicy]);
    if (this.subsetConfig.panicModeAny) asked.add('ANY_ENDPOINT');
    for (const { policy } of this.selectors.fallbacks.values()) asked.add(policy);
    return asked;
  }

  private createSpecial(name: 'any' | 'default'): Subset {
    const subset = this.newSubset(name, undefined, false);
    // The proxy makes these two before the first host arrives, and announces their empty level.
    if (this.environment.hasLocalCluster) this.hand(subset, [], emptyLevel(0), [], []);
    return subset;
  }

  private createSubset(text: string, entries: readonly MetadataEntry[], singleHost: boolean): Subset {
    const subset = this.newSubset(describeEntries(entries), text, singleHost);
    this.subsets.set(text, subset);
    return subset;
  }

  private newSubset(name: string, key: string | undefined, singleHost: boolean): Subset {
    return {
      name,
      key,
      inner: singleHost ? undefined : this.createInner(this.innerConfig, this.innerEnvironment),
      levels: [],
      hostCount: 0,
      active: false,
      zoneCounts: new ZoneCounts(),
    };
  }

  /**
   * The locality weights of a subset: none unless it is aware of them, and scaled to the part of each locality's hosts
   * that it has where that is asked for. In single precision and rounded half up, as the proxy does: weight 1 with 1 of
   * 4 hosts becomes 0, and those hosts get nothing.
   */
  private localityWeights(level: HostSet, localities: readonly LocalityGroup[]): readonly number[] | undefined {
    if (!this.subsetConfig.localityWeightAware) return undefined;
    const { localityWeights } = level;
    if (!this.subsetConfig.scaleLocalityWeight || localityWeights === undefined) return localityWeights;
    return localityWeights.map((weight, index) => {
      const all = level.localities[index]?.hosts.length ?? 0;
      if (all === 0) return 0;
      return Math.round(Math.fround(Math.fround(weight * (localities[index]?.hosts.length ?? 0)) / all));
    });
  }

  /** @returns whether a runtime value that balancers read at updates only has changed since the last update. */
  private latchRuntime(): boolean {
    const now = this.runtimeReadAtUpdates();
    const changed = now !== this.latchedRuntime;
    this.latchedRuntime = now;
    return changed;
  }

  private runtimeReadAtUpdates(): string {
    const { runtime } = this.environment;
    const threshold = runtime.number('upstream.healthy_panic_threshold');
    return `${threshold ?? ''}/${runtime.number('upstream.zone_routing.min_cluster_size') ?? ''}`;
  }

  // --- reports -----------------------------------------------------------------------------------------------------

  /** The any-endpoint subset's description where there is one, and all subsets. */
  describe(): BalancerDescription {
    const any = this.any?.inner?.describe();
    return {
      panicThreshold: panicThreshold(this.environment.runtime, this.config.healthyPanicThreshold),
      normalizedTotal: any?.normalizedTotal ?? 0,
      priorities: any?.priorities ?? [],
      zone: any?.zone,
      subsets: this.describeSubsets(),
    };
  }

  private describeSubsets(): readonly SubsetDescription[] {
    const special = [this.any, this.default].filter((subset) => subset !== undefined);
    const active = [...this.subsets.values()].filter((subset) => subset.active);
    return [...special, ...active].map((subset) => ({
      subset: subset.name,
      hosts: subset.hostCount,
      healthy: subset.levels.reduce((sum, level) => sum + (level?.hostSet.healthy.length ?? 0), 0),
      singleHost: subset.inner === undefined,
      balancer: subset.inner?.describe(),
    }));
  }
}

/** `single_host_per_subset`: no policy and no health, the first host of the lowest level that has one. */
function chooseSingleHost(subset: Subset, decision: Decision): void {
  resetDecision(decision);
  for (const level of subset.levels) {
    const host = level?.hostSet.hosts[0];
    if (level === undefined || host === undefined) continue;
    decision.host = host;
    decision.priority = level.hostSet.priority;
    return;
  }
}

function emptyLevel(priority: number): HostSet {
  return {
    priority,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    hosts: [],
    healthy: [],
    degraded: [],
    excluded: [],
    localities: [],
    hasLocalLocality: false,
    localityWeights: undefined,
  };
}

/** Found by looking at everybody. */
function changedRows(view: LevelView, before: LevelView): RowChange[] {
  const changes: RowChange[] = [];
  for (let row = 0; row < view.hosts.length; row++) {
    if (!view.sameRow(row, before, row)) changes.push({ row, sameMetadata: view.sameMetadata(row, before, row) });
  }
  return changes;
}

function collectRows(memberships: readonly (readonly Subset[])[]): Map<Subset, number[]> {
  const rowsOf = new Map<Subset, number[]>();
  for (let row = 0; row < memberships.length; row++) {
    for (const subset of memberships[row] as readonly Subset[]) {
      const rows = rowsOf.get(subset);
      if (rows === undefined) rowsOf.set(subset, [row]);
      else rows.push(row);
    }
  }
  return rowsOf;
}

function singleHostDuplicates(rowsOf: ReadonlyMap<Subset, readonly number[]>): number {
  let duplicates = 0;
  for (const [subset, rows] of rowsOf) if (subset.inner === undefined) duplicates += rows.length - 1;
  return duplicates;
}

/** Hosts of `now` that `before` has not. */
function newcomers(now: HostSet | undefined, before: HostSet | undefined): readonly Host[] {
  if (now === undefined || before === undefined) return now?.hosts ?? [];
  if (sameHosts(now.hosts, before.hosts)) return [];
  const known = new Set(before.hosts);
  return now.hosts.filter((host) => !known.has(host));
}

/** An element that a list names twice, or two selectors with the same keys, count once. */
function join(memberships: Subset[], subset: Subset): void {
  if (!memberships.includes(subset)) memberships.push(subset);
}

function addAll<T>(set: Set<T>, values: readonly T[]): void {
  for (const value of values) set.add(value);
}
