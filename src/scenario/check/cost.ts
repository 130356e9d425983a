import { addAll, groupBy, largest, sum } from '../../core/values.js';
import { firstAssignment } from '../../config/assignment-rules.js';
import { defaultOf } from '../../core/defaults.js';
import { discoveryType, lookupsOf, type Cluster } from '../../config/cluster/cluster-shape.js';
import { choiceCountOf, tableSettings } from '../../config/lb.js';
import { leafOf, nameOf } from '../../config/policy/policy.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import type { Path } from '../../config/reader.js';
import type { Micros } from '../../core/units.js';
import { count } from '../../core/words.js';
import { MODERN_PROXY_VERSION } from '../../core/version.js';
import { tablePolicyOf } from '../../policy/policy-of.js';
import { factsOf, isTablePolicy } from '../../policy/registry.js';
import { meanOf } from '../../random/distributions.js';
import { actionsOf, countOccurrences, endOf, type RequestSpec, type Workload } from '../../settings/world.js';
import { COSTS } from './generated/costs.js';
import { ExpectedArrivals, rateChanges } from './expected-arrivals.js';
import { type Behavior, type BehaviorRule, IDEAL_BEHAVIOR } from '../../settings/behavior.js';
import type { Action, Scenario, TimelineEntry } from '../model.js';

/** The purpose of a scenario: inspecting tables takes no simulated time, and a prediction sends no requests. */
export type Purpose = 'run' | 'predict' | 'tables';

const { limits: LIMITS, usual_memory: USUAL_MEMORY, draws_per_request: DRAWS_PER_REQUEST, bytes: BYTES } = COSTS;

export type Excess = Readonly<{ path: Path; message: string }>;

export interface EntryPaths {
  readonly cluster: (index: number) => Path;
  readonly proxy: (index: number) => Path;
  /** Entries of the timeline that are options of the call, before those of the file. */
  readonly options: number;
}

interface Item {
  readonly path: Path;
  /** As "arrivals of 1e15/s for 10 s". */
  readonly what: string;
  readonly cost: number;
}

const item = (path: Path, what: string, cost: number): Item => ({ path, what, cost });

/**
 * What cannot end or fit in memory, known before the run. Costs that depend on it, as retries, are left out.
 * @param memory bytes that there may be.
 */
export function excessOf(
  scenario: Scenario,
  purpose: Purpose,
  places: EntryPaths,
  memory: number = USUAL_MEMORY,
): readonly Excess[] {
  const course = new Course(scenario, places);
  const found: Excess[] = [];
  if (purpose !== 'tables') {
    const acts = scenario.timeline.map((entry, index) =>
      item(course.entryPath(entry, index), 'it acts', countOccurrences(entry, course.endUs)),
    );
    addAll(found, beyond(acts, LIMITS.timeline, 'times', 'the entries of a timeline act at most'));
    // Aggregates are left out: their members count the same.
    if (found.length > 0) return found;
  }
  if (purpose === 'run') {
    addAll(found, endlessRequests(scenario, places));
    addAll(found, course.decisions());
    addAll(found, beyond(course.happenings(), LIMITS.happenings, 'events', 'a run has at most'));
  }
  addAll(found, beyond(course.memory(purpose), memory, 'bytes', 'there may be'));
  return found;
}

/** Each item that exceeds the limit alone; or, if only their sum does, the largest. */
function beyond(items: readonly Item[], limit: number, unit: string, allowed: string): Excess[] {
  const total = sum(items.map(({ cost }) => cost));
  if (total <= limit) return [];
  const alone = items.filter(({ cost }) => cost > limit);
  const [largest] = [...items].sort((a, b) => b.cost - a.cost);
  const shown = alone.length > 0 ? alone : largest === undefined ? [] : [largest];
  return shown.map(({ path, what, cost }) => {
    const rest = alone.length > 0 ? '' : `, with all the rest ${rounded(total)}`;
    return { path, message: `${what} ${rounded(cost)} ${unit}${rest}: ${allowed} ${count(limit)}` };
  });
}

const rounded = (value: number): string => (value < 1e15 ? count(value) : value.toExponential(1));

/** Requests without a time limit at hosts that never answer, in a run without a duration. */
function endlessRequests(scenario: Scenario, places: EntryPaths): Excess[] {
  const { durationUs, behavior, timeline } = scenario;
  if (durationUs !== undefined || !goesOnByItself(scenario)) return [];
  const later = timeline.map(({ action }) => (action.kind === 'set_behavior' ? action.behavior.down : undefined));
  const rule = behavior.findIndex((one) => one.behavior.down === 'hang');
  const entry = later.indexOf('hang');
  if (rule === -1 && entry === -1) return [];
  const where = rule === -1 ? `timeline[${entry - places.options}]` : `behavior[${rule}]`;
  const message =
    `without a time-out (0s) a request to a host that hangs (${where}) never ends, and neither does a run without a ` +
    'duration: give the scenario a duration, or the requests a timeout';
  return sentIn(scenario).flatMap(({ path, spec: { timeoutUs, retryPolicy } }) => {
    const isEndless = timeoutUs === 0 && (retryPolicy?.perTryTimeoutUs ?? 0) === 0;
    return isEndless ? [{ path: [...path, 'timeout'], message }] : [];
  });
}

const sentIn = ({ workloads, requests }: Scenario): readonly { readonly spec: RequestSpec; readonly path: Path }[] =>
  Object.entries({ workloads, requests }).flatMap(([name, list]) =>
    list.map((spec, index) => ({ spec, path: [name, index] })),
  );

/** Something repeats for ever, whether or not requests are sent. */
function goesOnByItself({ clusters, timeline }: Scenario): boolean {
  if (timeline.some(({ everyUs, untilUs }) => everyUs !== undefined && untilUs === undefined)) return true;
  return clusters.some((cluster) => {
    const { healthChecks, outlierDetection } = cluster;
    const type = discoveryType(cluster);
    return healthChecks.length > 0 || outlierDetection !== undefined || (type !== 'STATIC' && type !== 'EDS');
  });
}

class Course {
  /** The end of the run, or its earliest end without a duration. */
  readonly endUs: Micros = endOf(this.scenario);
  private readonly instances = sum(this.scenario.proxies.map((proxy) => proxy.count));
  /** By the cluster's name: largest number of hosts at one time. */
  private readonly hosts: ReadonlyMap<string, number>;
  private readonly allHosts: number;
  /** Clusters that workloads send to, by name. */
  private readonly busy = new Set(this.scenario.workloads.flatMap(({ route }) => route.map(({ cluster }) => cluster)));
  private readonly additions = groupBy(actionsOf(this.scenario.timeline, 'add_hosts'), ({ cluster }) => cluster);
  /** By the cluster's name: hosts drawn for a decision, as far as that is allowed. */
  private readonly draws: ReadonlyMap<string, number>;

  constructor(
    private readonly scenario: Scenario,
    private readonly places: EntryPaths,
  ) {
    const { clusters } = scenario;
    this.hosts = new Map(clusters.map((cluster) => [cluster.name, this.hostsOf(cluster)]));
    this.allHosts = sum(this.hosts.values());
    this.draws = new Map(clusters.map((cluster) => [cluster.name, Math.min(drawsOf(cluster), LIMITS.draws)]));
  }

  /** The time of an entry, or of the option that it is. */
  entryPath({ everyUs }: TimelineEntry, index: number): Path {
    const at = index - this.places.options;
    return at < 0 ? [] : ['timeline', at, everyUs === undefined ? 'at' : 'every'];
  }

  decisions(): Excess[] {
    const { clusters } = this.scenario;
    const allowed = `a decision looks at no more than ${count(LIMITS.draws)} hosts`;
    const choices = clusters.flatMap((cluster, index): Excess[] => {
      const draws = drawsOf(cluster);
      if (draws <= LIMITS.draws) return [];
      const path = [...this.places.cluster(index), 'least_request_lb_config', 'choice_count'];
      return [{ path, message: `${rounded(draws)} hosts are drawn for each request: ${allowed}` }];
    });
    const most = largest(this.draws.values(), 1);
    const retries = sentIn(this.scenario).flatMap(({ spec, path }): Excess[] => {
      const attempts = spec.retryPolicy?.hostSelectionRetryMaxAttempts ?? 0;
      if (attempts <= 1 || attempts * most <= LIMITS.draws) return [];
      const message = `a retry draws up to ${rounded(attempts * most)} hosts: ${allowed}`;
      return [{ path: [...path, 'retry_policy', 'host_selection_retry_max_attempts'], message }];
    });
    return [...choices, ...retries];
  }

  happenings(): Item[] {
    const { clusters, workloads } = this.scenario;
    const arrivals = workloads.map((workload, index) => {
      const weights = sum(workload.route.map(({ weight }) => weight));
      const drawn = workload.route.map(({ cluster, weight }) => ((this.draws.get(cluster) ?? 0) * weight) / weights);
      const draws = weights === 0 ? 0 : sum(drawn);
      const cost = (this.arrivals(workload) ?? 0) * Math.max(1, draws / DRAWS_PER_REQUEST);
      return item(['workloads', index, 'arrivals'], 'these arrivals make about', cost);
    });
    return [...arrivals, ...clusters.flatMap((cluster, index) => this.routines(cluster, this.places.cluster(index)))];
  }

  private course({ name, arrivals, startUs, stopUs: end = this.endUs }: Workload) {
    const stopUs = Math.min(end, this.endUs);
    const changes = rateChanges(this.scenario.timeline, name, this.endUs);
    return { stopUs, changes, expected: new ExpectedArrivals(arrivals, startUs, stopUs, changes, true) };
  }

  /** Requests of a workload; undefined: that depends on the run. */
  private arrivals(workload: Workload): number | undefined {
    return this.course(workload).expected.before(Infinity);
  }

  private routines(cluster: Cluster, place: Path): Item[] {
    const often = (path: Path, what: string, of: number, intervalUs: Micros | undefined, least: Micros): Item => {
      const cost = intervalUs === undefined ? 0 : (of * this.instances * this.endUs) / Math.max(intervalUs, least);
      return item([...place, ...path], what, cost);
    };
    const hosts = this.rowsOf(cluster.name);
    const type = discoveryType(cluster);
    const lookups = lookupsOf(cluster);
    const lookupUs = type === 'STRICT_DNS' || type === 'LOGICAL_DNS' ? lookups.refreshRate : undefined;
    const cleanupUs = type === 'ORIGINAL_DST' ? cluster.cleanupInterval : undefined;
    return [
      ...cluster.healthChecks.map((check, at) => {
        const [field, intervalUs] = this.busy.has(cluster.name)
          ? ['interval', check.interval]
          : ['no_traffic_interval', check.noTrafficInterval ?? MINUTE_US];
        return often(['health_checks', at, field], 'these health checks are', hosts, intervalUs, MILLI_US);
      }),
      often(['outlier_detection', 'interval'], 'its sweeps are', 1, cluster.outlierDetection?.interval, MILLI_US),
      often([...lookups.path, 'dns_refresh_rate'], 'its look-ups are', 1, lookupUs, 1),
      often(['cleanup_interval'], 'its sweeps are', 1, cleanupUs, 1),
    ];
  }

  memory(purpose: Purpose): Item[] {
    const { clusters, workloads, timeline, proxies } = this.scenario;
    const items = clusters.map((cluster, index) =>
      item(this.places.cluster(index), 'its tables take about', tableBytes(cluster)),
    );
    if (purpose === 'tables') return items;
    for (const [index, entry] of timeline.entries()) {
      const bytes = countOccurrences(entry, this.endUs) * this.rowsTouched(entry.action) * BYTES.host_in_phase;
      items.push(item(this.entryPath(entry, index), 'its phases, each with every host, take about', bytes));
    }
    for (const [index, { arrivals, hashKey }] of workloads.entries()) {
      const keys = hashKey === undefined || hashKey.kind === 'cycle' ? 0 : hashKey.keys;
      const users = purpose === 'run' && arrivals.kind === 'closed' ? arrivals.users : 0;
      items.push(item(['workloads', index, 'hash_key'], 'these keys take about', keys * BYTES.key));
      const path = ['workloads', index, 'arrivals', 'closed', 'users'];
      items.push(item(path, 'these users take about', users * BYTES.user));
    }
    if (purpose !== 'run') return items;
    for (const [index, workload] of workloads.entries()) {
      const open = this.openRequests(workload);
      const what = `these arrivals leave up to ${rounded(open)} requests open, which take about`;
      items.push(item(['workloads', index, 'arrivals'], what, open * BYTES.open_request));
    }
    const requests = sum(workloads.map((workload) => this.arrivals(workload) ?? Infinity));
    const busyHosts = sum(Array.from(this.busy, (name) => this.rowsOf(name)));
    const places = sum(proxies.map((proxy) => proxy.count * proxy.workers)) * busyHosts;
    // The part of them that requests reach which fall on them at random.
    const reached = places === 0 ? 0 : -Math.expm1(-requests / places);
    const kept = clusters.map(({ name, healthChecks, outlierDetection }, index) => {
      const once = BYTES.cluster + this.rowsOf(name) * BYTES.row;
      items.push(item(this.places.cluster(index), 'its hosts take about', once));
      const ofChecks =
        healthChecks.length * BYTES.proxy.check + (outlierDetection === undefined ? 0 : BYTES.proxy.outlier);
      return BYTES.proxy.cluster + this.rowsOf(name) * (BYTES.proxy.host + ofChecks);
    });
    for (const [index, { count: instances, workers }] of proxies.entries()) {
      const ofWorkers = workers * (this.allHosts * BYTES.worker.host + clusters.length * BYTES.worker.cluster);
      const ofRequests = reached * workers * busyHosts * BYTES.worker.busy_host;
      const what = 'its instances, with all hosts and workers, take about';
      items.push(item(this.places.proxy(index), what, instances * (sum(kept) + ofWorkers + ofRequests)));
    }
    return items;
  }

  /** How many requests of a workload are open at one time, at most, as far as that is certain: what it takes hosts at least. */
  private openRequests(workload: Workload): number {
    const { scenario, endUs } = this;
    const { timeoutUs, retryPolicy, arrivals, priority } = workload;
    const limits = [timeoutUs, retryPolicy?.perTryTimeoutUs ?? 0].filter((limit) => limit > 0);
    const openUs = Math.min(endUs, ...limits, ...behaviorsOf(scenario).map(leastUs));
    const { stopUs, changes, expected } = this.course(workload);
    const turns = [...changes, ...(arrivals.kind === 'ramp' ? arrivals.points : [])].map(({ atUs }) => atUs);
    const arrived = [stopUs, ...turns].map((end) => (expected.before(end) ?? 0) - (expected.before(end - openUs) ?? 0));
    const names = new Set(workload.route.map(({ cluster }) => cluster));
    const admitted = scenario.clusters.filter(({ name }) => names.has(name)).map((one) => admittedBy(one, priority));
    return Math.max(0, Math.min(largest(arrived), this.instances * sum(admitted)));
  }

  /** Hosts of the clusters that an action may give new lists. */
  private rowsTouched(action: Action): number {
    if (action.kind === 'assign') return this.rowsOf();
    if (action.kind === 'add_hosts') return this.rowsOf(action.cluster);
    if (action.kind === 'update_cluster') return this.rowsOf(action.cluster.name);
    if (action.kind === 'remove_cluster') return this.rowsOf(action.name);
    if ('hosts' in action && action.kind !== 'set_behavior') return this.rowsOf(action.hosts.cluster);
    // A line in the report of each cluster.
    return this.scenario.clusters.length;
  }

  /** @param name undefined: of all. */
  private rowsOf(name?: string): number {
    return name === undefined ? this.allHosts : (this.hosts.get(name) ?? 0);
  }

  private hostsOf(cluster: Cluster): number {
    const first = firstAssignment(cluster, this.scenario.assignments);
    const written = (first?.endpoints ?? []).map(({ lbEndpoints }) => lbEndpoints.length);
    const added = (this.additions.get(cluster.name) ?? []).map(({ endpoints }) => endpoints.length);
    return sum([...written, ...added]);
  }
}

/** How hosts may behave: as a rule for all of them says, or as others change it. */
function behaviorsOf({ behavior, timeline }: Scenario): readonly Behavior[] {
  const isForAll = ({ hosts }: BehaviorRule): boolean => Object.keys(hosts).length === 0;
  const all = behavior
    .filter(isForAll)
    .reduce<Behavior>((base, rule) => ({ ...base, ...rule.behavior }), IDEAL_BEHAVIOR);
  const others = [...behavior, ...actionsOf(timeline, 'set_behavior')].filter((rule) => !isForAll(rule));
  return [all, ...others.map((rule) => ({ ...all, ...rule.behavior }))];
}

/** How long a host has a request at least, on average; 0 where it may refuse it. */
function leastUs({ down, queueLimit, serviceTime, networkLatency }: Behavior): Micros {
  if (down === 'hang') return Infinity;
  return down === 'refuse' || queueLimit < Infinity ? 0 : meanOf(serviceTime) + meanOf(networkLatency);
}

/** Requests that circuit breakers of a cluster let one proxy have at once. */
function admittedBy({ circuitBreakers }: Cluster, priority: RequestSpec['priority']): number {
  const own = circuitBreakers?.thresholds.find((one) => one.priority === priority);
  const {
    maxConnections = defaultOf(THRESHOLDS, 'max_connections'),
    maxPendingRequests = defaultOf(THRESHOLDS, 'max_pending_requests'),
    maxRequests = defaultOf(THRESHOLDS, 'max_requests'),
  } = own ?? {};
  return Math.max(maxConnections, maxRequests) + maxPendingRequests;
}

const THRESHOLDS = 'cluster.CircuitBreakers.Thresholds';
const MINUTE_US = 60_000_000;
const MILLI_US = 1000;

function drawsOf(cluster: Cluster): number {
  const leaf = leafOf(policyOf(cluster));
  return factsOf(nameOf(leaf))?.looksAtLoad === true ? choiceCountOf(leaf) : 1;
}

function tableBytes(cluster: Cluster): number {
  const leaf = leafOf(policyOf(cluster));
  const name = nameOf(leaf);
  if (!isTablePolicy(name)) return 0;
  const policy = tablePolicyOf(name);
  return policy.tableBytes(policy.configOf(tableSettings(leaf), MODERN_PROXY_VERSION));
}
