import { eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { ON, east, head, hostsOf, levels, weightOf, weighted, west } from '../localities-shared.js';

export const localityWithoutWeight: LintRule = {
  name: 'locality-without-weight',
  severity: 'warning',
  aboutSplit: true,
  title: 'A locality without a weight beside weighted ones',
  why: 'Under `locality_weighted_lb_config` a locality without `load_balancing_weight` has the weight 0: it gets no traffic as long as another locality of its priority has a weight.',
  sources: [
    manual('api-v2/api/v2/endpoint/endpoint_components.proto', 'LocalityLbEndpoints.load_balancing_weight'),
    thread(6458, 'load_balancing_weight with locality seems to behave differently than documentation'),
  ],
  example: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west(''),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const groups of levels(cluster)) {
      if (groups.every((group) => weightOf(group) === undefined)) continue;
      for (const { group, path, hosts } of groups) {
        if (group.loadBalancingWeight !== undefined || hosts.length === 0 || group.locality === undefined) continue;
        const zone = group.locality.zone === '' ? 'this locality' : `zone ${group.locality.zone}`;
        report(
          path,
          `${zone} has no load_balancing_weight and gets no traffic: other localities of its priority have one`,
        );
      }
    }
  }),
};
