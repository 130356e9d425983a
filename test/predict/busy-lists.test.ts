import { describe, expect, it } from 'vitest';
import { predict } from '../../src/words/library.js';
import { standardError } from '../../src/result/expected.js';
import type { ClusterPrediction } from '../../src/words/results.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { scenarioOf } from '../support/run.js';

const exponential = (mean: string) => ({ exponential: { mean } });

interface Hosts {
  readonly count: number;
  readonly weight?: number;
  readonly behavior: object;
}

function busy(groups: readonly Hosts[], rate: string, more: object = {}, settings: object = {}, arrivals = 'poisson') {
  return scenarioOf({
    clusters: [{ name: 'c', lb_policy: 'LEAST_REQUEST', ...settings }],
    endpoints: {
      c: groups.map(({ count, weight = 1 }, index) => ({ address: `10.0.${index}.1:80`, count, weight })),
    },
    behavior: groups.map(({ behavior }, index) => ({ hosts: `10.0.${index}.0/24`, ...behavior })),
    workloads: [{ name: 'w', cluster: 'c', arrivals: { [arrivals]: rate }, stop: '100s' }],
    ...more,
  });
}

/** The largest distance of a host's share from its prediction that neither chance nor the bound accounts for. */
async function beyond(
  scenario: Parameters<typeof runScenario>[0],
): Promise<{ split: ClusterPrediction; worst: number }> {
  const split = (await predict(scenario)).clusters['c'];
  const run = (await runScenario(scenario)).clusters['c'];
  if (split === undefined || run === undefined) throw new Error('no cluster c');
  const worst = split.hosts.reduce((most, host) => {
    const seen = run.hosts.find(({ address }) => address === host.address)?.share ?? 0;
    const chance = 4 * standardError(host, run.requests);
    return Math.max(most, Math.abs(seen - host.share) - chance - (split.error ?? 0));
  }, -1);
  return { split, worst };
}

const slow = (count: number, fast: number, more: object = {}): Hosts[] => [
  { count: fast, behavior: { service_time: exponential('10ms'), ...more } },
  { count, behavior: { service_time: exponential('80ms'), ...more } },
];

describe('least request among busy hosts', () => {
  it.each<[string, Hosts[], string, object?, object?, string?]>([
    ['one of two is slow', slow(1, 1), '100/s'],
    ['one of three is slow', slow(1, 2), '100/s'],
    ['one of ten is slow', slow(1, 9), '400/s'],
    ['half of fifty are slow', slow(25, 25), '2000/s'],
    [
      'times are constants',
      [
        { count: 3, behavior: { service_time: '10ms' } },
        { count: 3, behavior: { service_time: '80ms' } },
      ],
      '300/s',
    ],
    [
      'times are log-normal',
      [
        { count: 3, behavior: { service_time: { lognormal: { median: '10ms', p99: '60ms' } } } },
        { count: 3, behavior: { service_time: '80ms' } },
      ],
      '300/s',
    ],
    [
      'the wire is slow',
      [
        { count: 3, behavior: { network_latency: '5ms' } },
        { count: 3, behavior: { network_latency: '50ms' } },
      ],
      '300/s',
    ],
    ['hosts have queues', slow(3, 3, { concurrency: 1 }), '120/s'],
    ['hosts share their time', slow(3, 3, { concurrency: 1, discipline: 'processor_sharing' }), '120/s'],
    ['three hosts have queues', slow(1, 2, { concurrency: 2, network_latency: '5ms' }), '180/s'],
    ['of five choices', slow(5, 5), '500/s', {}, { least_request_lb_config: { choice_count: 5 } }],
    [
      'some hold requests for ever',
      [
        { count: 5, behavior: { service_time: '10ms' } },
        { count: 5, behavior: { service_time: '10ms', initial_active_requests: 2 } },
      ],
      '800/s',
    ],
    [
      'one refuses and answers at once',
      [
        { count: 4, behavior: { service_time: '20ms' } },
        { count: 1, behavior: { down: 'refuse' } },
      ],
      '300/s',
    ],
    [
      'one hangs until the time-out',
      [
        { count: 4, behavior: { service_time: '20ms' } },
        { count: 1, behavior: { down: 'hang' } },
      ],
      '300/s',
      { workloads: [{ cluster: 'c', arrivals: '300/s', stop: '100s', timeout: '500ms' }] },
    ],
    ['arrivals are even', slow(1, 2), '100/s', {}, {}, 'constant'],
    [
      'arrivals and times are even',
      [
        { count: 2, behavior: { service_time: '10ms' } },
        { count: 1, behavior: { service_time: '100ms' } },
      ],
      '40/s',
      {},
      {},
      'constant',
    ],
    [
      'weights differ',
      [
        { count: 5, weight: 1, behavior: { service_time: exponential('20ms') } },
        { count: 5, weight: 4, behavior: { service_time: exponential('60ms') } },
      ],
      '500/s',
    ],
    [
      'weights differ, with a bias',
      [
        { count: 2, weight: 2, behavior: { service_time: exponential('20ms') } },
        { count: 1, weight: 1, behavior: { service_time: exponential('60ms') } },
      ],
      '300/s',
      {},
      { least_request_lb_config: { active_request_bias: { default_value: 0.5, runtime_key: 'bias' } } },
    ],
    [
      'weights differ, times are constants',
      [
        { count: 5, weight: 1, behavior: { service_time: '20ms' } },
        { count: 5, weight: 4, behavior: { service_time: '60ms' } },
      ],
      '500/s',
    ],
    [
      'weights differ, everything is even',
      [
        { count: 1, weight: 2, behavior: { service_time: '100ms' } },
        { count: 1, weight: 1, behavior: { service_time: '10ms' } },
      ],
      '100/s',
      {},
      {},
      'constant',
    ],
    ['several workers', slow(1, 4), '400/s', { proxy: { workers: 4 } }],
    [
      'several proxies',
      slow(1, 4),
      '400/s',
      {
        proxies: [
          { name: 'a', count: 3 },
          { name: 'b', share: 2 },
        ],
      },
    ],
    [
      'the rate changes',
      slow(1, 4),
      '100/s',
      { timeline: [{ at: '50s', set_rate: { workload: 'w', rate: '800/s' } }] },
    ],
    [
      'a host becomes slow',
      slow(1, 4),
      '400/s',
      { timeline: [{ at: '40s', set_behavior: { hosts: '10.0.0.1', service_time: '100ms' } }] },
    ],
    ['one of them leaves', slow(2, 4), '400/s', { timeline: [{ at: '40s', remove_hosts: '10.0.1.1' }] }],
    [
      'priorities share the load',
      slow(1, 4),
      '400/s',
      {
        endpoints: {
          c: [
            { address: '10.0.0.1:80', count: 4 },
            { address: '10.0.1.1:80' },
            { address: '10.0.1.2:80', health: 'UNHEALTHY', count: 5 },
            { address: '10.0.0.21:80', priority: 1, count: 2 },
            { address: '10.0.1.21:80', priority: 1 },
          ],
        },
      },
    ],
  ])('is within its bound where %s', async (_, groups, rate, more, settings, arrivals) => {
    const { split, worst } = await beyond(busy(groups, rate, more, settings, arrivals));
    expect([split.method, split.why_not]).toEqual(['approximate', undefined]);
    expect(worst).toBeLessThanOrEqual(0);
    // A bound that allows everything holds nothing.
    expect(split.error).toBeLessThan(arrivals === 'constant' ? 0.3 : 0.1);
  });

  it('is even among hosts that are alike, exactly, whatever they are like', async () => {
    const behavior = { service_time: '30ms', concurrency: 1 };
    const { split, worst } = await beyond(busy([{ count: 5, behavior }], '100/s'));
    expect(split.method).toBe('exact');
    expect(split.hosts.map(({ share }) => share)).toEqual(Array(5).fill(0.2));
    expect(worst).toBeLessThanOrEqual(0);
  });

  it('is even again for good only as they were never different', async () => {
    const timeline = [
      { at: '20s', set_behavior: { hosts: '10.0.0.1', service_time: '100ms' } },
      { at: '40s', set_behavior: { hosts: '10.0.0.1', service_time: '10ms' } },
    ];
    const scenario = busy([{ count: 4, behavior: { service_time: '10ms' } }], '400/s', { timeline });
    const { split, worst } = await beyond(scenario);
    expect(split.method).toBe('approximate');
    expect(worst).toBeLessThanOrEqual(0);
  });

  it.each<[RegExp, object, object?, Hosts[]?]>([
    [
      /steady rates/,
      {
        workloads: [
          {
            cluster: 'c',
            arrivals: {
              ramp: [
                { at: '0s', rate: '1/s' },
                { at: '100s', rate: '500/s' },
              ],
            },
            stop: '100s',
          },
        ],
      },
    ],
    [
      /steady rates/,
      { workloads: [{ cluster: 'c', arrivals: { closed: { users: 10, think_time: '1s' } }, stop: '100s' }] },
    ],
    [/faster than hosts settle/, { workloads: [{ cluster: 'c', arrivals: '100/s', stop: '300ms' }] }],
    [/do not keep up/, {}, {}, slow(1, 2, { concurrency: 1 })],
    [
      /not exponential/,
      {},
      {},
      [
        { count: 1, behavior: { service_time: '1ms', concurrency: 1 } },
        { count: 1, behavior: { service_time: '10ms', concurrency: 1 } },
      ],
    ],
    [
      /not exponential/,
      {},
      {},
      [
        { count: 1, behavior: { service_time: '1ms', concurrency: 1 } },
        { count: 1, behavior: { service_time: '1ms', concurrency: 1, discipline: 'processor_sharing' } },
      ],
    ],
    [
      /new connections/,
      {},
      {},
      [
        { count: 1, behavior: { connect_time: '1ms', service_time: '5ms' } },
        { count: 1, behavior: { service_time: '10ms' } },
      ],
    ],
    [/others keep/, { proxies: [{ name: 'a', count: 2 }] }, {}, slow(1, 2, { concurrency: 3 })],
    [/after the time-out/, { workloads: [{ cluster: 'c', arrivals: '100/s', stop: '100s', timeout: '50ms' }] }],
    [/are open at once/, { workloads: [{ cluster: 'c', arrivals: '60000/s', stop: '1000s' }] }, {}, slow(50, 50)],
    [/circuit breakers/, {}, { circuit_breakers: { thresholds: [{ max_requests: 10 }] } }],
    [
      /tried again/,
      {
        workloads: [
          { cluster: 'c', arrivals: '100/s', stop: '100s', retry_policy: { retry_on: '5xx', num_retries: 1 } },
        ],
      },
    ],
  ])('is not guessed: %s', async (why, more, settings, groups = slow(1, 2)) => {
    const { clusters } = await predict(busy(groups, '300/s', more, settings));
    expect(clusters['c']?.method).toBe('none');
    expect(clusters['c']?.why_not).toMatch(why);
  });

  it('is left out where only what is exact is asked for', async () => {
    const { clusters } = await predict(busy(slow(1, 2), '100/s'), { exactOnly: true });
    expect(clusters['c']?.why_not).toMatch(/^LEAST_REQUEST has no closed form under load/);
  });
});
