import { effectiveAssignment, type ClusterLoadAssignment, type LbEndpoint } from '../../config/assignment-rules.js';
import { addressText } from '../../config/address.js';
import { aggregated, discoveryType, serviceName, type Cluster } from '../../config/cluster/cluster-shape.js';
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

/** More hosts take too long to be taken one by one. */
export const FEW_ENOUGH = 200_000;

/**
 * A scenario in which one host stands for all that follow it in the same place and are like it.
 *
 * @param rules whose selectors tell hosts apart by their address.
 */
export function oneOfEach(scenario: Scenario, rules: readonly { readonly hosts: Selector }[]) {
  const { proxies, timeline, clusters, assignments } = scenario;
  const mayStand = timeline.length === 0 && proxies.every(({ localClusterName }) => localClusterName === undefined);
  const tellApart = rules.flatMap(({ hosts: { address } }) =>
    address === undefined ? [] : [addressPredicate(address)],
  );
  const found = new Map<string, Alike>();
  const services = new Map(assignments);
  /** Clusters of which too many hosts are listed twice: none of them are looked at. */
  const tooMany = new Set<string>();
  const some = clusters.map((cluster): Cluster => {
    const type = discoveryType(cluster);
    const service = serviceName(cluster);
    const isShared = clusters.some(
      (other) => aggregated(other)?.includes(cluster.name) || (other !== cluster && serviceName(other) === service),
    );
    if (!mayStand || isShared || !BLIND.has(policyOf(cluster).kind)) return cluster;
    const all =
      type === 'EDS' ? assignments.get(service) : type === 'STATIC' ? effectiveAssignment(cluster) : undefined;
    if (all === undefined) return cluster;
    const thin = firstsOf(all, tellApart, type === 'EDS');
    found.set(cluster.name, thin.alike);
    if (thin.twice > FEW_ENOUGH) tooMany.add(cluster.name);
    if (type !== 'EDS') return { ...cluster, loadAssignment: thin.assignment, hosts: [] };
    services.set(service, thin.assignment);
    return cluster;
  });
  const alikeOf = (cluster: string): Alike => found.get(cluster) ?? new Map();
  return { scenario: { ...scenario, clusters: some, assignments: services }, alikeOf, tooMany };
}

/** @param once only the first entry of an address counts. @returns in `twice` how many are listed twice, and count so. */
function firstsOf(
  assignment: ClusterLoadAssignment,
  tellApart: readonly ReturnType<typeof addressPredicate>[],
  once: boolean,
): { readonly assignment: ClusterLoadAssignment; readonly alike: Alike; readonly twice: number } {
  const alike = new Map<string, readonly string[]>();
  const all: string[] = [];
  for (const { lbEndpoints } of assignment.endpoints)
    for (const { endpoint } of lbEndpoints) all.push(addressText(endpoint.address));
  // A set of a million texts takes seven times as long.
  all.sort();
  const twice = new Set(all.filter((address, at) => address === all[at - 1]));
  const seen = new Set<string>();
  const endpoints = assignment.endpoints.map((group) => {
    let [first, run]: [EndpointState | undefined, string[]] = [undefined, []];
    const lbEndpoints = group.lbEndpoints.filter((endpoint: LbEndpoint) => {
      const host = readEndpoint(endpoint);
      const { address } = host;
      const isTwice = twice.has(address);
      if (once && isTwice && seen.size === seen.add(address).size) return false;
      // One that is there twice stands for no others.
      const isAlone = isTwice && !once && twice.size <= FEW_ENOUGH;
      if (first !== undefined && !isAlone && areAlike(first, host, tellApart)) {
        run.push(address);
        return false;
      }
      [first, run] = [isAlone ? undefined : host, [address]];
      alike.set(address, run);
      return true;
    });
    return { ...group, lbEndpoints };
  });
  return { assignment: { ...assignment, endpoints }, alike, twice: once ? 0 : twice.size };
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
