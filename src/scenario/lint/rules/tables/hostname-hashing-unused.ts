import { eachCluster, type LintRule, manual } from '../../rule.js';
import { isHash } from '../tables-shared.js';
import { lbPolicyName } from '../../../../policy/registry.js';

const named = (typeAndPolicy: string): string => `name: backend
connect_timeout: 1s
type: ${typeAndPolicy}
common_lb_config: {consistent_hashing_lb_config: {use_hostname_for_hashing: true}}
load_assignment:
  cluster_name: backend
  endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: a.example.com, port_value: 80}}}}]}]
`;

export const hostnameHashingUnused: LintRule = {
  name: 'hostname-hashing-unused',
  severity: 'note',
  title: 'use_hostname_for_hashing for a policy that does not hash',
  why: 'The option is checked for every policy and read by RING_HASH and MAGLEV alone.',
  sources: [manual('api-v2/api/v2/cluster.proto', 'ConsistentHashingLbConfig.use_hostname_for_hashing')],
  example: named('STRICT_DNS'),
  repaired: named('STRICT_DNS\nlb_policy: MAGLEV'),
  check: eachCluster((cluster, report) => {
    if (isHash(cluster)) return;
    if (cluster.cluster.commonLbConfig?.consistentHashingLbConfig === undefined) return;
    const text = `${lbPolicyName(cluster.cluster.lbPolicy)} does not hash: consistent_hashing_lb_config has no effect`;
    report([...cluster.path, 'common_lb_config', 'consistent_hashing_lb_config'], text);
  }),
};
