import type { Cluster } from '../../config/cluster/cluster.js';
import { checkAssignment, firstAssignment, type ClusterLoadAssignment } from '../../config/assignment-rules.js';
import { discoveryType, serviceName } from '../../config/cluster/cluster-shape.js';
import { didYouMean, noSuch, type Path } from '../../config/reader.js';
import type { ProblemRule, Severity } from '../../core/problem.js';
import { fill } from '../../core/fill.js';
import type { Micros } from '../../core/units.js';
import type { NamedHosts } from '../assemble/known-hosts.js';
import { actionsOf, type RequestSpec, statedBehaviors, type Workload } from '../../settings/world.js';
import type { Selector } from '../../settings/selector.js';
import { instanceNames } from '../fields/proxies.js';
import { namedHosts, type ScenarioParts } from '../read-parts.js';
import { describeSelector } from '../selector.js';
import { checkClusterSet } from '../../config/cluster/cluster-set.js';
import { groupBy, largest, present, presentEntries, repeats } from '../../core/values.js';
import type { WrittenEntry } from '../fields/timeline.js';
import type { TimelineEntry } from '../model.js';
import { FINDINGS } from './generated/findings.js';

export type ReportAt = (severity: Severity, path: Path, rule: ProblemRule, message: string) => void;

/** What names are looked up in. */
export type NamedParts = Pick<
  ScenarioParts,
  'clusters' | 'clusterNames' | 'clustersNamed' | 'proxies' | 'hostsRead' | 'assignments' | 'dns' | 'durationUs'
> & {
  readonly timeline: readonly (TimelineEntry | undefined)[];
  readonly workloads: readonly (Pick<Workload, 'name' | 'arrivals'> | undefined)[];
};

/** Looks up names and times that entries refer to; unknown ones are reported. */
export class References<Parts extends NamedParts = ScenarioParts> {
  readonly byName: ReadonlyMap<string, Cluster> = new Map(
    present(this.parts.clusters).map((cluster) => [cluster.name, cluster]),
  );
  readonly updates: readonly Cluster[] = actionsOf(present(this.parts.timeline), 'update_cluster').map(
    ({ cluster }) => cluster,
  );
  private readonly clusterNames: ReadonlySet<string> = new Set(this.parts.clusterNames);
  private known: NamedHosts | 'unknown' | undefined;
  private readonly proxyNames: readonly string[] = present(this.parts.proxies).map((proxy) => proxy.name);
  private readonly instances: readonly string[] = present(this.parts.proxies).flatMap((proxy) =>
    proxy.count > 1 ? instanceNames(proxy) : [],
  );

  constructor(
    readonly parts: Parts,
    readonly report: ReportAt,
  ) {}

  tell(what: keyof typeof FINDINGS, path: Path, values: object = {}): void {
    const { severity, rule, says } = FINDINGS[what];
    this.report(severity, path, rule, fill(says, values));
  }

  clusterKnown(name: string, path: Path): boolean {
    const { clusterNames, clustersNamed } = this.parts;
    if (this.clusterNames.has(name) || !clustersNamed) return true;
    this.report('error', path, 'unknown-cluster', noSuch('cluster', name, clusterNames));
    return false;
  }

  /** @param single whether the name of one of several instances is allowed: `edge-2`. */
  proxyKnown(name: string, path: Path, single: boolean): boolean {
    if (this.parts.proxies.includes(undefined)) return true;
    const names = single ? [...this.proxyNames, ...this.instances] : this.proxyNames;
    if (names.includes(name)) return true;
    if (this.instances.includes(name)) this.tell('one_instance', path, { name });
    else this.report('error', path, 'unknown-proxy', noSuch('proxy', name, names, this.proxyNames));
    return false;
  }

  checkSelector(selector: Selector, path: Path): void {
    if (selector.cluster !== undefined && !this.clusterKnown(selector.cluster, [...path, 'cluster'])) return;
    // Made on demand: most files select no hosts.
    const known = (this.known ??= namedHosts(this.parts) ?? 'unknown');
    if (known === 'unknown' || known.mayMatch(selector)) return;
    this.tell('no_host', path, { selector: describeSelector(selector) });
  }

  notAfterEnd(timeUs: Micros, path: Path, consequence: string): void {
    const { durationUs } = this.parts;
    if (durationUs === undefined || timeUs < durationUs) return;
    this.tell('past_end', path, { timeUs, durationUs, consequence });
  }

  /** Discovery actions are for clusters whose hosts come from discovery. */
  discovers(name: string | undefined, path: Path): boolean {
    const cluster = name === undefined ? undefined : this.byName.get(name);
    const type = cluster === undefined ? undefined : discoveryType(cluster);
    const dns = type === 'STRICT_DNS' || type === 'LOGICAL_DNS';
    if (!dns && type !== 'ORIGINAL_DST') return true;
    this.tell('found_by_proxy', path, { name, dns });
    return false;
  }

  checkAssignment(cluster: Cluster, assignment: ClusterLoadAssignment, path: Path): void {
    checkAssignment(cluster, assignment, (message, at = [], severity = 'error') => {
      this.report(severity, [...path, ...at], 'assignment', message);
    });
  }
}

export function checkParts(refs: References): void {
  const written = repeats(presentEntries(refs.parts.writtenNames), ([, name]) => name);
  for (const [, [index, name]] of written)
    refs.tell('second', [...refs.parts.clusterPath(index), 'name'], { kind: 'cluster', name });
  checkHostSources(refs);
  checkProxies(refs);
  checkInstallations(refs);
  for (const [index, { hosts }] of presentEntries(refs.parts.behavior))
    refs.checkSelector(hosts, [refs.parts.behaviorField, index, 'hosts']);
  checkWorkloads(refs);
  checkRequests(refs);
  checkTimeline(refs);
  for (const { cluster, path } of refs.parts.unreadReferences) refs.clusterKnown(cluster, path);
  const { warmupUs, workloads, requests } = refs.parts;
  const stops = workloads.map((one) => one?.stopUs ?? Infinity);
  const times = requests.map((one) => one?.atUs ?? Infinity);
  const { durationUs = largest([...stops, ...times, 0]) } = refs.parts;
  if (warmupUs > 0 && warmupUs >= durationUs && durationUs > 0 && !times.includes(warmupUs))
    refs.tell('all_warmup', ['warmup'], { durationUs });
}

function checkHostSources(refs: References): void {
  for (const name of refs.parts.endpointNames) refs.clusterKnown(name, ['endpoints', name]);
  const unread = refs.parts.clusterNames.filter((name) => !refs.byName.has(name));
  const accepted = new Set([...unread, ...[...refs.byName.values(), ...refs.updates].map(serviceName)]);
  const usersOf = groupBy(refs.byName.values(), serviceName);
  for (const [name, assignment] of refs.parts.assignments) {
    const path = ['assignments', name];
    const of = assignment.clusterName;
    if (of !== name) refs.tell('other_name', [...path, 'cluster_name'], { of, name });
    if (!accepted.has(name)) {
      if (!refs.parts.clustersNamed || refs.parts.clusters.includes(undefined)) continue;
      const cluster = refs.byName.get(name);
      if (cluster === undefined) refs.tell('no_eds_name', path, { name, near: didYouMean(name, [...accepted]) });
      else refs.tell('other_eds_name', path, { name, service: serviceName(cluster) });
      continue;
    }
    for (const cluster of usersOf.get(name) ?? []) {
      const type = discoveryType(cluster);
      if (type === 'EDS') refs.checkAssignment(cluster, assignment, path);
      else if (type !== undefined) refs.tell('no_eds', path, { name: cluster.name, type });
    }
  }
}

function checkProxies(refs: References): void {
  const seen = new Set<string>();
  for (const [index, proxy] of presentEntries(refs.parts.proxies)) {
    const path = refs.parts.proxyPath(index);
    const names = [proxy.name, ...instanceNames(proxy)];
    const duplicate = names.find((name) => seen.has(name));
    if (duplicate !== undefined) refs.tell('second', [...path, 'name'], { kind: 'proxy', name: duplicate });
    for (const name of names) seen.add(name);
    const local = proxy.localClusterName;
    if (local === undefined) continue;
    const at = [...path, 'local_cluster_name'];
    if (refs.clusterKnown(local, at)) checkLocalCluster(refs, local, at);
  }
}

/** Each proxy with its clusters; management servers and names of nodes do not matter. A bootstrap is checked before. */
function checkInstallations({ parts, report }: References): void {
  if (parts.kind !== 'scenario' || parts.clusters.includes(undefined)) return;
  const clusters = present(parts.clusters).map((cluster, index) => ({ cluster, path: parts.clusterPath(index) }));
  const reported = new Set<string>();
  for (const [index, proxy] of presentEntries(parts.proxies)) {
    const at = parts.proxyPath(index);
    const sinks = proxy.statsSinks.map((sink, number) => ({ sink, path: [...at, 'stats_sinks', number] }));
    const set = { clusters, node: proxy.node, sinks, runtime: proxy.runtime, partial: true };
    checkClusterSet(set, (severity, path, rule, message) => {
      // A problem of a cluster is reported once, however many proxies have it.
      const key = JSON.stringify([path, rule]);
      if (!reported.has(key)) report(severity, path, rule, message);
      reported.add(key);
    });
  }
}

/** The proxy accepts a local cluster with hosts in priority 0 only. */
function checkLocalCluster(refs: References, name: string, path: Path): void {
  const cluster = refs.byName.get(name);
  if (cluster === undefined) return;
  const eds = discoveryType(cluster) === 'EDS';
  const assignment = firstAssignment(cluster, refs.parts.assignments);
  const further = assignment?.endpoints.some((group) => group.priority > 0 && group.lbEndpoints.length > 0);
  if (further === true) refs.tell(eds ? 'local_assignment' : 'local_cluster', path, { name });
}

function checkWorkloads(refs: References): void {
  const { workloads, durationUs, durationWrong } = refs.parts;
  const seen = new Set<string>();
  for (const [index, workload] of presentEntries(workloads)) {
    const path = ['workloads', index];
    const { name, requestMirrorPolicies } = workload;
    if (seen.has(name)) refs.tell('second', [...path, 'name'], { kind: 'workload', name });
    seen.add(name);
    checkMirrors(refs, requestMirrorPolicies, path);
    for (const [at, { cluster }] of workload.route.entries())
      refs.clusterKnown(cluster, workload.routed ? [...path, 'route', at, 'cluster'] : [...path, 'cluster']);
    for (const [at, name] of (workload.proxies ?? []).entries()) refs.proxyKnown(name, [...path, 'proxies', at], false);
    const endless = workload.stopUs === undefined && workload.arrivals.kind !== 'trace';
    if (endless && durationUs === undefined && !durationWrong) refs.tell('endless', path);
    refs.notAfterEnd(workload.startUs, [...path, 'start'], 'this workload sends nothing');
    checkClosed(refs, workload, path);
  }
}

/** Users who get an answer and send again at the same instant, for ever. */
function checkClosed(refs: References, { arrivals }: Workload, path: Path): void {
  if (arrivals.kind !== 'closed' || arrivals.thinkTime.kind !== 'constant' || arrivals.thinkTime.value > 0) return;
  const { behavior, timeline } = refs.parts;
  if (behavior.includes(undefined) || timeline.includes(undefined)) return;
  const stated = statedBehaviors({ behavior: present(behavior), timeline: present(timeline) });
  if (!stated.some(({ serviceTime, networkLatency, connectTime }) => serviceTime ?? networkLatency ?? connectTime))
    refs.tell('no_pause', [...path, 'arrivals', 'closed']);
}

function checkMirrors(refs: References, mirrors: RequestSpec['requestMirrorPolicies'], path: Path): void {
  for (const [at, { cluster, clusterHeader }] of (mirrors ?? []).entries()) {
    if (clusterHeader === undefined) refs.clusterKnown(cluster, [...path, 'request_mirror_policies', at, 'cluster']);
  }
}

function checkRequests(refs: References): void {
  const proxies = present(refs.parts.proxies);
  for (const [index, request] of presentEntries(refs.parts.requests)) {
    const { cluster, route, requestMirrorPolicies: mirrors, atUs, proxy: name, worker = 0 } = request;
    const path = ['requests', index];
    if (route === undefined) refs.clusterKnown(cluster, [...path, 'cluster']);
    for (const [at, entry] of (route ?? []).entries())
      refs.clusterKnown(entry.cluster, [...path, 'route', at, 'cluster']);
    checkMirrors(refs, mirrors, path);
    refs.notAfterEnd(atUs, [...path, 'at'], 'this request is not sent');
    if (name !== undefined && !refs.proxyKnown(name, [...path, 'proxy'], true)) continue;
    const proxy = proxies.find((one) => name === undefined || [one.name, ...instanceNames(one)].includes(name));
    if (proxy !== undefined && worker >= proxy.workers)
      refs.tell('no_worker', [...path, 'worker'], { ...proxy, last: proxy.workers - 1 });
  }
}

function checkTimeline(refs: References): void {
  for (const [index, entry] of presentEntries(refs.parts.timeline)) {
    const path = ['timeline', index];
    const time = entry.everyUs === undefined ? 'at' : 'from';
    refs.notAfterEnd(entry.atUs, [...path, time], 'this never happens');
    checkAction(refs, entry, path);
  }
}

export function checkAction(refs: References<NamedParts>, { action, word }: WrittenEntry, path: Path): void {
  const at = [...path, word];
  if ('hosts' in action) {
    if (action.kind !== 'set_behavior') refs.discovers(action.hosts.cluster, at);
    // `fail`, `recover` and `remove_hosts` are selectors themselves.
    refs.checkSelector(action.hosts, action.kind === 'remove_hosts' || word !== action.kind ? at : [...at, 'hosts']);
  } else if (action.kind === 'add_hosts') {
    if (refs.clusterKnown(action.cluster, [...at, 'cluster'])) refs.discovers(action.cluster, at);
  } else if (action.kind === 'assign') checkAssign(refs, action.assignment, at);
  else if (action.kind === 'remove_cluster') refs.clusterKnown(action.name, at);
  else if (action.kind === 'set_rate') checkSetRate(refs, action.workload, [...at, 'workload']);
}

function checkAssign(refs: References<NamedParts>, assignment: ClusterLoadAssignment, path: Path): void {
  const name = assignment.clusterName;
  const clusters = [...refs.byName.values(), ...refs.updates];
  const users = new Map(clusters.filter((one) => serviceName(one) === name).map((one) => [one.name, one]));
  const at = [...path, 'cluster_name'];
  const other = refs.byName.get(name);
  if (users.size === 0 && refs.clusterKnown(name, at) && other !== undefined)
    refs.tell('other_eds_name', at, { name, service: serviceName(other) });
  for (const cluster of users.values())
    if (refs.discovers(cluster.name, path)) refs.checkAssignment(cluster, assignment, path);
}

function checkSetRate(refs: References<NamedParts>, name: string, path: Path): void {
  const workloads = present(refs.parts.workloads);
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined) {
    if (workloads.length < refs.parts.workloads.length) return;
    const names = workloads.map((one) => one.name);
    const near = didYouMean(name, names);
    const list = names.length === 0 ? ': there is none' : `: there are ${names.join(', ')}`;
    refs.tell('no_workload', path, { name, near: near === '' ? list : near });
  } else if (workload.arrivals.kind !== 'poisson' && workload.arrivals.kind !== 'constant')
    refs.tell('no_rate', path, { name, kind: workload.arrivals.kind });
}
