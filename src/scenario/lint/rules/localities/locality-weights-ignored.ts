import { BALANCING, eachCluster, type LintRule, manual, thread } from '../../rule.js';
import { ON, east, head, hostsOf, levels, weightOf, weighted, west } from '../localities-shared.js';

export const localityWeightsIgnored: LintRule = {
  name: 'locality-weights-ignored',
  severity: 'warning',
  aboutSplit: true,
  title: 'Locality weights without locality_weighted_lb_config',
  why: 'The weight of a locality counts only while `common_lb_config.locality_weighted_lb_config` is present, even if it is empty. Without it the proxy spreads requests over all hosts of the priority alike, however they are grouped.',
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
    const text = `locality weights are ignored: ${cluster.cluster.name} has no common_lb_config.locality_weighted_lb_config`;
    report([...first.path, 'load_balancing_weight'], `${text}, so all hosts of a priority count alike`);
  }),
};
