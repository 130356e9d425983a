import { describe, expect, test } from 'vitest';
import { predict } from '../../src/words/library.js';
import type { PredictedSplit } from '../../src/predict/generated/prediction.js';
import type { ClusterPrediction } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

/** Numbers that a person can work out; none of them comes from the simulator. */

interface Level {
  /** Hosts of this priority: that many in all, that many unhealthy, that many degraded. */
  readonly hosts: number;
  readonly unhealthy?: number;
  readonly degraded?: number;
}

type Fields = Readonly<Record<string, unknown>>;

async function predicted(scenario: Fields): Promise<ClusterPrediction> {
  const clusters = { duration: '10s', workloads: [{ cluster: 'c', arrivals: { constant: '1000/s' }, stop: '10s' }] };
  const { scenario: read, problems } = loadScenarioValue({ ...clusters, ...scenario }, 'worked');
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (read === undefined) throw new Error('unreadable');
  const prediction = (await predict(read)).clusters['c'];
  if (prediction === undefined) throw new Error('no cluster c');
  return prediction;
}

function levels(list: readonly Level[]): Fields[] {
  return list.flatMap(({ hosts, unhealthy = 0, degraded = 0 }, priority) => {
    const shared = { priority };
    const base = `10.${priority}`;
    return [
      { address: `${base}.0.1:80`, count: hosts - unhealthy - degraded, ...shared },
      { address: `${base}.1.1:80`, count: unhealthy, health: 'UNHEALTHY', ...shared },
      { address: `${base}.2.1:80`, count: degraded, health: 'DEGRADED', ...shared },
    ].filter(({ count }) => count > 0);
  });
}

function cluster(fields: Fields = {}): Fields {
  return { name: 'c', connect_timeout: '1s', type: 'STATIC', lb_policy: 'ROUND_ROBIN', ...fields };
}

function percentByPriority(split: PredictedSplit): number[] {
  return split.priorities.map(({ share }) => Math.round(share * 1e6) / 1e4);
}

function percents(split: PredictedSplit): number[] {
  return split.hosts.map(({ share }) => Math.round(share * 1e6) / 1e4);
}

const NO_PANIC = { common_lb_config: { healthy_panic_threshold: { value: 0 } } };

describe('priorities', () => {
  test.each([
    [100, 100],
    [72, 100],
    [71, 99],
    [50, 70],
    [25, 35],
    [0, 0],
  ])('with %d %% of the first priority healthy, it gets %d %%', async (healthy, share) => {
    const endpoints = { c: levels([{ hosts: 100, unhealthy: 100 - healthy }, { hosts: 10 }]) };
    const split = await predicted({ clusters: [cluster()], endpoints });
    expect(split.method).toBe('exact');
    expect(percentByPriority(split)).toEqual([share, 100 - share]);
  });

  test('25/25/20 % healthy share 37/35/28: integers, with the rest for the first (the documentation rounds by hand)', async () => {
    const three = [25, 25, 20].map((healthy) => ({ hosts: 100, unhealthy: 100 - healthy }));
    const split = await predicted({ clusters: [cluster(NO_PANIC)], endpoints: { c: levels(three) } });
    // 35 + 35 + 28 = 98 percent of need: 3500/98 = 35, 35 and 2800/98 = 28 leave 2.
    expect(percentByPriority(split)).toEqual([37, 35, 28]);
  });

  test('the same three with the default threshold are all in panic and share by their number of hosts', async () => {
    const three = [25, 25, 20].map((healthy) => ({ hosts: 100, unhealthy: 100 - healthy }));
    const split = await predicted({ clusters: [cluster()], endpoints: { c: levels(three) } });
    expect(percentByPriority(split)).toEqual([34, 33, 33]);
    expect(percents(split).slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 0.34));
  });

  test('1.12 has no total panic: loads stay, and each priority uses all its hosts', async () => {
    const three = [25, 25, 20].map((healthy) => ({ hosts: 100, unhealthy: 100 - healthy }));
    const proxy = { version: '1.12' };
    const split = await predicted({ proxy, clusters: [cluster()], endpoints: { c: levels(three) } });
    expect(percentByPriority(split)).toEqual([37, 35, 28]);
    expect(percents(split)[0]).toBe(0.37);
  });

  test('healthy hosts first, then degraded ones: 25 % healthy carry 35 %, 65 % degraded the rest', async () => {
    const endpoints = { c: levels([{ hosts: 100, unhealthy: 10, degraded: 65 }]) };
    const split = await predicted({ clusters: [cluster()], endpoints });
    const degraded = split.hosts.filter(({ health }) => health === 'degraded');
    expect(degraded.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(0.65, 12);
  });
});

describe('panic', () => {
  const halves = (unhealthy: number): Fields => ({ c: levels([{ hosts: 10, unhealthy }]) });

  test('exactly half is not less than half', async () => {
    const split = await predicted({ clusters: [cluster()], endpoints: halves(5) });
    expect(percents(split)).toEqual([20, 20, 20, 20, 20, 0, 0, 0, 0, 0]);
  });

  test('fewer than half: everybody is used', async () => {
    const split = await predicted({ clusters: [cluster()], endpoints: halves(6) });
    expect(percents(split)).toEqual(Array.from({ length: 10 }, () => 10));
  });

  test('fail_traffic_on_panic: nobody is', async () => {
    const common_lb_config = { zone_aware_lb_config: { fail_traffic_on_panic: true } };
    const split = await predicted({ clusters: [cluster({ common_lb_config })], endpoints: halves(6) });
    expect(split.no_host?.share).toBe(1);
    expect(split.no_host?.variance).toBe(0);
  });

  test('29 % counts as 28: the percentage loses its last bit on the way', async () => {
    const config = { common_lb_config: { healthy_panic_threshold: { value: 29 } } };
    const endpoints = { c: levels([{ hosts: 1000, unhealthy: 715 }]) };
    const split = await predicted({ clusters: [cluster(config)], endpoints });
    // 28.5 % are healthy: panic below 29, none below 28.
    expect(split.hosts.filter(({ share }) => share > 0)).toHaveLength(285);
  });
});

describe('hosts that weigh more', () => {
  const weighted = (entries: readonly Fields[]): Fields => ({
    load_assignment: {
      cluster_name: 'c',
      policy: { weighted_priority_health: true },
      endpoints: entries.map(({ ip, weight, health, priority = 0 }) => ({
        priority,
        lb_endpoints: [
          {
            endpoint: { address: { socket_address: { address: ip, port_value: 80 } } },
            load_balancing_weight: weight,
            health_status: health,
          },
        ],
      })),
    },
  });

  test('count for more in the health of a priority: 2 of 3 healthy times 1.4 is 93 %', async () => {
    const entries = [
      { ip: '10.0.0.1', weight: 2, health: 'HEALTHY' },
      { ip: '10.0.0.2', weight: 1, health: 'UNHEALTHY' },
      { ip: '10.0.1.1', weight: 1, health: 'HEALTHY', priority: 1 },
    ];
    const split = await predicted({ clusters: [cluster(weighted(entries))] });
    expect(percentByPriority(split)).toEqual([93, 7]);
  });

  test('1 of 301 healthy is no percent, but half of the hosts is no panic: loads stay as they were, none for priority 1', async () => {
    const entries = [
      { ip: '10.0.1.1', weight: 300, health: 'UNHEALTHY', priority: 1 },
      { ip: '10.0.1.2', weight: 1, health: 'HEALTHY', priority: 1 },
    ];
    const split = await predicted({ clusters: [cluster(weighted(entries))] });
    expect(split.no_host?.share).toBe(1);
  });
});

describe('the same address twice', () => {
  test('is two hosts of a static cluster, and one line that has the chance of both', async () => {
    const endpoints = { c: ['10.0.0.1:80', '10.0.0.1:80', { address: '10.0.0.2:80', health: 'UNHEALTHY' }] };
    const split = await predicted({
      clusters: [cluster()],
      endpoints: { c: [...endpoints.c, { address: '10.0.1.1:80', priority: 1 }] },
    });
    // 2 of 3 healthy times 1.4 is 93 %, drawn for each request.
    expect(percents(split)).toEqual([93, 0, 7]);
    expect(split.hosts[0]?.variance).toBeCloseTo(0.93 * 0.07, 12);
  });
});

describe('least request', () => {
  const config = cluster({ lb_policy: 'LEAST_REQUEST' });
  const three = { c: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'] };
  const busy = (requests: number): Fields[] => [{ hosts: '10.0.0.1:80', initial_active_requests: requests }];

  test('three idle hosts share evenly', async () => {
    const split = await predicted({ clusters: [config], endpoints: three });
    expect(percents(split)).toEqual([33.3333, 33.3333, 33.3333]);
    expect(split.hosts[0]?.variance).toBeCloseTo(2 / 9, 12);
  });

  test('one of three busy: it gets 1/9, where it is drawn twice', async () => {
    const split = await predicted({ clusters: [config], endpoints: three, behavior: busy(1) });
    expect(percents(split)).toEqual([11.1111, 44.4444, 44.4444]);
  });

  test('one of two busy: 1/4; with three choices 1/8', async () => {
    const two = { c: three.c.slice(0, 2) };
    const behavior = busy(5);
    expect(percents(await predicted({ clusters: [config], endpoints: two, behavior }))).toEqual([25, 75]);
    const thrice = cluster({ lb_policy: 'LEAST_REQUEST', least_request_lb_config: { choice_count: 3 } });
    expect(percents(await predicted({ clusters: [thrice], endpoints: two, behavior }))).toEqual([12.5, 87.5]);
  });

  test('weights 2 : 1 idle; and 1 : 1 once the heavy one is busy with one request', async () => {
    const weighted = { c: [{ address: '10.0.0.1:80', weight: 2 }, '10.0.0.2:80'] };
    expect(percents(await predicted({ clusters: [config], endpoints: weighted }))).toEqual([66.6667, 33.3333]);
    const split = await predicted({ clusters: [config], endpoints: weighted, behavior: busy(1) });
    expect(percents(split)).toEqual([50, 50]);
  });

  test('a full scan never takes the busy one', async () => {
    const least_request_lb_config = { selection_method: 'FULL_SCAN' };
    const clusters = [cluster({ lb_policy: 'LEAST_REQUEST', least_request_lb_config })];
    const split = await predicted({ proxy: { version: '1.40' }, clusters, endpoints: three, behavior: busy(1) });
    expect(percents(split)).toEqual([0, 50, 50]);
  });

  test('busy hosts that are alike share alike, exactly', async () => {
    const behavior = [{ hosts: {}, service_time: '5ms' }];
    const split = await predicted({ clusters: [config], endpoints: three, behavior });
    expect(split.method).toBe('exact');
    expect(split.hosts.map(({ share }) => share)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  test('where no model tells how busy hosts are there is no prediction, and no guess', async () => {
    const behavior = [
      { hosts: {}, service_time: '5ms', concurrency: 1 },
      { hosts: '10.0.0.1', service_time: '6ms' },
    ];
    const split = await predicted({ clusters: [config], endpoints: three, behavior });
    expect(split).toMatchObject({ method: 'none', hosts: [], localities: [], priorities: [], subsets: [] });
    expect(split.why_not).toContain('a queue before service times');
    expect(split).not.toHaveProperty('no_host');
  });
});

describe('random', () => {
  const random = cluster({ lb_policy: 'RANDOM', ...NO_PANIC });

  test('modern: one value picks the priority and the host, so that a load of 1 % reaches one host of five', async () => {
    const endpoints = { c: levels([{ hosts: 1000, unhealthy: 290 }, { hosts: 5 }]) };
    const split = await predicted({ proxy: { version: '1.40' }, clusters: [random], endpoints });
    expect(percentByPriority(split)).toEqual([99, 1]);
    // Only values that are 99 mod 100 come here, and 99 mod 5 is 4.
    expect(percents(split).slice(-5)).toEqual([0, 0, 0, 0, 1]);
  });

  test('modern: of ten hosts at a load of 37, seven get 4 % and three 3 %', async () => {
    // 10 of 37 hosts times 1.4 is 37.8.
    const endpoints = { c: levels([{ hosts: 37, unhealthy: 27 }, { hosts: 100 }]) };
    const split = await predicted({ proxy: { version: '1.40' }, clusters: [random], endpoints });
    expect(percentByPriority(split)[0]).toBe(37);
    expect(percents(split).slice(0, 10)).toEqual([4, 4, 4, 4, 4, 4, 4, 3, 3, 3]);
  });

  test('1.14 draws twice, so that all of a priority are equal; 1.17 does not', async () => {
    const endpoints = { c: levels([{ hosts: 1000, unhealthy: 290 }, { hosts: 5 }]) };
    const last = async (version: string): Promise<number[]> =>
      percents(await predicted({ proxy: { version }, clusters: [random], endpoints })).slice(-5);
    expect(await last('1.14')).toEqual([0.2, 0.2, 0.2, 0.2, 0.2]);
    expect(await last('1.17')).toEqual([0, 0, 0, 0, 1]);
  });

  test('weights do not matter', async () => {
    const endpoints = { c: [{ address: '10.0.0.1:80', weight: 9 }, '10.0.0.2:80'] };
    expect(percents(await predicted({ clusters: [random], endpoints }))).toEqual([50, 50]);
  });
});

describe('zones', () => {
  /** Healthy hosts by zone a, b, c, the proxy being in a; and the same of the local cluster. */
  async function zones(local: readonly number[], upstream: readonly number[], version: string): Promise<number[]> {
    const hosts = (counts: readonly number[], net: number): Fields[] =>
      counts.flatMap((count, zone) =>
        count === 0 ? [] : [{ address: `10.${net}.${zone}.1:80`, count, zone: 'abc'.charAt(zone) }],
      );
    const { localities } = await predicted({
      proxy: { version, local_cluster_name: 'web', node: { locality: { zone: 'a' } } },
      clusters: [cluster(), cluster({ name: 'web' })],
      endpoints: { c: hosts(upstream, 1), web: hosts(local, 2) },
    });
    return localities.map(({ share }) => Math.round(share * 1e6) / 1e4);
  }

  test('even zones: everything stays', async () => {
    expect(await zones([1, 1, 1], [3, 3, 3], '1.40')).toEqual([100, 0, 0]);
  });

  test('{1,1,1} to {2,5,5}: half stays (1666·10000/3333 = 4998), the rest goes where capacity is left', async () => {
    // Shares in parts of 10000: 1666, 4166, 4166 against 3333 each; b and c have 833 each to spare.
    expect(await zones([1, 1, 1], [2, 5, 5], '1.40')).toEqual([49.98, 25.01, 25.01]);
    // Before 1.28 a bucket's edge belonged to it: of 1666 values one more goes to a, and c loses what b gains.
    const [a = 0, b = 0, c = 0] = await zones([1, 1, 1], [2, 5, 5], '1.17');
    expect(a).toBeCloseTo(49.98 + 50.02 / 1666, 3);
    expect(b).toBeCloseTo((50.02 * 833) / 1666, 3);
    expect(c).toBeCloseTo((50.02 * 832) / 1666, 3);
  });

  test('{3,2,5} to {3,4,5}: a keeps 2500/3000 of its traffic, b takes the rest', async () => {
    expect(await zones([3, 2, 5], [3, 4, 5], '1.40')).toEqual([83.33, 16.67, 0]);
  });

  test('too few healthy hosts: zones play no part', async () => {
    expect(await zones([1, 1, 1], [1, 2, 2], '1.40')).toEqual([20, 40, 40]);
  });

  test('other zones than the local cluster: 1.17 switches off, 1.40 goes on', async () => {
    expect(await zones([1, 1, 0], [2, 3, 3], '1.17')).toEqual([25, 37.5, 37.5]);
    expect(await zones([1, 1, 0], [2, 3, 3], '1.40')).toEqual([50, 0, 50]);
  });
});

describe('localities', () => {
  test('weights 1 : 2 at half health: 1.4 × 50 % takes the second down to 70 % of its weight', async () => {
    const common_lb_config = { locality_weighted_lb_config: {}, healthy_panic_threshold: { value: 0 } };
    const hosts = (zone: string, weight: number, net: number, unhealthy: number): Fields => ({
      locality: { zone },
      load_balancing_weight: weight,
      lb_endpoints: Array.from({ length: 4 }, (_, index) => ({
        endpoint: { address: { socket_address: { address: `10.0.${net}.${index + 1}`, port_value: 80 } } },
        ...(index < unhealthy ? { health_status: 'UNHEALTHY' } : {}),
      })),
    });
    const load_assignment = { cluster_name: 'c', endpoints: [hosts('a', 1, 0, 0), hosts('b', 2, 1, 2)] };
    const split = await predicted({ clusters: [cluster({ common_lb_config, load_assignment })] });
    const [a, b] = split.localities.map(({ share }) => share);
    expect(a).toBeCloseTo(1 / 2.4, 12);
    expect(b).toBeCloseTo(1.4 / 2.4, 12);
  });
});

describe('hashing', () => {
  test('without a hash, a Maglev host gets its slots: 21,846 and 43,691 of 65,537', async () => {
    const endpoints = {
      c: [
        { address: '10.0.0.1:80', weight: 1 },
        { address: '10.0.0.2:80', weight: 2 },
      ],
    };
    const split = await predicted({ clusters: [cluster({ lb_policy: 'MAGLEV' })], endpoints });
    expect(split.hosts.map(({ share }) => share * 65537)).toEqual([
      expect.closeTo(21846, 6) as number,
      expect.closeTo(43691, 6) as number,
    ]);
  });

  test('two keys are two hosts at most', async () => {
    const workloads = [
      { cluster: 'c', arrivals: { constant: '1000/s' }, stop: '10s', hash_key: { cycle: ['a', 'b'] } },
    ];
    const endpoints = { c: [{ address: '10.0.0.1:80', count: 5 }] };
    const split = await predicted({ clusters: [cluster({ lb_policy: 'RING_HASH' })], endpoints, workloads });
    expect(split.hosts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(split.hosts.filter(({ share }) => share > 0).length).toBeLessThanOrEqual(2);
  });
});

describe('two hosts with one hash key', () => {
  test('are in the ring in the order of their localities, whichever had it first', async () => {
    const host = (address: string, zone: string, metadata: Fields): Fields => ({
      lb_endpoints: [{ endpoint: { address: { socket_address: { address, port_value: 80 } } }, metadata }],
      locality: { zone },
      load_balancing_weight: 1,
    });
    const endpoints = [
      host('10.0.0.1', 'b', { filter_metadata: { 'envoy.lb': { hash_key: 'k' } } }),
      host('10.0.0.2', 'a', {}),
    ];
    const common_lb_config = { locality_weighted_lb_config: {} };
    const load_assignment = { cluster_name: 'c', endpoints };
    const { phases } = await predicted({
      proxy: { version: '1.40' },
      clusters: [cluster({ lb_policy: 'RING_HASH', common_lb_config, load_assignment })],
      timeline: [{ at: '1s', set_metadata: { hosts: { zone: 'a' }, metadata: { hash_key: 'k' } } }],
    });
    // Of entries at one place the first takes all.
    expect(phases[1]?.hosts.map(({ address, share }) => [address, share])).toEqual([
      ['10.0.0.2:80', 1],
      ['10.0.0.1:80', 0],
    ]);
  });
});

describe('keys in turn', () => {
  const endpoints = { c: [{ address: '10.0.0.1:80', count: 5 }] };
  const clusters = [cluster({ lb_policy: 'RING_HASH' })];
  const cycle = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

  test('go on during the warm-up, though they are not counted then', async () => {
    const workloads = [{ cluster: 'c', arrivals: { constant: '1/s' }, stop: '8s', hash_key: { cycle } }];
    const whole = await predicted({ clusters, endpoints, workloads, duration: '8s' });
    const late = await predicted({ clusters, endpoints, workloads, duration: '8s', warmup: '7s' });
    const last = { cluster: 'c', arrivals: { constant: '1/s' }, stop: '1s', hash_key: { cycle: ['h'] } };
    const only = await predicted({ clusters, endpoints, workloads: [last], duration: '1s' });
    expect(whole.requests).toBe(8);
    expect(late.requests).toBe(1);
    expect(percents(late)).toEqual(percents(only));
  });

  test('beside requests of another kind, in numbers that nobody knows, leave no certainty', async () => {
    const closed = { closed: { users: 3, think_time: { exponential: { mean: '1s' } } } };
    const host = (ip: string, health: string): Fields => ({
      endpoint: { address: { socket_address: { address: ip, port_value: 80 } } },
      health_status: health,
    });
    const load_assignment = {
      cluster_name: 'c',
      policy: { overprovisioning_factor: 120 },
      endpoints: [
        { lb_endpoints: [host('10.0.0.1', 'HEALTHY'), host('10.0.0.2', 'UNHEALTHY')] },
        { priority: 1, lb_endpoints: [host('10.0.1.1', 'HEALTHY')] },
      ],
    };
    const split = await predicted({
      clusters: [cluster({ lb_policy: 'RING_HASH', load_assignment })],
      // 1 of 2 healthy times 1.2 is 60 %: of hashes that are drawn, and of these five keys three.
      workloads: [
        { cluster: 'c', arrivals: closed, stop: '10s', hash_key: { cycle: cycle.slice(0, 5) } },
        { cluster: 'c', arrivals: closed, stop: '10s' },
      ],
    });
    expect(split.requests).toBeNull();
    expect(percentByPriority(split)).toEqual([60, 40]);
    expect(split.hosts[0]?.variance).toBeCloseTo(0.6 * 0.4, 12);
  });
});

describe('updates', () => {
  const weighted = { c: [{ address: '10.0.0.1:80', weight: 3 }, '10.0.0.2:80'] };
  const timeline = [
    { at: '2s', set_weight: { hosts: '10.0.0.2:80', weight: 3 } },
    { at: '2.5s', set_weight: { hosts: '10.0.0.1:80', weight: 1 } },
  ];

  test('1.17: the second change waits a whole window, but round robin follows weights at once', async () => {
    const split = await predicted({ clusters: [cluster()], endpoints: weighted, timeline });
    expect(split.phases.map(({ from_s: from, method }) => [from, method])).toEqual([
      [0, 'exact'],
      // From 2 s to 2.5 s the weights are equal and hosts take turns; what a rotation has no eye for changes nothing then.
      [2, 'exact'],
      [3.5, 'exact'],
    ]);
    expect(split.phases.map(percents)).toEqual([
      [75, 25],
      [50, 50],
      [25, 75],
    ]);
  });

  test('1.17: while a schedule runs, a waiting weight counts, within an error bound', async () => {
    const changes = [timeline[0], { at: '2.1s', set_weight: { hosts: '10.0.0.2:80', weight: 9 } }];
    const endpoints = { c: [{ address: '10.0.0.1:80', weight: 5 }, '10.0.0.2:80'] };
    const split = await predicted({ clusters: [cluster()], endpoints, timeline: changes });
    const [, waiting, after] = split.phases;
    expect(waiting).toMatchObject({ from_s: 2, to_s: 3.1, method: 'numeric' });
    expect(waiting?.error).toBeLessThan(0.01);
    expect(waiting?.hosts[1]?.share).toBeCloseTo((0.1 * (3 / 8) + 1 * (9 / 14)) / 1.1, 12);
    expect(after).toMatchObject({ from_s: 3.1, method: 'exact' });
  });

  test('1.40: discovery never waits', async () => {
    const split = await predicted({ proxy: { version: '1.40' }, clusters: [cluster()], endpoints: weighted, timeline });
    expect(split.phases.map(({ from_s: from }) => from)).toEqual([0, 2, 2.5]);
  });
});

describe('a typed least_request that draws nobody', () => {
  const typed_config = {
    '@type': 'type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest',
    choice_count: 0,
  };
  const drawing = {
    api: 'v3',
    clusters: [
      { name: 'c', load_balancing_policy: { policies: [{ typed_extension_config: { name: 'least', typed_config } }] } },
    ],
  };

  test('finds nobody, unless weights differ and hosts take turns, as in a 1.40.0', async () => {
    const equal = await predicted({ ...drawing, endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] } });
    expect([equal.no_host?.share, equal.method]).toEqual([1, 'exact']);
    const single = await predicted({ ...drawing, endpoints: { c: ['10.0.0.1:80'] } });
    expect(single.no_host?.share).toBe(1);
    const turns = await predicted({
      ...drawing,
      endpoints: { c: ['10.0.0.1:80', { address: '10.0.0.2:80', weight: 3 }] },
    });
    expect(percents(turns)).toEqual([25, 75]);
  });
});

describe('an assignment with endpoint_stale_after', () => {
  const eds = cluster({ type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } });
  const at = (address: string): Fields => ({ endpoint: { address: { socket_address: { address, port_value: 80 } } } });
  const assignment = (after: string | undefined): Fields => ({
    cluster_name: 'c',
    endpoints: [{ lb_endpoints: [at('10.0.0.1'), at('10.0.0.2')] }],
    policy: { endpoint_stale_after: after },
  });

  test('names no host once it is that old, unless it was said anew', async () => {
    const split = await predicted({
      clusters: [eds],
      assignments: { c: assignment('3s') },
      timeline: [
        { at: '2s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
        { at: '7s', assign: assignment(undefined) },
      ],
    });
    expect(split.phases.map(({ from_s, cause }) => [from_s, cause])).toEqual([
      [0, 'start'],
      [2, '10.0.0.1:80 gets weight 3'],
      [5, 'endpoint_stale_after: the assignment is too old'],
      [7, 'c is assigned 2 hosts'],
    ]);
    expect(split.phases.map(percents)).toEqual([[50, 50], [75, 25], [], [50, 50]]);
    expect(split.no_host?.share).toBeCloseTo(0.2, 9);
  });
});

test('metadata that no subset reads is news all the same: a phase begins, as in a run', async () => {
  const { phases } = await predicted({
    clusters: [cluster()],
    endpoints: { c: [{ address: '10.0.0.1:80', count: 2 }] },
    timeline: [{ at: '4s', set_metadata: { hosts: {}, metadata: { 'proxy.transport_socket_match': { a: 'b' } } } }],
  });
  expect(phases.map(({ from_s }) => from_s)).toEqual([0, 4]);
});
