import type { ClusterLoadAssignment } from '../../config/endpoint.js';
import { didYouMean, type Path } from '../../config/reader.js';
import { namesOf } from '../assemble/named-hosts.js';
import type { References } from './lookup.js';
import { readable, readableEntries } from '../scenario-parts.js';
import type { WrittenEntry } from '../fields/timeline.js';
import { statedBehaviors, type Workload } from '../../settings/world.js';
import { instanceNames } from '../fields/proxies.js';
import type { WrittenWorkload } from '../fields/workload.js';

/** Checks of requests and their senders. */
export function checkTraffic(refs: References): void {
  checkWorkloads(refs);
  checkRequests(refs);
}

function checkWorkloads(refs: References): void {
  const { workloads, durationUs, durationWrong } = refs.parts;
  const seen = new Set<string>();
  for (const [index, workload] of readableEntries(workloads)) {
    const path = ['workloads', index];
    if (seen.has(workload.name)) {
      refs.report('error', [...path, 'name'], 'duplicate-name', `there is already a workload "${workload.name}"`);
    }
    seen.add(workload.name);
    checkRoute(refs, workload, path);
    for (const [at, name] of (workload.proxies ?? []).entries()) refs.proxyKnown(name, [...path, 'proxies', at], false);
    const endless = workload.stopUs === undefined && workload.arrivals.kind !== 'trace';
    if (endless && durationUs === undefined && !durationWrong) {
      const text = 'this workload never ends: give it a stop, or the scenario a duration';
      refs.report('error', path, 'duration-required', text);
    }
    refs.notAfterEnd(workload.startUs, [...path, 'start'], 'this workload sends nothing');
    checkClosed(refs, workload, path);
  }
}

function checkRoute(refs: References, workload: WrittenWorkload, path: Path): void {
  for (const [index, { cluster }] of workload.route.entries()) {
    refs.clusterKnown(cluster, workload.routed ? [...path, 'route', index, 'cluster'] : [...path, 'cluster']);
  }
}

/** Users who get an answer and send again at the same instant, for ever. */
function checkClosed(refs: References, { arrivals }: Workload, path: Path): void {
  if (arrivals.kind !== 'closed' || arrivals.thinkTime.kind !== 'constant' || arrivals.thinkTime.us > 0) return;
  const { behavior, timeline } = refs.parts;
  if (behavior.includes(undefined) || timeline.includes(undefined)) return;
  const stated = statedBehaviors({ behavior: readable(behavior), timeline: readable(timeline) });
  if (stated.some(({ serviceTime, networkLatency, connectTime }) => serviceTime ?? networkLatency ?? connectTime))
    return;
  const text = 'hosts answer at once and users do not think: give hosts a service_time or users a think_time';
  refs.report('error', [...path, 'arrivals', 'closed'], 'closed-loop', text);
}

function checkRequests(refs: References): void {
  const proxies = readable(refs.parts.proxies);
  for (const [index, { cluster, atUs, proxy: name, worker = 0 }] of readableEntries(refs.parts.requests)) {
    const path = ['requests', index];
    refs.clusterKnown(cluster, [...path, 'cluster']);
    refs.notAfterEnd(atUs, [...path, 'at'], 'this request is not sent');
    if (name !== undefined && !refs.proxyKnown(name, [...path, 'proxy'], true)) continue;
    const proxy = proxies.find((one) => name === undefined || [one.name, ...instanceNames(one)].includes(name));
    if (proxy !== undefined && worker >= proxy.workers) {
      const has = proxy.workers === 1 ? '1 worker, number 0' : `${proxy.workers} workers, 0 to ${proxy.workers - 1}`;
      refs.report('error', [...path, 'worker'], 'unknown-worker', `${proxy.name} has ${has}`);
    }
  }
}

export function checkTimeline(refs: References): void {
  for (const [index, entry] of readableEntries(refs.parts.timeline)) {
    const path = ['timeline', index];
    const time = entry.everyUs === undefined ? 'at' : 'from';
    refs.notAfterEnd(entry.atUs, [...path, time], 'this never happens');
    checkAction(refs, entry, path);
  }
}

function checkAction(refs: References, { action, word }: WrittenEntry, path: Path): void {
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

function checkAssign(refs: References, assignment: ClusterLoadAssignment, path: Path): void {
  const name = assignment.clusterName;
  const clusters = [...refs.byName.values(), ...refs.updates];
  const users = new Map(clusters.filter((one) => namesOf(one).includes(name)).map((one) => [one.name, one]));
  if (users.size === 0) refs.clusterKnown(name, [...path, 'cluster_name']);
  for (const cluster of users.values()) {
    if (refs.discovers(cluster.name, path)) refs.checkAssignment(cluster, assignment, path);
  }
}

function checkSetRate(refs: References, name: string, path: Path): void {
  const workloads = readable(refs.parts.workloads);
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined) {
    if (workloads.length < refs.parts.workloads.length) return;
    const names = workloads.map((one) => one.name);
    const near = didYouMean(name, names);
    const list = names.length === 0 ? ': there is none' : `: there are ${names.join(', ')}`;
    refs.report('error', path, 'unknown-workload', `there is no workload "${name}"${near === '' ? list : near}`);
  } else if (workload.arrivals.kind !== 'poisson' && workload.arrivals.kind !== 'constant') {
    const text = `${name} has ${workload.arrivals.kind} arrivals: only poisson and constant ones have a rate to set`;
    refs.report('error', path, 'set-rate', text);
  }
}
