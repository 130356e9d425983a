import { expect, it } from 'vitest';
import { NO_PAUSE } from '../../../src/analysis/pause.js';
import { headersOfOne, planOf } from '../../../src/analysis/verify/play-plan.js';
import { scenarioOf } from '../../support/run.js';

const scenario = scenarioOf({
  clusters: [{ name: 'web', connect_timeout: '1s', lb_policy: 'MAGLEV' }],
  endpoints: { web: ['10.0.0.1:80', '10.0.0.2:80'] },
  workloads: [
    {
      ...{ name: 'users', cluster: 'web', arrivals: { constant: '10/s' }, stop: '2s' },
      ...{
        hash_key: { cycle: ['a', '', 'b'] },
        headers: { 'x-client': '{client}' },
        size: { uniform: { min: 1, max: 3 } },
      },
      clients: { count: 2, keys: 'sequence', address: '10.9.0.0/16' },
    },
  ],
  requests: [
    { at: '0.25s', cluster: 'web', hash_key: 'c', service_time: '3ms' },
    { at: '0.35s', cluster: 'web', hash_key: 'd', address: '10.8.0.1:5000' },
    { at: '0.45s', cluster: 'web', hash: 7 },
    { at: '3s', cluster: 'web' },
  ],
  timeline: [
    { every: '0.9s', until: '1s', set_weight: { hosts: '10.0.0.1:80', weight: 5 } },
    { at: '0.5s', add_hosts: { cluster: 'web', endpoints: ['10.0.0.3:80'] } },
    { at: '0.7s', set_rate: { workload: 'users', rate: '0/s' } },
    { at: '2s', remove_cluster: 'web' },
  ],
});

it('is the run of a scenario: its requests, who sends them, and what the proxy is told of hosts', async () => {
  const plan = await planOf(scenario, 10_000_000, () => true, undefined, NO_PAUSE);
  expect(plan.endUs).toBe(2_000_000);
  expect(plan.arrivals.map(({ atUs, traffic, index }) => [atUs / 1000, traffic, index])).toEqual([
    ...[
      [0, 0, 0],
      [100, 0, 1],
      [200, 0, 2],
    ],
    ...[
      [250, 1, 0],
      [300, 0, 3],
      [350, 1, 1],
    ],
    ...[
      [400, 0, 4],
      [500, 0, 5],
      [600, 0, 6],
    ],
  ]);
  const [users, single] = plan.traffic;
  expect(users?.keys).toEqual(['a', '', 'b', 'a', '', 'b', 'a']);
  expect(users?.each.map(({ client }) => [client?.name, client?.address])).toEqual(
    [0, 1, 0, 1, 0, 1, 0].map((number) => [`users ${number}`, `10.9.0.${number}:32768`]),
  );
  expect(new Set(users?.each.map(({ size = 0 }) => size >= 1 && size <= 3))).toEqual(new Set([true]));
  expect(users && headersOfOne(users, 1)).toEqual({ 'x-client': '1' });
  expect(users && headersOfOne(users, 2)).toEqual({ 'x-client': '0', 'x-key': 'b' });
  expect(single?.keys).toEqual(['c', 'd']);
  expect(single?.each).toMatchObject([{ answers: [{ serviceUs: 3000 }] }, { client: { address: '10.8.0.1:5000' } }]);
  expect(
    plan.states.map(({ atUs, assignments }) => [atUs, assignments.get('web')?.groups[0]?.endpoints.length]),
  ).toEqual([
    [0, 2],
    [500_000, 3],
    [900_000, 3],
  ]);
  expect(plan.notCompared.map(({ what }) => what)).toEqual(['what comes after 2 s', '`hash` of requests']);
});

it('is none where no request comes, or of other clusters alone', async () => {
  const planned = (lastsUs: number, isPlayed: boolean) =>
    planOf(scenario, lastsUs, () => isPlayed, undefined, NO_PAUSE);
  await expect(planned(0, true)).rejects.toThrow('no request comes in this time');
  await expect(planned(10_000_000, false)).rejects.toThrow('no request comes in this time');
});

it.each([
  ['of the start', 'a.b', 0.5],
  ['that came later', 'a.c', 3],
])('%s: a runtime value is taken away, or the play ends', async (_, key, seconds) => {
  const one = scenarioOf({
    proxies: [{ runtime: { a: { b: 1 } } }],
    clusters: [{ name: 'web', connect_timeout: '1s' }],
    endpoints: { web: ['10.0.0.1:80'] },
    workloads: [{ cluster: 'web', arrivals: { constant: '10/s' }, stop: '2s' }],
    timeline: [
      { at: '0.2s', set_runtime: { 'a.b': 2, 'a.c': 2 } },
      { at: '0.5s', set_runtime: { [key]: null } },
    ],
  });
  expect((await planOf(one, 3_000_000, () => true, undefined, NO_PAUSE)).endUs).toBe(seconds * 1_000_000);
});
