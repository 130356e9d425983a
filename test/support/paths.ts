import type { FieldMarks, MessageInfo } from '../../src/config/reader/schema.js';
import { Bootstrap } from '../../src/config/bootstrap.js';
import { fieldsOf } from '../../src/config/json-schema.js';
import { ScenarioFile } from '../../src/scenario/scenario.js';
import { messagesIn } from './messages.js';
import type { Given, JsonMap } from './samples.js';
import { placed, Samples } from './samples.js';

/** The way from the top of a file to a field: messages, and the field of each that leads on. */
export interface FieldPath {
  /** `core.Node.metadata` */
  readonly id: string;
  readonly marks: FieldMarks;
  readonly steps: readonly { readonly info: MessageInfo; readonly field: string }[];
}

/** The shortest way to each field of each message that a file can have, scenarios first. */
export function fieldPaths(follow: (marks: FieldMarks) => boolean): readonly FieldPath[] {
  const paths: FieldPath[] = [];
  const seen = new Set<MessageInfo>();
  let open: { readonly info: MessageInfo; readonly steps: FieldPath['steps'] }[] = [];
  for (const root of [ScenarioFile, Bootstrap]) {
    open = messagesIn(root).map((info) => ({ info, steps: [] }));
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const { info, steps } = next;
      if (seen.has(info)) continue;
      seen.add(info);
      for (const { name, marks, schema } of fieldsOf(info)) {
        const path = [...steps, { info, field: name }];
        paths.push({ id: `${info.name}.${name}`, marks, steps: path });
        if (follow(marks)) open.push(...messagesIn(schema).map((inner) => ({ info: inner, steps: path })));
      }
    }
  }
  return paths;
}

const socket = (address: string): JsonMap => ({ socket_address: { address, port_value: 80 } });
const statics: JsonMap = {
  cluster_name: 'x',
  endpoints: [{ lb_endpoints: [{ endpoint: { address: socket('10.0.0.1') } }] }],
};
const discovered: JsonMap = {
  name: 'x',
  type: 'EDS',
  eds_cluster_config: { eds_config: { ads: {} }, service_name: 'envoy.filters.http.router' },
};
const socketOf: JsonMap = { name: 'envoy.transport_sockets.tls' };

/** What the rules across fields ask for. */
const GIVEN: Given = {
  beside: {
    scenario: { duration: '1s' },
    'scenario.assignments': { clusters: [discovered] },
    Cluster: { name: 'x', load_assignment: statics },
    'Cluster.cluster_type': { cluster_type: { name: 'envoy.cluster.static' } },
    'Cluster.eds_cluster_config': { type: 'EDS', load_assignment: null },
    'Cluster.hosts': { load_assignment: null },
    'Cluster.ring_hash_lb_config': { lb_policy: 'RING_HASH' },
    'Cluster.maglev_lb_config': { lb_policy: 'MAGLEV' },
    'Cluster.least_request_lb_config': { lb_policy: 'LEAST_REQUEST' },
    'Cluster.health_checks': { http2_protocol_options: {} },
    'Cluster.CustomClusterType': { name: 'envoy.cluster.static' },
    'core.TransportSocket': socketOf,
    'cluster.Filter': { name: 'envoy.filters.network.x' },
    'core.HealthCheck.CustomHealthCheck': { name: 'envoy.health_checkers.redis' },
    'core.HealthCheck.Payload': { text: '00' },
    'config.metrics.v2.StatsSink.config': { name: 'envoy.stat_sinks.statsd' },
    'route.WeightedCluster.ClusterWeight': { name: 'x', weight: 100 },
    'config.bootstrap.v2.Bootstrap': { static_resources: { clusters: [{ name: 'x', load_assignment: statics }] } },
    'config.bootstrap.v2.Bootstrap.StaticResources': { clusters: [{ name: 'x', load_assignment: statics }] },
    'route.RateLimit': { actions: [{ remote_address: {} }] },
    'route.VirtualCluster': { name: 'x', headers: [{ name: 'x' }] },
    'route.VirtualCluster.pattern': { headers: null },
    'route.RetryPolicy.RetryPriority': { name: 'envoy.retry_priorities.previous_priorities', config: {} },
    'route.RetryPolicy.RetryHostPredicate': { name: 'envoy.retry_host_predicates.previous_hosts' },
    'core.SocketAddress': { address: '10.0.0.1', port_value: 80 },
    'endpoint.LbEndpoint': { endpoint: { address: socket('10.0.0.1') } },
    'core.ApiConfigSource': {
      api_type: 'GRPC',
      grpc_services: [{ google_grpc: { target_uri: 'x', stat_prefix: 'x' } }],
    },
  },
  values: {
    'config.metrics.v2.StatsSink.config': { address: socket('10.0.0.1') },
    'core.Http2ProtocolOptions.initial_stream_window_size': 65535,
    'core.Http2ProtocolOptions.initial_connection_window_size': 65535,
    'core.Http2ProtocolOptions.SettingsParameter.identifier': 9,
    'ClusterLoadAssignment.cluster_name': 'envoy.filters.http.router',
    'core.SocketAddress.protocol': 'TCP',
    'core.SocketAddress.ipv4_compat': false,
  },
};

export const samples = new Samples(GIVEN);

/** The least file that has this field. */
export function documentWith({ steps }: FieldPath): JsonMap {
  let value: JsonMap | undefined;
  for (const [index, { info, field }] of [...steps.entries()].reverse()) {
    const inner = steps[index + 1]?.info;
    const schema = info.shape[field];
    if (schema === undefined) throw new Error(`${info.name} has no field ${field}`);
    const held = inner === undefined || value === undefined ? samples.field(info, field) : placed(schema, inner, value);
    if (held === undefined) throw new Error(`${info.name}.${field} holds no ${inner?.name ?? ''}`);
    value = samples.with(info, field, held);
  }
  return value ?? {};
}
