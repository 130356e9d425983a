import { z } from 'zod';
import { Cluster } from '../config/cluster.js';
import { Node } from '../config/core.js';
import { StatsConfig, StatsSink } from '../config/metrics.js';
import { type FieldMarks, message, optional, plain, repeated, required, type Schema } from '../config/reader.js';
import { duration, string } from '../config/reader/proto.js';
import type { Struct } from '../core/json.js';
import { StructMap } from './fields.js';
import type { NamelessProxy } from './proxies.js';
import { DEFAULT_FLUSH_US, DEFAULT_PROXY } from './proxies.js';
import { flatten } from './runtime.js';

/** A proxy's own configuration file: its clusters, and what the proxy is. */

const outside = (what: string): FieldMarks => ({ noEffect: `${what} is not simulated` });
const anything = z.unknown() as Schema<unknown>;

const StaticResources = message(
  'config.bootstrap.v2.Bootstrap.StaticResources',
  {
    clusters: repeated(Cluster, 'The clusters.'),
    listeners: optional(anything, 'Listeners.', outside('what happens before a cluster is chosen')),
    secrets: optional(anything, 'Secrets.', outside('TLS')),
  },
  { doc: 'What is configured in the file itself.' },
);

const ClusterManager = message(
  'config.bootstrap.v2.ClusterManager',
  {
    local_cluster_name: plain(string(), 'The cluster that the proxies themselves are in, for zone-aware routing.'),
    outlier_detection: optional(anything, 'Event log of outlier detection.', outside('the event log')),
    upstream_bind_config: optional(anything, 'Source addresses.', outside('binding')),
    load_stats_config: optional(anything, 'Load reporting.', outside('load reporting')),
  },
  { doc: 'Settings for all clusters.' },
);

const RuntimeLayer = message(
  'config.bootstrap.v2.RuntimeLayer',
  {
    name: plain(string(), 'Name of the layer.'),
    static_layer: optional(StructMap, 'Values in the file itself.'),
    disk_layer: optional(anything, 'Values from a directory.', outside('the file system')),
    admin_layer: optional(anything, 'Values from the admin interface.', outside('the admin interface')),
    rtds_layer: optional(anything, 'Values from a management server.', outside('a management server; use set_runtime')),
  },
  { doc: 'One layer of runtime values; later layers win.' },
);

const LayeredRuntime = message(
  'config.bootstrap.v2.LayeredRuntime',
  { layers: repeated(RuntimeLayer, 'The layers.') },
  { doc: 'Runtime values.' },
);

const FLUSH_MAX_US = 300_000_000;

export const Bootstrap = message(
  'config.bootstrap.v2.Bootstrap',
  {
    static_resources: required(StaticResources, 'The clusters.'),
    node: optional(Node, 'Name and place of the proxy.'),
    cluster_manager: optional(ClusterManager, 'Settings for all clusters.'),
    stats_config: optional(StatsConfig, 'Which statistics there are, and their tags.'),
    stats_sinks: repeated(StatsSink, 'Where statistics go.'),
    stats_flush_interval: optional(duration({ minNanos: 1_000_000 }), 'How often sinks get statistics. Default 5s.'),
    layered_runtime: optional(LayeredRuntime, 'Runtime values.'),
    dynamic_resources: optional(
      anything,
      'Management servers.',
      outside('a management server; use assignments and the timeline'),
    ),
    admin: optional(anything, 'Admin interface.', outside('the admin interface')),
    tracing: optional(anything, 'Tracing.', outside('tracing')),
    overload_manager: optional(anything, 'Overload manager.', outside('the overload manager')),
    watchdog: optional(anything, 'Watchdog.', outside('the watchdog')),
    hds_config: optional(anything, 'Health discovery.', outside('health discovery')),
    flags_path: optional(anything, 'Flag directory.', outside('the file system')),
    runtime: optional(
      anything,
      'Runtime values from a directory.',
      outside('a runtime directory; use layered_runtime'),
    ),
    header_prefix: optional(anything, 'Prefix of headers.', outside('the prefix of headers')),
    enable_dispatcher_stats: optional(anything, 'Event loop statistics.', outside('the event loop')),
    stats_server_version_override: optional(anything, 'Version statistic.', outside('the server')),
    use_tcp_for_dns_lookups: optional(anything, 'DNS over TCP.', outside('the transport of DNS')),
  },
  {
    doc: 'The configuration file of a proxy.',
    hints: {
      workloads: 'a bootstrap stands alone; write a scenario with clusters to add traffic',
      timeline: 'a bootstrap stands alone; write a scenario with clusters to add a timeline',
      expect: 'a bootstrap stands alone; write a scenario with clusters to add expectations',
    },
    rules: [
      {
        name: 'stats-flush-interval',
        reads: ['stats_flush_interval'],
        check: ({ statsFlushInterval }, report) => {
          if (statsFlushInterval !== undefined && statsFlushInterval > FLUSH_MAX_US) {
            report('must be at most 300s', ['stats_flush_interval']);
          }
        },
      },
    ],
  },
);

export type BootstrapFields = z.output<typeof Bootstrap>;

/** The one proxy that a bootstrap describes. */
export function proxyOf(fields: BootstrapFields): NamelessProxy {
  const localClusterName = fields.clusterManager?.localClusterName ?? '';
  const layers = fields.layeredRuntime?.layers ?? [];
  return {
    ...DEFAULT_PROXY,
    node: fields.node,
    localClusterName: localClusterName === '' ? undefined : localClusterName,
    runtime: layers.reduce<Struct>((merged, layer) => ({ ...merged, ...flatten(layer.staticLayer ?? {}) }), {}),
    statsFlushIntervalUs: Math.round(fields.statsFlushInterval ?? DEFAULT_FLUSH_US),
    statsConfig: fields.statsConfig,
    statsSinks: fields.statsSinks,
  };
}
