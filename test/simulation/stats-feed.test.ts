import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { ProxyFlush } from '../../src/simulation/stats/stats-feed.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';

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

function scenarioOf(text: string): Scenario {
  const { scenario, problems } = loadScenario({ file: 's.yaml', text });
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return scenario;
}

/** The lines of each flush by virtual second, names as keys; deltas of used counters, values of used gauges. */
async function flushesOf(scenario: Scenario): Promise<Map<number, Record<string, number>>> {
  const flushes = new Map<number, Record<string, number>>();
  const onFlush = ({ snapshot }: ProxyFlush): void => {
    const lines: Record<string, number> = {};
    for (const { stat, delta, used } of snapshot.counters) if (used) lines[stat.name] = delta;
    for (const { stat, value, used } of snapshot.gauges) if (used) lines[stat.name] = value;
    flushes.set(snapshot.timeUs / 1e6, lines);
  };
  await runScenario(scenario, { stats: { onFlush } });
  return flushes;
}

it('of a cluster begin with it and end with it, and the last request of a removed one is counted', async () => {
  const flushes = await flushesOf(
    scenarioOf(`
name: come-and-go
duration: 10s
proxies: [{stats_flush_interval: 1s}]
clusters: [{name: early}]
endpoints: {early: ["10.0.0.1:80"]}
behavior: [{hosts: {}, service_time: 1200ms}]
requests: [{at: 2500ms, cluster: early}]
timeline:
  - {at: 3s, remove_cluster: early}
  - at: 5s
    update_cluster:
      name: late
      type: STATIC
      connect_timeout: 1s
      load_assignment:
        cluster_name: late
        endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.9, port_value: 80}}}}]}]
`),
  );
  const has = (cluster: string): number[] =>
    [...flushes].flatMap(([at, lines]) => (`cluster.${cluster}.membership_total` in lines ? [at] : []));
  // Removed at 3 s, when a request was still on its way; it ended before 4 s.
  expect(has('early')).toEqual([1, 2, 3, 4]);
  expect(has('late')).toEqual([6, 7, 8, 9, 10]);
  const completed = [...flushes.values()].map((lines) => lines['cluster.early.upstream_rq_200'] ?? 0);
  expect(completed.reduce((sum, count) => sum + count, 0)).toBe(1);
});

it('of clusters with one alt_stat_name count together', async () => {
  const scenario = scenarioOf(`
name: together
proxies: [{stats_flush_interval: 1s}]
clusters: [{name: one, alt_stat_name: "a:b"}, {name: other, alt_stat_name: a_b}]
endpoints: {one: ["10.0.0.1:80", "10.0.0.2:80"], other: ["10.0.0.3:80"]}
requests: [{at: 0s, cluster: one}, {at: 1ms, cluster: one}, {at: 0s, cluster: other}]
`);
  const { stats } = await runScenario(scenario);
  expect(stats.counters['cluster.a_b.upstream_rq_total']).toBe(3);
  expect(stats.counters['cluster.a_b.membership_change']).toBe(2);
  expect(stats.histograms['cluster.a_b.upstream_rq_time']?.count).toBe(3);
  // Both set it; the last one shows.
  expect(stats.gauges['cluster.a_b.membership_total']).toBe(1);
  const [first] = (await flushesOf(scenario)).values();
  expect(first?.['cluster.a_b.upstream_rq_total']).toBe(3);
});

it('come in slices, also where nothing else happens', async () => {
  let flushes = 0;
  const simulation = await createSimulation(
    scenarioOf(`
name: idle
duration: 60s
proxies: [{stats_flush_interval: 1ms}]
clusters: [{name: c}]
endpoints: {c: ["10.0.0.1:80"]}
requests: [{at: 0s, cluster: c}]
`),
    { stats: { onFlush: () => flushes++ } },
  );
  simulation.advance(20_000);
  expect(flushes).toBeGreaterThan(0);
  expect(flushes).toBeLessThan(1_000);
});

it('are flushed a last time where a run is given up', async () => {
  const times: number[] = [];
  const simulation = await createSimulation(scenarioNamed('statsd-over-udp'), {
    stats: { onFlush: ({ snapshot }) => times.push(snapshot.timeUs) },
  });
  simulation.advance(1_000_000, 5_000_000);
  simulation.abandon();
  expect(times).toEqual([2_000_000, 4_000_000, simulation.nowUs]);
  expect(simulation.result().partial).toBe(true);
});
