import { describe, expect, it } from 'vitest';
import { run } from '../support/run.js';

/** Requests of each worker, the busiest first, with as many clients. */
async function byWorker(exact: boolean, clients: number, seed: number, more: object = {}): Promise<readonly number[]> {
  const counts = [0, 0, 0];
  await run(
    {
      seed,
      proxy: { workers: 3, exact_balance: exact },
      clusters: [{ name: 'c', lb_policy: 'ROUND_ROBIN' }],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
      workloads: [
        {
          cluster: 'c',
          arrivals: { constant: '100/s' },
          stop: '3s',
          clients: { count: clients, keys: 'sequence' },
          ...more,
        },
      ],
    },
    { onRequest: ({ worker }) => (counts[worker] = (counts[worker] ?? 0) + 1) },
  );
  return counts.sort((one, other) => other - one);
}

describe('a connection of a client', () => {
  it('belongs to a worker by chance: few busy connections are uneven, and a worker may have all', async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed++) seen.add((await byWorker(false, 2, seed)).join(' '));
    expect(seen).toEqual(new Set(['150 150 0', '300 0 0']));
  });

  it('goes to the worker with the fewest under exact_balance', async () => {
    for (let seed = 0; seed < 5; seed++) {
      expect(await byWorker(true, 2, seed)).toEqual([150, 150, 0]);
      expect(await byWorker(true, 9, seed)).toEqual([100, 100, 100]);
    }
  });

  it('frees its place when it closes, over TCP; and users of a closed workload keep theirs', async () => {
    const order = async (lifetime: string) => byWorker(true, 1, 7, { tcp: { lifetime } });
    expect(await order('1ms')).toEqual([300, 0, 0]);
    expect(await order('25ms')).toEqual([100, 100, 100]);
    const users = { arrivals: { closed: { users: 2, think_time: '10ms' } }, clients: undefined };
    expect((await byWorker(true, 1, 7, users)).at(-1)).toBe(0);
  });
});
