import type { CauseResult } from '../result/happenings.js';
import type { Happening } from '../upstream/cause.js';
import type { Cluster } from '../config/types.js';
import type { Struct } from '../core/json-value.js';
import { sameItems } from '../core/lists.js';
import type { Micros } from '../core/units.js';
import type { Health, Host } from '../host/host.js';
import { factsAcross, type SplitFact } from '../hostset/split-facts.js';
import { DEGRADED, HEALTHY } from '../hostset/host-changes.js';
import type { HostRows } from '../result/phase-hosts.js';
import { NO_ROWS, type RowStates, RowStatesWriter } from '../result/phases.js';
import type { Behavior, Behaviors } from '../settings/behavior.js';
import type { Scenario } from '../scenario/model.js';
import { selectableHost } from '../settings/selector.js';
import type { Assignment } from '../settings/assignment.js';
import type { ClusterSettings } from '../settings/cluster-settings.js';
import { isHashPolicy } from './balancer.js';
import type { AttemptChances } from './under-load/attempt-chances.js';
import { BusyLists } from './under-load/busy-lists.js';
import { type KindSuccess, successOf } from './under-load/request-success.js';
import { successOver } from './under-load/success-over.js';
import { type Success, SuccessTotals } from './success-totals.js';
import { columnsOf, type LevelColumns } from './level-columns.js';
import { Mixture } from './mixture.js';
import { Obstacles } from './obstacles.js';
import { Outcome } from './outcome.js';
import type { ProxyClusterView, ViewedCluster } from './proxy-view.js';
import { type KindOutcome, outcomeOf, type WhileBusy } from './request-outcome.js';
import type { RequestKind } from './traffic.js';

/** A stretch of time in which all balancers of a cluster see the same. */
export interface ClusterPhase {
  readonly fromUs: Micros;
  /** What began it, by delivery. */
  readonly causes: (readonly CauseResult[])[];
  readonly total: Mixture;
  /** How requests end: of all, and by proxy specification. */
  readonly success: SuccessTotals;
  readonly successByProxy: readonly SuccessTotals[];
  /** By proxy specification. */
  readonly byProxy: readonly Mixture[];
  /** State of the rows when the phase began; none until the end of that instant. */
  states: RowStates;
  /** Reasons for the shares at that time. */
  facts: readonly SplitFact[];
}

/** What a cluster has to know of the whole scenario. */
export interface PredictorSurroundings {
  /** An aggregate that is asked uses this cluster. */
  readonly isPassedOn: boolean;
  /** Some host fails requests at some time. */
  readonly hostsMayFail: boolean;
  /** Exact shares are all that is wanted. */
  readonly exactOnly: boolean;
  /** Other clusters or proxies send requests to hosts of the cluster. */
  readonly sharesHosts: (cluster: ClusterPredictor) => boolean;
}

const UNCOUNTED = 'how many requests a closed workload sends depends on its answers; simulate it';
const SCRIPTED = 'these requests script their random values; explain shows each of them';

/**
 * Predicts one cluster over time: its phases, and within them segments in which the outcome of every kind of request is
 * constant.
 */
export class ClusterPredictor implements ViewedCluster {
  /** Grows when hosts come, go or change their metadata. */
  membersVersion = 0;
  /** It is the local cluster of some proxies only: an assignment may be rejected by those and accepted by others. */
  private readonly isLocalOfSome: boolean;
  private readonly isLocalOfAll: boolean;
  readonly obstacles: Obstacles;
  readonly phases: ClusterPhase[] = [];
  /** By proxy specification; none where the cluster cannot be predicted at all. */
  views: readonly ProxyClusterView[] = [];
  /** What changed since the last delivery. */
  causes: Happening[] = [];
  causesDelivered = false;
  /** Outcomes must be recomputed at the end of the instant. */
  stale = true;
  /** The start of the current segment. */
  private segmentUs: Micros = 0;
  /** The last state that {@link noteMembers} saw. */
  private readonly noted: (LevelColumns | undefined)[] = [];
  /** State of the rows at the last call. */
  private states = NO_ROWS;
  private readonly writer = new RowStatesWriter();
  /** By proxy specification, if requested. */
  private readonly busy: BusyLists[] = [];
  /** How hosts behave, as far as somebody asked. */
  private readonly known = new WeakMap<
    Host,
    { readonly version: number; readonly metadata: Struct; readonly priority: number; readonly behavior: Behavior }
  >();
  /** By proxy specification and kind. */
  private readonly attempts: WeakMap<Behavior, AttemptChances | string>[][] = [];
  /** Hosts can fail, or requests are retried. */
  private readonly watchesSuccess: boolean;
  /** By proxy specification and kind; empty where no host fails. */
  private successes: readonly (readonly (KindSuccess | undefined)[])[] = [];
  /** By proxy specification and kind. */
  private outcomes: readonly (readonly KindOutcome[])[] = [];

  constructor(
    readonly cluster: Cluster,
    readonly settings: ClusterSettings,
    private readonly scenario: Scenario,
    private readonly kinds: readonly RequestKind[],
    private readonly behaviors: Behaviors,
    private readonly surroundings: PredictorSurroundings,
    /** The rows of reports. */
    readonly rows: HostRows,
  ) {
    const { name } = cluster;
    const locals = scenario.proxies.filter(({ localClusterName }) => localClusterName === name).length;
    this.isLocalOfSome = locals > 0 && locals < scenario.proxies.length;
    this.isLocalOfAll = locals > 0 && !this.isLocalOfSome;
    this.watchesSuccess =
      !surroundings.exactOnly && (surroundings.hostsMayFail || kinds.some(({ retried }) => retried));
    const version = (): number => this.membersVersion;
    this.obstacles = new Obstacles(cluster, { version, list: () => this.hosts() }, behaviors);
    if (surroundings.isPassedOn) this.obstacles.lose('an aggregate passes requests on to it; simulate it');
  }

  get name(): string {
    return this.cluster.name;
  }

  /** Records a cause of the next delivery. */
  addCause(cause: Happening): void {
    if (this.causesDelivered) this.causes = [];
    this.causesDelivered = false;
    this.causes.push(cause);
  }

  /** Some proxies reject the current assignment, others accept it. */
  isRejectedBySome(assignment: Assignment): boolean {
    return this.isLocalOfSome && isBeyondPriority0(assignment);
  }

  /** The proxies reject the current assignment: their own cluster may use priority 0 only. */
  isRejected(assignment: Assignment): boolean {
    return this.isLocalOfAll && isBeyondPriority0(assignment);
  }

  /** Gives a host of one proxy its row, and its active requests at the start. */
  hostAtPriority(host: Host, priority: number): void {
    const isNew = host.index === -1;
    host.index = this.rows.indexOf(host, priority);
    if (!isNew) return;
    host.activeRequests += this.behaviors.of([selectableHost(host, this.name, priority)]).initialActiveRequests;
  }

  membersChanged(): void {
    this.membersVersion++;
  }

  /** Records weights and metadata. @returns whether they changed: balancers see that at once. */
  noteMembers(): boolean {
    const isLive = this.views.some(({ readsHealthLive }) => readsHealthLive);
    let [isOther, isRelabelled] = [false, false];
    for (const [priority, columns] of this.columns().entries()) {
      const before = this.noted[priority];
      this.noted[priority] = columns;
      if (before === undefined || columns === undefined || before.hosts.length !== columns.hosts.length) continue;
      if (before.metadata !== columns.metadata) isRelabelled = true;
      if (!sameItems(before.weights, columns.weights)) isOther = true;
      if (isLive && !sameItems(before.classes, columns.classes)) isOther = true;
    }
    if (isRelabelled) this.membersVersion++;
    return isOther || isRelabelled;
  }

  /** The lists of the main thread of the first proxy: all proxies get the same updates. */
  private columns(): (LevelColumns | undefined)[] {
    const [view] = this.views;
    if (view === undefined) return [];
    return view.upstream.priorities.hostSets.map((hostSet, priority) => {
      if (hostSet === undefined) return undefined;
      const known = this.noted[priority];
      if (known?.hostSet === hostSet) return known;
      const delivered = view.levels[priority]?.columns;
      return delivered?.hostSet === hostSet ? delivered : columnsOf(hostSet, known);
    });
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
    const byProxy = this.scenario.proxies.map(() => new Mixture());
    this.phases.push({
      fromUs: nowUs,
      causes: [causes],
      total: new Mixture(),
      byProxy,
      success: new SuccessTotals(),
      successByProxy: this.scenario.proxies.map(() => new SuccessTotals()),
      states: NO_ROWS,
      facts: [],
    });
  }

  /** Called at the end of an instant: recomputes what changed. */
  refresh(nowUs: Micros): void {
    if (!this.stale) return;
    this.stale = false;
    this.closeSegment(nowUs);
    this.outcomes = this.workOut();
    this.successes = this.watchesSuccess ? this.workOutSuccess() : [];
    const phase = this.phases[this.phases.length - 1];
    if (phase?.fromUs !== nowUs) return;
    phase.states = this.statesNow();
    phase.facts = this.facts();
  }

  /** All requests before `endUs`, where nothing changes until then. */
  untilEnd(endUs: Micros): Mixture {
    this.startPhase(0, [{ kind: 'start' }]);
    this.outcomes = this.workOut();
    this.closeSegment(endUs);
    return this.phases[0]?.total ?? new Mixture();
  }

  statesNow(): RowStates {
    const { writer } = this;
    writer.begin(this.rows.rows.length);
    for (const columns of this.columns()) {
      if (columns === undefined) continue;
      const { rows, weights, classes } = columns;
      for (let at = 0; at < rows.length; at++) {
        writer.add(rows[at] as number, weights[at] as number, healthOfClass(classes[at] as number));
      }
    }
    return (this.states = writer.end(this.states));
  }

  /** Counts the requests since the segment began. */
  closeSegment(nowUs: Micros): void {
    const { segmentUs, kinds } = this;
    const phase = this.phases[this.phases.length - 1];
    this.segmentUs = nowUs;
    if (nowUs <= segmentUs || phase === undefined) return;
    const overlaps = this.obstacles.openAmong(kinds, segmentUs, nowUs);
    this.outcomes.forEach((outcomes, proxy) => {
      const own = phase.byProxy[proxy];
      outcomes.forEach((known, index) => {
        const kind = kinds[index];
        const portion = kind?.portions[proxy] ?? 0;
        if (kind === undefined || own === undefined || portion === 0) return;
        const from = kind.before(segmentUs);
        const to = kind.before(nowUs);
        const count = from === undefined || to === undefined ? undefined : (to - from) * portion;
        if (count === 0) {
          if (typeof known === 'function') return;
          const weight = portion * (nowUs - segmentUs);
          phase.total.addIdle(known, weight);
          own.addIdle(known, weight);
          return;
        }
        const outcome =
          overlaps !== undefined
            ? Outcome.without(overlaps)
            : typeof known === 'function'
              ? known(segmentUs, nowUs)
              : known;
        for (const mixture of [phase.total, own]) {
          if (count === undefined) mixture.addUncounted(outcome);
          else mixture.add(outcome, count);
        }
        const success = this.successIn(kind, proxy, this.successes[proxy]?.[index], segmentUs, nowUs);
        if (success === undefined) return;
        for (const totals of [phase.success, phase.successByProxy[proxy]]) {
          totals?.add(count === undefined ? UNCOUNTED : success, count ?? 0);
        }
      });
    });
  }

  private workOut(): readonly (readonly KindOutcome[])[] {
    const rows = this.rows.rows.length;
    const { obstacles } = this;
    return this.scenario.proxies.map((_, proxy) => {
      const view = this.views[proxy];
      const shared = new Map<string, KindOutcome>();
      return this.kinds.map((kind) => {
        if ((kind.portions[proxy] ?? 0) === 0) return new Outcome();
        const whyNot = obstacles.against(kind);
        if (view === undefined || whyNot !== undefined) {
          return Outcome.without(whyNot ?? 'there is no balancer');
        }
        // Without hashes, kinds with the same metadata have the same outcome.
        const alike = !isHashPolicy(view.config) && !kind.scripted;
        const key = kind.metadataMatch === undefined ? '' : JSON.stringify(kind.metadataMatch);
        const known = alike ? shared.get(key) : undefined;
        if (known !== undefined) return known;
        const outcome = outcomeOf(kind, view, rows, obstacles.underLoad(), this.whileBusy(kind, view, proxy));
        // Where hosts are busy, kinds fare as their numbers in time are.
        if (alike && typeof outcome !== 'function') shared.set(key, outcome);
        return outcome;
      });
    });
  }

  private workOutSuccess(): readonly (readonly (KindSuccess | undefined)[])[] {
    const { cluster, kinds, obstacles, behaviorOf } = this;
    const rows = this.rows.rows.length;
    return this.scenario.proxies.map((_, proxy) => {
      const view = this.views[proxy];
      return kinds.map((kind, index) => {
        if ((kind.portions[proxy] ?? 0) === 0) return undefined;
        const why = obstacles.againstSuccess(kind) ?? (kind.scripted ? SCRIPTED : undefined);
        if (view === undefined || why !== undefined) {
          return { chances: { kind: 'unknown', why: why ?? 'there is no balancer' }, longestUs: 0, meanUs: 0 };
        }
        const underLoad = obstacles.underLoad();
        const known = kind.retried ? undefined : this.outcomes[proxy]?.[index];
        const outcome = known ?? outcomeOf(kind, view, rows, underLoad, undefined);
        const ofProxy = (this.attempts[proxy] ??= []);
        const attempts = (ofProxy[index] ??= new WeakMap<Behavior, AttemptChances | string>());
        return successOf({ kind, view, cluster, behaviorOf, attempts, underLoad }, outcome, rows);
      });
    });
  }

  private successIn(
    kind: RequestKind,
    proxy: number,
    known: KindSuccess | undefined,
    fromUs: Micros,
    toUs: Micros,
  ): Success | string | undefined {
    const spec = this.scenario.proxies[proxy];
    const view = this.views[proxy];
    if (known === undefined || spec === undefined) return undefined;
    const { chances, longestUs, meanUs } = known;
    if (chances.kind === 'unknown') return chances.why;
    if (view === undefined) return undefined;
    const { settings, kinds } = this;
    const portionOf = ({ portions }: RequestKind): number => (portions[proxy] ?? 0) / spec.count;
    const surroundings = { cluster: settings, spec, runtime: view.runtime, kinds, portionOf, longestUs, meanUs };
    return successOver(chances, kind, surroundings, fromUs, toUs);
  }

  /** The same object as long as it is the same behaviour. */
  private readonly behaviorOf = (host: Host, priority: number): Behavior => {
    const { behaviors, known } = this;
    const { metadata } = host;
    const before = known.get(host);
    if (before?.version === behaviors.version && before.metadata === metadata && before.priority === priority) {
      return before.behavior;
    }
    const behavior = behaviors.of([selectableHost(host, this.name, priority)]);
    known.set(host, { version: behaviors.version, metadata, priority, behavior });
    return behavior;
  };

  private whileBusy(kind: RequestKind, view: ProxyClusterView, proxy: number): WhileBusy | undefined {
    const { surroundings, kinds, scenario } = this;
    if (surroundings.exactOnly) return undefined;
    const instances = scenario.proxies[proxy]?.count ?? 1;
    return (work) =>
      (this.busy[proxy] ??= new BusyLists()).over(
        kind,
        {
          config: view.config,
          bias: view.context(undefined).bias,
          kinds,
          portionOf: ({ portions }) => (portions[proxy] ?? 0) / instances,
          behaviorOf: this.behaviorOf,
          isShared: () => surroundings.sharesHosts(this),
          warmupUs: scenario.warmupUs,
        },
        work,
      );
  }

  private facts(): readonly SplitFact[] {
    const { proxies } = this.scenario;
    const isUnknown = (outcome: KindOutcome): boolean => typeof outcome !== 'function' && outcome.whyNot !== undefined;
    if (this.outcomes.every((outcomes) => outcomes.every(isUnknown))) return [];
    return factsAcross(
      new Map(this.views.map((view, proxy) => [proxies[proxy]?.name ?? '', view.facts(this.scenario)])),
    );
  }
}

/** Facts are compared as they are written. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isBeyondPriority0({ groups }: Assignment): boolean {
  return groups.some(({ priority }) => priority > 0);
}

function healthOfClass(kind: number): Health {
  return (kind & HEALTHY) !== 0 ? 'healthy' : (kind & DEGRADED) !== 0 ? 'degraded' : 'unhealthy';
}
