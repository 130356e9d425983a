import { describe, expect, it } from 'vitest';
import type { Inspection, Scenario } from '../../src/index.js';
import { explain, Inspector, loadScenario } from '../../src/index.js';
import { ownerAt } from '../../src/site/view/inspect/ring-geometry.js';

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text });
  if (scenario === undefined) throw new Error(JSON.stringify(problems));
  return scenario;
}

const TURNS = (policy: string, weights: readonly number[]): string => `seed: 3
clusters: [{name: web, connect_timeout: 1s, lb_policy: ${policy}}]
endpoints: {web: [${weights.map((weight, host) => `{address: "10.0.0.${host + 1}:80", weight: ${weight}}`).join(', ')}]}
behavior: [{hosts: {}, service_time: 40ms}]
workloads: [{cluster: web, arrivals: 100/s, stop: 5s}]
`;

describe('the state at an instant', () => {
  it.each([
    ['ROUND_ROBIN', [1, 1, 1, 1], 'rotation'],
    ['ROUND_ROBIN', [1, 2, 5], 'schedule'],
    ['LEAST_REQUEST', [3, 1, 4, 1], 'schedule'],
  ] as const)('says whom the next request goes to: %s of weights %j', async (policy, weights, kind) => {
    const scenario = scenarioOf(TURNS(policy, weights));
    const inspector = new Inspector(scenario);
    for (const atUs of [0, 1_234_567, 2_000_000, 4_999_000]) {
      const { lists } = await inspector.look({ atUs, cluster: 'web' });
      const { host } = await explain(scenario, { atUs, cluster: 'web' });
      expect(lists.map((list) => list.kind)).toEqual([kind]);
      expect(lists[0]?.queue[0]?.address).toBe(host?.address);
      expect(lists[0]?.queue).toHaveLength(weights.length);
    }
  });

  it('nobody has a turn where hosts are drawn', async () => {
    const { lists } = await new Inspector(scenarioOf(TURNS('RANDOM', [1, 2]))).look({ cluster: 'web' });
    expect(lists).toEqual([]);
  });

  it('is the same whether time went on or back', async () => {
    const scenario = scenarioOf(TURNS('LEAST_REQUEST', [1, 2, 5]));
    const walked = new Inspector(scenario);
    const seen: Inspection[] = [];
    for (const atUs of [4_000_000, 1_000_000, 2_000_000, 4_000_000]) {
      const state = await walked.look({ atUs, cluster: 'web' });
      expect(state).toEqual(await new Inspector(scenario).look({ atUs, cluster: 'web' }));
      seen.push(state);
    }
    expect(seen[0]).toEqual(seen[3]);
    expect(seen[0]).not.toEqual(seen[1]);
  });

  it.each([
    ['RING_HASH', 'ring'],
    ['MAGLEV', 'table'],
  ])('shows where keys fall: %s', async (policy, noun) => {
    const scenario = scenarioOf(TURNS(policy, [1, 2, 5]));
    const inspector = new Inspector(scenario);
    for (const hashKey of ['a', 'user-17', 'ключ', 'x'.repeat(300)]) {
      const { tables, key } = await inspector.look({ cluster: 'web', hashKey });
      const [table] = tables;
      if (table === undefined || key === null) throw new Error('no table');
      expect(table.noun).toBe(noun);
      expect(table.positions).toHaveLength(table.hosts.reduce((sum, { entries }) => sum + entries, 0));
      const { host } = await explain(scenario, { cluster: 'web', hashKey });
      expect(key.host).toBe(host?.address);
      expect(table.hosts[ownerAt(table, key.position)]?.address).toBe(key.host);
    }
  });

  const TROUBLE = `clusters:
  - name: web
    connect_timeout: 1s
    common_lb_config: {update_merge_window: 3s}
    circuit_breakers: {thresholds: [{max_requests: 7}]}
    outlier_detection: {consecutive_5xx: 3, interval: 2s, base_ejection_time: 4s}
endpoints: {web: [{address: 10.0.0.1:80, count: 5}]}
behavior: [{hosts: {}, service_time: 100ms}]
workloads: [{cluster: web, arrivals: {constant: 20/s}, stop: 20s}]
timeline:
  - {at: 4s, set_behavior: {hosts: 10.0.0.1, error_rate: 1}}
  - {at: 3s, set_weight: {hosts: 10.0.0.2, weight: 2}}
`;

  it('knows what balancers do not know yet, what hosts are suspected of, and what is used of limits', async () => {
    const inspector = new Inspector(scenarioOf(TROUBLE));
    const calm = await inspector.look({ atUs: 2_990_000, cluster: 'web' });
    expect(calm.merge_window).toEqual({ window_s: 3, waiting: [] });
    expect(
      calm.breakers.find(({ limit, priority }) => limit === 'max_requests' && priority === 'DEFAULT'),
    ).toMatchObject({
      used: 2,
      max: 7,
    });
    const ejection = await inspector.look({ atUs: 5_500_000, cluster: 'web' });
    expect(ejection.outliers).toMatchObject({ ejected: 1, limits: { consecutive_5xx: 3 } });
    expect(ejection.outliers?.hosts[0]).toMatchObject({ address: '10.0.0.1:80', ejections: 1 });
    expect(ejection.outliers?.hosts[1]).toMatchObject({ consecutive_5xx: 0, out_until_s: null });
    expect(ejection.merge_window.waiting.map(({ due_s: due }) => due > 5.5)).toEqual([true]);
    expect(ejection.hosts[0]?.health).toBe('unhealthy');
    // The balancer still counts it.
    expect(ejection.priorities[0]?.healthy).toBe(
      ejection.hosts.filter(({ health }) => health === 'healthy').length + 1,
    );
  });

  it('of subsets shows each with its turns and its panic', async () => {
    const scenario = scenarioOf(`clusters:
  - name: web
    connect_timeout: 1s
    lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [v]}]}
endpoints:
  web:
    - {address: 10.0.0.1:80, metadata: {v: a}}
    - {address: 10.0.0.2:80, metadata: {v: b}, health: UNHEALTHY}
`);
    const { subsets, lists } = await new Inspector(scenario).look({ cluster: 'web' });
    expect(subsets.map(({ subset, panic }) => [subset, panic])).toEqual([
      ['any', false],
      ['{v: "a"}', false],
      ['{v: "b"}', true],
    ]);
    expect(lists.map(({ subset, health }) => [subset, health])).toEqual([
      ['any', 'healthy'],
      ['{v: "a"}', 'healthy'],
      ['{v: "b"}', 'any'],
    ]);
  });

  it('refuses a cluster that is not there', async () => {
    const inspector = new Inspector(scenarioOf(TURNS('RANDOM', [1, 1])));
    await expect(inspector.look({ cluster: 'other' })).rejects.toThrow('there is no cluster other');
  });
});
