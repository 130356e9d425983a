import { isTablePolicy } from '../../../policy/registry.js';
import type { LintCluster } from '../subject.js';

export const isHash = ({ cluster }: LintCluster): boolean => isTablePolicy(cluster.lbPolicy);

export interface Layout {
  /** Share of the lightest host. */
  readonly lightest: number;
  readonly hosts: number;
}

/** The hosts of each priority's table, all of them healthy. */
export function layouts({ groups, priorities, cluster }: LintCluster): readonly Layout[] {
  const byLocality = cluster.commonLbConfig?.localityWeightedLbConfig !== undefined;
  return priorities.flatMap((priority) => {
    const level = groups.filter(({ group }) => group.priority === priority);
    const total = level.reduce((sum, { group }) => sum + (group.loadBalancingWeight ?? 0), 0);
    const all = level.flatMap(({ hosts }) => hosts).reduce((sum, { weight }) => sum + weight, 0);
    const shares = level.flatMap(({ group, hosts }) => {
      const sum = hosts.reduce((weights, { weight }) => weights + weight, 0);
      const locality = byLocality ? (group.loadBalancingWeight ?? 0) / total : sum / all;
      return hosts.map(({ weight }) => (locality * weight) / sum);
    });
    const counted = shares.filter((share) => share > 0);
    const lightest = counted.reduce((least, share) => Math.min(least, share), 1);
    return counted.length === 0 ? [] : [{ lightest, hosts: counted.length }];
  });
}

export const KEYED = ', hash_key: {uniform: {keys: 1000, prefix: user-}}';

/** Requests to a cluster, with or without a key. */
export const sent = (
  policy: string,
  key: string,
  endpoints = '10.0.0.1:80, 10.0.0.2:80',
): string => `clusters: [{name: backend, connect_timeout: 1s${policy}}]
endpoints: {backend: [${endpoints}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${key}}]
`;

export const ring = (rest: string, endpoints: string): string => `clusters:
  - {name: backend, connect_timeout: 1s, lb_policy: RING_HASH, ring_hash_lb_config: {${rest}}}
endpoints: {backend: [${endpoints}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s${KEYED}}]
`;

export const TEN = '{address: 10.0.0.1:80, count: 10}';
