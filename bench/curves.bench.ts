/**
 * What a run costs as a scenario grows: CPU time and memory of the command from start to report, at several sizes, and the
 * exponent that fits them (1: twice the size, twice the cost): `npm run bench -- growth`; docs/performance.md tells how to
 * read it. Ends with exit code 1 where the largest size exceeds its bound.
 */
import Table from 'cli-table3';
import type { Cost, Scenario } from './command-cost.js';
import { address, costOf } from './command-cost.js';

interface Row {
  readonly what: string;
  readonly sizes: readonly number[];
  readonly scenario: (size: number) => Scenario;
  /** For the largest size: CPU seconds and MB. */
  readonly bound: { readonly seconds?: number; readonly megabytes?: number };
}

const HOSTS = [1250, 2500, 5000, 10_000];
const CLUSTERS = [375, 750, 1500, 3000];
const CHECKS = [{ timeout: '1s', interval: '10s', unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {} }];
const NO_LIMITS = {
  thresholds: [{ max_connections: 1e9, max_pending_requests: 1e9, max_requests: 1e9, max_retries: 1e9 }],
};

const ROWS: readonly Row[] = [
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
      ...cluster(size, { circuit_breakers: NO_LIMITS }, { constant: `${10 * size}/s` }, '60s'),
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
    bound: {},
  },
  {
    what: 'clusters of two hosts, a workload over all',
    sizes: CLUSTERS,
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
    scenario: (size) => ({
      ...cluster(size, {}, { constant: '1000/s' }),
      duration: '101s',
      timeline: [
        { every: '2s', from: '1s', set_health: { hosts: address(7), status: 'UNHEALTHY' } },
        { every: '2s', from: '2s', set_health: { hosts: address(7), status: 'HEALTHY' } },
      ],
    }),
    bound: { megabytes: 200 },
  },
];

const measure = (scenario: Scenario): Cost => costOf('run', scenario);

let failed = false;
const start = measure(cluster(1, {}, { constant: '1/s' }));
const table = new Table({
  head: ['growing', 'sizes', 'CPU s', 'exponent', 'MB', 'bound of the largest'],
  style: { head: [] },
});
for (const { what, sizes, scenario, bound } of ROWS) {
  const costs = sizes.map((size) => measure(scenario(size)));
  const largest = costs[costs.length - 1] as Cost;
  const { seconds = Infinity, megabytes = Infinity } = bound;
  const exceeded = largest.seconds > seconds || largest.megabytes > megabytes;
  failed ||= exceeded;
  table.push([
    what,
    sizes.join(', '),
    costs.map((cost) => cost.seconds.toFixed(2)).join(', '),
    exponent(sizes, costs).toFixed(2),
    costs.map((cost) => cost.megabytes.toFixed(0)).join(', '),
    [
      Number.isFinite(seconds) ? `${seconds} s` : '',
      Number.isFinite(megabytes) ? `${megabytes} MB` : '',
      exceeded ? 'EXCEEDED' : '',
    ]
      .filter((text) => text !== '')
      .join(', '),
  ]);
}
console.log(
  `What a run costs as it grows, beyond the ${start.seconds.toFixed(2)} s and ${start.megabytes.toFixed(0)} MB`,
);
console.log('of one with a single host; the exponent is fitted to the CPU time above that:\n');
console.log(table.toString());
process.exitCode = failed ? 1 : 0;

/** A cluster `b` of so many hosts, and a second of traffic. */
function cluster(size: number, fields: Scenario, arrivals: Scenario, timeout = '15s'): Scenario {
  return {
    proxy: { version: '1.40' },
    clusters: [{ name: 'b', ...fields }],
    endpoints: { b: [{ address: address(0), count: size }] },
    workloads: [{ cluster: 'b', arrivals, stop: '1s', timeout }],
  };
}

/** The slope of a straight line through the logarithms of sizes and CPU times. */
function exponent(sizes: readonly number[], costs: readonly Cost[]): number {
  const points = sizes.map((size, at) => ({
    x: Math.log(size),
    y: Math.log(Math.max(0.01, (costs[at] as Cost).seconds - start.seconds)),
  }));
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
