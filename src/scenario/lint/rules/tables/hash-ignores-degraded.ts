import { BALANCING, eachCluster, type LintRule, manual } from '../../rule.js';
import { isHash } from '../tables-shared.js';

export const hashIgnoresDegraded: LintRule = {
  name: 'hash-ignores-degraded',
  severity: 'warning',
  title: 'Degraded hosts under RING_HASH or MAGLEV',
  why: 'Tables are built from healthy hosts only. A priority with healthy and degraded hosts serves everything from the healthy ones; with degraded hosts alone it answers 503, although ROUND_ROBIN, LEAST_REQUEST and RANDOM would use them.',
  sources: [
    manual(`${BALANCING}/degraded`, 'Degraded endpoints'),
    manual(`${BALANCING}/load_balancers`, 'Ring hash and Maglev'),
  ],
  example: `clusters: [{name: backend, connect_timeout: 1s, lb_policy: MAGLEV}]
endpoints: {backend: [10.0.0.1:80, {address: 10.0.0.2:80, health: DEGRADED}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s, hash_key: {uniform: {keys: 1000, prefix: user-}}}]
`,
  repaired: `clusters: [{name: backend, connect_timeout: 1s, lb_policy: LEAST_REQUEST}]
endpoints: {backend: [10.0.0.1:80, {address: 10.0.0.2:80, health: DEGRADED}]}
workloads: [{cluster: backend, arrivals: 100/s, stop: 10s}]
`,
  check: eachCluster((cluster, report) => {
    if (!isHash(cluster)) return;
    const host = cluster.hosts.find(({ endpoint }) => endpoint.healthStatus === 'DEGRADED');
    if (host === undefined) return;
    const text = `${cluster.cluster.lbPolicy} puts no degraded host into its table: ${host.address} gets no request`;
    report([...host.path, 'health_status'], text);
  }),
};
