import type { Cluster } from '../config/types.js';
import type { Micros } from '../core/units.js';
import { reasonsAcross } from '../hostset/reasons.js';
import type { Scenario } from '../scenario/model.js';
import { isHashPolicy } from './balancer.js';
import type { LevelChange } from './discovery.js';
import { Discovery } from './discovery.js';
import { Mixture } from './mixture.js';
import { Obstacles } from './obstacles.js';
import { Outcome } from './outcome.js';
import type { ProxyClusterView } from './proxy-view.js';
import type { KindOutcome } from './request-outcome.js';
import { outcomeOf } from './request-outcome.js';
import { RowStates } from './row-states.js';
import type { Behaviors } from './surroundings.js';
import type { RequestKind } from './traffic.js';

/** A stretch of time in which all balancers of a cluster see the same. */
export interface CoursePhase {
  readonly fromUs: Micros;
  readonly causes: string[];
  readonly total: Mixture;
  /** By proxy specification. */
  readonly byProxy: readonly Mixture[];
  /** As rows stood when the phase began. */
  states: RowStates;
  /** Why shares were what they were then. */
  reasons: readonly string[];
}

/** Until the instant at which a phase begins is over. */
const NO_ROWS = new RowStates([]);

/**
 * What becomes of one cluster's requests while time goes on: its phases, and within them segments in which every kind of
 * request keeps its outcome.
 */
export class ClusterCourse {
  readonly discovery: Discovery;
  /** Of some proxies it is the local cluster, of others it is not: an assignment may be rejected by the former alone. */
  private readonly isLocalOfSome: boolean;
  readonly obstacles: Obstacles;
  readonly phases: CoursePhase[] = [];
  /** By proxy specification; none where nothing can ever be said. */
  views: readonly ProxyClusterView[] = [];
  /** What changed since the last delivery. */
  causes: string[] = [];
  causesDelivered = false;
  /** When the assignment will be too old. */
  expiresUs: Micros = Infinity;
  /** Outcomes have to be worked out anew when the instant is over. */
  stale = true;
  /** Since when the outcomes below hold. */
  private segmentUs: Micros = 0;
  /** By proxy specification and kind. */
  private outcomes: readonly (readonly KindOutcome[])[] = [];

  constructor(
    readonly cluster: Cluster,
    private readonly scenario: Scenario,
    private readonly kinds: readonly RequestKind[],
    behaviors: Behaviors,
    /** An aggregate that is asked uses this cluster. */
    isPassedOn: boolean,
  ) {
    const { name, commonLbConfig } = cluster;
    const locals = scenario.proxies.filter(({ localClusterName }) => localClusterName === name).length;
    this.isLocalOfSome = locals > 0 && locals < scenario.proxies.length;
    this.discovery = new Discovery(
      cluster,
      commonLbConfig?.localityWeightedLbConfig !== undefined,
      locals > 0 && !this.isLocalOfSome,
      ({ address, hostname, priority, locality }, metadata) =>
        behaviors.of({ address, hostname, cluster: name, priority, locality, metadata }).initialActiveRequests,
    );
    this.obstacles = new Obstacles(cluster, this.discovery, behaviors);
    if (isPassedOn) this.obstacles.lose('an aggregate passes requests on to it; simulate it');
  }

  get name(): string {
    return this.cluster.name;
  }

  /** Takes note of what will have led to the next delivery. */
  addCause(cause: string): void {
    if (this.causesDelivered) this.causes = [];
    this.causesDelivered = false;
    this.causes.push(cause);
  }

  /** Works out what discovery changed; nothing, where the proxies reject it. */
  commit(): LevelChange[] {
    if (this.discovery.isRejected) this.causes = [];
    return this.discovery.commit();
  }

  /** Some proxies reject what discovery says now, others take it. */
  get isRejectedBySome(): boolean {
    return this.isLocalOfSome && this.discovery.isBeyondPriority0;
  }

  /** A phase begins, unless one did at this very instant. */
  cut(nowUs: Micros, cause: string): void {
    const last = this.phases[this.phases.length - 1];
    if (last?.fromUs === nowUs) {
      if (!last.causes.includes(cause)) last.causes.push(cause);
      return;
    }
    this.closeSegment(nowUs);
    const byProxy = this.scenario.proxies.map(() => new Mixture());
    this.phases.push({ fromUs: nowUs, causes: [cause], total: new Mixture(), byProxy, states: NO_ROWS, reasons: [] });
  }

  /** After all that happens at an instant: works out anew what has changed. */
  refresh(nowUs: Micros): void {
    if (!this.stale) return;
    this.stale = false;
    this.closeSegment(nowUs);
    this.outcomes = this.workOut();
    const phase = this.phases[this.phases.length - 1];
    if (phase?.fromUs !== nowUs) return;
    phase.states = this.statesNow();
    phase.reasons = this.reasons();
  }

  statesNow(): RowStates {
    return new RowStates([...this.discovery.levels]);
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
      });
    });
  }

  private workOut(): readonly (readonly KindOutcome[])[] {
    const rows = this.discovery.rows.length;
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
        // Without hashes, kinds that ask for the same metadata fare alike.
        const alike = !isHashPolicy(view.config) && !kind.scripted;
        const key = kind.metadataMatch === undefined ? '' : JSON.stringify(kind.metadataMatch);
        const known = alike ? shared.get(key) : undefined;
        if (known !== undefined) return known;
        const outcome = outcomeOf(kind, view, rows, obstacles.underLoad());
        if (alike) shared.set(key, outcome);
        return outcome;
      });
    });
  }

  private reasons(): readonly string[] {
    const { proxies } = this.scenario;
    const isUnknown = (outcome: KindOutcome): boolean => typeof outcome !== 'function' && outcome.whyNot !== undefined;
    if (this.outcomes.every((outcomes) => outcomes.every(isUnknown))) return [];
    return reasonsAcross(
      new Map(this.views.map((view, proxy) => [proxies[proxy]?.name ?? '', view.reasons(this.scenario)])),
    );
  }
}
