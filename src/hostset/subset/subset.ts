import { quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import type { BalancerDescription, ListTurns, SubsetDescription } from '../generated/descriptions.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../host-set.js';
import type { LoadBalancerConfig, SubsetConfig } from '../lb-config.js';
import * as balancers from '../load-balancer.js';
import type { LbStats } from '../lb-stats.js';
import { panicThreshold } from '../priority-load.js';
import { BalancedSubset } from './subset-balanced.js';
import { SubsetStats } from './subset-stats.js';
import { SubsetDelivery } from './subset-delivery.js';
import { Membership } from './subset-membership.js';
import { readSelectors, type Selectors, type Fallback, fallbackName, type Plan, Planner } from './subset-plan.js';

/**
 * Subset load balancing (`lb_subset_config`): hosts are grouped by their metadata, a request chooses a group by its own,
 * and a fallback applies where there is no such group. Each group is balanced by itself.
 * Example: selectors [stage] and [stage, version], fallback ANY_ENDPOINT; hosts
 *   10.0.0.1:80  {stage: prod, version: 1}
 *   10.0.0.2:80  {stage: prod, version: 2}
 *   10.0.0.3:80  {stage: dev, version: 2}
 * make these subsets, with so many hosts:
 *   any 3
 *   {stage: prod} 2
 *   {stage: prod, version: 1} 1
 *   {stage: prod, version: 2} 1
 *   {stage: dev} 1
 *   {stage: dev, version: 2} 1
 * A request that asks for
 *   {stage: prod}              is answered by {stage: prod}
 *   {version: 2, stage: prod}  is answered by {stage: prod, version: 2}
 *   {version: 2}               is answered by any: no subset has just these keys and values
 *   {stage: test}              is answered by any: no subset has just these keys and values
 * An update delivers whole lists, but only subsets that contain a changed host get new lists. Those of the others would be
 * equal. Two things the proxy restarts at every update: weighted schedules, which are refreshed here too, and the counts of
 * zone recalculation, which are added.
 * Draws: those of the balancers inside. Source: the proxy's subset load balancer and its documentation.
 */
export class SubsetLoadBalancer implements balancers.LoadBalancer {
  private readonly innerEnvironment: balancers.LbEnvironment;
  private readonly subsetStats = new SubsetStats(this.environment.stats);
  private readonly choice: SubsetChoice;
  private readonly members: Membership;
  private readonly delivery: SubsetDelivery;
  private readonly singleByValue: boolean;
  /** A new subset is filled from all priorities at once; later, from each when it is updated. */
  private readonly fillsAtOnce: boolean = quirksOf(this.config.version).subsetsMatchHosts;
  /** The any-endpoint subset, once for each use that has its own. */
  private readonly anyEndpoint: BalancedSubset[] = [];
  private readonly defaults: BalancedSubset[] = [];
  /** By priority: surplus hosts of `single_host_per_subset` subsets of this level. */
  private readonly singleHostDuplicates: number[] = [];
  /** Runtime values that balancers read at updates only, as of the last one. */
  private latchedRuntime = '';

  /** @param config of the policy that chooses the host in a subset. */
  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly subsetConfig: SubsetConfig,
    private readonly environment: balancers.LbEnvironment,
    private readonly createInner: (environment: balancers.LbEnvironment) => balancers.LoadBalancer,
  ) {
    const selectors = readSelectors(subsetConfig, config.version);
    this.singleByValue = selectors.singleKey !== undefined;
    const { initial = [], localCluster: _, ...innerEnvironment } = environment;
    this.innerEnvironment = quirksOf(config.version).newSubsetsMeetLocalCluster
      ? innerEnvironment
      : { ...innerEnvironment, localCluster: () => this.delivery.localCluster };
    const fallbacks = this.createFallbacks(selectors);
    const members = new Membership(
      subsetConfig,
      selectors,
      config.version,
      this.defaults,
      initial[0]?.overprovisioningFactor ?? DEFAULT_OVERPROVISIONING_FACTOR,
    );
    this.members = members;
    this.delivery = new SubsetDelivery(config, subsetConfig, environment, this.subsetStats, members);
    this.choice = new SubsetChoice(subsetConfig, selectors, environment.stats, fallbacks, (key) => members.find(key));
    // The proxy makes these before the first host arrives, and announces their empty level.
    if (environment.hasLocalCluster)
      for (const subset of [...this.anyEndpoint, ...this.defaults]) this.delivery.announceEmpty(subset, 0);
    this.latchRuntime();
    for (const hostSet of initial) this.update(hostSet, hostSet.hosts, []);
  }

  choose(request: balancers.PickRequest, decision: balancers.Decision): void {
    this.choice.choose(request, decision);
  }

  weightsChanged(): void {
    for (const subset of [...this.anyEndpoint, ...this.listed()]) this.delivery.weigh(subset);
  }

  update(hostSet: HostSet, added: readonly Host[], removed: readonly Host[]): void {
    const { priority } = hostSet;
    const change = this.members.update(hostSet, added.length > 0 || removed.length > 0);
    const { hosts: view, before, touched } = change;
    const { localityWeightAware, scaleLocalityWeight } = this.subsetConfig;
    const refreshAll =
      this.latchRuntime() ||
      before === undefined ||
      !view.sharesWith(before, localityWeightAware, localityWeightAware && scaleLocalityWeight);

    for (const subset of change.created) this.start(subset);
    if (!this.singleByValue) this.subsetStats.created(change.created.length + change.revived.length);
    if (priority === 0) {
      this.subsetStats.beginZones();
      for (const subset of this.delivery.takeWithoutLevel0()) touched.add(subset);
    }

    for (const subset of this.anyEndpoint) this.delivery.deliverAll(subset, view, added, removed);
    const created = this.fillsAtOnce ? new Set(change.created) : undefined;
    for (const subset of refreshAll || change.regrouped ? this.listed() : touched) {
      if (created?.has(subset) === true) this.delivery.fill(subset);
      else if (refreshAll || touched.has(subset)) this.delivery.deliver(subset, view);
    }
    for (const subset of this.delivery.restarting[priority] ?? []) {
      const isDelivered = refreshAll || touched.has(subset) || this.anyEndpoint.includes(subset);
      if (!isDelivered) this.delivery.refresh(subset, priority);
    }
    for (const subset of change.gone) this.retire(subset);
    if (change.regrouped) this.singleHostDuplicates[priority] = this.members.surplusAt(priority);
    this.subsetStats.singleHostDuplicates = this.duplicatesAfter(priority);
    if (priority === 0) this.subsetStats.endZones([...this.anyEndpoint, ...this.defaults, ...this.members.all()]);
  }

  updateLocalCluster(hostSet: HostSet): void {
    const { delivery } = this;
    delivery.updatedLocalCluster = hostSet;
    for (const subset of this.defaults) delivery.deliverLocalCluster(subset, hostSet);
    for (const subset of this.members.all()) {
      delivery.deliverLocalCluster(subset, hostSet);
      if (!subset.active) this.subsetStats.leaveZones(subset);
    }
    for (const subset of this.anyEndpoint) delivery.deliverLocalCluster(subset, hostSet);
  }

  /** The cluster is replaced or removed: its subsets no longer count as active. */
  destroy(): void {
    if (this.singleByValue) return;
    for (const subset of this.members.all()) {
      if (!subset.active) continue;
      subset.state = 'empty';
      this.subsetStats.removed();
    }
  }

  /** All subsets that have hosts, or had them until now, except the any-endpoint ones. */
  private *listed(): Iterable<BalancedSubset> {
    yield* this.defaults;
    for (const subset of this.members.all()) if (subset.active) yield subset;
  }

  private retire(subset: BalancedSubset): void {
    this.members.drop(subset);
    if (!this.singleByValue) this.subsetStats.removed();
    this.subsetStats.leaveZones(subset);
    this.delivery.forget(subset);
  }

  private duplicatesAfter(priority: number): number {
    if (!this.singleByValue) return this.singleHostDuplicates[priority] ?? 0;
    let duplicates = 0;
    // A subset without hosts no longer exists.
    for (const subset of this.members.all()) duplicates += subset.size - 1;
    return duplicates;
  }

  private createFallbacks({ fallbacks }: Selectors): FallbackSubsets {
    const { fallbackPolicy, panicModeAny } = this.subsetConfig;
    const { anyEndpointPerUse, defaultSubsetPerUse } = quirksOf(this.config.version);
    const asked = new Set<string>([...fallbacks.values()].map(({ policy }) => policy));
    const anyEndpoint = (isAsked: boolean) => this.fallback('any', this.anyEndpoint, anyEndpointPerUse, isAsked);
    const defaults = (isAsked: boolean) => this.fallback('default', this.defaults, defaultSubsetPerUse, isAsked);
    const clusterAny = anyEndpoint(fallbackPolicy === 'ANY_ENDPOINT');
    const [panic, selectorAny] = [anyEndpoint(panicModeAny), anyEndpoint(asked.has('ANY_ENDPOINT'))];
    const clusterDefault = defaults(fallbackPolicy === 'DEFAULT_SUBSET');
    const selectorDefault = defaults(asked.has('DEFAULT_SUBSET'));
    return { cluster: clusterAny ?? clusterDefault, panic, selectorAny, selectorDefault };
  }

  /** @param made those of this name; a fallback may have one of its own. */
  private fallback(name: string, made: BalancedSubset[], perUse: boolean, isAsked: boolean) {
    if (!isAsked) return undefined;
    if (!perUse && made[0] !== undefined) return made[0];
    const subset = new BalancedSubset(name, undefined, false);
    this.start(subset);
    made.push(subset);
    return subset;
  }

  private start(subset: BalancedSubset): void {
    if (!subset.singleHost) subset.inner = this.createInner(this.innerEnvironment);
  }

  /** @returns whether a runtime value that balancers read at updates only has changed since the last update. */
  private latchRuntime(): boolean {
    const { runtime } = this.environment;
    const threshold = runtime.number('upstream.healthy_panic_threshold');
    const now = `${threshold ?? ''}/${runtime.number('upstream.zone_routing.min_cluster_size') ?? ''}`;
    const changed = now !== this.latchedRuntime;
    this.latchedRuntime = now;
    return changed;
  }

  /** The any-endpoint subset's description where there is one, and all subsets: of thousands most readers want few, or none. */
  describe(): BalancerDescription {
    const whole = this.anyEndpoint[0]?.inner?.describe();
    const describeSubsets = (): readonly SubsetDescription[] =>
      this.shown().map((subset) => ({
        subset: subset.name,
        hosts: subset.hostCount,
        healthy: subset.levels.reduce((sum, level) => sum + (level?.healthy.length ?? 0), 0),
        singleHost: subset.singleHost,
        passedOver: this.singleByValue && subset.singleHost && subset.firstIsUnhealthy,
        get balancer() {
          return subset.inner?.describe();
        },
      }));
    return {
      panicThreshold: panicThreshold(this.environment.runtime, this.config.healthyPanicThreshold),
      normalizedTotal: whole?.normalizedTotal ?? 0,
      priorities: whole?.priorities ?? [],
      zone: whole?.zone,
      get subsets() {
        return describeSubsets();
      },
    };
  }

  turns(): readonly ListTurns[] {
    return this.shown().flatMap(({ name, inner }) =>
      (inner?.turns?.() ?? []).map((list) => ({ ...list, subset: name })),
    );
  }

  /** Subsets of one name have the same hosts. */
  private shown(): readonly BalancedSubset[] {
    const special = [...this.anyEndpoint.slice(0, 1), ...this.defaults.slice(0, 1)];
    return [...special, ...[...this.members.all()].filter((subset) => subset.active)];
  }
}

/** The subsets that fallbacks use, by kind of fallback; some releases have one for all. undefined: no fallback uses it. */
export interface FallbackSubsets {
  /** Of the cluster's own policy; undefined: it is NO_FALLBACK, and `panic` is not tried either. */
  readonly cluster: BalancedSubset | undefined;
  /** `panic_mode_any`. */
  readonly panic: BalancedSubset | undefined;
  readonly selectorAny: BalancedSubset | undefined;
  readonly selectorDefault: BalancedSubset | undefined;
}

export class SubsetChoice {
  private readonly planner: Planner;
  /** An unhealthy host is skipped, and the cluster's fallback applies. */
  private readonly singleByValue: boolean;

  /** @param find the subset of these keys and values, if it is active. */
  constructor(
    config: SubsetConfig,
    selectors: Selectors,
    private readonly stats: LbStats,
    private readonly fallbacks: FallbackSubsets,
    private readonly find: (key: string) => BalancedSubset | undefined,
  ) {
    this.planner = new Planner(config, selectors);
    this.singleByValue = selectors.singleKey !== undefined;
  }

  choose(request: balancers.PickRequest, decision: balancers.Decision): void {
    const plans = this.planner.plansFor(request.metadataMatch);
    for (let i = 0; i < plans.length; i++) {
      this.follow(plans[i] as Plan, request, decision);
      if (decision.host !== undefined) return;
    }
  }

  private follow(plan: Plan, request: balancers.PickRequest, decision: balancers.Decision): void {
    for (let i = 0; i < plan.steps.length; i++) {
      const step = plan.steps[i] as Plan['steps'][number];
      const subset = this.find(step.subset);
      const passedOver = subset !== undefined && this.singleByValue && subset.firstIsUnhealthy;
      if (request.trace !== undefined) {
        const hosts = subset?.hostCount ?? null;
        request.trace({ kind: 'subset', inputs: { subset: step.name, hosts, passed_over: passedOver } });
      }
      if (subset === undefined || passedOver) continue;
      this.stats.lbSubsetsSelected++;
      this.ask(subset, step.fallback, request, decision);
      return;
    }
    const { cluster, panic, selectorAny, selectorDefault } = this.fallbacks;
    if (plan.last !== 'cluster') {
      const last = plan.last === 'any' ? selectorAny : plan.last === 'default' ? selectorDefault : undefined;
      this.ask(last, plan.fallback, request, decision);
      return;
    }
    if (this.ask(cluster, plan.fallback, request, decision)) {
      this.stats.lbSubsetsFallback++;
      return;
    }
    if (cluster === undefined || panic === undefined) return;
    if (this.ask(panic, plan.panicFallback, request, decision)) this.stats.lbSubsetsFallbackPanic++;
  }

  /** @returns whether it had a host. */
  private ask(
    subset: BalancedSubset | undefined,
    fallback: Fallback | undefined,
    request: balancers.PickRequest,
    decision: balancers.Decision,
  ): boolean {
    const { trace } = request;
    if (trace !== undefined && fallback !== undefined && subset?.key === undefined) {
      const answers = { subset: subset?.name ?? null, hosts: subset?.hostCount ?? 0 };
      trace({ kind: 'fallback', inputs: { fallback: fallbackName(fallback), ...answers } });
    }
    if (subset === undefined) balancers.resetDecision(decision);
    else subset.choose(request, decision);
    decision.subset = subset?.name;
    decision.subsetFallback = fallback;
    return decision.host !== undefined;
  }
}
