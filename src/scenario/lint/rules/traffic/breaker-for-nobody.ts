import { eachCluster, type LintRule, manual } from '../../rule.js';
import { breakers } from '../traffic-shared.js';

const limited = (
  limit: string,
): string => `clusters: [{name: backend, connect_timeout: 1s, circuit_breakers: {thresholds: [{${limit}}]}}]
endpoints: {backend: [10.0.0.1:80]}
workloads: [{cluster: backend, arrivals: 10/s, stop: 1s}]
`;

export const breakerForNobody: LintRule = {
  name: 'breaker-for-nobody',
  severity: 'warning',
  title: 'Circuit breakers of a priority that no request has',
  why: 'Limits belong to a routing priority. Requests are DEFAULT unless their route says HIGH, so an entry for HIGH alone leaves all others at the built-in limits of 1024.',
  sources: [breakers, manual('intro/arch_overview/http/http_routing', 'Priority routing')],
  example: limited('priority: HIGH, max_requests: 10'),
  repaired: limited('max_requests: 10'),
  check: eachCluster(({ cluster: { circuitBreakers, name }, traffic, path }, report) => {
    const used = new Set(traffic.map(({ spec }) => spec.priority));
    const limits = circuitBreakers?.thresholds ?? [];
    if (used.size === 0 || limits.length === 0 || limits.some(({ priority }) => used.has(priority))) return;
    const text = `these limits are for ${limits[0]?.priority ?? ''}, but all requests to ${name} are ${[...used].join(' and ')}`;
    report([...path, 'circuit_breakers', 'thresholds', 0], text);
  }),
};
