import { effectiveAssignment, type ClusterLoadAssignment, type LbEndpoint } from '../../config/assignment-rules.js';
import { discoveryType, serviceName, type Cluster } from '../../config/cluster/cluster-shape.js';
import { policyOf } from '../../config/policy/of-cluster.js';
import { readEndpoint } from '../../config/to-settings.js';
import { sameJson } from '../../core/values.js';
import type { Scenario } from '../../scenario/model.js';
import type { EndpointState } from '../../settings/assignment.js';
import { addressPredicate, type Selector } from '../../settings/selector.js';

/** Hosts that differ in their addresses alone, by the address of the first: it stands for all of them. */
export type Alike = ReadonlyMap<string, readonly string[]>;

/** Policies that share by weight and health alone, and localities around them. */
const BLIND: ReadonlySet<string> = new Set(['round_robin', 'least_request', 'wrr_locality']);

/**
 * A scenario in which one host stands for all that follow it in the same place and are like it.
 *
 * @param rules whose selectors tell hosts apart by their address.
 */
export function oneOfEach(
  scenario: Scenario,
  rules: readonly { readonly hosts: Selector }[],
): { readonly scenario: Scenario; readonly alikeOf: (cluster: string) => Alike } {
  const { proxies, timeline, clusters, assignments } = scenario;
  const mayStand = timeline.length === 0 && proxies.every(({ localClusterName }) => localClusterName === undefined);
  const tellApart = rules.flatMap(({ hosts: { address } }) =>
    address === undefined ? [] : [addressPredicate(address)],
  );
  const found = new Map<string, Alike>();
  const services = new Map(assignments);
  const some = clusters.map((cluster): Cluster => {
    const type = discoveryType(cluster);
    const service = serviceName(cluster);
    const isShared = clusters.some((other) => other !== cluster && serviceName(other) === service);
    if (!mayStand || isShared || !BLIND.has(policyOf(cluster).kind)) return cluster;
    const all =
      type === 'EDS' ? assignments.get(service) : type === 'STATIC' ? effectiveAssignment(cluster) : undefined;
    const thin = all && firstsOf(all, tellApart);
    if (thin === undefined) return cluster;
    found.set(cluster.name, thin.alike);
    if (type !== 'EDS') return { ...cluster, loadAssignment: thin.assignment, hosts: [] };
    services.set(service, thin.assignment);
    return cluster;
  });
  const alikeOf = (cluster: string): Alike => found.get(cluster) ?? new Map();
  return { scenario: { ...scenario, clusters: some, assignments: services }, alikeOf };
}

/** undefined: an address is there twice. */
function firstsOf(assignment: ClusterLoadAssignment, tellApart: readonly ReturnType<typeof addressPredicate>[]) {
  const alike = new Map<string, readonly string[]>();
  const all = new Set<string>();
  let hosts = 0;
  const endpoints = assignment.endpoints.map((group) => {
    let [first, run]: [EndpointState | undefined, string[]] = [undefined, []];
    const lbEndpoints = group.lbEndpoints.filter((endpoint: LbEndpoint) => {
      const host = readEndpoint(endpoint);
      hosts++;
      all.add(host.address);
      if (first !== undefined && areAlike(first, host, tellApart)) {
        run.push(host.address);
        return false;
      }
      [first, run] = [host, [host.address]];
      alike.set(host.address, run);
      return true;
    });
    return { ...group, lbEndpoints };
  });
  return all.size < hosts ? undefined : { assignment: { ...assignment, endpoints }, alike };
}

function areAlike(one: EndpointState, other: EndpointState, tellApart: readonly ReturnType<typeof addressPredicate>[]) {
  const { hostname, weight, status, healthCheckPort, metadata } = one;
  return (
    hostname === other.hostname &&
    weight === other.weight &&
    status === other.status &&
    healthCheckPort === other.healthCheckPort &&
    sameJson(metadata, other.metadata) &&
    tellApart.every((means) => means(one.address) === means(other.address))
  );
}
