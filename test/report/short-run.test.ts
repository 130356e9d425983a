import { describe, expect, it } from 'vitest';
import { headlineOf } from '../../src/report/run/headline.js';
import type { LoadOptions } from '../../src/scenario/generated/load-options.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

/** A bare cluster whose checks need 15 s to notice that a host fails. */
const TEXT = `
name: web
connect_timeout: 1s
health_checks: [{ tcp_health_check: {}, interval: 5s, timeout: 1s, unhealthy_threshold: 3, healthy_threshold: 1 }]
load_assignment:
  cluster_name: web
  endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }]
`;

function load(options: LoadOptions): Scenario {
  const { scenario, problems } = loadScenario({ file: 'web.yaml', text: TEXT }, options);
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

describe('a run that ends before health checks can notice', () => {
  it('says so, with the option that makes it long enough', async () => {
    const result = await runScenario(load({ fail: ['*'] }));
    expect(headlineOf(result).text).toMatch(/the run ends before health checks can notice: --duration 40s\.$/);
    expect(result.clusters['web']?.detections?.[0]).toMatchObject({ needs_run_of_s: 40, seen: [] });
  });

  it('is none with that option: traffic lasts as long', async () => {
    const scenario = load({ fail: ['*'], durationText: '40s' });
    expect(scenario.notes).toContain('no workloads given: 1000/s for 40 s to web');
    expect(scenario.workloads[0]?.stopUs).toBe(40_000_000);
    const result = await runScenario(scenario);
    const [detection] = result.clusters['web']?.detections ?? [];
    expect(detection?.seen).toMatchObject([{ after_s: 15 }]);
    expect(detection?.needs_run_of_s).toBeUndefined();
    expect(headlineOf(result).text).not.toContain('--duration');
  });

  it('sends less a second where it is long', () => {
    expect(load({ durationText: '2000s' }).workloads[0]?.arrivals).toEqual({ kind: 'poisson', perSecond: 500 });
  });
});
