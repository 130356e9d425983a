import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import type { LintCluster } from '../../subject.js';
import { ON, WEIGHTED, east, head, hostsOf, levels, weightOf, weighted, west } from '../localities-shared.js';
import { isHash } from '../tables-shared.js';
import { AT as ZONE_AWARE } from '../zones-shared.js';

export const localityWeightsIgnored: LintRule = {
  name: 'locality-weights-ignored',
  severity: 'warning',
  aboutSplit: true,
  title: 'Locality weights without locality_weighted_lb_config',
  why: 'The weight of a locality counts only while `common_lb_config.locality_weighted_lb_config` is present, even if it is empty; a policy in `load_balancing_policy` has that field itself. Without it the proxy spreads requests over all hosts of the priority alike, however they are grouped.',
  sources: [
    thread(25692, 'Envoy not using locality weights for load balancing within the same priority'),
    manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing'),
  ],
  example: head() + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  repaired: head(ON) + hostsOf + east('load_balancing_weight: 9, ') + west('load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (weighted(cluster)) return;
    const uneven = levels(cluster).some((groups) => new Set(groups.map(weightOf)).size > 1);
    const first = cluster.groups.find((group) => weightOf(group) !== undefined);
    if (!uneven || first === undefined) return;
    report([...first.path, 'load_balancing_weight'], `locality weights are ignored: ${insteadOf(cluster)}`);
  }),
};

/** What its localities go by, and where the setting belongs that makes it their weights. */
function insteadOf(one: LintCluster): string {
  const { name, loadBalancingPolicy, commonLbConfig } = one.cluster;
  if (loadBalancingPolicy?.loadAwareLocality !== undefined && !isHash(one))
    return `load_aware_locality of ${name} goes by the load that hosts report`;
  const place = one.placeOf(...WEIGHTED);
  if (place === undefined)
    return `${name} has no wrr_locality around client_side_weighted_round_robin, so all hosts of a priority count alike`;
  if (commonLbConfig?.zoneAwareLbConfig === undefined)
    return `${name} has no ${place}, so all hosts of a priority count alike`;
  return `${name} has ${one.placeOf(...ZONE_AWARE) ?? ''}, which looks at zones; ${place} goes in its place`;
}
