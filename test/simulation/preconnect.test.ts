import { describe, expect, it } from 'vitest';
import { clusterStats, run } from '../support/run.js';

const HOSTS = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'];

/** Connections, and requests that waited for one, after these requests to `c`. */
async function ahead(
  ratio: number,
  count: number,
  { cluster = {}, hosts = HOSTS, first = [] as readonly object[] } = {},
) {
  const result = await run({
    proxy: { version: '1.40' },
    clusters: [
      { name: 'c', lb_policy: 'ROUND_ROBIN', preconnect_policy: { predictive_preconnect_ratio: ratio }, ...cluster },
      { name: 'd' },
    ],
    endpoints: { c: hosts, d: ['10.0.1.1:80'] },
    requests: [...first, ...Array.from({ length: count }, (_, at) => ({ at: `${at + 1}s`, cluster: 'c' }))],
  });
  const { upstream_cx_total: connections, upstream_rq_pending_total: waited } = clusterStats(result, 'c');
  return { connections, waited };
}

describe('predictive_preconnect_ratio', () => {
  it('opens connections to the hosts that come next, before their first requests', async () => {
    expect(await ahead(1, 1)).toEqual({ connections: 1, waited: 1 });
    expect(await ahead(2, 1)).toEqual({ connections: 3, waited: 1 });
    expect(await ahead(2, 12)).toEqual({ connections: 3, waited: 1 });
  });

  it('takes them from the schedule where weights differ, and keeps its order', async () => {
    const weighted = HOSTS.map((address, at) => ({ address, weight: at + 1 }));
    const chosen = async (ratio: number) => {
      const hosts: (string | null)[] = [];
      const result = await run(
        {
          proxy: { version: '1.40' },
          clusters: [
            { name: 'c', lb_policy: 'ROUND_ROBIN', preconnect_policy: { predictive_preconnect_ratio: ratio } },
          ],
          endpoints: { c: weighted },
          requests: Array.from({ length: 12 }, (_, at) => ({ at: `${at}s`, cluster: 'c' })),
        },
        { onDecision: ({ host }) => hosts.push(host) },
      );
      return { hosts, waited: clusterStats(result, 'c')['upstream_rq_pending_total'] };
    };
    const [without, withIt] = [await chosen(1), await chosen(2)];
    expect(withIt.hosts).toEqual(without.hosts);
    expect(withIt.waited).toBeLessThan(without.waited ?? 0);
  });

  it('does nothing where the next host is not certain', async () => {
    expect(await ahead(2, 1, { cluster: { lb_policy: 'LEAST_REQUEST' } })).toEqual({ connections: 1, waited: 1 });
    expect(await ahead(2, 1, { cluster: { lb_policy: 'RING_HASH' } })).toEqual({ connections: 1, waited: 1 });
  });

  // Asked of a 1.40.0: with five requests open at another cluster four of six hosts have connections, else three.
  it('counts the requests of all clusters of a worker', async () => {
    const held = Array.from({ length: 5 }, () => ({ at: '0s', cluster: 'd', service_time: '9s' }));
    const six = [...HOSTS, '10.0.0.4:80', '10.0.0.5:80', '10.0.0.6:80'];
    expect(await ahead(2, 1, { hosts: six })).toEqual({ connections: 3, waited: 1 });
    expect(await ahead(2, 1, { hosts: six, first: held })).toEqual({ connections: 4, waited: 1 });
  });
});
