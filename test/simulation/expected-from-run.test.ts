import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyHasher } from '../../src/hash/request-key.js';
import { reportOrder } from '../../src/host/report-order.js';
import { expectedOf } from '../../src/predict/expected-split.js';
import { predict } from '../../src/predict/predict.js';
import { expectedFromRun, keepsFirstHosts } from '../../src/predict/expected-from-run.js';
import type { ExpectedSplit } from '../../src/result/expected.js';
import type { HostRow } from '../../src/result/phase-hosts.js';
import { loadScenario, loadScenarioValue } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import { worldOf } from '../../src/scenario/world-of.js';
import { World } from '../../src/simulation/world.js';
import { scenarios } from '../predict/random-scenarios.js';

/** The same, of which nothing but traffic happens, and no cluster looks at another. */
function withoutChanges(scenario: Scenario): Scenario {
  const proxies = scenario.proxies.map((proxy) => ({ ...proxy, localClusterName: undefined }));
  return { ...scenario, proxies, timeline: [] };
}

function load(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 'test.yaml', text }, {});
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** Everything that a split says of some rows. */
function saidBy(split: ExpectedSplit | undefined, rows: readonly HostRow[]): unknown {
  return split && { rows: reportOrder(rows).map(split.rows()), noHost: split.noHost };
}

describe('the prediction of a run in which nothing but traffic happens', () => {
  it('reads the hosts of the run, and is to the last bit the one that makes its own', async () => {
    let known = 0;
    await fc.assert(
      fc.asyncProperty(scenarios(), async (value) => {
        const { scenario } = loadScenarioValue(value, 'random');
        if (scenario === undefined) return;
        const unchanged = withoutChanges(scenario);
        if (!keepsFirstHosts(unchanged)) return;
        const settings = worldOf(unchanged);
        const world = new World(settings);
        const own = expectedFromRun(unchanged, settings, await createKeyHasher(), world);
        const prediction = await predict(unchanged, { exactOnly: true });
        const phase = [0, prediction.duration_s] as const;
        for (const { index, name, rows } of world.clusters) {
          const other = expectedOf(prediction, name, rows.rows);
          for (const [one, twin] of [
            [own[index]?.whole, other?.whole],
            [own[index]?.between(...phase), other?.between(...phase)],
          ]) {
            expect(saidBy(one, rows.rows)).toEqual(saidBy(twin, rows.rows));
            if (one !== undefined) known++;
          }
        }
      }),
      { numRuns: Number(process.env['LBSIM_RUNS'] ?? 60), seed: Number(process.env['LBSIM_SEED'] ?? 1) },
    );
    // Where nothing can be predicted nothing would be compared.
    expect(known).toBeGreaterThan(30);
  });

  const FIXED = 'clusters: [{name: c}]\nendpoints: {c: [10.0.0.1:80]}\nrequests: [{at: 0s, cluster: c}]\n';

  const CHECK = '{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}';

  it.each([
    ['a timeline', `${FIXED}timeline: [{at: 1s, note: said}]`],
    ['health checks', FIXED.replace('name: c', `name: c, health_checks: [${CHECK}]`)],
    ['a local cluster', `${FIXED}proxy: {local_cluster_name: c}`],
  ])('is not that of a scenario with %s', (_, text) => {
    expect(keepsFirstHosts(load(FIXED))).toBe(true);
    expect(keepsFirstHosts(load(text))).toBe(false);
  });
});
