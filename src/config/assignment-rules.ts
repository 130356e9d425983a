import type { Messages } from './api/generated/read-messages.js';
import { message, rule, type Report } from './reader.js';
import { fill } from '../core/fill.js';
import { isTablePolicy } from '../policy/registry.js';
import { REFUSALS } from './generated/refusals.js';
import { ipProblem, type Address } from './address.js';
import { type Cluster, discoveryType, serviceName } from './cluster/cluster-shape.js';
import type { ClusterKind } from '../settings/cluster-settings.js';
import { weighsLocalities } from './policy/policy.js';
import { lbPolicyOf, policyOf, type PolicyFields } from './policy/of-cluster.js';

const SAYS = REFUSALS.assignment;

message(
  'endpoint.Endpoint',
  rule('health-check-port', ['address', 'health_check_config'], ({ address, healthCheckConfig }, report) => {
    if (address.pipe !== undefined && (healthCheckConfig?.portValue ?? 0) !== 0)
      report(SAYS.port_of_pipe, ['health_check_config', 'port_value']);
  }),
);

export const LbEndpoint = message('endpoint.LbEndpoint');
export type LbEndpoint = Messages['endpoint.LbEndpoint'];

message(
  'endpoint.LocalityLbEndpoints',
  rule('load-balancer-endpoints', [], (_, report, has) => {
    const field = 'load_balancer_endpoints';
    if (has(field)) report(SAYS.unread_endpoints, [field], 'warning');
  }),
);
export type LocalityLbEndpoints = Messages['endpoint.LocalityLbEndpoints'];

export const ClusterLoadAssignment = message('ClusterLoadAssignment');
export type ClusterLoadAssignment = Messages['ClusterLoadAssignment'];

/** Rules of a cluster's assignment, in the cluster or from discovery. */

const UINT32_MAX = 4294967295;

/** The assignment that a cluster carries itself: `load_assignment`, or the deprecated `hosts` as one locality. */
export function effectiveAssignment(
  cluster: Pick<Cluster, 'name' | 'loadAssignment' | 'hosts'>,
): ClusterLoadAssignment | undefined {
  if (cluster.loadAssignment !== undefined) return cluster.loadAssignment;
  if (cluster.hosts.length === 0) return undefined;
  const lbEndpoints = cluster.hosts.map((address) => ({
    endpoint: { address, hostname: '' },
    healthStatus: 'UNKNOWN' as const,
  }));
  return { clusterName: cluster.name, endpoints: [{ lbEndpoints, priority: 0 }] };
}

/** What a cluster begins with: its own, or of EDS that of the name it asks for; undefined: nothing. */
export const firstAssignment = (
  cluster: Cluster,
  assignments: ReadonlyMap<string, ClusterLoadAssignment>,
): ClusterLoadAssignment | undefined =>
  discoveryType(cluster) === 'EDS' ? assignments.get(serviceName(cluster)) : effectiveAssignment(cluster);

type AssignmentOwner = Pick<Cluster, 'type' | 'clusterType'> & PolicyFields;

/** Checks an assignment, wherever it comes from. @param report paths are those of the assignment. */
export function checkAssignment(cluster: AssignmentOwner, assignment: ClusterLoadAssignment, report: Report): void {
  const type = discoveryType(cluster);
  if (type === 'LOGICAL_DNS') {
    const single = assignment.endpoints.length === 1 && assignment.endpoints[0]?.lbEndpoints.length === 1;
    if (!single) report(SAYS.logical_dns, ['endpoints'], 'error', 'logical-dns');
  }
  for (const [group, { lbEndpoints }] of assignment.endpoints.entries()) {
    for (const [index, { endpoint }] of lbEndpoints.entries()) {
      const problem = addressProblem(type, endpoint.address);
      if (problem === undefined) continue;
      const at = ['endpoints', group, 'lb_endpoints', index, 'endpoint', 'address', 'socket_address', 'address'];
      report(problem, at, 'error', 'endpoint-address');
    }
  }
  checkLeds(type, assignment, report);
  checkDrops(type, assignment, report);
  if (isTablePolicy(lbPolicyOf(cluster))) checkWeightSums(cluster, assignment, report);
}

/**
 * Localities whose hosts have a discovery of their own, which the proxy knows for EDS alone: what it says of other types
 * (undefined: one that is not simulated), and what is missing here.
 */
function checkLeds(
  type: ClusterKind | undefined,
  { clusterName: name, endpoints }: ClusterLoadAssignment,
  report: Report,
): void {
  for (const [index, { ledsClusterLocalityConfig, lbEndpoints }] of endpoints.entries()) {
    if (ledsClusterLocalityConfig === undefined) continue;
    const rest =
      lbEndpoints.length === 0 ? 'it has none here; write them as lb_endpoints' : 'it has its lb_endpoints here';
    const text = fill(SAYS.leds, { type: type ?? 'custom', name, rest });
    const at = ['endpoints', index, 'leds_cluster_locality_config'];
    report(text, at, type === 'STATIC' ? 'error' : 'warning', 'leds');
  }
}

/** The proxy accepts one category of at most 100 %; otherwise it rejects the EDS update and keeps the old one. */
function checkDrops(type: ClusterKind | undefined, { policy }: ClusterLoadAssignment, report: Report): void {
  const drops = policy?.dropOverloads ?? [];
  const [severity, what] =
    type === 'EDS' ? (['warning', ': the proxy rejects the update'] as const) : (['error', ''] as const);
  if (drops.length > 1) {
    const text = fill(SAYS.categories, { number: drops.length, what });
    report(text, ['policy', 'drop_overloads', 1], severity, 'drop-categories');
  }
  for (const [index, { dropPercentage }] of drops.entries()) {
    const ratio = dropPercentage === undefined ? 0 : portionOf(dropPercentage);
    const at = ['policy', 'drop_overloads', index, 'drop_percentage', 'numerator'];
    if (ratio > 1) report(fill(SAYS.drop_ratio, { ratio, what }), at, severity, 'drop-ratio');
  }
}

function addressProblem(type: ClusterKind | undefined, address: Address): string | undefined {
  if (type === 'STRICT_DNS' || type === 'LOGICAL_DNS') {
    const custom = (address.socketAddress?.resolverName ?? '') !== '';
    return custom ? fill(SAYS.resolver_name, { type }) : undefined;
  }
  const problem = ipProblem(address);
  return problem && fill(SAYS.no_ip, { problem });
}

/** Hash tables are built from weights that must fit 32 bits, summed over a whole priority. */
function checkWeightSums(cluster: AssignmentOwner, assignment: ClusterLoadAssignment, report: Report): void {
  const hostSums = new Map<number, number>();
  const localitySums = new Map<number, number>();
  const weighted = weighsLocalities(policyOf(cluster));
  const add = (sums: Map<number, number>, priority: number, weight: number): boolean => {
    const before = sums.get(priority) ?? 0;
    sums.set(priority, before + weight);
    return before <= UINT32_MAX && before + weight > UINT32_MAX;
  };
  for (const [group, { priority, lbEndpoints, loadBalancingWeight }] of assignment.endpoints.entries()) {
    const at = ['endpoints', group];
    for (const [index, endpoint] of lbEndpoints.entries()) {
      if (!add(hostSums, priority, endpoint.loadBalancingWeight ?? 1)) continue;
      const path = [...at, 'lb_endpoints', index, 'load_balancing_weight'];
      report(fill(SAYS.host_weights, { most: UINT32_MAX }), path, 'error', 'weight-sum');
    }
    const text = fill(SAYS.locality_weights, { most: UINT32_MAX });
    if (weighted && add(localitySums, priority, loadBalancingWeight ?? 0))
      report(text, [...at, 'load_balancing_weight'], 'error', 'weight-sum');
  }
}

/** A portion as a number; 1 is always. */
export const portionOf = ({ numerator, denominator }: Messages['type.FractionalPercent']): number =>
  numerator / (denominator === 'HUNDRED' ? 100 : denominator === 'TEN_THOUSAND' ? 10_000 : 1_000_000);
