import { expect, it } from 'vitest';
import { assignmentOf, clusterMessage } from '../../../src/analysis/verify/cluster-message.js';
import { clusterIn } from '../../../src/config/cluster/cluster.js';
import type { Struct } from '../../../src/core/values.js';
import { NOWHERE } from '../../../src/host/host.js';
import { EMPTY_ASSIGNMENT } from '../../../src/settings/assignment.js';
import type { CapturedLevel } from '../../../src/analysis/verify/capture.js';

it('a STATIC cluster in place of one that hashes names has them as the keys of its hosts', () => {
  const host = {
    address: '10.0.0.1:80',
    hostname: 's-0',
    weight: 1,
    status: 'HEALTHY',
    metadata: { version: '1' },
  } as const;
  const locality = { region: '', zone: 'a', subZone: '' };
  const level: CapturedLevel = {
    priority: 0,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    localities: [{ locality, weight: undefined, hosts: [host] }],
  };
  const message = (hashing: Struct): string => {
    const fields = { consistent_hashing_lb_config: hashing };
    const maglev = {
      '@type': 'type.googleapis.com/envoy.extensions.load_balancing_policies.maglev.v3.Maglev',
      ...fields,
    };
    const policies = [{ typed_extension_config: { name: 'maglev', typed_config: maglev } }];
    const cluster = clusterIn({ name: 'a', load_balancing_policy: { policies } });
    if (cluster === undefined) throw new Error('no cluster');
    return JSON.stringify(clusterMessage(cluster, [level], () => '127.0.0.1:9'));
  };
  // The proxy then hashes the names that its hosts have.
  const named = message({ use_hostname_for_hashing: true, hash_balance_factor: 120 });
  expect(named).toContain('"hostname":"s-0"');
  expect(named).not.toContain('hash_key');
  expect(named).toContain('{"use_hostname_for_hashing":true,"hash_balance_factor":120}');
  expect(message({ hash_balance_factor: 120 })).toContain('{"hash_key":"10.0.0.1:80","version":"1"}');
});

const endpoint = { address: '10.0.0.1:80', hostname: '', weight: 1, status: 'UNKNOWN', metadata: {} } as const;
const group = { priority: 0, locality: NOWHERE, hasLocality: false, weight: undefined };
const PLACES: Readonly<Record<string, string>> = { '10.0.0.1:80': '127.0.0.1:8080', '10.0.0.1:90': '127.0.0.1:9090' };

it.each([
  ['where it answers', undefined, undefined],
  ['at the port of another host', 90, { port_value: 9090 }],
  ['where it answers, as no host is at that port', 91, undefined],
  ['nowhere', 'none', { disable_active_health_check: true }],
] as const)('a host is checked %s', (_, healthCheckPort, told) => {
  const groups = [{ ...group, endpoints: [{ ...endpoint, healthCheckPort }] }];
  const cluster = clusterIn({ name: 'a' });
  if (cluster === undefined) throw new Error('no cluster');
  const message = assignmentOf(cluster, { ...EMPTY_ASSIGNMENT, groups }, (place) => PLACES[place] ?? place);
  const [
    {
      lb_endpoints: [written],
    },
  ] = message.endpoints as [{ lb_endpoints: [{ endpoint: Struct }] }];
  expect(written.endpoint['health_check_config']).toEqual(told);
});
