import type { Scenario } from './command-cost.js';
import { address } from './command-cost.js';

/** What grows in a scenario. */
export interface Growing {
  readonly what: string;
  /** Each twice the one before. */
  readonly sizes: readonly number[];
  readonly scenario: (size: number) => Scenario;
  /** For the largest size: CPU seconds and MB. */
  readonly bound?: { readonly seconds?: number; readonly megabytes?: number };
}

const HOSTS = doubled(1250);
const CHECKS = [{ timeout: '1s', interval: '10s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} }];
const NO_LIMITS = {
  thresholds: [{ max_connections: 1e9, max_pending_requests: 1e9, max_requests: 1e9, max_retries: 1e9 }],
};

export const GROWING: readonly Growing[] = [
  {
    what: 'requests to 100 hosts',
    sizes: doubled(500_000),
    scenario: (size) => ({
      ...cluster(100, { lb_policy: 'LEAST_REQUEST' }, '10000/s', { stop: `${size / 10_000}s` }),
      behavior: [{ service_time: { exponential: { mean: '8ms' } }, concurrency: 1 }],
    }),
    bound: { megabytes: 150 },
  },
  {
    what: 'requests that are open at once',
    sizes: doubled(25_000),
    scenario: (size) => ({
      ...cluster(100, { circuit_breakers: NO_LIMITS }, { constant: `${size}/s` }, { timeout: '60s' }),
      behavior: [{ service_time: '10s' }],
    }),
  },
  {
    what: 'hosts',
    sizes: doubled(12_500),
    scenario: (size) => cluster(size, {}, { constant: '1000/s' }),
  },
  {
    what: 'hosts, ten to a zone',
    sizes: HOSTS,
    scenario: (size) => ({
      ...cluster(size, {}, { constant: '1000/s' }),
      endpoints: { b: Array.from({ length: size }, (_, i) => ({ address: address(i), zone: `z${i % (size / 10)}` })) },
    }),
    bound: { seconds: 2 },
  },
  {
    what: 'hosts that fail at once, ten open requests each',
    sizes: HOSTS,
    scenario: (size) => ({
      ...cluster(size, { circuit_breakers: NO_LIMITS }, { constant: `${10 * size}/s` }, { timeout: '60s' }),
      behavior: [{ service_time: '10s' }],
      timeline: [{ at: '1.5s', fail: {} }],
    }),
    bound: { seconds: 3 },
  },
  {
    what: 'hosts that pass a check every 10 s, for a minute',
    sizes: HOSTS,
    scenario: (size) => ({ ...cluster(size, { health_checks: CHECKS }, { constant: '10/s' }), duration: '60s' }),
    bound: { seconds: 2 },
  },
  {
    what: 'hosts that all fail a check',
    sizes: HOSTS,
    scenario: (size) => ({
      ...cluster(size, { health_checks: CHECKS }, { constant: '10/s' }),
      timeline: [{ at: '5s', set_behavior: { hosts: {}, health_check: 'refuse' } }],
      duration: '15s',
    }),
  },
  {
    what: 'clusters of two hosts, a workload over all',
    sizes: doubled(375),
    scenario: (size) => {
      const names = Array.from({ length: size }, (_, i) => `c${i}`);
      return {
        clusters: names.map((name) => ({ name })),
        endpoints: Object.fromEntries(names.map((name, i) => [name, [address(2 * i), address(2 * i + 1)]])),
        workloads: [{ route: names.map((name) => ({ cluster: name })), arrivals: { constant: '1000/s' }, stop: '10s' }],
      };
    },
    bound: { seconds: 3, megabytes: 250 },
  },
  {
    what: 'hosts over 101 phases',
    sizes: HOSTS,
    scenario: (size) => failing(size, 101),
    bound: { megabytes: 200 },
  },
  { what: 'phases of 1,000 hosts', sizes: doubled(101), scenario: (size) => failing(1000, size) },
  {
    what: 'entries of a ring, 100 hosts',
    sizes: doubled(1_048_576),
    scenario: (size) =>
      cluster(
        100,
        { lb_policy: 'RING_HASH', ring_hash_lb_config: { minimum_ring_size: size, maximum_ring_size: size } },
        { constant: '10/s' },
        { hash_key: { uniform: { keys: 10 } } },
      ),
  },
  {
    what: 'subsets, eight hosts each',
    sizes: doubled(500),
    scenario: (size) => ({
      ...cluster(
        0,
        { lb_subset_config: { fallback_policy: 'ANY_ENDPOINT', subset_selectors: [{ keys: ['shard'] }] } },
        { constant: '1000/s' },
        { metadata_match: { 'envoy.lb': { shard: 's1' } } },
      ),
      endpoints: {
        b: Array.from({ length: 8 * size }, (_, i) => ({
          address: address(i),
          metadata: { 'envoy.lb': { shard: `s${i % size}` } },
        })),
      },
    }),
  },
  {
    what: 'proxies of four workers, 20 hosts',
    sizes: doubled(50),
    scenario: (size) => proxies({ count: size, workers: 4 }),
  },
  {
    what: 'workers of one proxy, 20 hosts',
    sizes: doubled(64),
    scenario: (size) => proxies({ workers: size }),
  },
];

function doubled(from: number): number[] {
  return [1, 2, 4, 8].map((times) => times * from);
}

/** A cluster `b` of so many hosts, and a second of traffic. */
export function cluster(
  size: number,
  fields: Scenario,
  arrivals: Scenario | string,
  workload: Scenario = {},
): Scenario {
  return {
    proxy: { version: '1.40' },
    clusters: [{ name: 'b', ...fields }],
    endpoints: { b: [{ address: address(0), count: size }] },
    workloads: [{ cluster: 'b', arrivals, stop: '1s', timeout: '15s', ...workload }],
  };
}

/** Twenty hosts behind such proxies. */
function proxies(fields: Scenario): Scenario {
  const { clusters, endpoints, workloads } = cluster(20, {}, { constant: '10000/s' });
  return { proxies: [{ name: 'p', version: '1.40', ...fields }], clusters, endpoints, workloads };
}

/** One host fails, and returns, until there were so many phases. */
function failing(hosts: number, phases: number): Scenario {
  const [fails, returns] = ['UNHEALTHY', 'HEALTHY'].map((status) => ({
    every: '2s',
    set_health: { hosts: address(7), status },
  }));
  return {
    ...cluster(hosts, {}, { constant: '1000/s' }),
    duration: `${phases}s`,
    timeline: [
      { ...fails, from: '1s' },
      { ...returns, from: '2s' },
    ],
  };
}
