import { effectiveAssignment } from '../config/cluster-rules.js';
import { aggregated } from '../config/discovery.js';
import type { Cluster, ClusterLoadAssignment } from '../config/types.js';
import type { Micros } from '../core/units.js';
import { microsToSeconds } from '../core/units.js';
import type { KeyHasher } from '../hash/request-key.js';
import { createKeyHasher } from '../hash/request-key.js';
import type { Action, ProxySpec, Scenario, TimelineEntry } from '../scenario/model.js';
import { buildPrediction } from './build-prediction.js';
import { ClusterCourse } from './cluster-course.js';
import type { LevelChange } from './discovery.js';
import type { LevelView } from './level.js';
import { ASSIGNMENT_TOO_OLD } from '../scenario/describe.js';
import { occurrences } from '../scenario/occurrences.js';
import type { Prediction } from './prediction.js';
import { ProxyClusterView, RuntimeView } from './proxy-view.js';
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

const ZONE_KEYS = ['upstream.zone_routing.enabled', 'upstream.healthy_panic_threshold'];

const REJECTED_BY_SOME = 'proxies reject hosts of their local cluster beyond priority 0, others take them; simulate it';

const DROPS = 'drop_overloads drops a part of the requests';

/** Walks through the timeline, and lets each cluster's course know what happens to it. */
class Predictor {
  /** Everything that counts happens before it. */
  private readonly endUs: Micros;
  private readonly shownEndUs: Micros;
  private readonly behaviors: Behaviors;
  private readonly courses: readonly ClusterCourse[];
  private readonly courseOf: ReadonlyMap<string, ClusterCourse>;
  private readonly runtimes: readonly RuntimeView[];
  private readonly occasions: readonly Occasion[];

  constructor(
    private readonly scenario: Scenario,
    hasher: KeyHasher,
  ) {
    const { workloads, requests, durationUs, proxies, timeline } = scenario;
    const stopUs = workloads.reduce((last, workload) => Math.max(last, workload.stopUs ?? 0), 0);
    const lastUs = requests.reduce((last, { atUs }) => Math.max(last, atUs), 0);
    const requestsUs = requests.length === 0 ? 0 : lastUs + 1;
    this.endUs = durationUs ?? Math.max(stopUs, requestsUs);
    this.shownEndUs = durationUs ?? Math.max(stopUs, lastUs);
    this.behaviors = new Behaviors(scenario.behavior);
    this.runtimes = proxies.map(({ runtime }) => new RuntimeView(runtime));
    const kinds = requestKinds(scenario, this.endUs, everTakesTime(scenario), hasher);
    const kindsOf = new Map(scenario.clusters.map(({ name }) => [name, [] as RequestKind[]]));
    for (const kind of kinds) kindsOf.get(kind.cluster)?.push(kind);
    const passedOn = passedOnBy(scenario);
    this.courses = scenario.clusters.map((cluster) => {
      const own = kindsOf.get(cluster.name) ?? [];
      const asked = own.length > 0 ? own : [unasked(cluster.name, proxies)];
      return new ClusterCourse(cluster, scenario, asked, this.behaviors, passedOn.has(cluster.name));
    });
    this.courseOf = new Map(this.courses.map((course) => [course.name, course]));
    for (const course of this.courses) {
      if (course.obstacles.always !== undefined) continue;
      course.views = proxies.map((spec, index) => this.view(course, spec, index));
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
      const expiryUs = this.courses.reduce((due, { expiresUs }) => Math.min(due, expiresUs), Infinity);
      const nowUs = Math.min(entryUs, timerUs, expiryUs);
      if (nowUs === Infinity || nowUs > this.endUs) break;
      // Timers come before the timeline, and the timeline before what discovery makes of it.
      if (timerUs === nowUs) this.fireTimers(nowUs);
      if (expiryUs === nowUs) this.expire(nowUs);
      const touched = new Set<ClusterCourse>();
      const instant: TimelineEntry[] = [];
      for (; this.occasions[next]?.atUs === nowUs; next++) instant.push((this.occasions[next] as Occasion).entry);
      // Within one update of discovery, a whole assignment comes before edits of it.
      const order = [...instant].sort((a, b) => rank(a.action) - rank(b.action));
      for (const entry of order) this.act(entry, nowUs, touched);
      for (const course of this.courses) if (touched.has(course)) this.commit(course, nowUs);
      for (const course of this.courses) course.refresh(nowUs);
    }
    for (const course of this.courses) course.closeSegment(this.endUs);
    return buildPrediction(this.scenario, this.courses, { atUs: this.shownEndUs, beforeUs: this.endUs });
  }

  private view(course: ClusterCourse, spec: ProxySpec, index: number): ProxyClusterView {
    const { localClusterName } = spec;
    const localLevel = (): LevelView | undefined =>
      localClusterName === undefined ? undefined : this.courseOf.get(localClusterName)?.views[index]?.levels[0];
    const runtime = this.runtimes[index] ?? new RuntimeView({});
    return new ProxyClusterView(course.cluster, course.discovery, spec, runtime, localLevel);
  }

  private start(): void {
    for (const course of this.courses) {
      const assignment = this.firstAssignment(course);
      if (assignment !== undefined) course.discovery.assign(assignment);
      const changes = this.changesOf(course);
      for (const view of course.views) view.start(changes);
      if (assignment !== undefined && drops(assignment)) course.obstacles.lose(DROPS);
      this.renew(course, 0);
    }
    for (const course of this.courses) {
      for (const view of course.views) view.localDelivered();
      course.cut(0, 'start');
    }
    for (const course of this.courses) course.refresh(0);
  }

  private firstAssignment({ cluster, obstacles }: ClusterCourse): ClusterLoadAssignment | undefined {
    if (cluster.type === 'EDS') return this.scenario.assignments.get(serviceName(cluster));
    return obstacles.always === undefined ? effectiveAssignment(cluster) : undefined;
  }

  private fireTimers(nowUs: Micros): void {
    for (const course of this.courses) {
      const reached = course.views.map((view) => view.fire(nowUs));
      const cause = course.causes.length === 0 ? 'merged update' : `${course.causes.join('; ')}${LATE}`;
      this.delivered(course, reached, cause, nowUs);
    }
  }

  /** EDS says nothing new: what it said is dropped. */
  private expire(nowUs: Micros): void {
    for (const course of this.courses) {
      if (course.expiresUs !== nowUs) continue;
      course.discovery.assign({ clusterName: course.name, endpoints: [] });
      course.addCause(ASSIGNMENT_TOO_OLD);
      this.commit(course, nowUs);
    }
  }

  /** Whatever discovery says of an EDS cluster, it says it anew. */
  private renew(course: ClusterCourse, nowUs: Micros): void {
    if (course.cluster.type === 'EDS') course.expiresUs = nowUs + course.discovery.staleAfterUs;
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
          course.addCause(label);
          touched.add(course);
          if (action.kind === 'assign' && drops(action.assignment)) course.obstacles.lose(DROPS);
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
      course.cut(nowUs, label);
    }
  }

  private lose(name: string, why: string): void {
    for (const course of this.courses) {
      if (course.name !== name) continue;
      course.obstacles.lose(why);
      course.stale = true;
    }
  }

  /** Discovery hands out what the entries of this instant changed. */
  private commit(course: ClusterCourse, nowUs: Micros): void {
    const { discovery, cluster } = course;
    this.renew(course, nowUs);
    const changes = this.changesOf(course);
    if (discovery.membersTouched) course.stale = true;
    discovery.membersTouched = false;
    if (discovery.healthTouched && course.views.some((view) => view.readsHealthLive)) course.stale = true;
    discovery.healthTouched = false;
    if (cluster.healthChecks.length > 0 && changes.some(({ moved }) => moved)) {
      course.obstacles.lose('health checks decide when hosts come and go; simulate it');
    }
    if (changes.length === 0) return;
    const reached = course.views.map((view) => view.update(changes, nowUs));
    this.delivered(course, reached, course.causes.join('; '), nowUs);
  }

  private changesOf(course: ClusterCourse): readonly LevelChange[] {
    if (course.isRejectedBySome) {
      const { proxies } = this.scenario;
      for (const other of this.courses) {
        const asks = other.views.some(({ knowsZones }, index) => {
          return knowsZones && proxies[index]?.localClusterName === course.name;
        });
        if (other !== course && !asks) continue;
        other.obstacles.lose(REJECTED_BY_SOME);
        other.stale = true;
      }
    }
    return course.commit();
  }

  /** @param reached by proxy: whether its balancers have new lists. */
  private delivered(course: ClusterCourse, reached: readonly boolean[], cause: string, nowUs: Micros): void {
    if (!reached.includes(true)) return;
    course.stale = true;
    course.causesDelivered = true;
    course.cut(nowUs, cause);
    this.tellZones(course, reached, cause, nowUs);
  }

  /** New lists of the local cluster matter to all other clusters of that proxy. */
  private tellZones(local: ClusterCourse, reached: readonly boolean[], cause: string, nowUs: Micros): void {
    for (const [proxy, spec] of this.scenario.proxies.entries()) {
      if (reached[proxy] !== true || spec.localClusterName !== local.name) continue;
      for (const other of this.courses) {
        const view = other.views[proxy];
        if (other === local || view === undefined || !view.knowsZones) continue;
        view.localDelivered();
        other.stale = true;
        other.cut(nowUs, cause);
      }
    }
  }
}

const LATE = ', delivered after the merge window';

/** The clusters that aggregates use which somebody asks. */
function passedOnBy({ clusters, workloads, requests }: Scenario): ReadonlySet<string> {
  const asked = new Set([...workloads.flatMap(({ route }) => route), ...requests].map(({ cluster }) => cluster));
  return new Set(clusters.flatMap((cluster) => (asked.has(cluster.name) ? (aggregated(cluster) ?? []) : [])));
}

/** A cluster that nobody asks anything still has a split: that of a request that asks for nothing in particular. */
function unasked(name: string, proxies: readonly ProxySpec[]): RequestKind {
  return {
    cluster: name,
    metadataMatch: undefined,
    hash: { kind: 'none' },
    portions: proxies.map(() => 1 / proxies.length),
    before: () => 0,
    retried: false,
    scripted: false,
    open: [],
  };
}

function drops({ policy }: ClusterLoadAssignment): boolean {
  return (policy?.dropOverloads ?? []).length > 0;
}

function rank(action: Action): number {
  return action.kind === 'assign' ? 0 : 1;
}

function serviceName({ name, edsClusterConfig }: Cluster): string {
  const service = edsClusterConfig?.serviceName ?? '';
  return service === '' ? name : service;
}
