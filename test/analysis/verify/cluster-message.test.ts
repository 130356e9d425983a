import { expect, it } from 'vitest';
import { clusterMessage } from '../../../src/analysis/verify/cluster-message.js';
import type { CapturedLevel } from '../../../src/analysis/verify/capture.js';

it('a STATIC cluster in place of one that hashes names has them as the keys of its hosts', () => {
  const host = { address: '10.0.0.1:80', hostname: 's-0', weight: 1, status: 'HEALTHY', metadata: { version: '1' } };
  const locality = { region: '', zone: 'a', subZone: '' };
  const level = {
    priority: 0,
    overprovisioningFactor: 140,
    weightedPriorityHealth: false,
    localities: [{ locality, weight: undefined, hosts: [host] }],
  } as const;
  const message = (hashing: object): string =>
    JSON.stringify(
      clusterMessage(
        { name: 'a', lb_policy: 'MAGLEV', common_lb_config: { consistent_hashing_lb_config: { ...hashing } } },
        [level] as readonly CapturedLevel[],
        () => '127.0.0.1:9',
      ),
    );
  const named = message({ use_hostname_for_hashing: true, hash_balance_factor: 120 });
  expect(named).toContain('{"hash_key":"s-0","version":"1"}');
  expect(named).toContain('"consistent_hashing_lb_config":{"hash_balance_factor":120}');
  expect(message({ hash_balance_factor: 120 })).toContain('{"hash_key":"10.0.0.1:80","version":"1"}');
});
