/** A proxy's own configuration file. Its clusters, its locality and its statistics matter here; the rest is ignored. */
import type { Struct } from '../core/json-value.js';
import type { Cluster } from './cluster/cluster-shape.js';
import { checkClusterSet, clusterList } from './cluster/cluster-set.js';
import type { Messages } from './api/generated/read-messages.js';
import { type Listener, routesIn } from './listener.js';
import { StatsSink } from './metrics.js';
import { anything, list, message, rule } from './reader.js';
import { suggestionsFrom } from './reader/error-words.js';
import { messageWith } from './reader/message.js';
import { checkRouteClusters } from './route/route.js';
import { flattenRuntime } from './runtime.js';

messageWith('config.bootstrap.v2.Bootstrap.StaticResources', { own: () => ({ clusters: clusterList }) });

messageWith('config.bootstrap.v2.RuntimeLayer', {
  own: () => ({ admin_layer: anything }),
  rules: [
    rule<Messages['config.bootstrap.v2.RuntimeLayer']>(
      'runtime-value',
      ['static_layer'],
      ({ staticLayer = {} }, report) => {
        for (const [key, value] of Object.entries(flattenRuntime(staticLayer))) {
          if (value !== null && !Array.isArray(value)) continue;
          report(`Invalid runtime entry value for ${key}`, ['static_layer', key]);
        }
      },
    ),
  ],
});

message(
  'config.bootstrap.v2.LayeredRuntime',
  rule('duplicate-name', ['layers'], ({ layers }, report) => {
    const admins = layers.flatMap(({ adminLayer }, index) => (adminLayer === undefined ? [] : [index]));
    for (const index of admins.slice(1)) {
      const text = 'Too many admin layers specified in LayeredRuntime, at most one may be specified';
      report(text, ['layers', index, 'admin_layer']);
    }
    const names = layers.map(({ name }) => name);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) < index) report(`Duplicate layer name: ${name}`, ['layers', index, 'name']);
    }
  }),
);

interface OwnFields {
  readonly staticResources?:
    { readonly listeners: readonly Listener[]; readonly clusters: readonly Cluster[] } | undefined;
  readonly statsSinks: readonly StatsSink[];
}

export type Bootstrap = Messages['config.bootstrap.v2.Bootstrap'] & OwnFields;

export const Bootstrap = messageWith<'config.bootstrap.v2.Bootstrap', OwnFields>('config.bootstrap.v2.Bootstrap', {
  own: () => ({ stats_sinks: list(StatsSink) }),
  rules: [
    rule(
      'cluster-set',
      ['static_resources', 'cluster_manager', 'stats_sinks', 'node', 'layered_runtime'],
      (bootstrap, report) => {
        const set = {
          clusters: clustersOf(bootstrap).map((cluster, index) => ({
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
    ),
    rule('route-cluster', ['static_resources'], (bootstrap, report) => {
      const names = new Set(clustersOf(bootstrap).map(({ name }) => name));
      const suggest = suggestionsFrom([...names]);
      for (const [index, listener] of (bootstrap.staticResources?.listeners ?? []).entries()) {
        for (const { value, path } of routesIn(listener)) {
          const at = ['static_resources', 'listeners', index, ...path];
          checkRouteClusters(value, names, suggest, (text, where = []) => report(text, [...at, ...where]));
        }
      }
    }),
  ],
});
export function clustersOf({ staticResources }: Bootstrap): readonly Cluster[] {
  return staticResources?.clusters ?? [];
}

/** The values of static layers by key. Later layers win. */
export function staticRuntime(runtime: Bootstrap['layeredRuntime']): Struct {
  return (runtime?.layers ?? []).reduce<Struct>(
    (values, { staticLayer = {} }) => ({ ...values, ...flattenRuntime(staticLayer) }),
    {},
  );
}
