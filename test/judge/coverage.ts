import { bounds } from '../../src/analysis/observe/bounds.js';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';

const REQUESTS = 200;
export const ALARM = 1e-3;

const HOSTS = 'endpoints: { web: [{ address: 10.0.0.1:80, count: 5 }] }';
const WEIGHTED =
  'endpoints: { web: [{ address: 10.0.0.1:80 }, { address: 10.0.0.2:80, weight: 2 }, { address: 10.0.0.3:80, weight: 5 }] }';
const endpoint = (ip: string): string =>
  `{ endpoint: { address: { socket_address: { address: ${ip}, port_value: 80 } } } }`;
const LOCALITIES =
  'common_lb_config: { locality_weighted_lb_config: {} }, load_assignment: { cluster_name: web, endpoints: [' +
  `{ locality: { zone: a }, load_balancing_weight: 3, lb_endpoints: [${endpoint('10.0.0.1')}, ${endpoint('10.0.0.2')}] }, ` +
  `{ locality: { zone: b }, load_balancing_weight: 1, lb_endpoints: [${endpoint('10.0.1.1')}] }] }`;

/** A cluster, and how its requests come. */
export interface Policy {
  readonly policy: string;
  readonly hosts?: string;
  readonly cluster?: string;
  readonly more?: string;
  readonly workload?: string;
}

/** Every policy, as it may be set up. */
export const POLICIES: Readonly<Record<string, Policy>> = {
  RANDOM: { policy: 'RANDOM' },
  ROUND_ROBIN: { policy: 'ROUND_ROBIN' },
  'ROUND_ROBIN of four workers': { policy: 'ROUND_ROBIN', more: 'proxy: { workers: 4 }' },
  'ROUND_ROBIN by weight': { policy: 'ROUND_ROBIN', hosts: WEIGHTED },
  'ROUND_ROBIN by weight, of four workers': { policy: 'ROUND_ROBIN', hosts: WEIGHTED, more: 'proxy: { workers: 4 }' },
  'ROUND_ROBIN by locality': {
    policy: 'ROUND_ROBIN',
    hosts: '',
    cluster: LOCALITIES,
    more: 'proxy: { workers: 2 }',
  },
  LEAST_REQUEST: { policy: 'LEAST_REQUEST' },
  'LEAST_REQUEST among busy hosts': {
    policy: 'LEAST_REQUEST',
    more: 'behavior: [{ hosts: {}, service_time: { exponential: { mean: 4ms } } }]',
    workload: 'arrivals: { poisson: 1000/s }',
  },
  RING_HASH: { policy: 'RING_HASH', workload: 'hash_key: { uniform: { keys: 1000000 } }' },
  MAGLEV: { policy: 'MAGLEV', workload: 'hash_key: { uniform: { keys: 1000000 } }' },
};

export function scenarioOf(
  tests: number,
  { policy, hosts = HOSTS, cluster = '', more = '', workload = '' }: Policy,
): Scenario {
  const text = `
clusters: [{ name: web, connect_timeout: 1s, lb_policy: ${policy}${cluster === '' ? '' : `, ${cluster}`} }]
${hosts}
workloads: [{ cluster: web, stop: ${(tests * REQUESTS) / 1000}s, ${workload.includes('arrivals') ? '' : 'arrivals: 1000/s, '}${workload} }]
${more}
`;
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

export interface Coverage {
  readonly tests: number;
  /** Tests that right proxies fail. */
  readonly failed: number;
  /** With bounds that are closer by one request on every side. */
  readonly narrower: number;
}

/** Tests of right proxies with the bounds for a chance of {@link ALARM}. */
export async function coverageOf(policy: Policy, tests: number): Promise<Coverage> {
  const scenario = scenarioOf(tests, policy);
  const found = await bounds(scenario, { requests: REQUESTS, falseAlarm: ALARM });
  const parts = found.splits[0]?.parts ?? [];
  const rows = new Map(parts.map(({ name }, index) => [name, index]));
  let counts = parts.map(() => 0);
  let [requests, done, failed, narrower] = [0, 0, 0, 0];
  const isOut = (by: number): boolean =>
    parts.some(({ least, most }, index) => (counts[index] ?? 0) < least + by || (counts[index] ?? 0) > most - by);
  const simulation = await createSimulation(scenario, {
    onDecision: ({ host }) => {
      const row = rows.get(host ?? '');
      if (row !== undefined) counts[row] = (counts[row] ?? 0) + 1;
      if (++requests < REQUESTS) return;
      done += 1;
      if (isOut(0)) failed += 1;
      if (isOut(1)) narrower += 1;
      counts = parts.map(() => 0);
      requests = 0;
    },
  });
  while (!simulation.advance(1_000_000));
  return { tests: done, failed, narrower };
}
