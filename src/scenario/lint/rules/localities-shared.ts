import type { LintCluster, LintGroup } from '../subject.js';

export const WEIGHTED = ['common_lb_config', 'locality_weighted_lb_config'] as const;

export const weighted = ({ cluster }: LintCluster): boolean =>
  cluster.commonLbConfig?.localityWeightedLbConfig !== undefined;

export const weightOf = ({ group }: LintGroup): number | undefined => group.loadBalancingWeight;

export function levels({ groups, priorities }: LintCluster): readonly (readonly LintGroup[])[] {
  return priorities.map((priority) => groups.filter(({ group }) => group.priority === priority));
}

export const hostsOf = `
    load_assignment:
      cluster_name: backend
      endpoints:`;

export const east = (rest: string): string => `
        - {locality: {zone: a}, ${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}`;

export const west = (rest: string): string => `
        - {locality: {zone: b}, ${rest}lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.1.1, port_value: 80}}}}]}`;

export const head = (rest = ''): string => `clusters:
  - name: backend
    connect_timeout: 1s${rest}`;

export const ON = `
    common_lb_config: {locality_weighted_lb_config: {}}`;
