import { describe, expect, it } from 'vitest';
import { predict } from '../../src/predict/predict.js';
import { csvReport } from '../../src/report/csv.js';
import { PLAIN } from '../../src/report/layout.js';
import { predictionReport } from '../../src/report/prediction-report.js';
import { textReport } from '../../src/report/run/text-report.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';
import { scenarioOf } from '../support/run.js';

const LAYOUT = { width: 80, bars: false, paint: PLAIN, all: false };

describe('whose behaviour a report shows', () => {
  const world = (versions: readonly string[]): ReturnType<typeof scenarioOf> =>
    scenarioOf({
      proxies: versions.map((version, index) => ({ name: `p${index}`, version })),
      clusters: [{ name: 'b' }],
      endpoints: { b: ['10.0.0.1:80'] },
      workloads: [{ cluster: 'b', arrivals: { constant: '10/s' }, stop: '1s' }],
    });

  it.each([
    [['1.40', '1.17', '1.40'], '1.40 and 1.17'],
    [['1.14', '1.14'], '1.14'],
  ])('of proxies %s is %s', async (versions, text) => {
    const scenario = world(versions);
    const [result, prediction] = [await runScenario(scenario), await predict(scenario)];
    const several = new Set(versions).size > 1 ? [...new Set(versions)] : undefined;
    for (const told of [result, prediction]) {
      expect(told.version).toBe(versions[0]);
      expect(told.versions).toEqual(several);
    }
    expect(textReport(result, LAYOUT)).toContain(`· behaves as Envoy ${text}\n`);
    expect([...predictionReport(prediction, LAYOUT)].join('\n')).toContain(`· behaves as Envoy ${text} ·`);
    expect([...csvReport(result)][1] ?? [...csvReport(result)].join('')).toContain(`,${text},b,`);
  });
});

describe('hosts that get nothing', () => {
  it('are told by zone and by reason, however many they are', async () => {
    const zones = ['a', 'b', 'c'];
    const result = await runScenario(
      scenarioOf({
        clusters: [{ name: 'b' }],
        endpoints: {
          b: zones.map((zone, index) => ({ address: `10.${index}.0.0:80`, count: index === 0 ? 1 : 9000, zone })),
        },
        workloads: [{ cluster: 'b', arrivals: { constant: '50/s' }, stop: '1s' }],
        timeline: ['b', 'c'].map((zone) => ({ at: '0s', set_health: { hosts: { zone }, status: 'UNHEALTHY' } })),
      }),
    );
    const report = textReport(result, LAYOUT).replace(/\s+/g, ' ');
    expect(report).toContain('100.0 % of its requests then went to unhealthy hosts');
  });
});
