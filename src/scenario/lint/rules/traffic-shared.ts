import { manual } from '../rule.js';

export const breakers = manual('intro/arch_overview/upstream/circuit_breaking', 'Circuit breaking');

export const retrying = (rest: string): string => `clusters:
  - {name: backend, connect_timeout: 1s${rest}}
endpoints: {backend: [10.0.0.1:80, 10.0.0.2:80]}
workloads:
  - {cluster: backend, arrivals: 500/s, stop: 10s, retry_policy: {retry_on: 5xx, num_retries: 2}}
`;
