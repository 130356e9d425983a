import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { ON, east, head, hostsOf, weighted } from '../localities-shared.js';

const nowhere = (rest: string): string => `
        - {${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`;

export const localityWeightWithoutLocality: LintRule = {
  name: 'locality-weight-without-locality',
  severity: 'warning',
  aboutSplit: true,
  title: 'A locality weight on an entry without a locality',
  why: 'The proxy keeps locality weights by locality. An entry without a `locality` message has nothing to keep the weight under: it is dropped, and beside weighted localities its hosts get nothing. `locality: {}` is enough.',
  sources: [manual(`${BALANCING}/locality_weight`, 'Locality weighted load balancing')],
  example: head(ON) + hostsOf + east('load_balancing_weight: 1, ') + nowhere('load_balancing_weight: 1, '),
  repaired:
    head(ON) + hostsOf + east('load_balancing_weight: 1, ') + nowhere('locality: {}, load_balancing_weight: 1, '),
  check: eachCluster((cluster, report) => {
    if (!weighted(cluster)) return;
    for (const { group, path } of cluster.groups) {
      if (group.loadBalancingWeight === undefined || group.locality !== undefined) continue;
      report(
        [...path, 'load_balancing_weight'],
        'this weight is dropped: the entry has no locality. Write locality: {} beside it',
      );
    }
  }),
};
