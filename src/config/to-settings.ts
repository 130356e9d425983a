/** What is read becomes settings: the one place where defaults are filled in. */
import { type HealthCheckPort, NOWHERE } from '../host/host.js';
import { DEFAULT_OVERPROVISIONING_FACTOR } from '../hostset/host-set.js';
import type { Assignment, EndpointState } from '../settings/assignment.js';
import { addressText } from './address.js';
import { portionOf } from './percent.js';
import type { ClusterLoadAssignment, LbEndpoint } from './types.js';

/** What discovery says of the hosts of a cluster. */
export function readAssignment(assignment: ClusterLoadAssignment): Assignment {
  const drops = assignment.policy?.dropOverloads ?? [];
  const dropRatio = drops[0]?.dropPercentage === undefined ? 0 : portionOf(drops[0].dropPercentage);
  return {
    dropRatio,
    staleAfterUs: assignment.policy?.endpointStaleAfter ?? Infinity,
    isRejected: drops.length > 1 || dropRatio > 1,
    overprovisioningFactor: assignment.policy?.overprovisioningFactor ?? DEFAULT_OVERPROVISIONING_FACTOR,
    weightedPriorityHealth: assignment.policy?.weightedPriorityHealth ?? false,
    groups: assignment.endpoints.map((group) => ({
      priority: group.priority,
      locality: group.locality ?? NOWHERE,
      hasLocality: group.locality !== undefined,
      weight: group.loadBalancingWeight,
      metadata: group.metadata?.filterMetadata,
      endpoints: group.lbEndpoints.map(readEndpoint),
    })),
  };
}

export function readEndpoint(endpoint: LbEndpoint): EndpointState {
  return {
    address: addressText(endpoint.endpoint.address),
    hostname: endpoint.endpoint.hostname,
    weight: endpoint.loadBalancingWeight ?? 1,
    status: endpoint.healthStatus,
    metadata: endpoint.metadata?.filterMetadata ?? {},
    healthCheckPort: healthCheckPort(endpoint),
  };
}

function healthCheckPort({ endpoint }: LbEndpoint): HealthCheckPort {
  const { portValue: port = 0, disableActiveHealthCheck = false } = endpoint.healthCheckConfig ?? {};
  if (disableActiveHealthCheck) return 'none';
  return port === 0 || addressText(endpoint.address).endsWith(`:${port}`) ? undefined : port;
}
