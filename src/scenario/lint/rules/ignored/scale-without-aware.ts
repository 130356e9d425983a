import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { WEIGHTED, weighted } from '../localities-shared.js';

const SUBSETS = 'subset_selectors: [{keys: [version]}]';

const versioned = (config: string): string => `clusters:
  - name: backend
    connect_timeout: 1s
    common_lb_config: {locality_weighted_lb_config: {}}
    lb_subset_config: {${config}}
    load_assignment:
      cluster_name: backend
      endpoints:
        - locality: {zone: a}
          load_balancing_weight: 100
          lb_endpoints:
            - {endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}, metadata: {filter_metadata: {proxy.lb: {version: "1"}}}}
`;

export const scaleWithoutAware: LintRule = {
  name: 'scale-without-aware',
  severity: 'note',
  title: 'scale_locality_weight without locality_weight_aware',
  why: 'The weights of localities are scaled to the hosts of a subset only if subsets use them at all, which `locality_weight_aware` turns on.',
  sources: [
    thread(5074, 'add option to scale locality weights in subset lb'),
    manual('api-v2/api/v2/cluster.proto', 'LbSubsetConfig.scale_locality_weight'),
  ],
  example: versioned(`${SUBSETS}, scale_locality_weight: true`),
  repaired: versioned(`${SUBSETS}, scale_locality_weight: true, locality_weight_aware: true`),
  check: eachCluster((one, report) => {
    const { lbSubsetConfig } = one.cluster;
    if (lbSubsetConfig?.scaleLocalityWeight !== true || lbSubsetConfig.localityWeightAware) return;
    // It is refused, or has no effect, where localities have no weights.
    const needed = weighted(one) ? '' : ` and ${one.placeOf(...WEIGHTED) ?? 'wrr_locality around their policy'}`;
    report(
      [...one.path, 'lb_subset_config', 'scale_locality_weight'],
      `this has no effect: subsets do not look at locality weights without locality_weight_aware${needed}`,
    );
  }),
};
