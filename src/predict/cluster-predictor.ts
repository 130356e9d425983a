import type { CauseResult } from '../result/happenings.js';
import type { Happening } from '../upstream/cause.js';
import type { Cluster } from '../config/cluster/cluster-shape.js';
import { type Struct, entryOf, sameItems } from '../core/values.js';
import type { Micros } from '../core/units.js';
import type { Host } from '../host/host.js';
import type { SplitFact } from '../hostset/generated/split-facts.js';
import { factsAcross } from '../hostset/split-facts.js';
import { classOf } from '../hostset/build-host-set.js';
import type { HostSet } from '../hostset/host-set.js';
import { HostRows } from '../result/phase-hosts.js';
import { NO_ROWS, type RowStates, RowStatesWriter } from '../result/phases.js';
import { type Behavior, type Behaviors, seenFrom } from '../settings/behavior.js';
import type { Scenario } from '../scenario/model.js';
import { hostPredicate, type SelectableHost, selectableHost, type Selector } from '../settings/selector.js';
import type { Assignment } from '../settings/assignment.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import { type ProxySpec, zoneOf } from '../settings/world.js';
import { isHashPolicy } from './balancer.js';
import type { LoadedCluster } from './under-load/attempt-chances.js';
import { type SuccessInTime, type UnderLoad, underLoad } from './under-load/under-load.js';
import { SuccessTotals } from './success-totals.js';
import { Mixture } from './mixture.js';
import { Obstacles } from './obstacles.js';
import { Outcome } from './outcome.js';
import type { ChainLink, ProxyClusterView, ViewedCluster } from './proxy-view.js';
import { type KindOutcome, outcomeOf } from './request-outcome.js';
import type { RequestKind } from './traffic.js';
import type { Obstacle } from './obstacle.js';

/** A stretch of time in which all balancers of a cluster see the same. */
export interface ClusterPhase {
  readonly fromUs: Micros;
  /** What began it, by delivery. */
  readonly causes: (readonly CauseResult[])[];
  readonly all: Totals;
  /** By proxy specification. */
  readonly byProxy: readonly Totals[];
  /** State of the rows when the phase began; none until the end of that instant. */
  states: RowStates;
  facts: readonly SplitFact[];
}

/** Where requests go, and how they end. */
export type Totals = ReturnType<typeof noTotals>;

export const noTotals = () => ({ shares: new Mixture(), success: new SuccessTotals() });

export interface PredictorSurroundings {
  /** Present where an aggregate that is asked uses this cluster: rows of the hosts of all such clusters. */
  readonly rowsPassedOn?: HostRows;
  readonly hostsMayFail: boolean;
  readonly exactOnly: boolean;
  /** Other clusters or proxies send requests to hosts of the cluster. */
  readonly sharesHosts: (cluster: ClusterPredictor) => boolean;
}

interface KindForecast {
  readonly outcome: KindOutcome;
  /** undefined: no host fails. */
  readonly success: SuccessInTime | undefined;
}

/** Predicts one cluster over time: phases, and in them segments in which each kind of request has one outcome. */
export class ClusterPredictor implements ViewedCluster {
  /** Grows when hosts come, go or change their metadata. */
  membersVersion = 0;
  /** The proxies whose local cluster it is: some may reject an assignment that others accept. */
  private readonly localOf: 'none' | 'some' | 'all';
  readonly obstacles: Obstacles;
  readonly rows: HostRows = this.surroundings.rowsPassedOn ?? new HostRows();
  readonly phases: ClusterPhase[] = [];
  /** By proxy specification; none where the cluster cannot be predicted at all. */
  views: readonly ProxyClusterView[] = [];
  /** What changed since the last delivery. */
  causes: Happening[] = [];
  causesDelivered = false;
  /** Outcomes must be recomputed at the end of the instant. */
  stale = true;
  private segmentUs: Micros = 0;
  /** The last state that {@link noteMembers} saw. */
  private readonly noted: (ReturnType<typeof noted> | undefined)[] = [];
  private states = NO_ROWS;
  private readonly writer = new RowStatesWriter();
  /** By proxy specification, unless exact shares are all that is wanted. */
  private readonly loads: UnderLoad[] = [];
  /** How hosts behave, as far as somebody asked. */
  private readonly known = new WeakMap<
    Host,
    { readonly version: number; readonly metadata: Struct; readonly priority: number; readonly behavior: Behavior }
  >();
  /** Hosts can fail, or requests are retried. */
  private readonly watchesSuccess: boolean =
    !this.surroundings.exactOnly && (this.surroundings.hostsMayFail || this.kinds.some(({ retried }) => retried));
  /** Of an aggregate whose requests are followed: what becomes of one of a kind at a proxy. */
  passesOn: ((kind: RequestKind, proxy: number) => KindOutcome) | undefined;
  /** By proxy specification and kind. */
  private forecasts: readonly (readonly KindForecast[])[] = [];

  constructor(
    readonly cluster: Cluster,
    readonly settings: ClusterSettings,
    private readonly scenario: Scenario,
    readonly kinds: readonly RequestKind[],
    private readonly behaviors: Behaviors,
    private readonly surroundings: PredictorSurroundings,
  ) {
    const { name } = cluster;
    const locals = scenario.proxies.filter(({ localClusterName }) => localClusterName === name).length;
    this.localOf = locals === 0 ? 'none' : locals < scenario.proxies.length ? 'some' : 'all';
    const hasConnections = kinds.some(({ spec }) => spec.tcp !== undefined);
    this.obstacles = new Obstacles(cluster, this, behaviors, hasConnections);
    const isCopiedTo = [...scenario.workloads, ...scenario.requests].some(({ requestMirrorPolicies = [] }) =>
      requestMirrorPolicies.some((one) => one.cluster === name || one.clusterHeader !== undefined),
    );
    if (isCopiedTo) this.obstacles.lose({ kind: 'copied_to' });
    if (surroundings.rowsPassedOn) this.obstacles.lose({ kind: 'member_of_aggregate' });
  }

  get name(): string {
    return this.cluster.name;
  }

  addCause(cause: Happening): void {
    if (this.causesDelivered) this.causes = [];
    this.causesDelivered = false;
    this.causes.push(cause);
  }

  /** The proxies that reject an assignment: their own cluster may use priority 0 only. */
  rejecting({ groups }: Assignment): 'none' | 'some' | 'all' {
    return groups.some(({ priority }) => priority > 0) ? this.localOf : 'none';
  }

  /** Gives a host of one proxy its row, and its active requests at the start. */
  hostAtPriority(host: Host, priority: number): void {
    const isNew = host.index === -1;
    host.index = this.rows.indexOf(host, priority, this.surroundings.rowsPassedOn && this.name);
    if (!isNew) return;
    host.activeRequests += this.behaviors.of([selectableHost(host, this.name, priority)]).initialActiveRequests;
  }

  /** All hosts there ever were that a selector means, and how they behave. */
  hostsMeantBy(selector: Selector): [SelectableHost, Behavior][] {
    const means = hostPredicate(selector);
    return this.rows.rows.flatMap((row): [SelectableHost, Behavior][] => {
      const host = selectableHost(row, this.name, row.priority);
      return means(host) ? [[host, this.behaviors.of([host])]] : [];
    });
  }

  /** Records weights and metadata. @returns whether they changed: balancers see that at once. */
  noteMembers(): boolean {
    const isLive = this.views.some(({ readsHealthLive }) => readsHealthLive);
    let [isOther, isRelabelled] = [false, false];
    for (const [priority, hostSet] of this.hostSets().entries()) {
      const before = this.noted[priority];
      if (hostSet !== undefined && before?.hostSet === hostSet) continue;
      const now = hostSet && noted(hostSet);
      this.noted[priority] = now;
      if (before === undefined || now === undefined || before.metadata.length !== now.metadata.length) continue;
      if (before.hostSet.hosts !== now.hostSet.hosts || !sameItems(before.metadata, now.metadata)) isRelabelled = true;
      if (!sameItems(before.weights, now.weights)) isOther = true;
      if (isLive && !sameItems(before.classes, now.classes)) isOther = true;
    }
    if (isRelabelled) this.membersVersion++;
    return isOther || isRelabelled;
  }

  /** The lists of the main thread of the first proxy: all proxies get the same updates. */
  private hostSets(): readonly (HostSet | undefined)[] {
    return this.views[0]?.upstream.priorities.hostSets ?? [];
  }

  /** As the first proxy knows them. */
  hosts(): Iterable<{ readonly host: Host; readonly priority: number }> {
    return this.views[0]?.upstream.priorities.hosts() ?? [];
  }

  /** Starts a phase, unless one started at this very instant. */
  startPhase(nowUs: Micros, causes: readonly CauseResult[]): void {
    const last = this.phases[this.phases.length - 1];
    if (last?.fromUs === nowUs) {
      if (!last.causes.some((known) => isSame(known, causes))) last.causes.push(causes);
      return;
    }
    this.closeSegment(nowUs);
    const byProxy = this.scenario.proxies.map(noTotals);
    this.phases.push({ fromUs: nowUs, causes: [causes], all: noTotals(), byProxy, states: NO_ROWS, facts: [] });
  }

  /** Called at the end of an instant: recomputes what changed. */
  refresh(nowUs: Micros): void {
    if (!this.stale) return;
    this.stale = false;
    this.closeSegment(nowUs);
    this.forecasts = this.workOut();
    const phase = this.phases[this.phases.length - 1];
    if (phase?.fromUs !== nowUs) return;
    phase.states = this.statesNow();
    phase.facts = this.facts();
  }

  /** All requests before `endUs`, as if nothing had ever changed. */
  untilEnd(endUs: Micros): Mixture {
    this.phases.length = 0;
    this.startPhase(0, [{ kind: 'start' }]);
    this.forecasts = this.workOut();
    this.closeSegment(endUs);
    return (this.phases[0]?.all ?? noTotals()).shares;
  }

  statesNow(): RowStates {
    const { writer } = this;
    writer.begin(this.rows.rows.length);
    for (const hostSet of this.hostSets())
      for (const { index, weight, health } of hostSet?.hosts ?? []) writer.add(index, weight, health);
    return (this.states = writer.end(this.states));
  }

  closeSegment(nowUs: Micros): void {
    const { segmentUs, kinds } = this;
    const phase = this.phases[this.phases.length - 1];
    this.segmentUs = nowUs;
    if (nowUs <= segmentUs || phase === undefined) return;
    const overlaps = this.obstacles.openAmong(kinds, segmentUs, nowUs);
    this.forecasts.forEach((forecasts, proxy) => {
      const own = phase.byProxy[proxy];
      forecasts.forEach(({ outcome: known, success: inTime }, index) => {
        const kind = kinds[index];
        const portion = kind?.portions[proxy] ?? 0;
        if (kind === undefined || own === undefined || portion === 0) return;
        const from = kind.before(segmentUs);
        const to = kind.before(nowUs);
        const count = from === undefined || to === undefined ? undefined : (to - from) * portion;
        if (count === 0) {
          if (typeof known === 'function') return;
          for (const { shares } of [phase.all, own])
            shares.idle.push({ outcome: known, count: portion * (nowUs - segmentUs) });
          return;
        }
        const outcome =
          overlaps !== undefined
            ? Outcome.without(overlaps)
            : typeof known === 'function'
              ? known(segmentUs, nowUs)
              : known;
        const success = inTime?.(segmentUs, nowUs);
        for (const totals of [phase.all, own]) {
          totals.shares.add(outcome, count);
          if (success !== undefined)
            totals.success.add(count === undefined ? { kind: 'closed_workload' } : success, count ?? 0);
        }
      });
    });
  }

  private workOut(): readonly (readonly KindForecast[])[] {
    return this.scenario.proxies.map((spec, proxy) => {
      const shared = new Map<string, KindOutcome>();
      return this.kinds.map((kind): KindForecast => {
        if ((kind.portions[proxy] ?? 0) === 0) return { outcome: new Outcome(), success: undefined };
        const { obstacles, watchesSuccess, passesOn } = this;
        if (passesOn !== undefined && obstacles.lost === undefined)
          return { outcome: passesOn(kind, proxy), success: undefined };
        const view = this.views[proxy];
        if (view === undefined) {
          const why = obstacles.always ?? { kind: 'no_balancer' };
          return { outcome: Outcome.without(why), success: watchesSuccess ? () => why : undefined };
        }
        const busy = obstacles.underLoad();
        const exact = this.exact(kind, view, busy, shared);
        if (this.surroundings.exactOnly || (busy === undefined && !watchesSuccess))
          return { outcome: exact, success: undefined };
        const load = (this.loads[proxy] ??= underLoad(this.loaded(view, spec, proxy)))(kind, exact, busy);
        const why = obstacles.againstSuccess(kind);
        const success = why === undefined ? load.success : () => () => why;
        return { outcome: load.outcome, success: watchesSuccess ? success() : undefined };
      });
    });
  }

  /** @param shared without hashes, kinds with the same metadata have the same outcome. */
  private exact(
    kind: RequestKind,
    view: ProxyClusterView,
    busy: Obstacle | undefined,
    shared: Map<string, KindOutcome>,
  ): KindOutcome {
    const whyNot = this.obstacles.against(kind);
    if (whyNot !== undefined) return Outcome.without(whyNot);
    const make = (): KindOutcome => outcomeOf(kind, view, this.rows.rows.length, busy);
    if (isHashPolicy(view.config) || kind.scripted) return make();
    return entryOf(shared, kind.metadataMatch === undefined ? '' : JSON.stringify(kind.metadataMatch), make);
  }

  /** What becomes of a request that an aggregate passes on. @param chain of balancers that it meets. */
  outcomeInside(kind: RequestKind, view: ProxyClusterView, chain: readonly ChainLink[]): KindOutcome {
    const { obstacles, rows } = this;
    const whyNot = obstacles.against(kind, true);
    if (whyNot !== undefined) return Outcome.without(whyNot);
    return outcomeOf(kind, view, rows.rows.length, obstacles.underLoad(), chain);
  }

  private loaded(view: ProxyClusterView, spec: ProxySpec, proxy: number): LoadedCluster {
    const { rows, settings, kinds, behaviorOf, surroundings, scenario } = this;
    const zone = zoneOf(spec);
    return {
      view,
      rows,
      settings,
      spec,
      kinds,
      portionOf: ({ portions }) => (portions[proxy] ?? 0) / spec.count,
      behaviorOf: (host, priority) => seenFrom(behaviorOf(host, priority), zone, host.locality.zone),
      isShared: () => surroundings.sharesHosts(this),
      warmupUs: scenario.warmupUs,
    };
  }

  /** The same object as long as it is the same behaviour. */
  private readonly behaviorOf = (host: Host, priority: number): Behavior => {
    const { behaviors, known } = this;
    const { metadata } = host;
    const before = known.get(host);
    if (before?.version === behaviors.version && before.metadata === metadata && before.priority === priority)
      return before.behavior;
    const behavior = behaviors.of([selectableHost(host, this.name, priority)]);
    known.set(host, { version: behaviors.version, metadata, priority, behavior });
    return behavior;
  };

  facts(): readonly SplitFact[] {
    const isUnknown = ({ outcome }: KindForecast): boolean =>
      typeof outcome !== 'function' && outcome.obstacle !== undefined;
    if (this.forecasts.every((forecasts) => forecasts.every(isUnknown))) return [];
    return factsAcross(
      new Map(this.views.map((view, proxy) => [this.scenario.proxies[proxy]?.name ?? '', view.facts(this.scenario)])),
    );
  }
}

/** Facts are compared as they are written. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Of the hosts of a priority, in their order. */
function noted(hostSet: HostSet) {
  const { hosts } = hostSet;
  return {
    hostSet,
    metadata: hosts.map(({ metadata }) => metadata),
    weights: hosts.map(({ weight }) => weight),
    classes: hosts.map(classOf),
  };
}
