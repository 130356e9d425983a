import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { clusterPage, reportSet } from '../ignored-shared.js';

const original = (common: string): string => `name: backend
connect_timeout: 1s
type: ORIGINAL_DST
lb_policy: CLUSTER_PROVIDED
common_lb_config: {${common}}
`;

export const balancingOfOriginalDst: LintRule = {
  name: 'balancing-of-original-dst',
  severity: 'note',
  title: 'Settings of load balancing on an ORIGINAL_DST cluster',
  why: 'An ORIGINAL_DST cluster sends a request where its client wanted to go: it weighs nothing, knows no localities and never panics.',
  sources: [manual(`${BALANCING}/original_dst`, 'Original destination'), clusterPage],
  example: original('healthy_panic_threshold: {value: 20}'),
  repaired: original('update_merge_window: 0s'),
  check: eachCluster((one, report) => {
    if (one.type !== 'ORIGINAL_DST') return;
    reportSet(
      one,
      report,
      ['common_lb_config'],
      ['healthy_panic_threshold', 'locality_weighted_lb_config'],
      (field) => `an ORIGINAL_DST cluster balances nothing: ${field} has no effect`,
    );
  }),
};
