import type { Cluster } from '../config/types.js';
import type { ProxySpec } from '../settings/world.js';

/** Notes on clusters with zone-aware routing where no proxy can do it: the proxy ignores zones silently. */
export function zoneNotes(clusters: readonly Cluster[], proxies: readonly ProxySpec[]): readonly string[] {
  if (proxies.some(({ localClusterName }) => localClusterName !== undefined)) return [];
  return clusters
    .filter(({ commonLbConfig }) => commonLbConfig?.zoneAwareLbConfig !== undefined)
    .map(
      ({ name }) =>
        `zone-aware routing of ${name} is off: no proxy has a local_cluster_name, the cluster that the proxies themselves are in`,
    );
}
