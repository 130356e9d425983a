import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';

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

  it.each(['DEFAULT', 'HIGH'])('count what its new limits refuse of priority %s', async (priority) => {
    const limited = { ...cluster, circuit_breakers: { thresholds: [{ priority, max_requests: 0 }] } };
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, priority }];
    const { totals } = await run(scenario([{ at: '5s', update_cluster: limited }], { workloads }));
    expect(totals).toMatchObject({ success: 50, failed: 50 });
  });

  it('go when it is removed', async () => {
    const result = await run(scenario([{ at: '5s', remove_cluster: 'c' }]));
    expect(namesOf(result).filter((name) => name.startsWith('cluster.'))).toEqual([]);
    expect(result.stats.gauges['cluster_manager.active_clusters']).toBe(0);
    expect(result.clusters['c']?.requests).toBe(50);
    expect(result.clusters['c']?.hosts.map(({ removed_at_s }) => removed_at_s)).toEqual([5]);
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

describe('statistics of answers', () => {
  const update = (at: string, policy = 'RANDOM'): unknown => ({
    at,
    update_cluster: { ...cluster, lb_policy: policy },
  });
  const requests = (...list: readonly [at: string, serviceTime: string][]): unknown =>
    list.map(([at, service_time]) => ({ at, cluster: 'c', service_time }));
  const counted = ({ stats }: RunResult): (number | undefined)[] =>
    [
      'upstream_rq_total',
      'upstream_rq_completed',
      'upstream_rq_200',
      'upstream_rq_2xx',
      'external.upstream_rq_completed',
    ].map((name) => stats.counters[`cluster.c.${name}`]);

  it('start anew with an update', async () => {
    const result = await run(scenario([update('5s')]));
    expect(counted(result)).toEqual([100, 100, 50, 50, 50]);
    expect(result.stats.histograms['cluster.c.upstream_rq_time']?.count).toBe(50);
    expect(result.stats.histograms['cluster.c.external.upstream_rq_time']?.count).toBe(50);
  });

  it('go on where the new version counts too while a request of the old one is open', async () => {
    // As on a proxy 1.40.0: three answers, one open across the update, two more meanwhile.
    const all = requests(['0.5s', '0s'], ['0.6s', '0s'], ['0.7s', '0s'], ['1s', '5s'], ['3s', '0s'], ['3.1s', '0s']);
    const result = await run(scenario([update('2s')], { workloads: [], requests: all }));
    expect(counted(result)).toEqual([6, 6, 6, 6, 6]);
    expect(result.stats.histograms['cluster.c.upstream_rq_time']?.count).toBe(6);
  });

  it('are gone with the last request of the old version where the new one has counted nothing', async () => {
    const all = requests(['0.5s', '0s'], ['1s', '3s']);
    const story = { workloads: [], requests: all };
    const before = await run(scenario([update('2s')], { ...story, duration: '3s' }));
    expect(counted(before)).toEqual([2, 1, 1, 1, 1]);
    const after = await run(scenario([update('2s')], story));
    expect(counted(after)).toEqual([2, 2, undefined, undefined, undefined]);
    expect(after.stats.histograms).not.toHaveProperty(['cluster.c.upstream_rq_time']);
  });

  it('are those that a retry follows, too', async () => {
    const result = await run(
      scenario([update('5s')], {
        behavior: [{ hosts: {}, error_rate: '100%', error_status: 503 }],
        workloads: [
          {
            cluster: 'c',
            arrivals: { constant: '10/s' },
            retry_policy: { retry_on: '5xx', num_retries: 1 },
            stop: '4s',
          },
        ],
      }),
    );
    expect(result.stats.counters['cluster.c.upstream_rq_retry']).toBe(40);
    expect(result.stats.counters).not.toHaveProperty(['cluster.c.retry.upstream_rq_503']);
  });

  it('reach sinks as what was counted since the update, however soon that is more than before', async () => {
    const { scenario: loaded } = loadScenarioValue(
      scenario([update('5.1s')], { proxy: { stats_flush_interval: '5s' } }),
      'test',
    );
    if (loaded === undefined) throw new Error('does not load');
    const deltas: (number | undefined)[] = [];
    const times: (number | undefined)[] = [];
    const simulation = await createSimulation(loaded, {
      stats: {
        onFlush: ({ snapshot }) => {
          const named = (name: string) => (sample: { readonly stat: { readonly name: string } }) =>
            sample.stat.name === `cluster.c.${name}`;
          deltas.push(snapshot.counters.find(named('upstream_rq_200'))?.delta);
          times.push(snapshot.histograms.find(named('upstream_rq_time'))?.cumulative.count);
        },
      },
    });
    while (!simulation.advance(1000));
    simulation.result();
    // 50 until 5 s, one more until 5.1 s that is lost, 49 after the update.
    expect(deltas).toEqual([50, 49]);
    expect(times).toEqual([50, 49]);
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
