import { effectiveAssignment } from '../config/cluster-rules.js';
import type { Cluster } from '../config/types.js';
import type { Micros } from '../core/units.js';
import { microsToSeconds } from '../core/units.js';
import type { KeyHasher } from '../hash/request-key.js';
import { createKeyHasher } from '../hash/request-key.js';
import type { Action, ProxySpec, Scenario, TimelineEntry } from '../scenario/model.js';
import { isHashPolicy } from './balancer.js';
import { buildPrediction, rowStates } from './build-prediction.js';
import { ClusterCourse } from './cluster-course.js';
import type { LevelView } from './level.js';
import { Mixture, RowStates } from './mixture.js';
import { occurrences } from './occurrences.js';
import { Outcome } from './outcome.js';
import type { Prediction } from './prediction.js';
import { ProxyClusterView, RuntimeView } from './proxy-view.js';
import type { KindOutcome } from './request-outcome.js';
import { outcomeOf } from './request-outcome.js';
import { Behaviors, everTakesTime } from './surroundings.js';
import type { RequestKind } from './traffic.js';
import { requestKinds } from './traffic.js';

/**
 * Works out what a scenario's split must be: per phase, per host, locality, priority and subset, without sampling.
 *
 * Nothing here shares code with the balancers of a run but the hash functions and the tables, so that a run and its
 * prediction check each other. Where there is no closed form (least request under load, retries, hosts that health checks
 * decide on) it says so instead of guessing.
 */
export async function predict(scenario: Scenario): Promise<Prediction> {
  return new Predictor(scenario, await createKeyHasher()).run();
}

interface Occasion {
  readonly atUs: Micros;
  readonly entry: TimelineEntry;
}

/** Until the instant at which a phase begins is over. */
const NO_ROWS = new RowStates(0, []);

const ZONE_KEYS = ['upstream.zone_routing.enabled', 'upstream.healthy_panic_threshold'];

class Predictor {
  private readonly endUs: Micros;
  private readonly behaviors: Behaviors;
  private readonly courses: readonly ClusterCourse[];
  private readonly runtimes: readonly RuntimeView[];
  private readonly occasions: readonly Occasion[];
  private membersVersion = 0;

  constructor(
    private readonly scenario: Scenario,
    hasher: KeyHasher,
  ) {
    const { workloads, requests, durationUs, proxies, timeline } = scenario;
    this.endUs =
      durationUs ?? Math.max(0, ...workloads.map(({ stopUs }) => stopUs ?? 0), ...requests.map(({ atUs }) => atUs + 1));
    this.behaviors = new Behaviors(scenario.behavior);
    this.runtimes = proxies.map(({ runtime }) => new RuntimeView(runtime));
    this.courses = scenario.clusters.map((cluster) => new ClusterCourse(cluster, this.behaviors));
    const kinds = requestKinds(scenario, this.endUs, everTakesTime(scenario), hasher);
    for (const course of this.courses) {
      course.kinds = kindsFor(course.cluster.name, kinds, proxies);
      if (course.never === undefined) course.views = proxies.map((spec, index) => this.view(course, spec, index));
    }
    this.occasions = timeline
      .flatMap((entry) => occurrences(entry, this.endUs).map((atUs) => ({ atUs, entry })))
      .sort((a, b) => a.atUs - b.atUs);
  }

  run(): Prediction {
    this.start();
    let next = 0;
    for (;;) {
      const entryUs = this.occasions[next]?.atUs ?? Infinity;
      const timerUs = this.courses.reduce(
        (due, { views }) => views.reduce((first, view) => Math.min(first, view.plan.dueUs), due),
        Infinity,
      );
      const nowUs = Math.min(entryUs, timerUs);
      if (nowUs === Infinity || nowUs > this.endUs) break;
      // Timers come before the timeline, and the timeline before what discovery makes of it.
      if (timerUs === nowUs) this.fireTimers(nowUs);
      const touched = new Set<ClusterCourse>();
      const instant: TimelineEntry[] = [];
      for (; this.occasions[next]?.atUs === nowUs; next++) instant.push((this.occasions[next] as Occasion).entry);
      // Within one update of discovery, a whole assignment comes before edits of it.
      const order = [...instant].sort((a, b) => rank(a.action) - rank(b.action));
      for (const entry of order) this.act(entry, nowUs, touched);
      for (const course of this.courses) if (touched.has(course)) this.commit(course, nowUs);
      this.refresh(nowUs);
    }
    for (const course of this.courses) this.closeSegment(course, this.endUs);
    return buildPrediction(this.scenario, this.courses, this.endUs);
  }

  private view(course: ClusterCourse, spec: ProxySpec, index: number): ProxyClusterView {
    const localLevel = (): LevelView | undefined => {
      const local = this.courses.find(({ cluster }) => cluster.name === spec.localClusterName);
      return local?.views[index]?.levels[0];
    };
    const runtime = this.runtimes[index] ?? new RuntimeView({});
    return new ProxyClusterView(course.cluster, course.discovery, spec, runtime, localLevel);
  }

  private start(): void {
    for (const course of this.courses) {
      const { cluster, discovery } = course;
      const assignment =
        cluster.type === 'EDS'
          ? this.scenario.assignments.get(serviceName(cluster))
          : course.never === undefined
            ? effectiveAssignment(cluster)
            : undefined;
      if (assignment !== undefined) discovery.assign(assignment);
      const changes = discovery.commit();
      for (const view of course.views) view.start(changes);
      if (course.never === undefined && (assignment?.policy?.dropOverloads ?? []).length > 0) {
        course.lost = 'drop_overloads drops a part of the requests';
      }
    }
    for (const course of this.courses) {
      for (const view of course.views) view.localDelivered();
      this.openPhase(course, 0, 'start');
    }
    this.refresh(0);
  }

  private fireTimers(nowUs: Micros): void {
    for (const course of this.courses) {
      const reached = course.views.map((view) => view.fire(nowUs));
      if (!reached.includes(true)) continue;
      this.tellZones(course, reached);
      course.stale = true;
      const cause = course.causes.length === 0 ? 'merged update' : course.causes.join('; ');
      course.causesDelivered = true;
      this.cut(course, nowUs, course.causes.length === 0 ? cause : `${cause}, delivered after the merge window`);
    }
  }

  private act({ action, label }: TimelineEntry, nowUs: Micros, touched: Set<ClusterCourse>): void {
    switch (action.kind) {
      case 'set_health':
      case 'set_weight':
      case 'set_metadata':
      case 'remove_hosts':
      case 'add_hosts':
      case 'assign':
        for (const course of this.courses) {
          if (!course.discovery.act(action)) continue;
          if (course.causesDelivered) course.causes = [];
          course.causesDelivered = false;
          course.causes.push(label);
          touched.add(course);
          if (action.kind === 'assign' && (action.assignment.policy?.dropOverloads ?? []).length > 0) {
            course.lost = 'drop_overloads drops a part of the requests';
          }
        }
        return;
      case 'set_runtime':
        this.setRuntime(action.values, label, nowUs);
        return;
      case 'set_behavior':
        this.behaviors.add({ hosts: action.hosts, behavior: action.behavior });
        for (const course of this.courses) course.stale = true;
        return;
      case 'update_cluster':
        this.lose(
          action.cluster.name,
          `update_cluster replaces the cluster at ${microsToSeconds(nowUs)} s; simulate it`,
        );
        return;
      case 'remove_cluster':
        this.lose(action.name, `the cluster is removed at ${microsToSeconds(nowUs)} s`);
        return;
      case 'dns':
      case 'set_rate':
      case 'note':
        return;
    }
  }

  private setRuntime(values: Parameters<RuntimeView['set']>[0], label: string, nowUs: Micros): void {
    const matters = ZONE_KEYS.some((key) => key in values);
    for (const runtime of this.runtimes) runtime.set(values);
    if (!matters) return;
    for (const course of this.courses) {
      if (!course.views.some((view) => view.knowsZones)) continue;
      course.stale = true;
      this.cut(course, nowUs, label);
    }
  }

  private lose(name: string, why: string): void {
    const course = this.courses.find(({ cluster }) => cluster.name === name);
    if (course === undefined) return;
    course.lost ??= why;
    course.stale = true;
  }

  /** Discovery hands out what the entries of this instant changed. */
  private commit(course: ClusterCourse, nowUs: Micros): void {
    const { discovery, cluster } = course;
    const changes = discovery.commit();
    this.membersVersion++;
    if (discovery.membersTouched) course.stale = true;
    discovery.membersTouched = false;
    if (cluster.healthChecks.length > 0 && changes.some(({ moved }) => moved)) {
      course.lost ??= 'health checks decide when hosts come and go; simulate it';
    }
    if (changes.length === 0) return;
    const reached = course.views.map((view) => view.update(changes, nowUs));
    if (!reached.includes(true)) return;
    this.tellZones(course, reached);
    course.stale = true;
    course.causesDelivered = true;
    this.cut(course, nowUs, course.causes.join('; '));
  }

  /**
   * New lists of the local cluster matter to all other clusters of that proxy.
   *
   * @param reached by proxy: whether its balancers have them.
   */
  private tellZones(local: ClusterCourse, reached: readonly boolean[]): void {
    for (const [proxy, spec] of this.scenario.proxies.entries()) {
      if (reached[proxy] !== true || spec.localClusterName !== local.cluster.name) continue;
      for (const other of this.courses) {
        const view = other.views[proxy];
        if (other === local || view === undefined || !view.knowsZones) continue;
        view.localDelivered();
        other.stale = true;
      }
    }
  }

  private cut(course: ClusterCourse, nowUs: Micros, cause: string): void {
    const { phase } = course;
    if (phase.fromUs === nowUs) {
      if (!phase.causes.includes(cause)) phase.causes.push(cause);
      return;
    }
    this.closeSegment(course, nowUs);
    this.openPhase(course, nowUs, cause);
  }

  private openPhase(course: ClusterCourse, nowUs: Micros, cause: string): void {
    const byProxy = this.scenario.proxies.map(() => new Mixture());
    course.phases.push({ fromUs: nowUs, causes: [cause], total: new Mixture(), byProxy, states: NO_ROWS });
  }

  /** After all that happens at an instant: works out anew what has changed. */
  private refresh(nowUs: Micros): void {
    for (const course of this.courses) {
      if (!course.stale) continue;
      course.stale = false;
      this.closeSegment(course, nowUs);
      if (course.phase.fromUs === nowUs) course.phase.states = rowStates(course);
      this.open(course);
    }
  }

  private open(course: ClusterCourse): void {
    const rows = course.discovery.rows.length;
    const shared = new Map<string, KindOutcome>();
    course.outcomes = this.scenario.proxies.map((_, proxy) => {
      const view = course.views[proxy];
      return course.kinds.map((kind) => {
        if ((kind.portions[proxy] ?? 0) === 0) return new Outcome(rows);
        const whyNot = course.never ?? course.lost ?? this.upset(course, kind);
        if (view === undefined) return hopeless(whyNot ?? 'there is no balancer');
        // Without hashes, kinds that ask for the same metadata fare alike.
        const key = `${proxy} ${JSON.stringify(kind.metadataMatch)} ${whyNot}`;
        const alike = !isHashPolicy(view.config) && !kind.scripted;
        const known = alike ? shared.get(key) : undefined;
        if (known !== undefined) return known;
        const outcome = outcomeOf(kind, view, rows, this.underLoad(course), whyNot);
        if (alike) shared.set(key, outcome);
        return outcome;
      });
    });
  }

  private underLoad(course: ClusterCourse): string | undefined {
    if (course.cluster.lbPolicy !== 'LEAST_REQUEST') return undefined;
    return course.hostCircumstances(this.membersVersion).takesTime
      ? 'LEAST_REQUEST under load has no closed form: requests are open while others are placed; simulate it'
      : undefined;
  }

  /** What else than the rules of balancing decides. */
  private upset(course: ClusterCourse, kind: RequestKind): string | undefined {
    const { cluster } = course;
    const bounded = (cluster.commonLbConfig?.consistentHashingLbConfig?.hashBalanceFactor ?? 0) > 0;
    const checked = cluster.healthChecks.length > 0;
    const watched = cluster.outlierDetection !== undefined;
    const limited = cluster.circuitBreakers !== undefined;
    if (!bounded && !checked && !watched && !limited && !kind.retried) return undefined;
    const hosts = course.hostCircumstances(this.membersVersion);
    // An answer that takes time may come too late for an attempt.
    if (kind.retried && (hosts.fails || hosts.takesTime))
      return 'failed attempts are tried again elsewhere; simulate it';
    if (checked && hosts.failsChecks) return 'health checks decide which hosts are used; simulate it';
    if (watched && hosts.fails) return 'outlier detection ejects hosts by what they answer; simulate it';
    const open = hosts.takesTime || kind.open.length > 0;
    if (limited && open) return 'circuit breakers turn requests away while others are open; simulate it';
    if (bounded && (open || hosts.active)) return 'bounded load depends on the requests that are open; simulate it';
    return undefined;
  }

  /** Counts the requests since the segment began. */
  private closeSegment(course: ClusterCourse, nowUs: Micros): void {
    const { segmentUs, phase, kinds } = course;
    course.segmentUs = nowUs;
    if (nowUs <= segmentUs) return;
    const rows = course.discovery.rows.length;
    course.outcomes.forEach((outcomes, proxy) => {
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
        const overlaps = this.opensAmong(course, segmentUs, nowUs, rows);
        const outcome = overlaps ?? (typeof known === 'function' ? known(segmentUs, nowUs) : known);
        for (const mixture of [phase.total, own]) {
          if (count === undefined) mixture.addUncounted(outcome);
          else mixture.add(outcome, count);
        }
      });
    });
  }

  /** Explicit requests that stay open upset least request while they are. */
  private opensAmong(course: ClusterCourse, fromUs: Micros, toUs: Micros, rows: number): Outcome | undefined {
    if (course.cluster.lbPolicy !== 'LEAST_REQUEST') return undefined;
    const some = course.kinds.some((kind) => kind.open.some(([start, end]) => start < toUs && end > fromUs));
    if (!some) return undefined;
    const outcome = new Outcome(rows);
    outcome.whyNot = 'requests with a service_time are open meanwhile; simulate it';
    return outcome;
  }
}

/** A cluster that nobody asks anything still has a split: that of a request that asks for nothing in particular. */
function kindsFor(name: string, kinds: readonly RequestKind[], proxies: readonly ProxySpec[]): readonly RequestKind[] {
  const own = kinds.filter(({ cluster }) => cluster === name);
  if (own.length > 0) return own;
  return [
    {
      cluster: name,
      metadataMatch: undefined,
      hash: { kind: 'none' },
      portions: proxies.map(() => 1 / proxies.length),
      before: () => 0,
      retried: false,
      scripted: false,
      open: [],
    },
  ];
}

function hopeless(whyNot: string): Outcome {
  const outcome = new Outcome(0);
  outcome.whyNot = whyNot;
  return outcome;
}

function rank(action: Action): number {
  return action.kind === 'assign' ? 0 : 1;
}

function serviceName({ name, edsClusterConfig }: Cluster): string {
  const service = edsClusterConfig?.serviceName ?? '';
  return service === '' ? name : service;
}
