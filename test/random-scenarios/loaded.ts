import { Dice, type ScenarioValue } from '../swarm/random-scenario.js';

const SECONDS = 20;

/** Probabilities: models of busy hosts know few of failures, and those of retries little of queues. */
interface Emphasis {
  readonly leastRequest: number;
  readonly queues: number;
  readonly fails: number;
  readonly retries: number;
  readonly unsteady: number;
  readonly limits: number;
}

const BUSY: Emphasis = { leastRequest: 0.9, queues: 0.5, fails: 0.05, retries: 0.05, unsteady: 0.05, limits: 0.05 };
const RETRIED: Emphasis = { leastRequest: 0.2, queues: 0.03, fails: 0.4, retries: 0.9, unsteady: 0.3, limits: 0.3 };

/**
 * A scenario whose prediction has to do with time: hosts that are busy, fail or are slow, requests that are tried again,
 * limited or late, rates that change. What no model covers it says, too.
 */
export function loaded(seed: number): ScenarioValue {
  const dice = new Dice(seed ^ 0x10ad);
  const about = seed % 2 === 0 ? BUSY : RETRIED;
  const names = dice.chance(0.25) ? ['c', 'd'] : ['c'];
  const clusters = names.map((name) => cluster(dice, name, about));
  const workloads = dice.list(1, dice.pick([1, 1, 2]), (index) => workload(dice, names, index, about));
  return {
    seed: dice.int(0, 1e6),
    duration: `${SECONDS}s`,
    proxy: {
      version: dice.pick(['1.12', '1.14', '1.17', '1.40', '1.40', '1.40']),
      workers: dice.pick([1, 1, 2, 4]),
      ...dice.maybe(0.2, () => ({ count: dice.int(2, 4) })),
    },
    clusters,
    endpoints: Object.fromEntries(names.map((name, index) => [name, hosts(dice, index)])),
    behavior: dice.chance(0.15)
      ? [{ hosts: {}, ...behaviour(dice, about) }]
      : [
          { hosts: {}, ...(dice.chance(0.5) ? { service_time: '5ms' } : behaviour(dice, about)) },
          ...dice.list(1, 5, () => ({ hosts: someHosts(dice), ...behaviour(dice, about) })),
        ],
    workloads,
    timeline: dice.chance(0.5) ? [] : dice.list(1, 2, (index) => change(dice, workloads, index)),
    expect: dice.list(0, 3, () => ({
      success_rate: { cluster: dice.pick(names) },
      at_least: `${dice.int(0, 100)}%`,
    })),
  };
}

function cluster(dice: Dice, name: string, about: Emphasis): ScenarioValue {
  const policy = dice.chance(about.leastRequest)
    ? 'LEAST_REQUEST'
    : dice.pick(['ROUND_ROBIN', 'ROUND_ROBIN', 'RANDOM', 'RING_HASH', 'MAGLEV']);
  return {
    name,
    connect_timeout: dice.pick(['0.25s', '1s']),
    lb_policy: policy,
    ...(policy === 'LEAST_REQUEST'
      ? dice.maybe(0.5, () => ({ least_request_lb_config: { choice_count: dice.int(2, 5) } }))
      : {}),
    ...(policy === 'RING_HASH'
      ? { ring_hash_lb_config: { minimum_ring_size: dice.int(1, 200), maximum_ring_size: 1024 } }
      : {}),
    ...dice.maybe(0.3, () => ({ max_requests_per_connection: dice.int(1, 3) })),
    ...dice.maybe(about.limits, () => ({
      circuit_breakers: {
        thresholds: [
          {
            max_retries: dice.pick([2, 100_000, 100_000]),
            ...dice.maybe(0.1, () => ({ max_requests: dice.pick([5, 100_000]) })),
          },
        ],
      },
    })),
    ...dice.maybe(0.3, () => ({
      common_lb_config: {
        healthy_panic_threshold: { value: dice.pick([0, 30, 50, 80]) },
        ...dice.maybe(0.5, () => ({ zone_aware_lb_config: { fail_traffic_on_panic: true } })),
      },
    })),
    ...(dice.chance(0.9)
      ? {}
      : {
          lb_subset_config: {
            fallback_policy: dice.pick(['NO_FALLBACK', 'ANY_ENDPOINT']),
            subset_selectors: [{ keys: ['stage'] }],
          },
        }),
  };
}

function hosts(dice: Dice, at: number): ScenarioValue[] {
  const weighs = dice.chance(0.3);
  const levels = dice.pick([[0], [0], [0, 0, 1], [0, 1, 2]]);
  return dice
    .list(dice.pick([1, 3, 4]), 8, (index) => ({
      address: `10.0.${at}.${index + 1}:80`,
      priority: index === 0 ? 0 : dice.pick(levels),
      ...(weighs ? { weight: dice.int(1, 4) } : {}),
      ...dice.maybe(0.15, () => ({ health: dice.pick(['UNHEALTHY', 'DEGRADED']) })),
      metadata: { stage: dice.pick(['prod', 'prod', 'dev']), ...dice.maybe(0.3, () => ({ canary: true })) },
    }))
    .map((host, _, all) => {
      // Without a gap between the levels.
      const known = [...new Set(all.map(({ priority }) => priority))].sort((a, b) => a - b);
      return { ...host, priority: known.indexOf(host.priority) };
    });
}

function someHosts(dice: Dice): unknown {
  return dice.pick<unknown>([...[1, 2, 3, 4, 5].map((last) => `10.0.0.${last}`), '10.0.1.1', { priority: 1 }]);
}

function behaviour(dice: Dice, about: Emphasis): ScenarioValue {
  const ms = (): string => `${dice.pick([1, 2, 5, 10, 20, 40, 80])}ms`;
  return {
    ...(dice.chance(about.queues)
      ? { concurrency: dice.int(1, 20), service_time: { exponential: { mean: ms() } } }
      : {
          service_time: dice.pick<() => unknown>([
            ms,
            ms,
            () => ({ exponential: { mean: ms() } }),
            () => ({ uniform: { min: '0ms', max: ms() } }),
          ])(),
        }),
    ...dice.maybe(0.15, () => ({ network_latency: ms() })),
    ...dice.maybe(about.fails, () => ({
      error_rate: dice.pick(['10%', '50%', '100%']),
      error_status: dice.pick([500, 503, 504, 404, 409]),
    })),
    ...dice.maybe(about.fails / 3, () => ({ down: dice.pick(['refuse', 'hang']) })),
    ...dice.maybe(about.fails / 3, () => ({ connect_failure_rate: dice.pick(['40%', '100%']) })),
    ...dice.maybe(0.05, () => ({ initial_active_requests: dice.int(1, 3) })),
  };
}

function workload(dice: Dice, names: readonly string[], index: number, about: Emphasis): ScenarioValue {
  return {
    name: `w${index}`,
    cluster: dice.pick(names),
    arrivals: dice.chance(about.unsteady)
      ? dice.pick<unknown>([
          {
            ramp: [
              { at: '0s', rate: '50/s' },
              { at: '10s', rate: '500/s' },
            ],
          },
          { closed: { users: dice.int(1, 20), think_time: '20ms' } },
        ])
      : dice.pick<unknown>(['20/s', '100/s', '300/s', '1000/s', { constant: '250/s' }, { constant: '5/s' }]),
    ...dice.maybe(0.5, () => ({ stop: `${dice.int(3, SECONDS)}s` })),
    ...dice.maybe(0.1, () => ({ timeout: dice.pick(['10ms', '100ms', '3s']) })),
    ...dice.maybe(0.9, () => ({
      hash_key: dice.pick<unknown>([
        { uniform: { keys: 200 } },
        { zipf: { keys: 100, exponent: 1 } },
        { cycle: ['a', 'b', 'c', 'd', 'e'] },
        { sequence: { keys: 50 } },
      ]),
    })),
    ...dice.maybe(0.3, () => ({ metadata_match: { stage: dice.pick(['prod', 'dev', 'none']) } })),
    ...dice.maybe(about.retries, () => ({ retry_policy: retries(dice) })),
  };
}

function retries(dice: Dice): ScenarioValue {
  return {
    retry_on: dice.pick(['5xx', '5xx', '5xx,retriable-4xx', 'connect-failure', 'gateway-error', 'reset']),
    num_retries: dice.int(0, 4),
    ...dice.maybe(0.3, () => ({ per_try_timeout: dice.pick(['8ms', '20ms', '50ms']) })),
    ...dice.maybe(0.4, () => ({ retry_back_off: { base_interval: '5ms', max_interval: '20ms' } })),
    ...dice.maybe(0.4, () => ({ host_selection_retry_max_attempts: dice.int(1, 5) })),
    ...dice.maybe(0.5, () => ({
      retry_host_predicate: [
        { name: `proxy.retry_host_predicates.${dice.pick(['previous_hosts', 'previous_hosts', 'omit_canary_hosts'])}` },
      ],
    })),
    ...dice.maybe(0.25, () => ({
      retry_priority: {
        name: 'proxy.retry_priorities.previous_priorities',
        config: { update_frequency: dice.int(1, 2) },
      },
    })),
  };
}

function change(dice: Dice, workloads: readonly ScenarioValue[], index: number): ScenarioValue {
  const at = `${4 + 6 * index}s`;
  const one = dice.pick(workloads);
  const changes: ScenarioValue[] = [
    { at, set_behavior: { hosts: {}, error_rate: '20%' } },
    { at, set_behavior: { hosts: someHosts(dice), service_time: '30ms' } },
    { at, set_health: { hosts: '10.0.0.1', status: 'UNHEALTHY' } },
    { at, remove_hosts: '10.0.0.2' },
  ];
  const rated = typeof one['arrivals'] === 'string';
  return dice.pick(rated ? [...changes, { at, set_rate: { workload: one['name'], rate: '100/s' } }] : changes);
}
