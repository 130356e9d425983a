import { isTablePolicy, lbPolicyName } from '../../../../policy/registry.js';
import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { AT, isZoneAware, fleet, zoneAware } from '../zones-shared.js';

export const zoneAwareHash: LintRule = {
  name: 'zone-aware-hash',
  severity: 'warning',
  aboutSplit: true,
  title: 'Zone-aware routing under RING_HASH or MAGLEV',
  why: 'A consistent hash names one host for a key whatever zone asks; the zone is not looked at. Zone-aware routing belongs to ROUND_ROBIN, LEAST_REQUEST and RANDOM.',
  sources: [zoneAware, manual(`${BALANCING}/load_balancers`, 'Ring hash and Maglev')],
  example: fleet({ policy: 'lb_policy: MAGLEV, ' }),
  repaired: fleet({}),
  check: eachCluster((cluster, report) => {
    const { lbPolicy } = cluster.cluster;
    if (!isZoneAware(cluster) || !isTablePolicy(lbPolicy)) return;
    const zone = cluster.cluster.commonLbConfig?.zoneAwareLbConfig;
    if (zone?.failTrafficOnPanic === true) return;
    report(
      [...cluster.path, ...AT],
      `${lbPolicyName(lbPolicy)} does not look at zones: zone_aware_lb_config has no effect`,
    );
  }),
};
