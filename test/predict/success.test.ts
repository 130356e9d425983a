import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import type { PredictedSuccess } from '../../src/words/results.js';
import { drawnChances, fixedChances, noMemory } from '../../src/predict/under-load/retry-chances.js';
import { gapsOf, rotationChances } from '../../src/predict/under-load/rotation-chances.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { scenarioOf } from '../support/run.js';

const PREVIOUS = { retry_host_predicate: [{ name: 'envoy.retry_host_predicates.previous_hosts' }] };
const UNLIMITED = { circuit_breakers: { thresholds: [{ max_retries: 100000 }] } };

function failing(settings: object, retries: object, more: object = {}, workload: object = {}) {
  return scenarioOf({
    clusters: [{ name: 'c', ...UNLIMITED, ...settings }],
    endpoints: { c: [{ address: '10.0.0.1:80', count: 4 }] },
    behavior: [
      { hosts: '10.0.0.1', error_rate: '100%' },
      { hosts: '10.0.0.2', error_rate: '40%' },
    ],
    workloads: [
      {
        name: 'w',
        cluster: 'c',
        arrivals: '400/s',
        stop: '100s',
        retry_policy: { retry_on: '5xx', num_retries: 2, ...retries },
        ...workload,
      },
    ],
    ...more,
  });
}

/** How far a run's part of requests that succeed is from the prediction, in standard errors, what it may be off by left out. */
async function off(scenario: Parameters<typeof runScenario>[0]): Promise<{ success: PredictedSuccess; z: number }> {
  const success = (await predict(scenario)).clusters['c']?.success;
  const cluster = (await runScenario(scenario)).clusters['c'];
  if (success === undefined || cluster === undefined) throw new Error('no chance of success');
  const requests = cluster.success + cluster.failed;
  const { chance = 0, error = 0 } = success;
  const distance = Math.max(0, Math.abs(cluster.success / requests - chance) - error - 1 / requests);
  const deviation = Math.sqrt(Math.max(chance * (1 - chance), 1 / requests) / requests);
  return { success, z: distance / deviation };
}

describe('the chance that a request succeeds', () => {
  it('is known of hosts that close in place of an answer', async () => {
    const behavior = [{ closes: 'instead', close_rate: '30%', error_rate: '10%' }];
    const { success, z } = await off(failing({}, { retry_on: 'reset' }, { behavior }));
    expect(success.chance).toBeCloseTo(0.9 * (1 - 0.3 ** 3), 2);
    expect(z).toBeLessThan(4);
  });

  it('is left to a run where connections may take longer than the five seconds that are waited for them', async () => {
    const scenario = scenarioOf({
      clusters: [{ name: 'c' }],
      endpoints: { c: ['10.0.0.1:80'] },
      behavior: [{ hosts: {}, connect_time: '6s', error_rate: '1%' }],
      workloads: [{ name: 'w', cluster: 'c', arrivals: '10/s', stop: '10s' }],
    });
    expect((await runScenario(scenario)).clusters['c']?.success).toBe(0);
    const { success } = (await predict(scenario)).clusters['c'] ?? {};
    expect(success?.why_not).toBe('connections may take longer than connect_timeout; simulate it');
  });

  it.each<[string, object, object, object?, object?]>([
    [
      'a host that hangs, and refuses some of its connections',
      { lb_policy: 'RANDOM', max_requests_per_connection: 1 },
      { retry_on: 'connect-failure', per_try_timeout: '50ms' },
      { behavior: [{ hosts: '10.0.0.1', down: 'hang', connect_failure_rate: '40%' }] },
    ],
    ['RANDOM', { lb_policy: 'RANDOM' }, {}],
    ['RANDOM of a modern proxy', { lb_policy: 'RANDOM' }, {}, { proxy: { version: '1.40' } }],
    ['RANDOM, elsewhere', { lb_policy: 'RANDOM' }, { ...PREVIOUS, host_selection_retry_max_attempts: 3 }],
    ['RANDOM, elsewhere if the first draw says so', { lb_policy: 'RANDOM' }, PREVIOUS],
    ['LEAST_REQUEST', { lb_policy: 'LEAST_REQUEST' }, { ...PREVIOUS, host_selection_retry_max_attempts: 5 }],
    ['MAGLEV', { lb_policy: 'MAGLEV' }, {}, {}, { hash_key: { uniform: { keys: 1000 } } }],
    [
      'MAGLEV, elsewhere',
      { lb_policy: 'MAGLEV' },
      { ...PREVIOUS, host_selection_retry_max_attempts: 2 },
      {},
      { hash_key: { uniform: { keys: 1000 } } },
    ],
    [
      'RING_HASH, elsewhere',
      { lb_policy: 'RING_HASH' },
      { ...PREVIOUS, host_selection_retry_max_attempts: 4 },
      {},
      { hash_key: { zipf: { keys: 500, exponent: 1 } } },
    ],
    ['RING_HASH without a hash', { lb_policy: 'RING_HASH' }, {}],
    [
      'RING_HASH of a proxy that hears no rejection',
      { lb_policy: 'RING_HASH' },
      { ...PREVIOUS, host_selection_retry_max_attempts: 4 },
      { proxy: { version: '1.12' } },
      { hash_key: { uniform: { keys: 1000 } } },
    ],
    [
      'canaries left out',
      { lb_policy: 'RANDOM' },
      {
        retry_host_predicate: [{ name: 'envoy.retry_host_predicates.omit_canary_hosts' }],
        host_selection_retry_max_attempts: 2,
      },
      {
        endpoints: {
          c: [
            { address: '10.0.0.1:80', count: 3 },
            { address: '10.0.0.4:80', metadata: { canary: true } },
          ],
        },
      },
    ],
    ['no retries', {}, { num_retries: 0 }],
    ['ROUND_ROBIN among hosts that fail alike', {}, {}, { behavior: [{ hosts: {}, error_rate: '30%' }] }],
    [
      'a host refuses',
      { lb_policy: 'RANDOM' },
      { retry_on: 'connect-failure' },
      {
        behavior: [
          { hosts: '10.0.0.1', down: 'refuse' },
          { hosts: '10.0.0.2', error_rate: '40%' },
        ],
      },
    ],
    [
      'a host hangs',
      { lb_policy: 'RANDOM' },
      { per_try_timeout: '50ms' },
      { behavior: [{ hosts: '10.0.0.1', down: 'hang' }] },
    ],
    [
      'conflicts are answers',
      { lb_policy: 'RANDOM' },
      { retry_on: 'retriable-4xx' },
      {
        behavior: [
          { hosts: '10.0.0.1', error_rate: '50%', error_status: 409 },
          { hosts: '10.0.0.2', error_rate: '50%' },
        ],
      },
    ],
    [
      'priorities',
      { lb_policy: 'RANDOM' },
      {},
      {
        endpoints: {
          c: [
            { address: '10.0.0.1:80', health: 'UNHEALTHY' },
            { address: '10.0.0.2:80' },
            { address: '10.0.0.3:80', priority: 1, count: 2 },
          ],
        },
      },
    ],
    [
      'another priority',
      { lb_policy: 'ROUND_ROBIN' },
      { retry_priority: { name: 'envoy.retry_priorities.previous_priorities', config: { update_frequency: 1 } } },
      {
        endpoints: {
          c: [
            { address: '10.0.0.1:80', count: 2 },
            { address: '10.0.1.1:80', priority: 1, count: 2 },
            { address: '10.0.2.1:80', priority: 2 },
          ],
        },
        behavior: [
          { hosts: '10.0.0.0/24', error_rate: '60%' },
          { hosts: '10.0.1.0/24', error_rate: '30%' },
          { hosts: '10.0.2.0/24', error_rate: '10%' },
        ],
      },
    ],
    [
      'another priority after two tries',
      { lb_policy: 'LEAST_REQUEST' },
      {
        num_retries: 3,
        retry_priority: { name: 'envoy.retry_priorities.previous_priorities', config: { update_frequency: 2 } },
      },
      {
        endpoints: {
          c: [
            { address: '10.0.0.1:80', count: 2 },
            { address: '10.0.1.1:80', priority: 1, count: 2 },
          ],
        },
        behavior: [
          { hosts: '10.0.0.0/24', error_rate: '60%' },
          { hosts: '10.0.1.0/24', error_rate: '30%' },
        ],
      },
    ],
    ['nobody is left', { lb_policy: 'RANDOM' }, {}, { timeline: [{ at: '50s', remove_hosts: {} }] }],
  ])('is exact: %s', async (_, settings, retries, more, workload) => {
    const { success, z } = await off(failing(settings, retries, more, workload));
    expect([success.method, success.why_not]).toEqual(['exact', undefined]);
    expect(z).toBeLessThan(4);
  });

  it.each<[string, object, object, object?, object?]>([
    ['at random', {}, {}],
    ['at random, few', {}, {}, {}, { arrivals: '20/s' }],
    ['at random, elsewhere', {}, { ...PREVIOUS, host_selection_retry_max_attempts: 3 }, {}, { arrivals: '50/s' }],
    ['evenly, many', {}, {}, {}, { arrivals: { constant: '400/s' } }],
    ['evenly, few', {}, {}, {}, { arrivals: { constant: '5/s' }, stop: '1000s' }],
    ['evenly, few, elsewhere', {}, PREVIOUS, {}, { arrivals: { constant: '5/s' }, stop: '1000s' }],
    ['in four threads', {}, {}, { proxy: { workers: 4 } }],
    [
      'between two hosts',
      {},
      { num_retries: 1 },
      { endpoints: { c: ['10.0.0.1:80', '10.0.0.3:80'] } },
      { arrivals: '50/s' },
    ],
  ])('in a rotation is within its bound, requests coming %s', async (_, settings, retries, more, workload) => {
    const { success, z } = await off(failing(settings, retries, more, workload));
    expect([success.method, success.why_not]).toEqual(['approximate', undefined]);
    expect(z).toBeLessThan(4);
    expect(success.error).toBeLessThan(0.09);
  });

  it('has what circuit breakers may refuse as its error', async () => {
    const { success, z } = await off(failing({ lb_policy: 'RANDOM', circuit_breakers: undefined }, {}));
    expect(success.method).toBe('numeric');
    expect(success.error).toBeGreaterThan(0.001);
    expect(z).toBeLessThan(4);
  });

  it('by the number of tries is that with as many', async () => {
    const { after = [] } =
      (await predict(failing({ lb_policy: 'RANDOM' }, { num_retries: 3 }))).clusters['c']?.success ?? {};
    expect(after).toHaveLength(4);
    for (const [tries, chance] of after.entries()) {
      // Each try fails with (1 + 0.4) / 4.
      expect(chance).toBeCloseTo(1 - 0.35 ** (tries + 1), 12);
      const fewer = await predict(failing({ lb_policy: 'RANDOM' }, { num_retries: tries }));
      expect(fewer.clusters['c']?.success?.chance).toBeCloseTo(chance, 12);
    }
  });

  it('is there for each phase and each proxy', async () => {
    const timeline = [{ at: '50s', set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } }];
    const more = { timeline, proxies: [{ name: 'a' }, { name: 'b' }] };
    const { clusters, proxies } = await predict(failing({ lb_policy: 'RANDOM' }, { num_retries: 0 }, more));
    const [before, after] = clusters['c']?.phases ?? [];
    expect(before?.success?.chance).toBeCloseTo(0.65, 12);
    expect(after?.success?.chance).toBeCloseTo(1 - 0.4 / 3, 12);
    expect(clusters['c']?.success?.chance).toBeCloseTo((0.65 + 1 - 0.4 / 3) / 2, 12);
    expect(proxies['b']?.clusters['c']?.success?.chance).toBeCloseTo((0.65 + 1 - 0.4 / 3) / 2, 12);
  });

  it('is left out where nobody fails and nothing is retried', async () => {
    const { clusters } = await predict(failing({}, { num_retries: 0 }, { behavior: [] }));
    expect(clusters['c']).not.toHaveProperty('success');
  });

  it.each<[RegExp, object, object?, object?, object?]>([
    [/weighted schedule/, {}, {}, { endpoints: { c: ['10.0.0.1:80', { address: '10.0.0.2:80', weight: 3 }] } }],
    [/need a new connection/, {}, {}, { behavior: [{ hosts: '10.0.0.1', connect_failure_rate: '50%' }] }],
    [
      /before its last try/,
      {},
      { per_try_timeout: '1s' },
      { behavior: [{ hosts: '10.0.0.1', down: 'hang' }] },
      { timeout: '2s' },
    ],
    [
      /after the time-out/,
      {},
      {},
      { behavior: [{ hosts: '10.0.0.1', service_time: { exponential: { mean: '5s' } } }] },
    ],
    [/draws a new one/, { lb_policy: 'MAGLEV' }, { ...PREVIOUS, host_selection_retry_max_attempts: 3 }],
    [/ejects/, { outlier_detection: {} }],
    [
      /closed workload/,
      { lb_policy: 'RANDOM' },
      {},
      {},
      { arrivals: { closed: { users: 5, think_time: { exponential: { mean: '1s' } } } } },
    ],
    [
      /steady rates/,
      {},
      {},
      {},
      {
        arrivals: {
          ramp: [
            { at: '0s', rate: '1/s' },
            { at: '100s', rate: '10/s' },
          ],
        },
      },
    ],
  ])('is not guessed: %s', async (why, settings, retries = {}, more = {}, workload = {}) => {
    const success = (await predict(failing(settings, retries, more, workload))).clusters['c']?.success;
    expect(success?.method).toBe('none');
    expect(success?.why_not).toMatch(why);
    expect(success).not.toHaveProperty('chance');
  });
});

describe('chances of tries', () => {
  const host = (count: number, done: number) => ({
    count,
    chances: { done, accepted: 0, failed: 1 - done },
    omitted: false,
    priority: 0,
  });
  const none = { attempts: 0, previousHosts: false };

  it('of independent draws are geometric', () => {
    const kinds = [host(1, 0), host(3, 1)];
    const { after } = drawnChances(kinds, noMemory([1 / 4, 1 / 4]), 3, none) ?? { after: [] };
    expect(after).toEqual([3 / 4, 15 / 16, 63 / 64]);
  });

  it('with many draws more for previous hosts are those without replacement', () => {
    const kinds = [host(3, 0), host(2, 1)];
    const elsewhere = { attempts: 400, previousHosts: true };
    const { after } = drawnChances(kinds, noMemory([1 / 5, 1 / 5]), 5, elsewhere) ?? { after: [] };
    // 1 − (3/5)(2/4)(1/3)…
    for (const [tries, chance] of [2 / 5, 7 / 10, 9 / 10, 1].entries()) expect(after[tries]).toBeCloseTo(chance, 9);
  });

  it('with one draw more follow 1 + q and q', () => {
    const kinds = [host(1, 0), host(1, 1)];
    const once = { attempts: 1, previousHosts: true };
    const { after } = drawnChances(kinds, noMemory([1 / 2, 1 / 2]), 2, once) ?? { after: [] };
    // The second try meets the bad host again with (1/2)².
    expect(after).toEqual([1 / 2, 1 / 2 + (1 / 2) * (3 / 4)]);
  });

  it('of fixed hosts are products', () => {
    const path = [host(1, 0.5), host(1, 0.9)].map(({ chances }) => chances);
    expect(fixedChances(path).after).toEqual([0.5, 0.95]);
  });

  it('of a rotation that nobody disturbs begin at the host behind the last one', () => {
    const hosts = [host(1, 1), host(1, 0)];
    const next = [Float64Array.of(1, 0)];
    // The bad host first, always: the good one has its turn by the retry.
    const { after, reach } = rotationChances(hosts, 2, none, () => next) ?? { after: [], reach: [] };
    expect(after[0]).toBeCloseTo(0, 9);
    expect(after[1]).toBeCloseTo(1, 9);
    expect(reach[1]).toBeCloseTo(1, 9);
  });

  it('of a rotation whose retries pass hosts over are those of runs', async () => {
    const host = (ip: number, canary: boolean) => ({ address: `10.0.0.${ip}:80`, metadata: { canary } });
    const scenario = scenarioOf({
      clusters: [{ name: 'c', lb_policy: 'ROUND_ROBIN', circuit_breakers: { thresholds: [{ max_retries: 9999 }] } }],
      endpoints: { c: [host(1, false), host(2, false), host(3, true), host(4, true)] },
      behavior: [
        { hosts: '10.0.0.1', error_rate: '100%' },
        { hosts: '10.0.0.3', error_rate: '100%' },
        { hosts: '10.0.0.4', error_rate: '70%' },
      ],
      workloads: [
        {
          name: 'w',
          cluster: 'c',
          arrivals: '300/s',
          stop: '60s',
          retry_policy: {
            retry_on: '5xx',
            num_retries: 2,
            host_selection_retry_max_attempts: 2,
            retry_host_predicate: [{ name: 'envoy.retry_host_predicates.omit_canary_hosts' }],
          },
        },
      ],
    });
    const { chance } = (await predict(scenario)).clusters['c']?.success ?? {};
    const { success = 0, failed = 0 } = (await runScenario(scenario)).clusters['c'] ?? {};
    // Were turns in between attempts that move it by one, it would be 0.70.
    expect(Math.abs((chance ?? 0) - success / (success + failed))).toBeLessThan(0.02);
  });

  it('of a rotation with any number of picks in between are those of draws', () => {
    const hosts = [host(1, 1), host(1, 0), host(1, 0.5)];
    const anywhere = [new Float64Array(3).fill(1 / 3), new Float64Array(3).fill(1 / 3)];
    const { after } = rotationChances(hosts, 3, none, () => anywhere) ?? { after: [] };
    for (const tries of [1, 2, 3]) expect(after[tries - 1]).toBeCloseTo(1 - 0.5 ** tries, 9);
  });

  it('have gaps that add up to 1', () => {
    for (const [size, bound, even, rate] of [
      [3, 25, 0, 1000],
      [7, 1, 100, 5],
      [10, 5000, 50, 20000],
    ] as const) {
      expect(gapsOf(size, bound, even, rate).reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 9);
    }
    // A wait of 0 to 9 ms at 200 even requests a second: none before 5 ms and at it, then one.
    const gaps = gapsOf(4, 10, 200, 0);
    expect(gaps[0]).toBeCloseTo(0.6, 9);
    expect(gaps[1]).toBeCloseTo(0.4, 9);
  });
});

it('a request whose retries depend on a range of numbers has a prediction', async () => {
  const retry_policy = {
    retry_on: 'retriable-headers',
    retriable_headers: [{ name: 'x', range_match: { start: 1, end: 9 } }],
  };
  const { clusters } = await predict(failing({}, {}, { requests: [{ at: '1s', cluster: 'c', retry_policy }] }));
  expect(clusters['c']?.requests).toBe(40_001);
});
