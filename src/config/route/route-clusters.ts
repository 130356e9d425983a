import { didYouMean, type Report } from '../reader.js';
import type { RouteConfiguration } from './route.js';

type RouteAction = NonNullable<RouteConfiguration['virtualHosts'][number]['routes'][number]['route']>;

/**
 * Routes inside a listener can use only clusters in the file: the proxy checks them before it contacts a management server.
 *
 * @param names of the clusters of the file.
 * @param report paths are those of the routes.
 */
export function checkRouteClusters(routes: RouteConfiguration, names: readonly string[], report: Report): void {
  if (routes.validateClusters === false) return;
  const known = new Set(names);
  for (const [host, { routes: entries }] of routes.virtualHosts.entries()) {
    for (const [index, { route }] of entries.entries()) {
      if (route === undefined) continue;
      for (const { cluster, what, path } of clustersOf(route)) {
        // A header may name the mirror cluster instead.
        if (known.has(cluster) || cluster === '') continue;
        const text = `route: unknown ${what} '${cluster}'${didYouMean(cluster, names)}`;
        report(text, ['virtual_hosts', host, 'routes', index, 'route', ...path]);
      }
    }
  }
}

interface ClusterReference {
  readonly cluster: string;
  readonly what: string;
  readonly path: readonly (string | number)[];
}

function clustersOf({
  cluster,
  weightedClusters,
  requestMirrorPolicy,
  requestMirrorPolicies,
}: RouteAction): readonly ClusterReference[] {
  const mirrors = requestMirrorPolicies.map((policy, index) => ({ policy, path: ['request_mirror_policies', index] }));
  if (requestMirrorPolicy !== undefined) mirrors.push({ policy: requestMirrorPolicy, path: ['request_mirror_policy'] });
  return [
    ...(cluster === undefined ? [] : [{ cluster, what: 'cluster', path: ['cluster'] }]),
    ...(weightedClusters?.clusters ?? []).map(({ name }, index) => ({
      cluster: name,
      what: 'weighted cluster',
      path: ['weighted_clusters', 'clusters', index, 'name'],
    })),
    ...mirrors.map(({ policy, path }) => ({
      cluster: policy.cluster,
      what: 'shadow cluster',
      path: [...path, 'cluster'],
    })),
  ];
}
