import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../../src/result/request-record.js';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { createSimulation, runScenario } from '../../src/analysis/run/run-scenario.js';

async function run(value: unknown): Promise<{ result: RunResult; requests: RequestRecord[] }> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  const requests: RequestRecord[] = [];
  const result = await runScenario(scenario, { onRequest: (record) => void requests.push(record) });
  return { result, requests };
}

const A = '10.0.0.1:80';
const B = '10.0.0.2:80';

function scenario(cluster: Record<string, unknown>, more: Record<string, unknown>): unknown {
  return { clusters: [{ name: 'c', ...cluster }], endpoints: { c: [A] }, ...more };
}

/** Outcome, status, attempts, host and latency in ms of each request, in the order in which they ended. */
async function fates(value: unknown): Promise<readonly unknown[]> {
  const { requests } = await run(value);
  return requests.map(({ outcome, status, attempts, host, latencyUs }) => {
    return [outcome, status, attempts, host, latencyUs / 1000];
  });
}

const request = { at: '1s', cluster: 'c' };

it('requests that a host has from the start count as active, all the time', async () => {
  const behavior = [{ hosts: {}, initial_active_requests: 3 }];
  const { result } = await run(scenario({}, { requests: [request], behavior }));
  expect(result.stats.gauges['cluster.c.upstream_rq_active']).toBe(3);
});

describe('how a request ends', () => {
  it('answered by a host, whatever the status', async () => {
    const behavior = [{ hosts: {}, service_time: '5ms', error_rate: '100%', error_status: 500 }];
    expect(await fates(scenario({}, { requests: [request], behavior }))).toEqual([['answered', 500, 1, A, 5]]);
  });

  it('at once, where its own service takes no time, whatever others take', async () => {
    const behavior = [{ hosts: {}, service_time: '5ms' }];
    const requests = [{ ...request, service_time: '0ms' }];
    expect(await fates(scenario({}, { requests, behavior }))).toEqual([['answered', 200, 1, A, 0]]);
  });

  it('where the metadata of its route and of its weighted cluster lead, together', async () => {
    const subset = { fallback_policy: 'NO_FALLBACK', subset_selectors: [{ keys: ['stage', 'version'] }] };
    const endpoints = [
      { address: A, metadata: { stage: 'prod', version: '1' } },
      { address: B, metadata: { stage: 'prod', version: '2' } },
    ];
    const workloads = [
      {
        metadata_match: { stage: 'prod', version: '1' },
        route: [{ cluster: 'c', metadata_match: { version: '2' } }],
        arrivals: { constant: '1/s' },
        stop: '2s',
      },
    ];
    const value = scenario({ lb_subset_config: subset }, { endpoints: { c: endpoints }, workloads });
    expect((await run(value)).requests.map(({ host }) => host)).toEqual([B, B]);
  });

  it('by the proxy, where it finds no host', async () => {
    expect(
      await fates(
        scenario(
          { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } },
          { endpoints: {}, requests: [request] },
        ),
      ),
    ).toEqual([['no_host', 503, 1, null, 0]]);
  });

  it('by a circuit breaker', async () => {
    const breakers = { circuit_breakers: { thresholds: [{ max_requests: 1 }] } };
    const behavior = [{ hosts: {}, service_time: '5ms' }];
    expect(await fates(scenario(breakers, { requests: [request, request], behavior }))).toEqual([
      ['overflow', 503, 1, null, 0],
      ['answered', 200, 1, A, 5],
    ]);
  });

  it.each([
    ['max_requests', { max_requests: 1 }, 1],
    ['max_pending_requests', { max_connections: 1, max_pending_requests: 1 }, 0],
  ])('by a circuit breaker, which is an error of the host under max_requests: %s', async (_, threshold, errors) => {
    const behavior = [{ hosts: {}, service_time: '5ms', connect_time: '1ms' }];
    const breakers = { circuit_breakers: { thresholds: [threshold] } };
    const { scenario: loaded } = loadScenarioValue(scenario(breakers, { requests: [request, request], behavior }), 't');
    if (loaded === undefined) throw new Error('refused');
    const simulation = await createSimulation(loaded);
    while (!simulation.advance(Infinity));
    const host = simulation.clusterOfFirstProxy('c').upstream.priorities.hostSets[0]?.hosts[0];
    expect(simulation.result().totals.overflow).toBe(1);
    expect(host?.stats).toMatchObject({ rqTotal: 1, rqError: errors });
  });

  it('since no connection could be made', async () => {
    const behavior = [{ hosts: {}, connect_time: '3ms', down: 'refuse' }];
    expect(await fates(scenario({}, { requests: [request], behavior }))).toEqual([
      ['connect_failure', 503, 1, null, 3],
    ]);
  });

  it('since the connection broke', async () => {
    const behavior = [{ hosts: {}, service_time: '1s' }];
    const timeline = [{ at: '1.5s', fail: {} }];
    expect(await fates(scenario({}, { requests: [request], behavior, timeline }))).toEqual([
      ['reset', 503, 1, null, 500],
    ]);
  });

  it('since time was over, in an attempt or between two', async () => {
    const hangs = [{ hosts: {}, down: 'hang' }];
    expect(await fates(scenario({}, { requests: [{ ...request, timeout: '2s' }], behavior: hangs }))).toEqual([
      ['timeout', 504, 1, null, 2000],
    ]);
    const errors = [{ hosts: {}, error_rate: '100%' }];
    const retry_back_off = { base_interval: '100s', max_interval: '1000s' };
    const retry_policy = { retry_on: '5xx', num_retries: 1, retry_back_off };
    const patient = { ...request, timeout: '10ms', retry_policy };
    expect(await fates(scenario({}, { requests: [patient], behavior: errors }))).toEqual([
      ['timeout', 504, 1, null, 10],
    ]);
  });

  it('since the proxy does not know the cluster: no attempt was made', async () => {
    const timeline = [{ at: '0.5s', remove_cluster: 'c' }];
    expect(await fates(scenario({}, { requests: [request], timeline }))).toEqual([['no_cluster', 503, 0, null, 0]]);
  });

  it('by the proxy, where a retry finds no host', async () => {
    const retry_policy = { retry_on: '5xx', num_retries: 1, retry_back_off: { base_interval: '100ms' } };
    const value = scenario(
      { type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } },
      {
        requests: [{ ...request, retry_policy, service_time: '10ms' }],
        behavior: [{ hosts: {}, error_rate: '100%' }],
        timeline: [{ at: '1.005s', remove_hosts: {} }],
      },
    );
    const [fate] = (await run(value)).requests;
    expect(fate).toMatchObject({ outcome: 'no_host', attempts: 2, host: null });
  });

  it('by its last attempt, where there are several', async () => {
    const behavior = [{ hosts: { address: A }, error_rate: '100%' }];
    const retry_policy = { retry_on: '5xx', num_retries: 1 };
    const requests = [0, 1].map(() => ({ ...request, retry_policy }));
    const { requests: records } = await run(scenario({}, { endpoints: { c: [A, B] }, requests, behavior }));
    // Whoever meets A first is answered by B, and the other way round.
    expect(records.map(({ host, attempts, status }) => [host, attempts, status]).sort()).toEqual([
      [B, 1, 200],
      [B, 2, 200],
    ]);
  });

  it('and who it was', async () => {
    const workloads = [
      { name: 'users', cluster: 'c', arrivals: { constant: '10/s' }, stop: '100ms', hash_key: { cycle: ['k'] } },
    ];
    const { requests } = await run(scenario({ lb_policy: 'RING_HASH' }, { workloads, proxies: [{ name: 'edge' }] }));
    const [{ hash, ...known } = { hash: null }, ...others] = requests;
    expect(others).toEqual([]);
    expect(hash).toMatch(/^\d+$/);
    expect(known).toEqual({
      request: 0,
      tUs: 0,
      latencyUs: 0,
      proxy: 'edge',
      worker: 0,
      workload: 'users',
      cluster: 'c',
      outcome: 'answered',
      status: 200,
      attempts: 1,
      host: A,
    });
  });
});

it('an answer counts where the request was sent, though its host is in another priority by then', async () => {
  const moved = { endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } };
  const assign = { cluster_name: 'c', endpoints: [{ priority: 1, lb_endpoints: [moved] }] };
  const { result } = await run(
    scenario({}, { requests: [{ ...request, service_time: '2s' }], timeline: [{ at: '2s', assign }] }),
  );
  const rows = (result.clusters['c']?.hosts ?? []).map(({ priority, requests, answered }) => [
    priority,
    requests,
    answered,
  ]);
  expect(rows).toEqual([
    [0, 1, 1],
    [1, 0, 0],
  ]);
});

describe('what became of the requests of a cluster', () => {
  it('counts what failed by cluster and by the phase that decided it', async () => {
    const { result } = await run({
      clusters: [{ name: 'c' }, { name: 'd' }],
      endpoints: { c: [A], d: [B] },
      behavior: [{ hosts: A, service_time: '10ms' }],
      timeline: [
        { at: '2s', fail: A },
        { at: '3s', set_health: { hosts: A, status: 'UNHEALTHY' } },
      ],
      requests: [
        { at: '1s', cluster: 'c' },
        { at: '2s', cluster: 'c' },
        { at: '2.5s', cluster: 'c' },
        { at: '4s', cluster: 'c' },
        { at: '1s', cluster: 'd' },
      ],
    });
    const { c, d } = result.clusters;
    expect([c?.success, c?.failed, d?.success, d?.failed]).toEqual([1, 3, 1, 0]);
    expect(c?.phases.map(({ failed }) => failed)).toEqual([0, 2, 1]);
  });

  it('has no latency of a request that no host answered, nor do expectations', async () => {
    const { result } = await run(
      scenario(
        {},
        {
          behavior: [{ hosts: A, down: 'hang' }],
          requests: [{ at: '1s', cluster: 'c', timeout: '2s' }],
          expect: [{ latency: { cluster: 'c', percentile: 99 }, at_most: '1s' }],
        },
      ),
    );
    expect(result.expect).toMatchObject([{ passed: false, actual: null, answered_share: 0 }]);
    expect(result.clusters['c']?.latency_ms.max).toBeNull();
  });
});
