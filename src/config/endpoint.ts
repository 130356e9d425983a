/**
 * The hosts of a cluster: ClusterLoadAssignment and what it is made of.
 */
import type { Output } from './reader.js';
import { Address } from './address.js';
import { Locality, Metadata } from './core.js';
import { FractionalPercent } from './percent.js';
import { mapOf, message, optional, plain, repeated, required } from './reader.js';
import { bool, duration, enumeration, string, uint32, uint32Value } from './reader/proto.js';

/** core.HealthStatus: what discovery says of a host. */
export const HealthStatus = enumeration(
  'core.HealthStatus',
  { UNKNOWN: 0, HEALTHY: 1, UNHEALTHY: 2, DRAINING: 3, TIMEOUT: 4, DEGRADED: 5 },
  { open: true },
);
export type HealthStatus = Output<typeof HealthStatus>;

const HealthCheckConfig = message(
  'endpoint.Endpoint.HealthCheckConfig',
  () => ({
    port_value: plain(
      uint32({ max: 65535 }),
      'Port of health checks, if it is not the traffic port. A host whose port changes counts as another host.',
    ),
    hostname: plain(string(), 'Host header of health checks.', { noEffect: 'health checks carry no headers here' }),
  }),
  { doc: 'How health checks of this host differ from its traffic.' },
);

/** endpoint.Endpoint */
export const Endpoint = message(
  'endpoint.Endpoint',
  () => ({
    address: required(Address, 'Address of the host: an IP, or a name in DNS clusters.'),
    health_check_config: optional(HealthCheckConfig, 'Overrides for health checks.'),
    hostname: plain(string(), 'Host name, for health checks and for hashing by hostname.'),
  }),
  {
    doc: 'Where a host is.',
    rules: [
      {
        name: 'health-check-port',
        doc: 'A host at a pipe has no other port for health checks.',
        reads: ['address', 'health_check_config'],
        check: ({ address, healthCheckConfig }, report) => {
          if (address.pipe === undefined || (healthCheckConfig?.portValue ?? 0) === 0) return;
          const text = 'Invalid host configuration: non-zero port for non-IP address';
          report(text, ['health_check_config', 'port_value']);
        },
      },
    ],
  },
);
export type Endpoint = Output<typeof Endpoint>;

/** endpoint.LbEndpoint */
export const LbEndpoint = message(
  'endpoint.LbEndpoint',
  () => ({
    endpoint: required(Endpoint, 'The host.'),
    endpoint_name: optional(string(), 'Name of an entry of named_endpoints.', {
      noEffect: 'the proxy does not implement it; an endpoint is needed all the same',
    }),
    health_status: plain(HealthStatus, 'What discovery knows of the health of the host.'),
    metadata: optional(Metadata, 'The entry proxy.lb is what subsets match.'),
    load_balancing_weight: optional(uint32Value({ min: 1 }), 'Weight among the hosts of the locality. Default 1.'),
  }),
  {
    doc: 'A host with what load balancing needs to know of it.',
    oneOfs: [{ name: 'host_identifier', fields: ['endpoint', 'endpoint_name'] }],
  },
);
export type LbEndpoint = Output<typeof LbEndpoint>;

/** endpoint.LocalityLbEndpoints */
export const LocalityLbEndpoints = message(
  'endpoint.LocalityLbEndpoints',
  () => ({
    locality: optional(Locality, 'Where the hosts run.'),
    lb_endpoints: repeated(LbEndpoint, 'The hosts.'),
    load_balancing_weight: optional(
      uint32Value({ min: 1 }),
      'Weight among the localities of the priority, under locality_weighted_lb_config. Absent, it gets no traffic.',
    ),
    priority: plain(uint32({ max: 128 }), '0 is used first; the next when it is not healthy enough.'),
    proximity: optional(uint32Value(), 'Hint for the management server.', {
      noEffect: 'the proxy does not read it either',
    }),
  }),
  { doc: 'The hosts of one locality and priority.' },
);
export type LocalityLbEndpoints = Output<typeof LocalityLbEndpoints>;

const DropOverload = message(
  'ClusterLoadAssignment.Policy.DropOverload',
  () => ({
    category: required(string({ minLength: 1 }), 'Name of the reason to drop.', {
      noEffect: 'it is a name for people',
    }),
    drop_percentage: optional(FractionalPercent, 'Portion of requests that is dropped.'),
  }),
  {
    doc: 'A portion of requests that is failed on purpose, to protect the cluster.',
  },
);

const Policy = message(
  'ClusterLoadAssignment.Policy',
  () => ({
    drop_overloads: repeated(
      DropOverload,
      'At most one category: this part of the requests is answered with 503 before a host is chosen. Proxies up to 1.17 read it and drop nothing.',
    ),
    overprovisioning_factor: optional(
      uint32Value({ min: 1 }),
      'Percent by which the healthy share is multiplied before a priority or locality loses traffic. Default 140.',
    ),
    endpoint_stale_after: optional(
      duration({ aboveNanos: 0 }),
      'Of EDS: the assignment is dropped when it is this old.',
    ),
    disable_overprovisioning: plain(bool(), 'Treat the overprovisioning factor as 100.', {
      deprecated: 'set overprovisioning_factor: 100',
      noEffect: 'the proxy does not implement it',
    }),
    weighted_priority_health: plain(bool(), 'Count hosts by weight in the health of priorities.', {
      extension: 'since 1.24',
    }),
  }),
  {
    doc: 'Settings of the whole assignment.',
  },
);

/** ClusterLoadAssignment */
export const ClusterLoadAssignment = message(
  'ClusterLoadAssignment',
  () => ({
    cluster_name: required(string({ minLength: 1 }), 'Name of the cluster, or its EDS service name.'),
    endpoints: repeated(LocalityLbEndpoints, 'Hosts by locality and priority.'),
    named_endpoints: mapOf(Endpoint, 'Hosts that lb_endpoints refer to by endpoint_name.', {
      noEffect: 'the proxy does not implement endpoint_name',
    }),
    policy: optional(Policy, 'Settings of the whole assignment.'),
  }),
  { doc: 'The hosts of a cluster.' },
);
export type ClusterLoadAssignment = Output<typeof ClusterLoadAssignment>;
