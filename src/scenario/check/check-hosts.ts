import { effectiveAssignment } from '../../config/assignment-rules.js';
import type { Cluster } from '../../config/cluster/cluster.js';
import { checkClusterSet } from '../../config/cluster/cluster-set.js';
import { discoveryType } from '../../config/cluster/discovery.js';
import { didYouMean, type Path } from '../../config/reader.js';
import { namesOf } from '../assemble/named-hosts.js';
import type { References } from './lookup.js';
import { instanceNames } from '../fields/proxies.js';
import { readable, readableEntries } from '../scenario-parts.js';
import { addTo } from '../../core/lists.js';

/** Checks of clusters, their sources of hosts, proxies, and behaviours of hosts. */
export function checkHosts(refs: References): void {
  checkClusters(refs);
  checkHostSources(refs);
  checkProxies(refs);
  checkInstallations(refs);
  checkBehavior(refs);
}

function checkClusters(refs: References): void {
  const seen = new Set<string>();
  for (const [index, name] of readableEntries(refs.parts.writtenNames)) {
    if (seen.has(name)) {
      const path = [...refs.parts.clusterPath(index), 'name'];
      refs.report('error', path, 'duplicate-name', `there is already a cluster "${name}"`);
    }
    seen.add(name);
  }
}

function checkHostSources(refs: References): void {
  for (const name of refs.parts.endpointNames) refs.clusterKnown(name, ['endpoints', name]);
  const named = [...refs.byName.values(), ...refs.updates].flatMap(namesOf);
  const accepted = new Set([...refs.parts.clusterNames, ...named]);
  const usersOf = new Map<string, Cluster[]>();
  for (const cluster of refs.byName.values()) {
    for (const name of new Set(namesOf(cluster))) addTo(usersOf, name, cluster);
  }
  for (const [name, assignment] of refs.parts.assignments) {
    const path = ['assignments', name];
    if (assignment.clusterName !== name) {
      const text = `this assignment is for ${assignment.clusterName}, and stands under ${name}: the proxy would reject it`;
      refs.report('error', [...path, 'cluster_name'], 'assignment-name', text);
    }
    if (!accepted.has(name)) {
      if (!refs.parts.clustersNamed || refs.parts.clusters.includes(undefined)) continue;
      const near = didYouMean(name, [...accepted]);
      refs.report('error', path, 'unknown-cluster', `no cluster has the name or the EDS service name "${name}"${near}`);
      continue;
    }
    for (const cluster of usersOf.get(name) ?? []) {
      const type = discoveryType(cluster);
      if (type === 'EDS') refs.checkAssignment(cluster, assignment, path);
      else if (type !== undefined) {
        const text = `${cluster.name} is a ${type} cluster: assignments are for EDS clusters, write its load_assignment`;
        refs.report('error', path, 'assignment-type', text);
      }
    }
  }
}

function checkProxies(refs: References): void {
  const seen = new Set<string>();
  for (const [index, proxy] of readableEntries(refs.parts.proxies)) {
    const path = refs.parts.proxyPath(index);
    const names = [proxy.name, ...instanceNames(proxy)];
    const duplicate = names.find((name) => seen.has(name));
    if (duplicate !== undefined) {
      refs.report('error', [...path, 'name'], 'duplicate-name', `there is already a proxy "${duplicate}"`);
    }
    for (const name of names) seen.add(name);
    const local = proxy.localClusterName;
    if (local === undefined) continue;
    const at = [...path, 'local_cluster_name'];
    if (refs.clusterKnown(local, at)) checkLocalCluster(refs, local, at);
  }
}

/**
 * Checks of each proxy together with its clusters; management servers and names of nodes do not matter here. A bootstrap is
 * checked before.
 */
function checkInstallations({ parts, report }: References): void {
  if (parts.kind !== 'scenario' || parts.clusters.includes(undefined)) return;
  const clusters = readable(parts.clusters).map((cluster, index) => ({ cluster, path: parts.clusterPath(index) }));
  const reported = new Set<string>();
  for (const [index, proxy] of readableEntries(parts.proxies)) {
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
  const assigned = namesOf(cluster).map((key) => refs.parts.assignments.get(key));
  const assignment = eds ? assigned.find((one) => one !== undefined) : effectiveAssignment(cluster);
  const further = assignment?.endpoints.some((group) => group.priority > 0 && group.lbEndpoints.length > 0);
  if (further !== true) return;
  const text = `the local cluster ${name} may have hosts in priority 0 only`;
  if (eds) refs.report('warning', path, 'local-cluster', `${text}: the proxy rejects this assignment`);
  else refs.report('error', path, 'local-cluster', text);
}

function checkBehavior(refs: References): void {
  for (const [index, { hosts }] of readableEntries(refs.parts.behavior)) {
    refs.checkSelector(hosts, [refs.parts.behaviorField, index, 'hosts']);
  }
}
