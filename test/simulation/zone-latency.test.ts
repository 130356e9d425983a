import { expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

const proxy = (zone: string) => ({ name: zone, node: { id: zone, cluster: 'edge', locality: { zone } } });

function scenarioOf(fields: object) {
  const { scenario, problems } = loadScenarioValue(
    {
      proxies: [proxy('a'), proxy('b')],
      clusters: [{ name: 'web' }],
      endpoints: {
        web: [
          { address: '10.0.0.1:80', zone: 'a' },
          { address: '10.0.0.2:80', zone: 'b' },
          { address: '10.0.0.3:80', zone: 'constructor' },
        ],
      },
      ...fields,
    },
    'zones',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

const workload = (zone: string) => ({
  name: zone,
  cluster: 'web',
  arrivals: { constant: '30/s' },
  stop: '10s',
  proxies: [zone],
});

it.each([
  ['a', [1, 30, 1]],
  ['b', [30, 1, 1]],
])('the wire from zone %s is as long as the pair of zones says', async (zone, expected) => {
  const behavior = [{ network_latency: '1ms' }, { network_latency: { between: { a: { b: '30ms' } } } }];
  const { clusters } = await runScenario(scenarioOf({ behavior, workloads: [workload(zone)] }));
  const latencies = clusters['web']?.hosts.map(({ latency_ms: found }) => found.p50);
  expect(latencies).toEqual(expected);
});

it('both directions may be written', async () => {
  const behavior = [{ network_latency: { between: { a: { b: '30ms' }, b: { a: '70ms' } } } }];
  const { clusters } = await runScenario(scenarioOf({ behavior, workloads: [workload('b')] }));
  const latencies = clusters['web']?.hosts.map(({ latency_ms: found }) => found.p50);
  expect(latencies).toEqual([70, 0, 0]);
});

it('a prediction knows how long requests are open from its zone', async () => {
  const behavior = [{ network_latency: { between: { a: { b: '500ms' } } } }];
  const clusters = [{ name: 'web', lb_policy: 'LEAST_REQUEST' }];
  const busy = { ...workload('a'), arrivals: '100/s', stop: '100s' };
  const scenario = scenarioOf({ clusters, behavior, workloads: [busy] });
  const [host] = (await predict(scenario)).clusters['web']?.phases[0]?.hosts.slice(1) ?? [];
  const { clusters: seen } = await runScenario(scenario);
  const [, measured] = seen['web']?.hosts ?? [];
  expect(host?.share).toBeLessThan(0.2);
  expect(Math.abs((host?.share ?? 0) - (measured?.share ?? 0))).toBeLessThan(0.02);
});
