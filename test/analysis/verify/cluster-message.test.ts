import { expect, it } from 'vitest';
import { clusterMessage } from '../../../src/analysis/verify/cluster-message.js';
import { clusterIn } from '../../../src/config/cluster/cluster.js';
import type { Struct } from '../../../src/core/values.js';
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
