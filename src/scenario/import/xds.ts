import type { ApiVersion } from '../../config/api/api.js';
import type { SourceNode } from '../../config/reader.js';
import {
  isMap,
  itemsOf,
  listNode,
  mapNode,
  picked,
  type Plain,
  plainOf,
  textOf,
  valueAt,
} from '../../config/source/trees.js';
import { clusterJson } from '../../config/write-cluster.js';
import type { ReadInputs } from '../input/read-inputs.js';
import { configurationsOf } from '../input/routes.js';
import type { Scenario } from '../model.js';
import { isSecretName } from '../secret-words.js';

/** Messages of v3, as a control plane would send them; without what balances nothing. */
export interface Xds {
  readonly clusters: readonly Plain[];
  readonly endpoints: readonly Plain[];
  readonly routes: readonly Plain[];
  readonly listeners: readonly Plain[];
}

/** What of a route's action decides where requests go; the rest may hold secrets. */
const ACTION = [
  'cluster',
  'cluster_header',
  'weighted_clusters',
  'timeout',
  'idle_timeout',
  'max_stream_duration',
  'hash_policy',
  'retry_policy',
  'request_mirror_policies',
  'metadata_match',
  'priority',
];

/** @param root the clusters and assignments, without what balances nothing. */
export function xdsOf(
  root: SourceNode,
  version: ApiVersion,
  scenario: Scenario | undefined,
  { made, resources }: ReadInputs,
): Xds {
  if (made) {
    const all = (kind: 'clusters' | 'assignments' | 'listeners'): readonly Plain[] =>
      resources.flatMap((one) => one[kind].map(({ node }) => plainOf(node)));
    const routes = resources.flatMap((one) => one.routes.map(({ node }) => plainOf(routesWithin(node))));
    return { clusters: all('clusters'), endpoints: all('assignments'), routes, listeners: all('listeners') };
  }
  const written = itemsOf(valueAt(root, 'clusters'));
  const assignments = valueAt(root, 'assignments');
  return {
    clusters: version === 'v3' ? written.map(plainOf) : (scenario?.clusters ?? []).map((one) => clusterJson(one, 'v3')),
    endpoints: (isMap(assignments) ? assignments.entries : []).map(({ value }) => plainOf(value)),
    routes: [...configurationsOf(resources)].map(({ node }) => plainOf(routesWithin(node))),
    listeners: [],
  };
}

function routesWithin(configuration: SourceNode): SourceNode {
  const hosts = itemsOf(valueAt(configuration, 'virtual_hosts')).map((host) => {
    const routes = itemsOf(valueAt(host, 'routes')).map((route) => {
      const action = valueAt(route, 'route');
      const direct = valueAt(route, 'direct_response');
      const parts = {
        ...picked(route, 'name', 'redirect'),
        match: matchWithin(valueAt(route, 'match')),
        direct_response: direct && mapNode(picked(direct, 'status'), direct),
      };
      return mapNode({ ...parts, route: action && mapNode(picked(action, ...ACTION), action) }, route);
    });
    return mapNode({ ...picked(host, 'name', 'domains', 'retry_policy'), routes: listNode(routes, host) }, host);
  });
  return mapNode({ ...picked(configuration, 'name'), virtual_hosts: listNode(hosts, configuration) }, configuration);
}

/** Of a header or a parameter that holds a secret, that it is there. */
function matchWithin(match: SourceNode | undefined): SourceNode | undefined {
  if (!isMap(match)) return match;
  const entries = match.entries.map((entry) => {
    if (entry.value.kind !== 'list') return entry;
    const items = entry.value.items.map((item) =>
      isSecretName(textOf(valueAt(item, 'name')) ?? '') ? mapNode(picked(item, 'name'), item) : item,
    );
    return { ...entry, value: listNode(items, entry.value) };
  });
  return { ...match, entries };
}
