import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import type { ProxyFlush } from '../../src/simulation/stats-feed.js';
import { createSimulation, runScenario } from '../../src/simulation/simulation.js';

function scenarioNamed(name: string) {
  const text = readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8');
  const { scenario } = loadScenario({ file: name, text });
  if (scenario === undefined) throw new Error(`${name} does not load`);
  return scenario;
}

const TIMES = 'cluster.backend.upstream_rq_time';

it('flushes every interval and once at the end; deltas add up to the result, which is that of a run without', async () => {
  const scenario = scenarioNamed('statsd-over-udp');
  const flushes: ProxyFlush[] = [];
  let samples = 0;
  const simulation = await createSimulation(scenario, {
    stats: { onFlush: (flush) => flushes.push(flush), onSample: (_, stat) => (samples += stat.name === TIMES ? 1 : 0) },
  });
  while (!simulation.advance(1000));
  const result = simulation.result();
  expect(result).toEqual(await runScenario(scenario));
  expect(flushes.map(({ snapshot }) => snapshot.timeUs / 1e6)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  const sums: Record<string, number> = {};
  for (const { snapshot } of flushes) {
    for (const { stat, delta } of snapshot.counters) sums[stat.name] = (sums[stat.name] ?? 0) + delta;
  }
  expect(sums).toEqual(result.stats.counters);
  expect(samples).toBe(result.stats.histograms[TIMES]?.count);
});

it('stops before what is later than asked for', async () => {
  const simulation = await createSimulation(scenarioNamed('statsd-over-udp'), { stats: { onFlush: () => undefined } });
  expect(simulation.advance(1_000_000, 5_000_000)).toBe(false);
  expect(simulation.nowUs).toBeLessThanOrEqual(5_000_000);
  expect(simulation.nextUs).toBeGreaterThan(5_000_000);
});

it('has no statistic that the matcher does not include', async () => {
  const { stats } = await runScenario(scenarioNamed('few-statistics'));
  const names = [stats.counters, stats.gauges, stats.histograms].flatMap((kind) => Object.keys(kind)).sort();
  expect(names).toEqual(
    ['membership_change', 'membership_degraded', 'membership_excluded', 'membership_healthy', 'membership_total']
      .concat('upstream_rq_2xx', 'upstream_rq_5xx', 'upstream_rq_time')
      .concat('external.upstream_rq_2xx', 'external.upstream_rq_5xx', 'external.upstream_rq_time')
      .sort()
      .map((name) => `cluster.backend.${name}`),
  );
});
