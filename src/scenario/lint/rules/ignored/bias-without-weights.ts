import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { unevenPriority } from '../lists-shared.js';

const leastRequest = (config: string, endpoints: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, lb_policy: LEAST_REQUEST, least_request_lb_config: {${config}}}
endpoints: {backend: [${endpoints}]}
`;

export const biasWithoutWeights: LintRule = {
  name: 'bias-without-weights',
  severity: 'note',
  title: 'active_request_bias where host weights are alike',
  why: 'The bias belongs to the weighted rotation that LEAST_REQUEST becomes when host weights differ. Where they are alike it draws hosts and takes the one with the fewest requests, and there is nothing to bias.',
  sources: [manual(`${BALANCING}/load_balancers`, 'Weighted least request')],
  example: leastRequest('active_request_bias: {default_value: 2, runtime_key: x}', '{address: 10.0.0.1:80, count: 4}'),
  repaired: leastRequest(
    'active_request_bias: {default_value: 2, runtime_key: x}',
    '{address: 10.0.0.1:80, weight: 2}, 10.0.0.2:80',
  ),
  check: eachCluster((one, report) => {
    const { lbPolicy, leastRequestLbConfig } = one.cluster;
    if (lbPolicy !== 'LEAST_REQUEST' || leastRequestLbConfig?.activeRequestBias === undefined || !one.fixed) return;
    // While a host starts slowly its weight differs from the others'.
    if (leastRequestLbConfig.slowStartConfig !== undefined) return;
    if (unevenPriority(one) !== undefined) return;
    report(
      [...one.path, 'least_request_lb_config', 'active_request_bias'],
      'this has no effect: the hosts of each priority have the same weight',
    );
  }),
};
