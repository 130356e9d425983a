import type { ClusterLoadAssignment } from '../config/endpoint.js';
import { didYouMean, type Path } from '../config/reader.js';
import { namesOf } from './named-hosts.js';
import type { References } from './lookup.js';
import { readable, readableEntries } from './scenario-parts.js';
import type { WrittenEntry } from './timeline.js';

export function checkTimeline(refs: References): void {
  for (const [index, entry] of readableEntries(refs.parts.timeline)) {
    const path = ['timeline', index];
    const time = entry.everyUs === undefined ? 'at' : 'from';
    refs.notAfterEnd(entry.atUs, [...path, time], 'this never happens');
    checkAction(refs, entry, path);
  }
}

function checkAction(refs: References, { action, word }: WrittenEntry, path: Path): void {
  switch (action.kind) {
    case 'set_health':
    case 'set_weight':
    case 'set_metadata':
      refs.discovers(action.hosts.cluster, [...path, action.kind]);
      refs.checkSelector(action.hosts, [...path, action.kind, 'hosts']);
      break;
    case 'set_behavior':
      refs.checkSelector(action.hosts, word === 'set_behavior' ? [...path, word, 'hosts'] : [...path, word]);
      break;
    case 'remove_hosts':
      refs.discovers(action.hosts.cluster, [...path, action.kind]);
      refs.checkSelector(action.hosts, [...path, action.kind]);
      break;
    case 'add_hosts':
      if (refs.clusterKnown(action.cluster, [...path, action.kind, 'cluster'])) {
        refs.discovers(action.cluster, [...path, action.kind]);
      }
      break;
    case 'assign':
      checkAssign(refs, action.assignment, [...path, action.kind]);
      break;
    case 'remove_cluster':
      refs.clusterKnown(action.name, [...path, action.kind]);
      break;
    case 'set_rate':
      checkSetRate(refs, action.workload, [...path, action.kind, 'workload']);
      break;
    case 'update_cluster':
    case 'dns':
    case 'set_runtime':
    case 'note':
      break;
  }
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
