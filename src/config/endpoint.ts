/** The hosts of a cluster: ClusterLoadAssignment and its parts. */
import { Address } from './address.js';
import { Locality, Metadata } from './core.js';
import { FractionalPercent } from './percent.js';
import { message, names, optional, plain, repeated, required, type Output } from './reader.js';
import { bool, duration, string, uint32, uint32Value } from './reader/proto.js';

/** core.HealthStatus: the health of a host from discovery. */
export const HealthStatus = names('UNKNOWN', 'HEALTHY', 'UNHEALTHY', 'DRAINING', 'TIMEOUT', 'DEGRADED');
export type HealthStatus = Output<typeof HealthStatus>;

const HealthCheckConfig = message('endpoint.Endpoint.HealthCheckConfig', () => ({
  port_value: plain(uint32()),
  disable_active_health_check: plain(bool()),
}));

export const Endpoint = message(
  'endpoint.Endpoint',
  () => ({
    address: required(Address),
    health_check_config: optional(HealthCheckConfig),
    hostname: plain(string()),
  }),
  {
    name: 'health-check-port',
    reads: ['address', 'health_check_config'],
    check: ({ address, healthCheckConfig }, report) => {
      if (address.pipe === undefined || (healthCheckConfig?.portValue ?? 0) === 0) return;
      const text = 'Invalid host configuration: non-zero port for non-IP address';
      report(text, ['health_check_config', 'port_value']);
    },
  },
);
export type Endpoint = Output<typeof Endpoint>;

export const LbEndpoint = message('endpoint.LbEndpoint', () => ({
  endpoint: required(Endpoint),
  health_status: plain(HealthStatus),
  metadata: optional(Metadata),
  load_balancing_weight: optional(uint32Value()),
}));
export type LbEndpoint = Output<typeof LbEndpoint>;

const LedsClusterLocalityConfig = message('config.endpoint.v3.LedsClusterLocalityConfig', () => ({}));

export const LocalityLbEndpoints = message(
  'endpoint.LocalityLbEndpoints',
  () => ({
    locality: optional(Locality),
    lb_endpoints: repeated(LbEndpoint),
    leds_cluster_locality_config: optional(LedsClusterLocalityConfig),
    load_balancing_weight: optional(uint32Value()),
    priority: plain(uint32()),
    metadata: optional(Metadata),
  }),
  {
    name: 'load-balancer-endpoints',
    reads: [],
    check: (_, report, has) => {
      if (!has('load_balancer_endpoints')) return;
      const text = 'the proxy does not read load_balancer_endpoints: write its hosts as lb_endpoints of the locality';
      report(text, ['load_balancer_endpoints'], 'warning');
    },
  },
);
export type LocalityLbEndpoints = Output<typeof LocalityLbEndpoints>;

const DropOverload = message('ClusterLoadAssignment.Policy.DropOverload', () => ({
  drop_percentage: optional(FractionalPercent),
}));

const Policy = message('ClusterLoadAssignment.Policy', () => ({
  drop_overloads: repeated(DropOverload),
  overprovisioning_factor: optional(uint32Value()),
  endpoint_stale_after: optional(duration()),
  disable_overprovisioning: plain(bool()),
  weighted_priority_health: plain(bool()),
}));

export const ClusterLoadAssignment = message('ClusterLoadAssignment', () => ({
  cluster_name: required(string()),
  endpoints: repeated(LocalityLbEndpoints),
  policy: optional(Policy),
}));
export type ClusterLoadAssignment = Output<typeof ClusterLoadAssignment>;
