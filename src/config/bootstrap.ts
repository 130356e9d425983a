import { any } from './reader/api-schema.js';
import { canonicalName } from '../core/proxy-names.js';
import type { Messages } from './api/generated/read-messages.js';
import { anything, INVALID, list, mark, message, type Path, reading, type Schema, rule } from './reader.js';
import { messageWith } from './reader/message.js';
import { entryOf } from './reader/spans.js';
import { readerOf } from './reader/walk.js';
import { type RouteConfiguration, checkRouteClusters } from './route/route.js';
import { repeats, type Struct } from '../core/values.js';
import type { Cluster } from './cluster/cluster-shape.js';
import { checkClusterSet, clusterList } from './cluster/cluster-set.js';
import { StatsSink } from './metrics.js';
import { suggestionsFrom } from './reader/error-words.js';
import { flattenRuntime } from './runtime.js';

/** Listeners, as far as needed to find their routes. Nothing before the choice of a cluster is simulated. */

export const HttpConnectionManager = message('config.filter.network.http_connection_manager.v2.HttpConnectionManager');
type HttpConnectionManager = Messages['config.filter.network.http_connection_manager.v2.HttpConnectionManager'];

const HTTP_TYPES = {
  'config.filter.network.http_connection_manager.v2.HttpConnectionManager': HttpConnectionManager,
  'extensions.filters.network.http_connection_manager.v3.HttpConnectionManager': HttpConnectionManager,
};

export const HTTP_NAMES: ReadonlySet<string> = new Set([
  'proxy.http_connection_manager',
  'proxy.filters.network.http_connection_manager',
]);

const NetworkFilterFields = messageWith<'listener.Filter', { readonly config?: unknown }>('listener.Filter', {
  own: () => ({ config: anything, typed_config: any({ types: HTTP_TYPES, open: true }) }),
});

interface NetworkFilter {
  /** Where its routes are in the filter; undefined: it has none in the file. */
  readonly routes: { readonly value: RouteConfiguration; readonly path: Path } | undefined;
}

/** A filter may be of any type; only the HTTP filter's routes are read, by its type or, without one, by its name. */
const NetworkFilter: Schema<NetworkFilter> = mark(
  reading<NetworkFilter>('listener.Filter', (node, walk) => {
    const fields = readerOf(NetworkFilterFields)(node, walk);
    if (fields === INVALID) return INVALID;
    const { name, config, typedConfig } = fields;
    if (typedConfig !== undefined && Object.hasOwn(HTTP_TYPES, typedConfig.type))
      return { routes: routesOf(typedConfig.value as HttpConnectionManager, 'typed_config') };
    const part = config === undefined ? undefined : entryOf(node, 'config')?.value;
    if (part === undefined || !HTTP_NAMES.has(canonicalName(name))) return { routes: undefined };
    const value = walk.part('config', readerOf(HttpConnectionManager), part);
    return value === INVALID ? INVALID : { routes: routesOf(value, 'config') };
  }),
  NetworkFilterFields.marks,
);

const routesOf = ({ routeConfig }: HttpConnectionManager, field: string): NetworkFilter['routes'] =>
  routeConfig === undefined ? undefined : { value: routeConfig, path: [field, 'route_config'] };

messageWith('listener.FilterChain', { own: () => ({ filters: list(NetworkFilter) }) });

export type Listener = Messages['Listener'] & {
  readonly filterChains: readonly { readonly filters: readonly NetworkFilter[] }[];
};
export const Listener: Schema<Listener> = messageWith('Listener', {});

const routesIn = ({ filterChains }: Listener): readonly { readonly value: RouteConfiguration; readonly path: Path }[] =>
  filterChains.flatMap(({ filters }, chain) =>
    filters.flatMap(({ routes }, index) =>
      routes === undefined
        ? []
        : [{ value: routes.value, path: ['filter_chains', chain, 'filters', index, ...routes.path] }],
    ),
  );

/** A proxy's own configuration file. Its clusters, its locality and its statistics matter here; the rest is ignored. */

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
    for (const [index, { name }] of repeats(layers, (one) => one.name))
      report(`Duplicate layer name: ${name}`, ['layers', index, 'name']);
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
export const clustersOf = ({ staticResources }: Bootstrap): readonly Cluster[] => staticResources?.clusters ?? [];

/** The values of static layers by key. Later layers win. */
export const staticRuntime = (runtime: Bootstrap['layeredRuntime']): Struct =>
  (runtime?.layers ?? []).reduce<Struct>(
    (values, { staticLayer = {} }) => ({ ...values, ...flattenRuntime(staticLayer) }),
    {},
  );
