import { BALANCING, manual } from '../rule.js';
import type { LintCluster } from '../subject.js';

export const AT = ['common_lb_config', 'zone_aware_lb_config'] as const;

export const isZoneAware = ({ cluster }: LintCluster): boolean =>
  cluster.commonLbConfig?.zoneAwareLbConfig !== undefined;

export const zoneAware = manual(`${BALANCING}/zone_aware`, 'Zone aware routing');

export interface Parts {
  readonly proxy?: string;
  readonly policy?: string;
  readonly zone?: string;
  readonly count?: number;
}

/** Two zones, the proxies themselves in zone a. */
export function fleet({
  proxy = 'local_cluster_name: edge, node: {locality: {zone: a}}',
  policy = '',
  zone = '',
  count = 3,
}: Parts): string {
  return `proxy: {${proxy}}
clusters:
  - {name: backend, connect_timeout: 1s, ${policy}common_lb_config: {zone_aware_lb_config: {${zone}}}}
  - {name: edge, connect_timeout: 1s}
endpoints:
  backend: [{address: 10.0.0.1:80, count: ${count}, zone: a}, {address: 10.0.1.1:80, count: ${count}, zone: b}]
  edge: [{address: 10.1.0.1:80, zone: a}, {address: 10.1.1.1:80, zone: b}]
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${policy.includes('MAGLEV') ? ', hash_key: {uniform: {keys: 9}}' : ''}}]
`;
}
