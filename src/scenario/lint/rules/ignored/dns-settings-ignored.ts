import { eachCluster, type LintRule } from '../../rule.js';
import { cluster, discovery, reportSet } from '../ignored-shared.js';

const DNS_FIELDS = [
  'dns_refresh_rate',
  'dns_failure_refresh_rate',
  'respect_dns_ttl',
  'dns_lookup_family',
  'dns_resolvers',
  'use_tcp_for_dns_lookups',
];

export const dnsSettingsIgnored: LintRule = {
  name: 'dns-settings-ignored',
  severity: 'note',
  title: 'DNS settings of a cluster that resolves no names',
  why: 'Only STRICT_DNS and LOGICAL_DNS clusters ask a resolver; the proxy checks these fields for every type and reads them for those two.',
  sources: [discovery],
  example: cluster('dns_refresh_rate: 10s, dns_lookup_family: V4_ONLY'),
  repaired: `clusters: [{name: backend, connect_timeout: 1s, type: STRICT_DNS, dns_refresh_rate: 10s, dns_lookup_family: V4_ONLY}]
endpoints: {backend: [backend.example.com:80]}
dns: {backend.example.com: {addresses: [10.0.0.1]}}
`,
  check: eachCluster((one, report) => {
    const { type } = one;
    if (type === undefined || type === 'STRICT_DNS' || type === 'LOGICAL_DNS') return;
    reportSet(one, report, [], DNS_FIELDS, (field) => `a ${type} cluster resolves no names: ${field} is ignored`);
  }),
};
