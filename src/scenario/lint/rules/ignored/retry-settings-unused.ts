import { formatDuration } from '../../../units.js';
import { eachCluster, type LintRule, manual } from '../../rule.js';

const retrying = (policy: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{max_retries: 100}]}}
endpoints: {backend: [{address: 10.0.0.1:80, count: 4}]}
workloads:
  - {cluster: backend, arrivals: 100/s, stop: 10s, retry_policy: {${policy}}}
`;

export const retrySettingsUnused: LintRule = {
  name: 'retry-settings-unused',
  severity: 'note',
  title: 'Settings of retries without the setting that uses them',
  why: 'Lists of statuses and headers are used only if `retry_on` names them; a number of selection attempts only with a predicate that may reject a host; a back-off only with retries.',
  sources: [manual('api-v2/api/v2/route/route_components.proto', 'RetryPolicy')],
  example: retrying('retry_on: 5xx, retriable_status_codes: [409]'),
  repaired: retrying('retry_on: "5xx,retriable-status-codes", retriable_status_codes: [409]'),
  check: eachCluster(({ traffic }, report) => {
    for (const { spec, path } of traffic) {
      const policy = spec.retryPolicy;
      if (policy === undefined) continue;
      const at = (field: string): (string | number)[] => [...path, 'retry_policy', field];
      for (const [field, list, word] of [
        ['retriable_status_codes', policy.retriableStatusCodes, 'retriable-status-codes'],
        ['retriable_headers', policy.retriableHeaders, 'retriable-headers'],
      ] as const) {
        if (list.length === 0 || policy.retryOn.includes(word)) continue;
        report(at(field), `${field} is not looked at: retry_on does not have ${word}`);
      }
      if (policy.retryBackOff !== undefined && policy.numRetries === 0) {
        const wait = formatDuration(policy.retryBackOff.baseIntervalUs);
        report(at('retry_back_off'), `nothing waits ${wait}: num_retries is 0`);
      }
    }
  }),
};
