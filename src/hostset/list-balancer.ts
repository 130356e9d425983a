import type { U64 } from '../core/u64.js';
import type { Host } from '../host/host.js';
import type { AnswerListener } from '../policy/answers.js';
import type { Writable } from '../core/values.js';
import type { HostList, ListPickInput, ListPolicy, SourceId } from '../policy/policy-kinds.js';
import type { ListPolicyConfig } from '../policy/registry.js';
import { drawPercent } from '../random/draws.js';
import type { Random64 } from '../random/random64.js';
import type { BalancerDescription, ListTurns } from './generated/descriptions.js';
import type { HostSet, LocalityGroup } from './host-set.js';
import type { LoadBalancerConfig } from './lb-config.js';
import type { LbEnvironment, LoadBalancer, PickRequest } from './load-balancer.js';
import { Decision, resetDecision } from './load-balancer.js';
import { listenerOf } from './listener.js';
import { Levels } from './levels.js';
import { type BalancerTrace, listStep, localityStep, zoneStep } from './decision-steps.js';
import { LoadAwareLocalities } from './load-aware-localities.js';
import { type LocalityChooser, UNWEIGHTED_LOCALITIES, WeightedLocalities } from './locality-weights.js';
import { isBelowPanicThreshold, panicThreshold, wholePercent } from './priority-load.js';
import * as zones from './zone-aware.js';

/** The lists of one level, each with the number by which the policy knows it. A number is never reused. */
interface LevelSources {
  readonly all: SourceId;
  readonly healthy: SourceId;
  readonly degraded: SourceId;
  /** Parallel to the level's localities, or longer. */
  readonly healthyIn: SourceId[];
  readonly degradedIn: SourceId[];
  /** Only where localities are chosen in panic too. */
  readonly allIn: SourceId[];
}

/** Which hosts of the level a pick chooses from; the index of a locality is 0 or more. */
const WHOLE_LEVEL = -1;
const NO_HOST = -2;

/**
 * Balancer of the policies that pick inside one list: ROUND_ROBIN, LEAST_REQUEST, RANDOM.
 * Steps of a pick: priority (one draw) · panic · weighted locality, or zone (0 to 3 draws) · host inside the list (as the
 * policy draws). If the caller rejects the host, the whole pick is repeated, draws included.
 */
export class ListBalancer<State> implements LoadBalancer {
  readonly state: State;
  private readonly levels = new Levels(this.config, this.env.runtime, this.env.initial ?? []);
  private readonly sources: LevelSources[] = [];
  private nextSource: SourceId = 0;
  private readonly routingEnabledPercent: number = wholePercent(this.config.zoneAware.routingEnabled);
  private zone: zones.ZoneRouting = zones.NOT_COMPUTED;
  private local: HostSet | undefined;
  /** The list that every pick comes from, whatever it draws; undefined: priorities, panic, localities or zones decide. */
  private only: { readonly hosts: HostList; readonly source: SourceId } | undefined;
  /** undefined: the policy does not ask how attempts end. */
  private readonly listener: AnswerListener | undefined;
  /** Draws of hosts that were peeked at: their picks use them again. */
  private readonly stash: U64[] = [];
  private readonly input: Writable<ListPickInput> & { trace: BalancerTrace | undefined } = {
    random: this.env.random,
    priorityHi: 0,
    priorityLo: 0,
    request: undefined,
    trace: undefined,
    peeks: false,
  };

  /** Draws from `env.random`: locality seeds of the initial levels (modern), then what the policy draws to start. */
  constructor(
    private readonly config: LoadBalancerConfig,
    private readonly env: LbEnvironment,
    private readonly policy: ListPolicy<ListPolicyConfig, State>,
    private readonly localities: LocalityChooser = localityChooser(config, env),
  ) {
    for (const hostSet of this.levels.hostSets) localities.update(hostSet);
    const count = (statistic: string, by = 1): void => {
      env.stats.policy[statistic] = (env.stats.policy[statistic] ?? 0) + by;
    };
    const { runtime, clock } = env;
    this.state = policy.start({ ...config, settings: config.settings ?? {}, runtime, clock, count }, env.random);
    this.listener = listenerOf(policy, this.state);
    for (const hostSet of this.levels.hostSets) this.refresh(hostSet);
    this.only = this.onlyList();
  }

  update(hostSet: HostSet, added: readonly Host[]): void {
    const known = this.levels.hostSets.length;
    this.levels.update(hostSet);
    this.localities.update(hostSet);
    if (hostSet.priority === 0) this.updateZoneRouting();
    for (let priority = known; priority < hostSet.priority; priority++)
      this.refresh(this.levels.hostSets[priority] as HostSet);
    this.refresh(hostSet);
    this.only = this.onlyList();
    this.policy.hostsAdded?.(this.state, added);
  }

  updateLocalCluster(hostSet: HostSet): void {
    this.local = hostSet;
    this.updateZoneRouting();
    this.only = this.onlyList();
  }

  weightsChanged(): void {
    this.localities.refresh?.();
    for (const hostSet of this.levels.hostSets) this.refresh(hostSet);
  }

  choose(request: PickRequest, decision: Decision): void {
    resetDecision(decision);
    for (let attempt = 0; attempt <= request.hostSelectionRetryCount; attempt++) {
      const host = this.pickOnce(request, decision);
      decision.host = host;
      decision.listener = this.listener;
      if (host === undefined || request.rejects === undefined || !request.rejects(host)) return;
    }
  }

  peek(request: PickRequest): Host | undefined {
    const most = this.levels.hostSets.reduce((sum, { healthy }) => sum + healthy.length, 0);
    if (this.policy.peeks !== true || this.stash.length >= most) return undefined;
    this.input.peeks = true;
    const host = this.pickOnce({ ...request, trace: undefined, priorityLoad: undefined }, new Decision());
    this.input.peeks = false;
    return host;
  }

  describe(): BalancerDescription {
    const { env, levels, localities, zone } = this;
    const described = levels.describe(({ priority }) => ({ localitySchedule: localities.describe(priority) }));
    if (!env.hasLocalCluster) return { ...described, zone: undefined };
    const enabledPercent = zones.zoneRoutingPercent(env.runtime, this.routingEnabledPercent);
    return { ...described, zone, zonePicks: { enabledPercent, localClusterInPanic: this.isLocalClusterInPanic() } };
  }

  turns(): readonly ListTurns[] {
    return this.levels.hostSets.flatMap((hostSet) => this.turnsAt(hostSet));
  }

  private turnsAt(hostSet: HostSet): readonly ListTurns[] {
    const { policy, state, levels, zone } = this;
    const { priority, localities } = hostSet;
    const sources = this.sources[priority];
    if (sources === undefined) return [];
    const list = (
      health: ListTurns['health'],
      source: SourceId | undefined,
      hosts: HostList,
      group?: LocalityGroup,
    ) => {
      const turns = source === undefined || hosts.length === 0 ? undefined : policy.turns?.(state, source);
      return turns === undefined ? [] : [{ priority, health, locality: group?.locality, hosts, turns }];
    };
    if (levels.state.panic[priority] === true) return list('any', sources.all, hostSet.hosts);
    const weights = this.localities.describe(priority);
    const byZone = priority === 0 && zone.state !== 'none';
    return (['healthy', 'degraded'] as const).flatMap((health) =>
      byZone || weights?.[health] !== undefined
        ? localities.flatMap((group, at) => list(health, sources[`${health}In`][at], group[health], group))
        : list(health, sources[health], hostSet[health]),
    );
  }

  private pickOnce(request: PickRequest, decision: Decision): Host | undefined {
    const { random, trace } = request;
    const { input, levels } = this;
    input.random = random;
    input.request = request;
    input.trace = trace;
    if (this.policy.firstPriorityOnly === true) return this.pickFromFirst(decision, trace);
    this.drawPriority(random);
    if (this.only !== undefined && trace === undefined && request.priorityLoad === undefined) {
      decision.priority = 0;
      return this.pickFrom(this.only.hosts, this.only.source, decision);
    }
    const { priorityHi: hi, priorityLo: lo } = input;
    const load = request.priorityLoad === undefined ? levels.state.load : request.priorityLoad(levels.state);
    const { failTrafficOnPanic } = this.config;
    const hostSet = levels.choose(load, hi, lo, failTrafficOnPanic ? 'no_host' : 'all_hosts', decision, trace);
    const { priority, degraded } = decision;
    const sources = this.sources[priority];
    if (hostSet === undefined || sources === undefined) return undefined;

    if (decision.panic) {
      this.env.stats.lbHealthyPanic++;
      return failTrafficOnPanic ? undefined : this.pickFromAny(hostSet, sources, decision);
    }
    let locality = this.localities.choose(priority, degraded, random);
    if (trace !== undefined && locality >= 0) {
      const weights = this.localities.describe(priority);
      trace(localityStep(hostSet, degraded ? weights?.degraded : weights?.healthy, locality));
    }
    if (locality === WHOLE_LEVEL && priority === 0) {
      if (this.zone.state !== 'none') locality = this.localityByZone(random, hostSet, trace);
      else if (trace !== undefined && this.env.hasLocalCluster) trace(zoneStep(this.zone, locality, hostSet));
    }
    if (locality === NO_HOST) return undefined;
    const group = locality === WHOLE_LEVEL ? undefined : (hostSet.localities[locality] as LocalityGroup);
    const lists = group ?? hostSet;
    const hosts = degraded ? lists.degraded : lists.healthy;
    if (trace !== undefined) trace(listStep(degraded ? 'degraded' : 'healthy', hosts, group));
    if (group === undefined) return this.pickFrom(hosts, degraded ? sources.degraded : sources.healthy, decision);
    const inside = degraded ? sources.degradedIn : sources.healthyIn;
    return this.pickFrom(hosts, inside[locality] as SourceId, decision);
  }

  /** Of picks that were peeked at the draws come again. */
  private drawPriority(random: Random64): void {
    const { input, stash } = this;
    if (stash.length > 0 && !input.peeks) {
      const { hi, lo } = stash.shift() as U64;
      input.priorityHi = hi;
      input.priorityLo = lo;
      return;
    }
    random.next();
    input.priorityHi = random.hi;
    input.priorityLo = random.lo;
    if (input.peeks) stash.push({ hi: random.hi, lo: random.lo });
  }

  /** Asked when lists change, not for each pick. */
  private onlyList(): typeof this.only {
    const { levels, localities, zone } = this;
    const [hostSet] = levels.hostSets;
    const [sources] = this.sources;
    const { load, panic } = levels.state;
    const isOnly = load.healthy[0] === 100 && panic[0] !== true && zone.state === 'none';
    if (!isOnly || localities !== UNWEIGHTED_LOCALITIES || hostSet === undefined || sources === undefined)
      return undefined;
    return { hosts: hostSet.healthy, source: sources.healthy };
  }

  private pickFromFirst(decision: Decision, trace: BalancerTrace | undefined): Host | undefined {
    decision.priority = 0;
    const [hostSet] = this.levels.hostSets;
    const [sources] = this.sources;
    if (hostSet === undefined || sources === undefined) return undefined;
    if (trace !== undefined) trace(listStep('healthy', hostSet.healthy, undefined));
    return this.pickFrom(hostSet.healthy, sources.healthy, decision);
  }

  private pickFromAny(hostSet: HostSet, sources: LevelSources, decision: Decision): Host | undefined {
    const { random, trace } = this.input;
    const locality = this.localities.chooseAny?.(hostSet.priority, random) ?? WHOLE_LEVEL;
    const group = locality < 0 ? undefined : hostSet.localities[locality];
    if (trace !== undefined) trace(listStep(undefined, (group ?? hostSet).hosts, group));
    return group === undefined
      ? this.pickFrom(hostSet.hosts, sources.all, decision)
      : this.pickFrom(group.hosts, sources.allIn[locality] as SourceId, decision);
  }

  private pickFrom(hosts: HostList, source: SourceId, decision: Decision): Host | undefined {
    const { policy, state, input } = this;
    const index = policy.choose(state, source, hosts, input);
    if (policy.probes !== undefined) {
      const asked = policy.probes(state, source, hosts, input).map((each) => hosts[each] as Host);
      // Where the caller rejects a host there are several picks.
      if (asked.length > 0) decision.probes = [...decision.probes, ...asked];
    }
    return index < 0 ? undefined : hosts[index];
  }

  private localityByZone(random: Random64, hostSet: HostSet, trace: BalancerTrace | undefined): number {
    const { env, config } = this;
    const enabled_percent = zones.zoneRoutingPercent(env.runtime, this.routingEnabledPercent);
    if (!drawPercent(random, enabled_percent)) {
      if (trace !== undefined) trace({ kind: 'zone_off', inputs: { gate: 'not-drawn', enabled_percent } });
      return WHOLE_LEVEL;
    }
    if (this.isLocalClusterInPanic()) {
      env.stats.lbLocalClusterNotOk++;
      if (trace !== undefined) trace({ kind: 'zone_off', inputs: { gate: 'local-cluster-in-panic' } });
      return config.failTrafficOnPanic ? NO_HOST : WHOLE_LEVEL;
    }
    const locality = zones.chooseZone(this.zone, random, env.stats, config.version);
    if (trace !== undefined) trace(zoneStep(this.zone, locality, hostSet));
    return locality;
  }

  /** Evaluated at every pick, unlike the panic of the cluster's own levels. */
  private isLocalClusterInPanic(): boolean {
    const threshold = panicThreshold(this.env.runtime, this.config.healthyPanicThreshold);
    const local = this.localCluster();
    return local === undefined || isBelowPanicThreshold(local, threshold);
  }

  private localCluster(): HostSet | undefined {
    return this.local ?? this.env.localCluster?.();
  }

  private updateZoneRouting(): void {
    if (!this.env.hasLocalCluster) return;
    this.zone = zones.computeZoneRouting({
      upstream: this.levels.hostSets[0] as HostSet,
      local: this.localCluster(),
      config: this.config.zoneAware,
      version: this.config.version,
      runtime: this.env.runtime,
      stats: this.env.stats,
    });
  }

  /** Refreshes the policy's state of every list of a level, in the proxy's order. */
  private refresh(hostSet: HostSet): void {
    const { policy, state } = this;
    const sources = (this.sources[hostSet.priority] ??= {
      all: this.nextSource++,
      healthy: this.nextSource++,
      degraded: this.nextSource++,
      healthyIn: hostSet.localities.map(() => this.nextSource++),
      degradedIn: hostSet.localities.map(() => this.nextSource++),
      allIn: [],
    });
    policy.refresh(state, sources.all, hostSet.hosts);
    policy.refresh(state, sources.healthy, hostSet.healthy, sources.all);
    policy.refresh(state, sources.degraded, hostSet.degraded, sources.all);
    const refreshEach = (known: SourceId[], list: 'healthy' | 'degraded' | 'hosts'): void => {
      for (const [index, group] of hostSet.localities.entries())
        policy.refresh(state, (known[index] ??= this.nextSource++), group[list], sources.all);
    };
    refreshEach(sources.healthyIn, 'healthy');
    refreshEach(sources.degradedIn, 'degraded');
    if (this.localities.chooseAny !== undefined) refreshEach(sources.allIn, 'hosts');
  }
}

function localityChooser(config: LoadBalancerConfig, env: LbEnvironment): LocalityChooser {
  if (env.localityLoads !== undefined) return new LoadAwareLocalities(env.localityLoads, env.stats);
  return config.localityWeighted ? new WeightedLocalities(config.version, env.random) : UNWEIGHTED_LOCALITIES;
}
