import { defaultOf } from '../config/defaults.js';
import { own } from '../core/own.js';
import { loadBalancerConfig } from '../config/lb.js';
import type { Cluster } from '../config/types.js';
import type { Struct } from '../core/json.js';
import { quirksOf } from '../core/quirks.js';
import type { Micros } from '../core/units.js';
import type { LoadBalancerConfig, SubsetConfig } from '../hostset/lb-config.js';
import { reasonsFor } from '../hostset/reasons.js';
import type { ProxySpec, Scenario } from '../scenario/model.js';
import type { Balancer, PickContext } from './balancer.js';
import { isHashPolicy, updateBalancer } from './balancer.js';
import { DeliveryPlan } from './delivery.js';
import type { Discovery, LevelChange } from './discovery.js';
import { findingOf } from './finding.js';
import type { LevelSnapshot } from './level-snapshot.js';
import { emptyLevel } from './level-snapshot.js';
import type { LevelView } from './level.js';
import { viewLevel } from './level.js';
import { availablePercent } from './loads.js';
import { SubsetLedger } from './subset-ledger.js';
import { subsetReasons } from './subset-reasons.js';
import type { Question } from './question.js';
import { levelsOf, SubsetRules } from './subsets.js';
import { nameOf } from './question.js';
import { TableMaker } from './tables.js';
import type { ZoneLimits, ZoneRule } from './zones.js';
import { zoneRule } from './zones.js';

const DEFAULT_MERGE_WINDOW_US = defaultOf('Cluster.CommonLbConfig', 'update_merge_window');

/** Off, it takes discovery back through the merge window. */
const BATCH_UPDATES = 'envoy.reloadable_features.enable_batch_aware_update';

/** Runtime values of one proxy. */
export class RuntimeView {
  constructor(private values: Struct) {}

  set(values: Struct): void {
    this.values = { ...this.values, ...values };
  }

  number(key: string): number | undefined {
    const value = own(this.values, key);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
  }

  /** As an unsigned integer. */
  whole(key: string, otherwise: number): number {
    const value = this.number(key);
    return value === undefined || value < 0 ? otherwise : Math.floor(value);
  }

  off(key: string): boolean {
    const value = own(this.values, key);
    return value === false || value === 'false' || this.number(key) === 0;
  }
}

/** One link of the chain of those who are asked for a host. */
export interface Asked {
  readonly balancer: Balancer;
  /** undefined without subsets. */
  readonly name: string | undefined;
  /** The first host of the first level that has one answers, whatever its health. */
  readonly singleHost: boolean;
}

/** The subsets of a cluster: what is configured, who is asked, who is in them. */
interface SubsetView {
  readonly config: SubsetConfig;
  readonly rules: SubsetRules;
  readonly ledger: SubsetLedger;
}

/** One cluster as the balancers of one proxy see it; all workers of a proxy hear the same. */
export class ProxyClusterView {
  readonly config: LoadBalancerConfig;
  readonly plan: DeliveryPlan;
  readonly levels: LevelView[] = [];
  /** Zones are routed by, as far as this cluster and proxy are concerned. */
  readonly knowsZones: boolean;
  private balancer: Balancer;
  /** What the main thread has made, where it makes the tables of all workers; they take it over with every delivery. */
  private made: Balancer | undefined;
  private readonly sharesTables: boolean;
  private threshold = 0;
  private bias = 1;
  private zoneLimits: ZoneLimits = { minClusterSize: 0, forcedMinSize: 0 };
  private zones: ZoneRule | undefined;
  private readonly subsets: SubsetView | undefined;
  private readonly tables: TableMaker | undefined;
  private readonly subsetBalancers = new Map<string, Balancer>();
  /** As they were before the last update: what they were asked for may still hold. */
  private earlierSubsets: ReadonlyMap<string, Balancer> = new Map();

  constructor(
    cluster: Cluster,
    private readonly discovery: Discovery,
    private readonly spec: ProxySpec,
    private readonly runtime: RuntimeView,
    /** Lists of the local cluster's priority 0 as they were delivered last. */
    private readonly localLevel: () => LevelView | undefined,
  ) {
    this.config = loadBalancerConfig(cluster, spec.version);
    const window = cluster.commonLbConfig?.updateMergeWindow ?? DEFAULT_MERGE_WINDOW_US;
    this.plan = new DeliveryPlan(window);
    this.knowsZones =
      spec.localClusterName !== undefined && spec.localClusterName !== cluster.name && !isHashPolicy(this.config);
    const { subset } = this.config;
    this.subsets = subset && {
      config: subset,
      rules: new SubsetRules(subset, spec.version),
      ledger: new SubsetLedger(subset, spec.version),
    };
    this.tables = isHashPolicy(this.config) ? new TableMaker(this.config) : undefined;
    this.sharesTables = this.tables !== undefined && subset === undefined;
    this.balancer = updateBalancer(this.config, [], 0, undefined, undefined, this.tables);
  }

  /** @returns whether anything reached the balancers. */
  update(changes: readonly LevelChange[], nowUs: Micros): boolean {
    const atOnce = quirksOf(this.spec.version).batchesDiscovery && !this.runtime.off(BATCH_UPDATES);
    this.takeIn(changes);
    return this.deliver(this.plan.update(changes, nowUs, atOnce));
  }

  /** @returns whether anything reached the balancers. */
  fire(nowUs: Micros): boolean {
    return this.deliver(this.plan.fire(nowUs));
  }

  /** The first lists pass no window. */
  start(changes: readonly LevelChange[]): void {
    this.takeIn(changes);
    this.deliver(changes.map(({ priority }) => priority));
  }

  /** The local cluster has new lists. */
  localDelivered(): void {
    if (!this.knowsZones) return;
    this.readZones();
    this.balancer = { ...this.balancer, zones: this.zones };
    this.forgetSubsets();
  }

  /** What is read anew at each pick. */
  context(underLoad: string | undefined): PickContext {
    const { config, runtime, spec } = this;
    const enabled = runtime.whole('upstream.zone_routing.enabled', wholePercent(config.zoneAware.routingEnabled));
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

  /** Picks depend on how healthy hosts are now, not only on how they were at the last delivery. */
  get readsHealthLive(): boolean {
    return this.subsets?.ledger.readsHealthLive === true;
  }

  /** Who is asked in turn by a request with this metadata. */
  chain(metadata: Struct | undefined): Asked[] {
    const { subsets } = this;
    if (subsets === undefined) return [{ balancer: this.balancer, name: undefined, singleHost: false }];
    return questionsTo(subsets, metadata).map((question) => ({
      balancer: this.subsetBalancer(question, subsets),
      name: nameOf(question),
      singleHost: subsets.ledger.isSingleHost(question),
    }));
  }

  /** Why requests go where they go. */
  reasons(scenario: Scenario): string[] {
    const { config, subsets } = this;
    const inside = (balancer: Balancer): string[] => reasonsFor(findingOf(balancer, this.context(undefined)), config);
    if (subsets === undefined) return inside(this.balancer);
    return subsetReasons(scenario, config.clusterName, subsets.config, {
      questions: (metadata) => questionsTo(subsets, metadata),
      hostsOf: (question) =>
        this.levels.reduce((sum, { columns }) => sum + subsets.ledger.in(question, columns).length, 0),
      reasonsOf: (question) =>
        subsets.ledger.isSingleHost(question) ? [] : inside(this.subsetBalancer(question, subsets)),
    });
  }

  /** Tables are made on the main thread, as soon as discovery has changed a priority, and for all workers. */
  private takeIn(changes: readonly LevelChange[]): void {
    if (!this.sharesTables || changes.length === 0) return;
    const levels = this.made === undefined ? [] : [...this.made.levels];
    this.view(
      levels,
      changes.map(({ priority }) => priority),
    );
    this.made = updateBalancer(this.config, levels, this.panicThreshold(), undefined, this.made, this.tables);
  }

  private deliver(priorities: readonly number[]): boolean {
    if (priorities.length === 0) return false;
    if (this.made !== undefined) {
      this.levels.splice(0, this.levels.length, ...this.made.levels);
      this.balancer = this.made;
      return true;
    }
    const { runtime, config } = this;
    this.view(this.levels, priorities);
    for (const priority of priorities) {
      const level = this.levels[priority];
      if (level !== undefined) this.subsets?.ledger.deliver(level.columns);
    }
    this.threshold = this.panicThreshold();
    const { defaultValue, runtimeKey } = config.leastRequest.activeRequestBias;
    const bias = runtime.number(runtimeKey) ?? defaultValue;
    this.bias = bias >= 0 ? bias : 1;
    if (this.knowsZones && priorities.includes(0)) this.readZones();
    // Subsets share the configuration but not the lists: each is a set of priorities of its own.
    if (config.subset === undefined) {
      this.balancer = updateBalancer(config, [...this.levels], this.threshold, this.zones, this.balancer, this.tables);
    }
    this.forgetSubsets();
    return true;
  }

  /** Puts these priorities as discovery has them now into `levels`. */
  private view(levels: LevelView[], priorities: readonly number[]): void {
    for (const priority of priorities) {
      while (levels.length < priority) levels.push(this.viewOf(emptyLevel(levels.length)));
      levels[priority] = this.viewOf(this.discovery.levels[priority] ?? emptyLevel(priority));
    }
  }

  private viewOf(snapshot: LevelSnapshot): LevelView {
    const { spec, discovery } = this;
    return viewLevel(snapshot, spec.version, spec.node?.locality, discovery);
  }

  private forgetSubsets(): void {
    if (this.subsetBalancers.size > 0) this.earlierSubsets = new Map(this.subsetBalancers);
    this.subsetBalancers.clear();
  }

  private readZones(): void {
    const { runtime } = this;
    const { minClusterSize, forceLocalZone } = this.config.zoneAware;
    this.zoneLimits = {
      minClusterSize: runtime.whole('upstream.zone_routing.min_cluster_size', minClusterSize),
      forcedMinSize: runtime.whole('upstream.zone_routing.force_local_zone.min_size', forceLocalZone?.minSize ?? 0),
    };
    this.zones = this.zonesOf(this.levels[0]);
  }

  private zonesOf(upstream: LevelView | undefined): ZoneRule | undefined {
    const { zoneAware, version } = this.config;
    return zoneRule(upstream, this.localLevel(), zoneAware, this.zoneLimits, version);
  }

  private subsetBalancer(question: Question, { config: subset, ledger }: SubsetView): Balancer {
    const name = nameOf(question);
    let balancer = this.subsetBalancers.get(name);
    if (balancer === undefined) {
      const levels = levelsOf(question, this.levels, subset, ledger);
      const zones = this.knowsZones ? this.zonesOf(levels[0]) : undefined;
      balancer = updateBalancer(this.config, levels, this.threshold, zones, this.earlierSubsets.get(name), this.tables);
      this.subsetBalancers.set(name, balancer);
    }
    return balancer;
  }

  private panicThreshold(): number {
    const configured = wholePercent(this.config.healthyPanicThreshold);
    return Math.min(100, this.runtime.whole('upstream.healthy_panic_threshold', configured));
  }
}

function questionsTo({ rules, ledger }: SubsetView, metadata: Struct | undefined): Question[] {
  return rules.questions(metadata, ({ subset }) => ledger.answers(subset));
}

/** Percentages lose their fraction, by way of a double: 29 becomes 28. */
function wholePercent(value: number): number {
  return Math.floor(100 * (value / 100));
}
