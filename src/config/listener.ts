/** Listeners, as far as needed to find their routes. Nothing before the choice of a cluster is simulated. */
import { any } from './reader/api-schema.js';
import { canonicalName } from '../core/proxy-names.js';
import type { Messages } from './api/generated/read-messages.js';
import { anything, INVALID, list, mark, message, type Path, reading, type Schema } from './reader.js';
import { messageWith } from './reader/message.js';
import { entryOf } from './reader/spans.js';
import { readerOf } from './reader/walk.js';
import type { RouteConfiguration } from './route/route.js';

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

export interface NetworkFilter {
  /** Where its routes are in the filter; undefined: it has none in the file. */
  readonly routes: { readonly value: RouteConfiguration; readonly path: Path } | undefined;
}

/** A filter may be of any type; only the HTTP filter's routes are read, by its type or, without one, by its name. */
const NetworkFilter: Schema<NetworkFilter> = mark(
  reading<NetworkFilter>('listener.Filter', (node, walk) => {
    const fields = readerOf(NetworkFilterFields)(node, walk);
    if (fields === INVALID) return INVALID;
    const { name, config, typedConfig } = fields;
    if (typedConfig !== undefined && Object.hasOwn(HTTP_TYPES, typedConfig.type)) {
      return { routes: routesOf(typedConfig.value as HttpConnectionManager, 'typed_config') };
    }
    const part = config === undefined ? undefined : entryOf(node, 'config')?.value;
    if (part === undefined || !HTTP_NAMES.has(canonicalName(name))) return { routes: undefined };
    const value = walk.part('config', readerOf(HttpConnectionManager), part);
    return value === INVALID ? INVALID : { routes: routesOf(value, 'config') };
  }),
  NetworkFilterFields.marks,
);

function routesOf({ routeConfig }: HttpConnectionManager, field: string): NetworkFilter['routes'] {
  return routeConfig === undefined ? undefined : { value: routeConfig, path: [field, 'route_config'] };
}

messageWith('listener.FilterChain', { own: () => ({ filters: list(NetworkFilter) }) });

export type Listener = Messages['Listener'] & {
  readonly filterChains: readonly { readonly filters: readonly NetworkFilter[] }[];
};
export const Listener: Schema<Listener> = messageWith('Listener', {});

export function routesIn({
  filterChains,
}: Listener): readonly { readonly value: RouteConfiguration; readonly path: Path }[] {
  return filterChains.flatMap(({ filters }, chain) =>
    filters.flatMap(({ routes }, index) =>
      routes === undefined
        ? []
        : [{ value: routes.value, path: ['filter_chains', chain, 'filters', index, ...routes.path] }],
    ),
  );
}
