import { metadataEntry } from '../../../../config/core.js';
import { smallest } from '../../../../core/lists.js';
import { LB_NAMESPACE } from '../../../metadata.js';
import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import type { LintHost } from '../../subject.js';
import { ON, head } from '../localities-shared.js';

const scaled = (weight: number): string => `${head(ON)}
    lb_subset_config: {subset_selectors: [{keys: [version]}], locality_weight_aware: true, scale_locality_weight: true}
    load_assignment:
      cluster_name: backend
      endpoints:
        - locality: {zone: a}
          load_balancing_weight: ${weight}
          lb_endpoints:
            - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
            - {endpoint: {address: {socket_address: {address: 10.0.0.2, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
            - {endpoint: {address: {socket_address: {address: 10.0.0.3, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "2"}}}}
`;

export const scaledLocalityWeight: LintRule = {
  name: 'scaled-locality-weight-zero',
  severity: 'warning',
  aboutSplit: true,
  title: 'scale_locality_weight with weights that are too small to scale',
  why: 'A subset’s locality weight is the weight times the locality’s share of hosts that are in the subset, rounded to a whole number: 1 × ⅓ is 0, and those hosts get nothing. Weights of 100 or more leave room.',
  sources: [
    thread(5074, 'add option to scale locality weights in subset lb'),
    manual('api-v2/api/v2/cluster.proto', 'LbSubsetConfig.scale_locality_weight'),
  ],
  example: scaled(1),
  repaired: scaled(100),
  check: eachCluster(({ cluster, groups }, report) => {
    const config = cluster.lbSubsetConfig;
    if (config?.scaleLocalityWeight !== true || !config.localityWeightAware) return;
    for (const { group, path, hosts } of groups) {
      const weight = group.loadBalancingWeight;
      if (weight === undefined || group.locality === undefined) continue;
      const fewest = smallest(config.subsetSelectors.map(({ keys }) => smallestSubset(hosts, keys)));
      if (Math.round((weight * fewest) / hosts.length) > 0) continue;
      const text = `${fewest} of ${hosts.length} hosts are in a subset: ${weight} × ${fewest}/${hosts.length} rounds to 0, and they get nothing`;
      report([...path, 'load_balancing_weight'], `${text}. Use larger weights in the same proportion`);
    }
  }),
};

/** How many of these hosts the smallest of a selector’s subsets has; Infinity if it makes none. */
function smallestSubset(hosts: readonly LintHost[], keys: readonly string[]): number {
  const sizes = new Map<string, number>();
  for (const { endpoint } of hosts) {
    const metadata = metadataEntry(endpoint.metadata, LB_NAMESPACE);
    if (keys.length === 0 || !keys.every((key) => Object.hasOwn(metadata, key))) continue;
    const subset = JSON.stringify(keys.map((key) => metadata[key]));
    sizes.set(subset, (sizes.get(subset) ?? 0) + 1);
  }
  return smallest(sizes.values());
}
