import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { KEYED, isHash, sent } from '../tables-shared.js';
import { lbPolicyName } from '../../../../policy/registry.js';

const DEGRADED = '10.0.0.1:80, {address: 10.0.0.2:80, health: DEGRADED}';

export const hashIgnoresDegraded: LintRule = {
  name: 'hash-ignores-degraded',
  severity: 'warning',
  title: 'Degraded hosts under RING_HASH or MAGLEV',
  why: 'Tables are built from healthy hosts only. A priority with healthy and degraded hosts serves everything from the healthy ones; with degraded hosts alone it answers 503, although ROUND_ROBIN, LEAST_REQUEST and RANDOM would use them.',
  sources: [
    manual(`${BALANCING}/degraded`, 'Degraded endpoints'),
    manual(`${BALANCING}/load_balancers`, 'Ring hash and Maglev'),
  ],
  example: sent(', lb_policy: MAGLEV', KEYED, DEGRADED),
  repaired: sent(', lb_policy: LEAST_REQUEST', '', DEGRADED),
  check: eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const host = cluster.hosts.find(({ endpoint }) => endpoint.healthStatus === 'DEGRADED');
    if (host === undefined) return;
    const text = `${lbPolicyName(cluster.cluster.lbPolicy)} puts no degraded host into its table: ${host.address} gets no request`;
    report([...host.path, 'health_status'], text);
  }),
};
