import { entryOf, addTo, smallest, type Struct } from '../core/values.js';
import { type Runtime, runtimeDouble } from '../core/environment.js';
import type { RuntimeValues } from '../core/runtime-values.js';
import type { Micros } from '../core/units.js';
import type { ProxyVersion } from '../core/version.js';
import { ClusterManagerStats } from '../core/generated/counts.js';
import type { Host } from '../host/host.js';
import type { HostSet } from '../hostset/host-set.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import type { SplitFact } from '../hostset/generated/split-facts.js';
import { splitFacts } from '../hostset/split-facts.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import { metadataCriteria, type ProxySpec } from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import { clusterInfo, type ClusterInfo } from '../upstream/cluster-info.js';
import { UpstreamCluster, type UpstreamClusterEvents } from '../upstream/cluster.js';
import { type Balancer, isHashPolicy, type PickContext, updateBalancer } from './balancer.js';
import { type DeliveredLevel, deliveredLevel } from './delivered-level.js';
import { candidateName, type SubsetCandidate } from '../hostset/subset/subset-plan.js';
import { DeliveredSubsets } from './delivered-subsets.js';
import { subsetFacts } from '../hostset/subset/subset-facts.js';
import { zoneRule, type ZoneRule } from './zone-rule.js';
import { zoneRoutingPercent } from '../hostset/zone-aware.js';
import { availablePercent, normalizedTotal, panicThreshold, wholePercent } from '../hostset/priority-load.js';
import { describePriority } from '../hostset/describe.js';
import type { BalancerDescription } from '../hostset/generated/descriptions.js';
import { effectiveLocalityWeights, healthyHosts } from '../hostset/locality-weights.js';
import { emptyTable } from '../hostset/normalized-weights.js';
import type { Obstacle } from './obstacle.js';

export class TimerQueue {
  nowUs: Micros = 0;
  private readonly due = new Map<Micros, (() => void)[]>();

  /** Infinity: nothing is due any more. */
  get nextUs(): Micros {
    return smallest(this.due.keys());
  }

  at(timeUs: Micros, callback: () => void): void {
    addTo(this.due, timeUs, callback);
  }

  /** Runs the callbacks that are due now, in order of insertion. @returns false where there were none. */
  run(): boolean {
    const callbacks = this.due.get(this.nowUs);
    this.due.delete(this.nowUs);
    for (const callback of callbacks ?? []) callback();
    return callbacks !== undefined;
  }
}

/** A balancer of the chain that a request goes through until one has a host. */
export type ChainLink = ReturnType<ProxyClusterView['chain']>[number];

export interface ViewedCluster {
  readonly settings: ClusterSettings;
  /** A host was made, or moved to another priority: it needs a row. */
  hostAtPriority(host: Host, priority: number): void;
  membersVersion: number;
}

/** One cluster as the balancers of one proxy see it, alike on all workers; its lists are made by the code of a run. */
export class ProxyClusterView implements UpstreamClusterEvents {
  readonly config: LoadBalancerConfig;
  readonly upstream: UpstreamCluster;
  readonly levels: DeliveredLevel[] = [];
  readonly knowsZones: boolean;
  private balancer: Balancer;
  /** The state of the main thread where it builds the tables of all workers; they copy it with every delivery. */
  private made: Balancer | undefined;
  /** Priorities whose lists the main thread rebuilt, and those that were delivered, since {@link settle}. */
  private readonly listed = new Set<number>();
  private readonly reached = new Set<number>();
  private readonly takeOvers: (() => void)[] = [];
  private threshold = 0;
  private bias = 1;
  /** As of the last delivery that recomputes zones. */
  private zoneRuntime: Runtime = this.runtime.snapshot();
  private zones: ZoneRule | undefined;
  private readonly subsets: DeliveredSubsets | undefined;
  private readonly subsetBalancers = new Map<string, Balancer>();
  /** As they were before the last update: what was computed for them may still hold. */
  private earlierSubsets: ReadonlyMap<string, Balancer> = new Map();

  constructor(
    private readonly viewed: ViewedCluster,
    private readonly timers: TimerQueue,
    private readonly spec: ProxySpec,
    readonly runtime: RuntimeValues,
    /** Lists of the local cluster's priority 0 as of the last delivery. */
    private readonly localLevel: () => DeliveredLevel | undefined,
  ) {
    const info = clusterInfo(viewed.settings, spec);
    const { lb, hasLocalCluster } = info;
    this.config = lb;
    this.knowsZones = hasLocalCluster && !isHashPolicy(lb);
    this.subsets = info.subset && new DeliveredSubsets(info.subset, spec.version);
    this.upstream = this.ownUpstream(info);
    this.balancer = updateBalancer(lb, [], 0, undefined, undefined);
  }

  private ownUpstream({ hosts }: ClusterInfo): UpstreamCluster {
    const { config, runtime } = this;
    const mainThread = { update: ({ priority }: HostSet) => void this.listed.add(priority), adopt: () => undefined };
    return new UpstreamCluster(
      {
        ...hosts,
        // Checks that decide anything are not predicted.
        healthChecked: false,
        runtime,
        managerStats: new ClusterManagerStats(),
        balancers: isHashPolicy(config) && this.subsets === undefined ? [mainThread] : [],
      },
      this,
    );
  }

  arm(priority: number, dueUs: Micros): void {
    this.timers.at(dueUs, () => this.upstream.delivery.mergeDue(priority, this.timers.nowUs));
  }

  later(callback: () => void): void {
    this.takeOvers.push(callback);
  }

  hostAtPriority(host: Host, priority: number): void {
    this.viewed.hostAtPriority(host, priority);
  }

  members(): void {
    this.viewed.membersVersion++;
  }

  delivered(_merged: boolean, priorities: readonly number[]): void {
    for (const priority of priorities) this.reached.add(priority);
  }

  /** Applies the deliveries of this instant to the balancers, as one update. @returns whether anything reached them. */
  settle(): boolean {
    this.makeTables();
    for (const takeOver of this.takeOvers.splice(0)) takeOver();
    const priorities = [...this.reached];
    this.reached.clear();
    return this.deliver(priorities);
  }

  /** The next delivery is the first: nothing that was there before has a part in it. */
  forget(): void {
    this.balancer = updateBalancer(this.config, [], 0, undefined, undefined);
    this.made = undefined;
    this.subsetBalancers.clear();
    this.earlierSubsets = new Map();
  }

  localDelivered(): void {
    if (!this.knowsZones) return;
    this.readZones();
    this.balancer = { ...this.balancer, zones: this.zones };
    for (const [name, known] of this.subsetBalancers)
      this.subsetBalancers.set(name, { ...known, zones: this.zonesOf(known.levels[0]) });
  }

  get version(): ProxyVersion {
    return this.spec.version;
  }

  context(underLoad: Obstacle | undefined): PickContext {
    const { config, runtime, spec } = this;
    const enabled = zoneRoutingPercent(runtime, wholePercent(config.zoneAware.routingEnabled));
    const local = this.localLevel();
    return {
      config,
      bias: this.bias,
      underLoad,
      zonesEnabled: Math.min(100, enabled),
      localPanic: (local === undefined ? 0 : availablePercent(local)) < this.panicThreshold(),
      threads: spec.count * spec.workers,
    };
  }

  get readsHealthLive(): boolean {
    return this.subsets?.readsHealthLive === true;
  }

  /** The name is undefined without subsets. Of a single host: the first of the first level that has one answers, whatever its health. */
  chain(metadata: Struct | undefined) {
    const { subsets } = this;
    if (subsets === undefined) return [{ balancer: this.balancer, name: undefined, singleHost: false }];
    return subsets.candidates(metadata).map((candidate) => ({
      balancer: this.subsetBalancer(candidate, subsets),
      name: candidateName(candidate),
      singleHost: subsets.isSingleHost(candidate),
    }));
  }

  facts(scenario: Scenario): SplitFact[] {
    const { config, subsets } = this;
    const inside = (balancer: Balancer): SplitFact[] =>
      splitFacts(findingOf(balancer, this.context(undefined)), config);
    if (subsets === undefined) return inside(this.balancer);
    return subsetFacts(metadataCriteria(scenario, config.clusterName), subsets.config, {
      candidates: (metadata) => subsets.candidates(metadata),
      hostsOf: (candidate) => subsets.sizeOf(candidate, this.levels),
      factsOf: (candidate) => (subsets.isSingleHost(candidate) ? [] : inside(this.subsetBalancer(candidate, subsets))),
    });
  }

  /** Tables are built on the main thread, as soon as a priority changes, for all workers. */
  private makeTables(): void {
    if (this.listed.size === 0) return;
    const levels = this.made === undefined ? [] : [...this.made.levels];
    this.view(levels, [...this.listed], this.upstream.priorities.hostSets);
    this.listed.clear();
    this.made = updateBalancer(this.config, levels, this.panicThreshold(), undefined, this.made);
  }

  private deliver(priorities: readonly number[]): boolean {
    if (priorities.length === 0) return false;
    if (this.made !== undefined) {
      this.levels.splice(0, this.levels.length, ...this.made.levels);
      this.balancer = this.made;
      return true;
    }
    const { runtime, config } = this;
    this.view(this.levels, priorities, this.upstream.delivery.deliveredSets);
    for (const priority of priorities) {
      const level = this.levels[priority];
      if (level !== undefined) this.subsets?.deliver(level);
    }
    this.threshold = this.panicThreshold();
    const bias = runtimeDouble(runtime, config.leastRequest.activeRequestBias);
    this.bias = bias >= 0 ? bias : 1;
    if (this.knowsZones && priorities.includes(0)) this.readZones();
    // Subsets share the configuration but not the lists: each has its own priorities.
    if (this.subsets === undefined)
      this.balancer = updateBalancer(config, [...this.levels], this.threshold, this.zones, this.balancer);
    if (this.subsetBalancers.size > 0) this.earlierSubsets = new Map(this.subsetBalancers);
    this.subsetBalancers.clear();
    return true;
  }

  private view(levels: DeliveredLevel[], priorities: readonly number[], sets: readonly (HostSet | undefined)[]): void {
    for (const priority of priorities) {
      while (levels.length < priority) levels.push(deliveredLevel(undefined, levels.length, undefined));
      levels[priority] = deliveredLevel(sets[priority], priority, levels[priority]);
    }
  }

  private readZones(): void {
    this.zoneRuntime = this.runtime.snapshot();
    this.zones = this.zonesOf(this.levels[0]);
  }

  private zonesOf(upstream: HostSet | undefined): ZoneRule {
    const { zoneAware, version } = this.config;
    return zoneRule(upstream, this.localLevel(), zoneAware, this.zoneRuntime, version);
  }

  private subsetBalancer(candidate: SubsetCandidate, subsets: DeliveredSubsets): Balancer {
    const name = candidateName(candidate);
    return entryOf(this.subsetBalancers, name, () => {
      const levels = subsets.levelsOf(candidate, this.levels);
      const zones = this.knowsZones ? this.zonesOf(levels[0]) : undefined;
      return updateBalancer(this.config, levels, this.threshold, zones, this.earlierSubsets.get(name));
    });
  }

  private panicThreshold(): number {
    return panicThreshold(this.runtime, this.config.healthyPanicThreshold);
  }
}

/** The state of a balancer, for the sentences that explain its split. */
export function findingOf(
  { config, levels, state, threshold, zones }: Balancer,
  { zonesEnabled, localPanic }: Pick<PickContext, 'zonesEnabled' | 'localPanic'>,
): BalancerDescription {
  const { localityWeighted } = config;
  const hashes = isHashPolicy(config);
  return {
    panicThreshold: threshold,
    normalizedTotal: normalizedTotal(state),
    priorities: levels.map((level) =>
      describePriority(level, state, {
        localitySchedule:
          localityWeighted && !hashes
            ? { healthy: effectiveLocalityWeights(level, healthyHosts), degraded: undefined }
            : undefined,
        tableWeights: localityWeighted && hashes && level.localities.length > 1 ? level.localityWeights : undefined,
        emptyTable: localityWeighted && hashes ? emptyTable(level, state.panic[level.priority] === true) : undefined,
      }),
    ),
    zone: zones?.finding,
    zonePicks: zones && { enabledPercent: zonesEnabled, localClusterInPanic: localPanic },
  };
}
