/**
 * A proxy's own configuration file. Its clusters, its place and its statistics matter here; the rest is passed over.
 */
import type { Struct } from '../core/json.js';
import { BindConfig } from './address.js';
import { checkClusterSet, clusterList } from './cluster-set.js';
import { ApiConfigSource } from './config-source.js';
import { Node } from './core.js';
import { Listener, routesIn } from './listener.js';
import { StatsConfig, StatsSink } from './metrics.js';
import { anything, defaulted, message, optional, plain, repeated, required } from './reader.js';
import type { FieldMarks, Output } from './reader.js';
import { bool, duration, string, struct, uint64Value } from './reader/proto.js';
import { checkRouteClusters } from './route-clusters.js';
import { flattenRuntime } from './runtime.js';

const outside = (what: string): FieldMarks => ({ noEffect: `${what} is not simulated` });

const StaticResources = message(
  'config.bootstrap.v2.Bootstrap.StaticResources',
  () => ({
    listeners: repeated(
      Listener,
      'Where clients connect. Their routes are the traffic of a file without any other.',
      outside('what happens before a cluster is chosen'),
    ),
    clusters: clusterList('The clusters.'),
    secrets: optional(anything, 'Secrets.', outside('TLS')),
  }),
  { doc: 'What is configured in the file itself.' },
);

const ClusterManager = message(
  'config.bootstrap.v2.ClusterManager',
  () => ({
    local_cluster_name: plain(string(), 'The cluster that the proxies themselves are in, for zone-aware routing.'),
    outlier_detection: optional(anything, 'Event log of outlier detection.', {
      noEffect: 'the report lists every event',
    }),
    upstream_bind_config: optional(BindConfig, 'Source address of connections.', outside('binding')),
    load_stats_config: optional(ApiConfigSource, 'Load reporting service.', outside('load reporting')),
  }),
  { doc: 'Settings for all clusters.' },
);

const RuntimeLayer = message(
  'config.bootstrap.v2.RuntimeLayer',
  () => ({
    name: required(string({ minLength: 1 }), 'Name of the layer.'),
    static_layer: optional(struct(), 'Values in the file itself.'),
    disk_layer: optional(anything, 'Values from a directory.', outside('the file system')),
    admin_layer: optional(anything, 'Values from the admin interface.', outside('the admin interface')),
    rtds_layer: optional(anything, 'Values from a management server.', {
      noEffect: 'a management server is not simulated: use set_runtime in the timeline of a scenario',
    }),
  }),
  {
    doc: 'One layer of runtime values; later layers win.',
    oneOfs: [
      { name: 'layer_specifier', fields: ['static_layer', 'disk_layer', 'admin_layer', 'rtds_layer'], required: true },
    ],
    rules: [
      {
        name: 'runtime-value',
        doc: 'Values are texts, numbers, bools or maps: no lists, and not null.',
        reads: ['static_layer'],
        check: ({ staticLayer = {} }, report) => {
          for (const [key, value] of Object.entries(flattenRuntime(staticLayer))) {
            if (value !== null && !Array.isArray(value)) continue;
            report(`Invalid runtime entry value for ${key}`, ['static_layer', key]);
          }
        },
      },
    ],
  },
);

const LayeredRuntime = message(
  'config.bootstrap.v2.LayeredRuntime',
  () => ({ layers: repeated(RuntimeLayer, 'The layers.') }),
  {
    doc: 'Runtime values.',
    rules: [
      {
        name: 'duplicate-name',
        doc: 'The names of layers differ; one of them at most is the admin layer.',
        reads: ['layers'],
        check: ({ layers }, report) => {
          const admins = layers.flatMap(({ adminLayer }, index) => (adminLayer === undefined ? [] : [index]));
          for (const index of admins.slice(1)) {
            const text = 'Too many admin layers specified in LayeredRuntime, at most one may be specified';
            report(text, ['layers', index, 'admin_layer']);
          }
          const names = layers.map(({ name }) => name);
          for (const [index, name] of names.entries()) {
            if (names.indexOf(name) < index) report(`Duplicate layer name: ${name}`, ['layers', index, 'name']);
          }
        },
      },
    ],
  },
);

const NO_RESOURCES: Output<typeof StaticResources> = { listeners: [], clusters: [] };

/** config.bootstrap.v2.Bootstrap */
export const Bootstrap = message(
  'config.bootstrap.v2.Bootstrap',
  () => ({
    node: optional(Node, 'Name and place of the proxy.'),
    static_resources: defaulted(StaticResources, NO_RESOURCES, 'What is configured in the file itself.'),
    dynamic_resources: optional(anything, 'Management servers.', {
      noEffect: 'management servers are not simulated: use assignments and the timeline of a scenario',
    }),
    cluster_manager: optional(ClusterManager, 'Settings for all clusters.'),
    hds_config: optional(anything, 'Health discovery.', outside('health discovery')),
    flags_path: plain(string(), 'Flag directory.', outside('the file system')),
    stats_sinks: repeated(StatsSink, 'Where statistics go.'),
    stats_config: optional(StatsConfig, 'Which statistics there are, and their tags.'),
    stats_flush_interval: optional(
      duration({ minNanos: 1_000_000, belowSeconds: 300 }),
      'How often sinks get statistics. Default 5 s.',
    ),
    watchdog: optional(anything, 'Watchdog.', outside('the watchdog')),
    tracing: optional(anything, 'Tracing.', outside('tracing')),
    runtime: optional(anything, 'Runtime values from a directory.', {
      deprecated: 'use layered_runtime',
      ...outside('a runtime directory'),
    }),
    layered_runtime: optional(LayeredRuntime, 'Runtime values.'),
    admin: optional(anything, 'Admin interface.', outside('the admin interface')),
    overload_manager: optional(anything, 'Overload manager.', outside('the overload manager')),
    enable_dispatcher_stats: plain(bool(), 'Statistics of event loops.', outside('the event loop')),
    header_prefix: plain(string(), 'Prefix of headers.', outside('the prefix of headers')),
    stats_server_version_override: optional(uint64Value(), 'Value of a statistic.', outside('the server')),
    use_tcp_for_dns_lookups: plain(bool(), 'DNS over TCP.', outside('the transport of DNS')),
  }),
  {
    doc: 'The configuration file of a proxy.',
    hints: {
      workloads: 'a bootstrap stands alone; write a scenario with clusters to add traffic',
      timeline: 'a bootstrap stands alone; write a scenario with clusters to add a timeline',
      expect: 'a bootstrap stands alone; write a scenario with clusters to add expectations',
    },
    rules: [
      {
        name: 'cluster-set',
        doc: 'What clusters must agree on: management servers and the local cluster exist, the local cluster has priority 0 only, sinks know their cluster, nobody asks for a resolver that the platform replaces.',
        reads: ['static_resources', 'cluster_manager', 'stats_sinks', 'node', 'layered_runtime'],
        check: (bootstrap, report) => {
          const set = {
            clusters: bootstrap.staticResources.clusters.map((cluster, index) => ({
              cluster,
              path: ['static_resources', 'clusters', index],
            })),
            node: bootstrap.node,
            localCluster: {
              name: bootstrap.clusterManager?.localClusterName ?? '',
              path: ['cluster_manager', 'local_cluster_name'],
            },
            sinks: bootstrap.statsSinks.map((sink, index) => ({ sink, path: ['stats_sinks', index] })),
            runtime: staticRuntime(bootstrap.layeredRuntime),
          };
          checkClusterSet(set, (severity, path, rule, text) => report(text, path, severity, rule));
        },
      },
      {
        name: 'route-cluster',
        doc: 'The clusters of routes exist, those of copies too, unless validate_clusters is false.',
        reads: ['static_resources'],
        check: ({ staticResources: { clusters, listeners } }, report) => {
          const names = clusters.map(({ name }) => name);
          for (const [index, listener] of listeners.entries()) {
            for (const { value, path } of routesIn(listener)) {
              const at = ['static_resources', 'listeners', index, ...path];
              checkRouteClusters(value, names, (text, where = []) => report(text, [...at, ...where]));
            }
          }
        },
      },
    ],
  },
);
export type Bootstrap = Output<typeof Bootstrap>;

/** The values of static layers by key. Later layers win. */
export function staticRuntime(runtime: Output<typeof LayeredRuntime> | undefined): Struct {
  return (runtime?.layers ?? []).reduce<Struct>(
    (values, { staticLayer = {} }) => ({ ...values, ...flattenRuntime(staticLayer) }),
    {},
  );
}
