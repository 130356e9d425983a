import { describe, expect, it } from 'vitest';
import { compare, inspectRing, prove } from '../../src/words/library.js';
import { NO_PAUSE } from '../../src/analysis/pause.js';
import { batchMeans } from '../../src/analysis/replicate/estimates.js';
import type { Comparison } from '../../src/words/results.js';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

function load(text: string, options: LoadOptions = {}): Scenario {
  const { scenario, problems } = loadScenario({ file: 'a.yaml', text }, options);
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const PAIR = `
clusters: [{name: web, lb_policy: ROUND_ROBIN}]
endpoints: {web: [10.0.0.1:80, 10.0.0.2:80]}
workloads: [{cluster: web, arrivals: 200/s, stop: 2s}]
behavior: [{hosts: 10.0.0.1, service_time: {exponential: {mean: 4ms}}}]
`;

async function pair(a: Scenario, b: Scenario, options = {}): Promise<Comparison> {
  return compare(
    [
      { name: 'a', scenario: a },
      { name: 'b', scenario: b },
    ],
    options,
  );
}

describe('keys of subsets', () => {
  const hosts = (version: number, count: number): string =>
    `{address: 10.0.${version}.1:80, count: ${count}, metadata: {version: "${version}"}}`;
  const divided = (policy: string, second: number): string => `
clusters:
  - name: web
    lb_policy: ${policy}
    lb_subset_config: {fallback_policy: ANY_ENDPOINT, subset_selectors: [{keys: [version]}]}
endpoints: {web: [${hosts(1, 4)}, ${hosts(2, second)}]}
workloads: [{cluster: web, arrivals: 50/s, stop: 2s, hash_key: {uniform: {keys: 50}}, metadata_match: {version: "2"}}]
`;
  const plain = (policy: string, count: number): string => `
clusters: [{name: web, lb_policy: ${policy}}]
endpoints: {web: [${hosts(2, count)}]}
workloads: [{cluster: web, arrivals: 50/s, stop: 2s, hash_key: {uniform: {keys: 50}}}]
`;

  it.each(['RING_HASH', 'MAGLEV'])('move as those of a cluster of its hosts alone: %s', async (policy) => {
    const { clusters } = await pair(load(divided(policy, 6)), load(divided(policy, 5)), { runs: 1 });
    const { keys } = clusters['web'] ?? {};
    const alone = await pair(load(plain(policy, 6)), load(plain(policy, 5)), { runs: 1 });
    expect(keys?.between).toEqual([null]);
    expect(Object.keys(keys?.subsets ?? {})).toEqual(['any', '{version: "1"}', '{version: "2"}']);
    expect(keys?.subsets?.['{version: "1"}']?.between[0]?.moved).toBe(0);
    expect(keys?.subsets?.['{version: "2"}']?.between).toEqual(alone.clusters['web']?.keys?.between);
    expect(keys?.subsets?.['{version: "2"}']?.between[0]?.moved).toBeGreaterThan(1 / 7);
  });

  it('move over time, in the subset whose host leaves', async () => {
    const text = `${divided('MAGLEV', 5)}timeline: [{at: 1s, remove_hosts: {address: 10.0.2.1}}]\n`;
    const { clusters } = await pair(load(text), load(text), { runs: 1 });
    const { subsets = {} } = clusters['web']?.keys ?? {};
    const moved = (name: string) => subsets[name]?.over_time[0]?.map((step) => step.moved);
    expect(moved('{version: "1"}')).toEqual([0]);
    expect(moved('{version: "2"}')?.[0]).toBeGreaterThan(0.19);
  });
});

describe('compare', () => {
  it('finds no change between a scenario and itself, whatever chance does', async () => {
    const { clusters, runs, seeds } = await pair(load(PAIR), load(PAIR), { runs: 3 });
    expect({ runs, seeds }).toEqual({ runs: 3, seeds: ['1', '1-2', '1-3'] });
    const { whole } = clusters['web'] ?? {};
    const nothing = { mean: 0, low: 0, high: 0 };
    expect(whole?.latency_ms.mean.change).toEqual([nothing]);
    expect(whole?.failed.change).toEqual([nothing]);
    expect(whole?.hosts.map(({ change }) => change)).toEqual([[nothing], [nothing]]);
  });

  it('counts failures by phase, and takes shares from predictions where all sides have them', async () => {
    const timeline = 'timeline: [{at: 1s, set_health: {hosts: 10.0.0.2, status: UNHEALTHY}}]';
    const down = 'behavior: [{hosts: 10.0.0.2, down: refuse}]';
    const rest = PAIR.replace(/^behavior.*$/m, down);
    const { clusters } = await pair(load(`${rest}${timeline}`), load(rest), { runs: 2 });
    const { phases = [], whole } = clusters['web'] ?? {};
    expect(phases.map(({ from_s: from, to_s: to, causes }) => [from, to, causes])).toEqual([
      [0, 1, ['start', 'start']],
      [1, 2, ['10.0.0.2 set UNHEALTHY', '']],
    ]);
    expect(phases.map(({ hosts }) => hosts.map(({ mean, exact }) => [...mean, exact]))).toEqual([
      [
        [0.5, 0.5, true],
        [0.5, 0.5, true],
      ],
      [
        [1, 0.5, true],
        [0, 0.5, true],
      ],
    ]);
    expect(phases[1]?.failed.mean).toEqual([0, expect.closeTo(0.5, 2)]);
    const [change] = whole?.failed.change ?? [];
    expect(change?.low).toBeGreaterThan(0);
  });

  it('gives intervals that contain the truth: the mean service time, doubled', async () => {
    const { clusters } = await pair(load(PAIR), load(PAIR.replace('4ms', '8ms')), { runs: 10 });
    // Half of the requests take 4 ms more in the mean, the same draws on both sides.
    const [change] = clusters['web']?.whole.latency_ms.mean.change ?? [];
    expect(change?.low).toBeLessThan(2);
    expect(change?.high).toBeGreaterThan(2);
    expect(change?.low).toBeGreaterThan(1.5);
  });

  it('says where a side has no such cluster', async () => {
    const other = PAIR.replaceAll('web', 'other');
    const { clusters } = await pair(load(PAIR), load(other), { runs: 2 });
    expect(clusters['web']?.policy).toEqual(['ROUND_ROBIN', null]);
    expect(clusters['other']?.policy).toEqual([null, 'ROUND_ROBIN']);
    expect(clusters['web']?.whole.failed).toMatchObject({ mean: [0, null], change: [null] });
  });
});

const HASHED = `
clusters: [{name: web, lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 64}}]
endpoints: {web: [{address: 10.0.0.1:80, count: 5, zone: a}, {address: 10.0.1.1:80, count: 2, zone: b}]}
workloads: [{cluster: web, arrivals: 100/s, stop: 1s, hash_key: {sequence: {keys: 100, prefix: k}}}]
`;

/** What part of many keys has another owner, asked one by one. */
async function movedByAsking(a: Scenario, b: Scenario, keys = 20_000): Promise<number> {
  const [before, after] = [await inspectRing(a, 'web'), await inspectRing(b, 'web')];
  if ('problem' in before || 'problem' in after) throw new Error('no table');
  let moved = 0;
  for (let key = 0; key < keys; key++) if (before.ownerOf(`k${key}`) !== after.ownerOf(`k${key}`)) moved++;
  return moved / keys;
}

describe('keys that change hands', () => {
  it.each([
    ['ring to Maglev', ['clusters.web.lb_policy=MAGLEV'], []],
    ['ring to a larger ring', ['clusters.web.ring_hash_lb_config.minimum_ring_size=1000'], []],
    ['ring to one with another hash', ['clusters.web.ring_hash_lb_config.hash_function=MURMUR_HASH_2'], []],
    ['a ring that loses a host', [], ['10.0.0.2']],
    ['a ring that loses a zone', [], ['zone=b']],
    ['a ring in panic', [], ['zone=a']],
  ])('%s: as many as of 20,000 keys that are asked, within 5 standard errors', async (_, set, unhealthy) => {
    const [a, b] = [load(HASHED), load(HASHED, { set, unhealthy })];
    const { clusters } = await pair(a, b, { runs: 1 });
    const [found] = clusters['web']?.keys?.between ?? [];
    const asked = await movedByAsking(a, b);
    const error = Math.sqrt((asked * (1 - asked)) / 20_000);
    expect(Math.abs((found?.moved ?? -1) - asked)).toBeLessThanOrEqual(5 * error + 1e-12);
    expect(found?.minimum).toBeLessThanOrEqual(found?.moved ?? 0);
    expect(found?.orphaned).toBeLessThanOrEqual((found?.minimum ?? 0) + 1e-12);
  });

  it.each(['RING_HASH', 'MAGLEV'])(
    'of %s after each single failure are those of a table without the host',
    async (policy) => {
      const base = load(HASHED, { set: [`clusters.web.lb_policy=${policy}`] });
      const { clusters } = await pair(base, base, { runs: 1, singleHostFailures: true, zoneFailures: true });
      const { single_host_failures: singles, zone_failures: zones } = clusters['web']?.keys ?? {};
      expect(singles?.[0]?.losses.map(({ lost }) => lost)).toHaveLength(7);
      for (const { lost, moved, orphaned } of singles?.[0]?.losses.slice(0, 3) ?? []) {
        const without = load(HASHED, { set: [`clusters.web.lb_policy=${policy}`], unhealthy: [lost] });
        const again = await pair(base, without, { runs: 1 });
        expect(again.clusters['web']?.keys?.between[0]).toMatchObject({
          moved: expect.closeTo(moved, 12) as number,
          orphaned: expect.closeTo(orphaned, 12) as number,
        });
      }
      expect(zones?.[0]?.losses.map(({ lost }) => lost)).toEqual(['a', 'b']);
      const { moved_keys: keys } = await prove(base, { movedKeys: true });
      expect(keys).toEqual([
        { cluster: 'web', lose: 'hosts', ...singles?.[0] },
        { cluster: 'web', lose: 'zones', ...zones?.[0] },
      ]);
    },
  );

  it('follows priorities: a hash that comes to the second level has moved', async () => {
    const two = HASHED.replace(
      '{address: 10.0.1.1:80, count: 2, zone: b}',
      '{address: 10.0.1.1:80, count: 2, zone: b, priority: 1}',
    );
    const [a, b] = [load(two), load(two, { unhealthy: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })];
    const { clusters } = await pair(a, b, { runs: 1 });
    const asked = await movedByAsking(a, b);
    expect(clusters['web']?.keys?.between[0]?.moved).toBeCloseTo(asked, 1);
  });
});

it('an aggregate’s members have the requests that it passes on, in batches of one run too', async () => {
  const text = `
clusters:
  - {name: front, cluster_type: {name: envoy.clusters.aggregate, typed_config: {"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [primary, backup]}}, lb_policy: CLUSTER_PROVIDED}
  - {name: primary}
  - {name: backup}
endpoints: {primary: [{address: 10.0.0.1:80, count: 4}], backup: [10.0.1.1:80, 10.0.1.2:80]}
workloads: [{cluster: front, arrivals: {constant: 100/s}, stop: 10s}]
`;
  const half = load(text, { unhealthy: ['10.0.0.1', '10.0.0.2'] });
  const { clusters } = await pair(load(text), half, { runs: 2 });
  const { front, primary, backup } = clusters;
  expect(front?.whole.requests.mean).toEqual([1000, 1000]);
  // 2 of 4 healthy × 1.4 is 70 %.
  const [all, most = 0] = primary?.whole.requests.mean ?? [];
  expect([all, Math.round(Number(most) / 100)]).toEqual([1000, 7]);
  expect(backup?.whole.requests.mean).toEqual([0, 1000 - Number(most)]);
  for (const { mean } of backup?.whole.hosts ?? []) expect(mean).toEqual([null, expect.closeTo(0.5, 2)]);
  expect(front?.whole.no_host.mean).toEqual([0, 0]);
  const { clusters: inBatches } = await batchMeans(half, 5, NO_PAUSE);
  expect(Object.keys(inBatches)).toEqual(['front', 'primary', 'backup']);
});
