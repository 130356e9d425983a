import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/simulation/simulation.js';

async function run(value: unknown): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario);
}

const cluster = {
  name: 'c',
  load_assignment: { cluster_name: 'c', endpoints: [{ lb_endpoints: [endpoint('10.0.0.1')] }] },
};
const weighted = { ...cluster, lb_policy: 'RANDOM' };

function endpoint(address: string): unknown {
  return { endpoint: { address: { socket_address: { address, port_value: 80 } } } };
}

function scenario(timeline: readonly unknown[], more: Record<string, unknown> = {}): unknown {
  return {
    duration: '10s',
    clusters: [cluster],
    workloads: [{ cluster: 'c', arrivals: { constant: '10/s' } }],
    timeline,
    ...more,
  };
}

function namesOf({ stats }: RunResult): readonly string[] {
  return [...Object.keys(stats.counters), ...Object.keys(stats.gauges), ...Object.keys(stats.histograms)];
}

describe('the statistics of a cluster', () => {
  it('go on when it is updated', async () => {
    const { counters } = (await run(scenario([{ at: '5s', update_cluster: weighted }]))).stats;
    expect(counters).toMatchObject({
      'cluster.c.upstream_rq_total': 100,
      'cluster.c.membership_change': 2,
      'cluster_manager.cluster_added': 1,
      'cluster_manager.cluster_modified': 1,
    });
  });

  it('go when it is removed', async () => {
    const result = await run(scenario([{ at: '5s', remove_cluster: 'c' }]));
    expect(namesOf(result).filter((name) => name.startsWith('cluster.'))).toEqual([]);
    expect(result.stats.gauges['cluster_manager.active_clusters']).toBe(0);
    expect(result.clusters['c']?.requests).toBe(50);
  });

  it('begin anew when it comes back, but for what is still in flight', async () => {
    const timeline = [
      { at: '5s', remove_cluster: 'c' },
      { at: '6s', update_cluster: cluster },
    ];
    const { stats } = await run(scenario(timeline));
    expect(stats.counters['cluster.c.upstream_rq_total']).toBe(40);
    expect(stats.histograms['cluster.c.upstream_rq_time']?.count).toBe(40);

    const busy = await run(scenario(timeline, { behavior: [{ hosts: {}, service_time: '2s' }] }));
    expect(busy.stats.gauges['cluster.c.upstream_rq_active']).toBe(19);
    expect(busy.stats.counters['cluster.c.upstream_rq_total']).toBe(40);
  });
});

describe('cluster discovery', () => {
  it('counts an update for each instant, a reload where a cluster came or changed', async () => {
    const timeline = [
      { at: '2s', update_cluster: weighted },
      { at: '3s', update_cluster: weighted },
      { at: '4s', update_cluster: { ...weighted, name: 'd' } },
      { at: '4s', update_cluster: { ...weighted, name: 'e' } },
      { at: '5s', remove_cluster: 'd' },
    ];
    const { counters } = (await run(scenario(timeline))).stats;
    expect(counters).toMatchObject({
      'cluster_manager.cds.update_attempt': 5,
      'cluster_manager.cds.update_success': 5,
      'cluster_manager.cds.config_reload': 3,
    });
  });

  it('is not there where clusters never change', async () => {
    expect(namesOf(await run(scenario([]))).filter((name) => name.includes('.cds.'))).toEqual([]);
  });
});
