/** A proxy's own configuration file. Its clusters, its locality and its statistics matter here; the rest is ignored. */
import type { Struct } from '../core/json-value.js';
import { checkClusterSet, clusterList } from './cluster/cluster-set.js';
import { Node } from './core.js';
import { Listener, routesIn } from './listener.js';
import { StatsConfig, StatsSink } from './metrics.js';
import { anything, defaulted, message, optional, plain, repeated, required, type Output } from './reader.js';
import { messageWith } from './reader/message.js';
import { duration, string, struct } from './reader/proto.js';
import { checkRouteClusters } from './route/route.js';
import { flattenRuntime } from './runtime.js';

const StaticResources = message('config.bootstrap.v2.Bootstrap.StaticResources', () => ({
  listeners: repeated(Listener),
  clusters: clusterList(),
}));

const ClusterManager = message('config.bootstrap.v2.ClusterManager', () => ({
  local_cluster_name: plain(string()),
}));

const RuntimeLayer = message(
  'config.bootstrap.v2.RuntimeLayer',
  () => ({
    name: required(string()),
    static_layer: optional(struct()),
    admin_layer: optional(anything),
  }),
  {
    name: 'runtime-value',
    reads: ['static_layer'],
    check: ({ staticLayer = {} }, report) => {
      for (const [key, value] of Object.entries(flattenRuntime(staticLayer))) {
        if (value !== null && !Array.isArray(value)) continue;
        report(`Invalid runtime entry value for ${key}`, ['static_layer', key]);
      }
    },
  },
);

const LayeredRuntime = message('config.bootstrap.v2.LayeredRuntime', () => ({ layers: repeated(RuntimeLayer) }), {
  name: 'duplicate-name',
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
});

const NO_RESOURCES: Output<typeof StaticResources> = { listeners: [], clusters: [] };

export const Bootstrap = messageWith(
  'config.bootstrap.v2.Bootstrap',
  () => ({
    node: optional(Node),
    static_resources: defaulted(StaticResources, NO_RESOURCES),
    cluster_manager: optional(ClusterManager),
    stats_sinks: repeated(StatsSink),
    stats_config: optional(StatsConfig),
    stats_flush_interval: optional(duration()),
    layered_runtime: optional(LayeredRuntime),
  }),
  {
    hints: {
      workloads: 'a bootstrap stands alone; write a scenario with clusters to add traffic',
      timeline: 'a bootstrap stands alone; write a scenario with clusters to add a timeline',
      expect: 'a bootstrap stands alone; write a scenario with clusters to add expectations',
    },
    rules: [
      {
        name: 'cluster-set',
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
