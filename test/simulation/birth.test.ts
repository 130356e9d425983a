import { expect, it } from 'vitest';
import { createSimulation } from '../../src/analysis/run/run-scenario.js';
import { loadScenarioValue } from '../../src/scenario/load.js';

const CHECKED = {
  proxy: { at: 'birth' },
  clusters: [
    {
      name: 'backend',
      health_checks: [
        {
          timeout: '0.3s',
          interval: '1s',
          no_traffic_interval: '60s',
          healthy_threshold: 3,
          unhealthy_threshold: 3,
          http_health_check: { path: '/' },
        },
      ],
    },
  ],
  endpoints: { backend: ['10.0.0.1:80', '10.0.0.2:80'] },
  behavior: [{ hosts: { address: '10.0.0.2:80' }, down: 'hang' }],
};

it('takes no connection until each host has had one result, which decides alone', async () => {
  const { scenario } = loadScenarioValue(
    { ...CHECKED, requests: [0.1, 0.4, 0.5].map((at) => ({ at: `${at}s`, cluster: 'backend' })), duration: '2s' },
    'birth',
  );
  const checks: unknown[] = [];
  const answered: unknown[] = [];
  const simulation = await createSimulation(scenario as NonNullable<typeof scenario>, {
    onCheck: ({ tUs, host }) => checks.push([tUs / 1e6, host]),
    onRequest: ({ tUs, host }) => answered.push([tUs / 1e6, host]),
  });
  while (!simulation.advance(Infinity));
  // The one at 0.1 s reaches nobody. A cluster without traffic is checked again after no_traffic_interval.
  expect(answered).toEqual([
    [0.4, '10.0.0.1:80'],
    [0.5, '10.0.0.1:80'],
  ]);
  expect(checks).toEqual([
    [0, '10.0.0.1:80'],
    [0, '10.0.0.2:80'],
  ]);
  expect(simulation.result().totals.requests).toBe(2);
});
