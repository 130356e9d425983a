import { describe, expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { scenarioOf } from '../support/run.js';

/** What is predicted of cluster `c` where requests are of several kinds. */
async function predicted(more: object) {
  const { c } = (
    await predict(scenarioOf({ clusters: [{ name: 'c' }], endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] }, ...more }))
  ).clusters;
  if (c === undefined) throw new Error('no cluster c');
  return c;
}

describe('requests with a hash', () => {
  const workloads = (keys: readonly string[]): object => ({
    clusters: [{ name: 'c', lb_policy: 'MAGLEV' }],
    workloads: [{ cluster: 'c', arrivals: '10/s', stop: '4s', hash_key: { cycle: keys } }],
  });

  it('are not predicted where some key is empty, as such a request has none', async () => {
    expect((await predicted(workloads(['a', 'b']))).method).not.toBe('none');
    expect(await predicted(workloads(['a', '']))).toMatchObject({ method: 'none', why_not: /empty key/ });
  });
});

describe('a request of one proxy', () => {
  it.each(['edge-2', 'other'])('%s goes where that one sends it', async (proxy) => {
    const proxies = [{ name: 'edge', count: 2 }, { name: 'other' }];
    const { method, hosts } = await predicted({ proxies, requests: [{ at: '1s', cluster: 'c', proxy }] });
    expect([method, ...hosts.map(({ share }) => share)]).toEqual(['exact', 0.5, 0.5]);
  });
});
