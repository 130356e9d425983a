import { expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { run, scenarioOf } from '../support/run.js';

/** What the route hashes of clients is known beforehand: their addresses, and headers with their numbers. */

const scenario = (more: object): unknown => ({
  duration: '7s',
  clusters: [{ name: 'c', lb_policy: 'RING_HASH' }],
  endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'] },
  workloads: [
    {
      cluster: 'c',
      arrivals: { constant: '100/s' },
      stop: '7s',
      clients: { count: 7, keys: 'sequence', address: '10.9.0.0/16' },
      ...more,
    },
  ],
});
const FROM = { connection_properties: { source_ip: true } };

it.each([
  ['connections by their address', { tcp: { lifetime: '10ms' }, hash_policy: [FROM] }],
  ['requests by their address', { hash_policy: [FROM] }],
  [
    'requests by a header of the client and its address',
    { headers: { 'x-user': 'u{client}' }, hash_policy: [{ header: { header_name: 'x-user' } }, FROM] },
  ],
])('%s go where they were predicted to go', async (_, more) => {
  const value = scenario(more);
  const { hosts } = (await run(value)).clusters['c'] ?? { hosts: [] };
  const predicted = (await predict(scenarioOf(value))).clusters['c'];
  expect(predicted?.method).toBe('exact');
  expect(predicted?.hosts.map(({ share }) => Math.round(700 * share))).toEqual(hosts.map(({ requests }) => requests));
  expect(predicted?.over_tcp).toBe('tcp' in more ? true : undefined);
});

it.each([
  ['a cookie that the proxy makes', { hash_policy: [{ cookie: { name: 's', ttl: '60s' } }] }],
  ['a header that some requests lack', { hash_policy: [{ header: { header_name: 'x-none' } }] }],
  ['proxies before it that say who the client is', { hash_policy: [FROM], headers: { 'x-forwarded-for': '1.1.1.1' } }],
])('but not %s', async (_, more) => {
  expect((await predict(scenarioOf(scenario(more)))).clusters['c']?.obstacle).toEqual({ kind: 'hashes_more' });
});
