import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
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

describe('what happens at one instant', () => {
  it('begins with assignments, in whatever order it is written', async () => {
    const timeline = [
      { at: '2s', set_health: { hosts: '10.0.0.9', status: 'UNHEALTHY' } },
      {
        at: '2s',
        assign: {
          cluster_name: 'c',
          endpoints: [
            {
              lb_endpoints: ['10.0.0.8', '10.0.0.9', '10.0.0.7'].map((address) => ({
                endpoint: { address: { socket_address: { address, port_value: 80 } } },
              })),
            },
          ],
        },
      },
    ];
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '4s' }];
    for (const entries of [timeline, [...timeline].reverse()]) {
      const { phases } = await predicted({
        clusters: [{ name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }],
        workloads,
        timeline: entries,
      });
      const shares = phases.at(-1)?.hosts.map(({ address, share }) => [address, share]);
      expect(Object.fromEntries(shares ?? [])).toMatchObject({ '10.0.0.8:80': 0.5, '10.0.0.7:80': 0.5 });
    }
  });
});

describe('an assignment with drop_overloads', () => {
  it.each([
    [10, { method: 'none', why_not: /drop_overloads/ }],
    [1, { method: 'none', why_not: /drop_overloads/ }],
    // More than all: the proxies reject it.
    [101, { method: 'none', why_not: /drop_overloads/ }],
    [0, { method: 'exact' }],
  ])('that drops %i %% is predicted only where it drops nothing', async (numerator, expected) => {
    const assignments = {
      c: {
        cluster_name: 'c',
        policy: { drop_overloads: [{ category: 'a', drop_percentage: { numerator, denominator: 'HUNDRED' } }] },
        endpoints: [
          { lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }] },
        ],
      },
    };
    const clusters = [{ name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }];
    const workloads = [{ cluster: 'c', arrivals: '10/s', stop: '4s' }];
    const found = await predicted({ clusters, assignments, endpoints: undefined, workloads });
    expect(found).toMatchObject(expected);
  });
});

describe('least request among hosts whose times have a heavy tail', () => {
  it.each([
    [1.5, /do not settle/],
    [2, /do not settle/],
    [3, /^$/],
  ])('of shape %s', async (shape, why) => {
    const { why_not: whyNot = '' } = await predicted({
      clusters: [{ name: 'c', lb_policy: 'LEAST_REQUEST' }],
      behavior: [{ hosts: '10.0.0.1', service_time: { pareto: { scale: '1ms', shape } } }],
      workloads: [{ cluster: 'c', arrivals: '100/s', stop: '50s', timeout: '0s' }],
    });
    expect(whyNot).toMatch(why);
  });
});
