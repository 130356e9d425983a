import type { Cluster } from '../config/cluster.js';
import { checkAssignment, effectiveAssignment } from '../config/cluster-rules.js';
import { discoveryType } from '../config/discovery.js';
import type { ClusterLoadAssignment } from '../config/endpoint.js';
import { didYouMean, type Path } from '../config/reader.js';
import type { Severity } from '../core/problem.js';
import type { Micros } from '../core/units.js';
import type { Unworded } from './expectation.js';
import { KnownHosts, namesOf } from './known-hosts.js';
import type { BehaviorRule, DnsAnswer, ExplicitRequest, ProxySpec, Selector, Workload } from './model.js';
import { instanceNames } from './proxies.js';
import { describeSelector } from './selector.js';
import type { WrittenEntry } from './timeline.js';
import { formatDuration } from './units.js';
import type { WrittenWorkload } from './workload.js';

/**
 * A scenario as far as it could be read: lists are parallel to the lists of the file, undefined where an entry has
 * errors of its own. Whatever can be judged is judged, so that one typo does not hide the next.
 */
export interface ScenarioParts {
  readonly name: string | undefined;
  readonly description: string;
  readonly seed: string;
  readonly clusters: readonly (Cluster | undefined)[];
  readonly clusterPath: (index: number) => Path;
  /** Of all clusters that have one, readable or not, and of those that `update_cluster` brings. */
  readonly clusterNames: readonly string[];
  /** Keys of `endpoints`. */
  readonly endpointNames: readonly string[];
  readonly assignments: ReadonlyMap<string, ClusterLoadAssignment>;
  readonly dns: ReadonlyMap<string, DnsAnswer>;
  readonly proxies: readonly (ProxySpec | undefined)[];
  /** Where `proxies[index]` is written. */
  readonly proxyPath: (index: number) => Path;
  /** `behavior`, or `hosts` if that is the word of the file. */
  readonly behaviorField: string;
  readonly behavior: readonly (BehaviorRule | undefined)[];
  readonly workloads: readonly (WrittenWorkload | undefined)[];
  readonly requests: readonly (ExplicitRequest | undefined)[];
  readonly timeline: readonly (WrittenEntry | undefined)[];
  readonly expect: readonly (Unworded | undefined)[];
  readonly durationUs: Micros | undefined;
  /** `duration` is written and has errors: nothing is said of its absence. */
  readonly durationWrong: boolean;
  readonly warmupUs: Micros;
}

export type ReportAt = (severity: Severity, path: Path, rule: string, message: string) => void;

/** Everything that two parts of a scenario must agree on. */
export function checkReferences(parts: ScenarioParts, report: ReportAt): void {
  new ReferenceCheck(parts, report).run();
}

/** Every host the file names; undefined if a source of hosts could not be read. */
export function knownHosts(parts: ScenarioParts): KnownHosts | undefined {
  const clusters = readable(parts.clusters);
  const timeline = readable(parts.timeline);
  if (clusters.length < parts.clusters.length || timeline.length < parts.timeline.length) return undefined;
  return new KnownHosts({ clusters, assignments: parts.assignments, dns: parts.dns, timeline });
}

class ReferenceCheck {
  private readonly known: KnownHosts | undefined;
  private readonly byName: ReadonlyMap<string, Cluster>;
  private readonly proxyNames: readonly string[];

  constructor(
    private readonly parts: ScenarioParts,
    private readonly report: ReportAt,
  ) {
    this.known = knownHosts(parts);
    this.byName = new Map(readable(parts.clusters).map((cluster) => [cluster.name, cluster]));
    this.proxyNames = readable(parts.proxies).flatMap((proxy) => [...new Set([proxy.name, ...instanceNames(proxy)])]);
  }

  run(): void {
    this.checkClusters();
    this.checkHostSources();
    this.checkProxies();
    this.checkWorkloads();
    this.checkRequests();
    this.checkBehavior();
    this.checkTimeline();
    this.checkExpectations();
    const { durationUs, warmupUs } = this.parts;
    if (durationUs !== undefined && warmupUs >= durationUs) {
      this.report(
        'warning',
        ['warmup'],
        'warmup',
        `warmup is not shorter than the run (${formatDuration(durationUs)}): nothing is counted`,
      );
    }
  }

  private clusterKnown(name: string, path: Path): boolean {
    const { clusterNames } = this.parts;
    if (clusterNames.includes(name)) return true;
    const near = didYouMean(name, clusterNames);
    const list =
      clusterNames.length === 0
        ? 'there is none'
        : `there ${clusterNames.length === 1 ? 'is' : 'are'} ${clusterNames.join(', ')}`;
    this.report('error', path, 'unknown-cluster', `there is no cluster "${name}"${near === '' ? `: ${list}` : near}`);
    return false;
  }

  private checkHostSources(): void {
    for (const name of this.parts.endpointNames) this.clusterKnown(name, ['endpoints', name]);
    const later = readable(this.parts.timeline).flatMap(({ action }) =>
      action.kind === 'update_cluster' ? [action.cluster] : [],
    );
    const accepted = new Set([...this.parts.clusterNames, ...[...this.byName.values(), ...later].flatMap(namesOf)]);
    for (const [name, assignment] of this.parts.assignments) {
      const path = ['assignments', name];
      if (assignment.clusterName !== name) {
        const text = `this assignment is for ${assignment.clusterName}, and stands under ${name}: the proxy would reject it`;
        this.report('error', [...path, 'cluster_name'], 'assignment-name', text);
      }
      if (!accepted.has(name)) {
        const near = didYouMean(name, [...accepted]);
        this.report(
          'error',
          path,
          'unknown-cluster',
          `no cluster has the name or the EDS service name "${name}"${near}`,
        );
        continue;
      }
      const users = [...this.byName.values()].filter((cluster) => namesOf(cluster).includes(name));
      for (const cluster of users) {
        const type = discoveryType(cluster);
        if (type === 'EDS') this.checkAssignment(cluster, assignment, path);
        else if (type !== undefined) {
          const text = `${cluster.name} is a ${type} cluster: assignments are for EDS clusters, write its load_assignment`;
          this.report('error', path, 'assignment-type', text);
        }
      }
    }
  }

  private checkAssignment(cluster: Cluster, assignment: ClusterLoadAssignment, path: Path): void {
    checkAssignment(cluster, assignment, (message, at = [], severity = 'error') => {
      this.report(severity, [...path, ...at], 'assignment', message);
    });
  }

  private checkClusters(): void {
    const seen = new Set<string>();
    for (const [index, cluster] of this.parts.clusters.entries()) {
      if (cluster === undefined) continue;
      if (seen.has(cluster.name)) {
        const path = [...this.parts.clusterPath(index), 'name'];
        this.report('error', path, 'duplicate-name', `there is already a cluster "${cluster.name}"`);
      }
      seen.add(cluster.name);
    }
  }

  private checkProxies(): void {
    const seen = new Set<string>();
    for (const [index, proxy] of this.parts.proxies.entries()) {
      if (proxy === undefined) continue;
      const path = this.parts.proxyPath(index);
      const duplicate = [...new Set([proxy.name, ...instanceNames(proxy)])].find((name) => seen.has(name));
      if (duplicate !== undefined) {
        this.report('error', [...path, 'name'], 'duplicate-name', `there is already a proxy "${duplicate}"`);
      }
      for (const name of [proxy.name, ...instanceNames(proxy)]) seen.add(name);
      const local = proxy.localClusterName;
      if (local === undefined) continue;
      const at = [...path, 'local_cluster_name'];
      if (this.clusterKnown(local, at)) this.checkLocalCluster(local, at);
    }
  }

  /** The proxy takes a local cluster with hosts in priority 0 only. */
  private checkLocalCluster(name: string, path: Path): void {
    const cluster = this.byName.get(name);
    if (cluster === undefined) return;
    const eds = discoveryType(cluster) === 'EDS';
    const assigned = namesOf(cluster).map((key) => this.parts.assignments.get(key));
    const assignment = eds ? assigned.find((one) => one !== undefined) : effectiveAssignment(cluster);
    const further = assignment?.endpoints.some((group) => group.priority > 0 && group.lbEndpoints.length > 0);
    if (further !== true) return;
    const text = `the local cluster ${name} may have hosts in priority 0 only`;
    if (eds) this.report('warning', path, 'local-cluster', `${text}: the proxy rejects this assignment`);
    else this.report('error', path, 'local-cluster', text);
  }

  // --- traffic -----------------------------------------------------------------------------------------------------

  private checkWorkloads(): void {
    const { workloads, durationUs, durationWrong } = this.parts;
    const seen = new Set<string>();
    for (const [index, workload] of workloads.entries()) {
      if (workload === undefined) continue;
      const path = ['workloads', index];
      if (seen.has(workload.name)) {
        this.report('error', [...path, 'name'], 'duplicate-name', `there is already a workload "${workload.name}"`);
      }
      seen.add(workload.name);
      this.checkRoute(workload, path);
      for (const [at, name] of (workload.proxies ?? []).entries()) this.proxyKnown(name, [...path, 'proxies', at]);
      const endless = workload.stopUs === undefined && workload.arrivals.kind !== 'trace';
      if (endless && durationUs === undefined && !durationWrong) {
        const text = 'this workload never ends: give it a stop, or the scenario a duration';
        this.report('error', path, 'duration-required', text);
      }
      this.notAfterEnd(workload.startUs, [...path, 'start'], 'this workload sends nothing');
      this.checkClosed(workload, path);
    }
  }

  private checkRoute(workload: WrittenWorkload, path: Path): void {
    for (const [index, { cluster }] of workload.route.entries()) {
      const at = workload.routed ? [...path, 'route', index, 'cluster'] : [...path, 'cluster'];
      if (!this.clusterKnown(cluster, at)) continue;
      const policy = this.byName.get(cluster)?.lbPolicy;
      if ((policy === 'RING_HASH' || policy === 'MAGLEV') && workload.hashKey === undefined) {
        const text = `${cluster} uses ${policy} and this workload has no hash_key: every request gets a random hash`;
        this.report('warning', path, 'hash-key', text);
      }
    }
  }

  /** Users who get an answer and send again at the same instant, for ever. */
  private checkClosed({ arrivals }: Workload, path: Path): void {
    if (arrivals.kind !== 'closed' || arrivals.thinkTime.kind !== 'constant' || arrivals.thinkTime.us > 0) return;
    const { behavior, timeline } = this.parts;
    const unreadable = behavior.includes(undefined) || timeline.includes(undefined);
    const later = readable(timeline).flatMap(({ action }) => (action.kind === 'set_behavior' ? [action] : []));
    const takesTime = [...readable(behavior), ...later].some(
      (rule) => rule.behavior.serviceTime ?? rule.behavior.networkLatency ?? rule.behavior.connectTime,
    );
    if (takesTime || unreadable) return;
    const text = 'hosts answer at once and users do not think: give hosts a service_time or users a think_time';
    this.report('error', [...path, 'arrivals', 'closed'], 'closed-loop', text);
  }

  private checkRequests(): void {
    for (const [index, request] of this.parts.requests.entries()) {
      if (request === undefined) continue;
      const path = ['requests', index];
      this.clusterKnown(request.cluster, [...path, 'cluster']);
      this.notAfterEnd(request.atUs, [...path, 'at'], 'this request is not sent');
      const proxies = readable(this.parts.proxies);
      const named = request.proxy === undefined || this.proxyKnown(request.proxy, [...path, 'proxy']);
      const proxy =
        request.proxy === undefined
          ? proxies[0]
          : proxies.find((one) => one.name === request.proxy || instanceNames(one).includes(request.proxy ?? ''));
      if (named && proxy !== undefined && request.worker !== undefined && request.worker >= proxy.workers) {
        const has = proxy.workers === 1 ? '1 worker, number 0' : `${proxy.workers} workers, 0 to ${proxy.workers - 1}`;
        this.report('error', [...path, 'worker'], 'unknown-worker', `${proxy.name} has ${has}`);
      }
    }
  }

  private proxyKnown(name: string, path: Path): boolean {
    if (this.proxyNames.includes(name) || readable(this.parts.proxies).length < this.parts.proxies.length) return true;
    const near = didYouMean(name, this.proxyNames);
    const list = `: there ${this.proxyNames.length === 1 ? 'is' : 'are'} ${this.proxyNames.join(', ')}`;
    this.report('error', path, 'unknown-proxy', `there is no proxy "${name}"${near === '' ? list : near}`);
    return false;
  }

  private notAfterEnd(timeUs: Micros, path: Path, consequence: string): void {
    const { durationUs } = this.parts;
    if (durationUs === undefined || timeUs < durationUs) return;
    const text = `${formatDuration(timeUs)} is past the end of the run (${formatDuration(durationUs)}): ${consequence}`;
    this.report('warning', path, 'past-end', text);
  }

  // --- hosts and time ----------------------------------------------------------------------------------------------

  private checkSelector(selector: Selector, path: Path): void {
    if (selector.cluster !== undefined && !this.clusterKnown(selector.cluster, [...path, 'cluster'])) return;
    if (this.known === undefined || this.known.mayMatch(selector)) return;
    this.report('warning', path, 'no-such-host', `no host is ever ${describeSelector(selector)}`);
  }

  private checkBehavior(): void {
    for (const [index, rule] of this.parts.behavior.entries()) {
      if (rule !== undefined) this.checkSelector(rule.hosts, [this.parts.behaviorField, index, 'hosts']);
    }
  }

  private checkTimeline(): void {
    for (const [index, entry] of this.parts.timeline.entries()) {
      if (entry === undefined) continue;
      const path = ['timeline', index];
      const time = entry.everyUs === undefined ? 'at' : 'from';
      this.notAfterEnd(entry.atUs, [...path, time], 'this never happens');
      this.checkAction(entry, path);
    }
  }

  private checkAction({ action, word }: WrittenEntry, path: Path): void {
    switch (action.kind) {
      case 'set_health':
      case 'set_weight':
      case 'set_metadata':
        this.discovers(action.hosts.cluster, [...path, action.kind]);
        this.checkSelector(action.hosts, [...path, action.kind, 'hosts']);
        break;
      case 'set_behavior':
        this.checkSelector(action.hosts, word === 'set_behavior' ? [...path, word, 'hosts'] : [...path, word]);
        break;
      case 'remove_hosts':
        this.discovers(action.hosts.cluster, [...path, action.kind]);
        this.checkSelector(action.hosts, [...path, action.kind]);
        break;
      case 'add_hosts':
        if (this.clusterKnown(action.cluster, [...path, action.kind, 'cluster'])) {
          this.discovers(action.cluster, [...path, action.kind]);
        }
        break;
      case 'assign':
        this.checkAssign(action.assignment, [...path, action.kind]);
        break;
      case 'remove_cluster':
        this.clusterKnown(action.name, [...path, action.kind]);
        break;
      case 'set_rate':
        this.checkSetRate(action.workload, [...path, action.kind, 'workload']);
        break;
      case 'update_cluster':
      case 'dns':
      case 'set_runtime':
      case 'note':
        break;
    }
  }

  private checkAssign(assignment: ClusterLoadAssignment, path: Path): void {
    const name = assignment.clusterName;
    const users = [...this.byName.values()].filter((cluster) => namesOf(cluster).includes(name));
    if (users.length === 0) this.clusterKnown(name, [...path, 'cluster_name']);
    for (const cluster of users) {
      if (this.discovers(cluster.name, path)) this.checkAssignment(cluster, assignment, path);
    }
  }

  /** Discovery actions are for clusters whose hosts come from discovery. */
  private discovers(name: string | undefined, path: Path): boolean {
    const cluster = name === undefined ? undefined : this.byName.get(name);
    const type = cluster === undefined ? undefined : discoveryType(cluster);
    const dns = type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    if (!dns && type !== 'ORIGINAL_DST') return true;
    const source = dns ? 'DNS: change them with dns' : 'the requests themselves';
    this.report('error', path, 'discovery-type', `the hosts of ${name ?? ''} come from ${source}`);
    return false;
  }

  private checkSetRate(name: string, path: Path): void {
    const workloads = readable(this.parts.workloads);
    const workload = workloads.find((one) => one.name === name);
    if (workload === undefined) {
      if (workloads.length < this.parts.workloads.length) return;
      const names = workloads.map((one) => one.name);
      const near = didYouMean(name, names);
      const list = names.length === 0 ? ': there is none' : `: there are ${names.join(', ')}`;
      this.report('error', path, 'unknown-workload', `there is no workload "${name}"${near === '' ? list : near}`);
    } else if (workload.arrivals.kind !== 'poisson' && workload.arrivals.kind !== 'constant') {
      const text = `${name} has ${workload.arrivals.kind} arrivals: only poisson and constant ones have a rate to set`;
      this.report('error', path, 'set-rate', text);
    }
  }

  // --- expectations ------------------------------------------------------------------------------------------------

  private checkExpectations(): void {
    for (const [index, expectation] of this.parts.expect.entries()) {
      if (expectation === undefined) continue;
      const path = ['expect', index];
      const { subject, during } = expectation;
      if (during !== undefined) this.notAfterEnd(during[0], [...path, 'during', 0], 'there is nothing to measure');
      switch (subject.kind) {
        case 'share':
          if (this.clusterKnown(subject.cluster, [...path, 'share', 'cluster'])) {
            this.checkSelector({ cluster: subject.cluster, ...subject.hosts }, [...path, 'share', 'hosts']);
          }
          break;
        case 'no_host':
        case 'success_rate':
        case 'latency':
          this.clusterKnown(subject.cluster, [...path, subject.kind, 'cluster']);
          break;
        case 'stat':
          this.checkStat(subject.name, [...path, 'stat']);
          break;
        case 'decision':
          break;
      }
    }
  }

  /** `cluster.NAME.…`; names may have dots, and stand in statistics with `:` as `_`. */
  private checkStat(name: string, path: Path): void {
    const scope = 'cluster.';
    if (!name.startsWith(scope)) return;
    const alternatives = [...this.byName.values()].map((cluster) => cluster.altStatName);
    const names = [...this.parts.clusterNames, ...alternatives].filter((one) => one !== '');
    if (names.some((one) => name.startsWith(`${scope}${one.replaceAll(':', '_')}.`))) return;
    const wanted = name.slice(scope.length).split('.')[0] ?? '';
    const text = `no cluster counts as "${wanted}"${didYouMean(wanted, names)}`;
    this.report('error', path, 'unknown-cluster', text);
  }
}

function readable<T>(list: readonly (T | undefined)[]): readonly T[] {
  return list.filter((item) => item !== undefined);
}
