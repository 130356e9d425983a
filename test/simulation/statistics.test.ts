import { describe, expect, it } from 'vitest';
import type { StatsResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/analysis/run/run-scenario.js';

async function statsOf(value: Record<string, unknown>): Promise<StatsResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return (await runScenario(scenario)).stats;
}

/** Counters and gauges of cluster `c` that moved. */
function moved({ counters, gauges }: StatsResult): Record<string, number> {
  const names = Object.entries({ ...counters, ...gauges }).filter(
    ([name, value]) => value !== 0 && /^cluster\.c\.(?!membership|lb_|max_host|default\.)/.test(name),
  );
  return Object.fromEntries(names.map(([name, value]) => [name.slice('cluster.c.'.length), value]));
}

/** One request to one host in zone z2, from a proxy in z1. */
function oneRequest(
  host: Record<string, unknown>,
  request: Record<string, unknown>,
  cluster = {},
): Promise<StatsResult> {
  return statsOf({
    proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
    clusters: [{ name: 'c', ...cluster }],
    endpoints: { c: [{ address: '10.0.0.1:80', zone: 'z2' }] },
    behavior: [{ hosts: {}, ...host }],
    requests: [{ at: '0s', cluster: 'c', timeout: '500ms', ...request }],
    duration: '2s',
  });
}

/** `upstream_rq_<status>`, its family and the sum, under each of the prefixes. */
function answers(status: number, count: number, prefixes: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    prefixes.flatMap((prefix) =>
      [String(status), `${Math.floor(status / 100)}xx`, 'completed'].map((name) => [
        `${prefix}upstream_rq_${name}`,
        count,
      ]),
    ),
  );
}

const EVERYWHERE = ['', 'external.', 'zone.z1.z2.'];
const ONE_CONNECTION = { upstream_cx_total: 1, upstream_cx_http1_total: 1, upstream_rq_pending_total: 1 };
const retryOnce = { retry_policy: { retry_on: '5xx', num_retries: 1 } };

/** What a proxy 1.40.0 was seen to count of one request. */
describe('statistics of one request', () => {
  it('answered by a canary in another zone', async () => {
    const stats = await statsOf({
      proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
      clusters: [{ name: 'c' }],
      endpoints: { c: [{ address: '10.0.0.1:80', zone: 'z2', metadata: { canary: true } }] },
      requests: [{ at: '0s', cluster: 'c' }],
    });
    expect(moved(stats)).toEqual({
      ...ONE_CONNECTION,
      ...answers(200, 1, [...EVERYWHERE, 'canary.']),
      upstream_cx_active: 1,
      upstream_rq_total: 1,
    });
    expect(Object.keys(stats.histograms).sort()).toEqual(
      ['canary.upstream_rq_time', 'external.upstream_rq_time', 'upstream_cx_connect_ms', 'upstream_rq_time']
        .concat('zone.z1.z2.upstream_rq_time')
        .map((name) => `cluster.c.${name}`),
    );
  });

  it('is the aggregate’s that passed it on, by the zone of the host there', async () => {
    const typed_config = {
      '@type': 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig',
      clusters: ['member'],
    };
    const stats = await statsOf({
      proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
      clusters: [
        { name: 'member' },
        { name: 'c', lb_policy: 'CLUSTER_PROVIDED', cluster_type: { name: 'envoy.clusters.aggregate', typed_config } },
      ],
      endpoints: { member: [{ address: '10.0.0.1:80', zone: 'z2', metadata: { canary: true } }] },
      requests: [{ at: '0s', cluster: 'c' }],
    });
    expect(moved(stats)).toEqual(answers(200, 1, [...EVERYWHERE, 'canary.']));
    expect(Object.keys(stats.histograms).filter((name) => name.startsWith('cluster.c.'))).toHaveLength(4);
    expect(stats.histograms).toHaveProperty(['cluster.c.zone.z1.z2.upstream_rq_time', 'count'], 1);
    expect(Object.keys(stats.counters).filter((name) => /member\.(upstream_rq_200|zone)/.test(name))).toEqual([]);
  });

  it('is counted in the zone of its host, in a cluster that was removed and added again meanwhile', async () => {
    const inZones = (...zones: readonly string[]): object => ({
      name: 'c',
      load_assignment: {
        cluster_name: 'c',
        endpoints: zones.map((zone) => ({
          locality: { zone },
          lb_endpoints: [
            {
              endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } },
              health_status: zone === 'z2' ? 'UNHEALTHY' : 'HEALTHY',
            },
          ],
        })),
      },
    });
    const stats = await statsOf({
      proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
      clusters: [inZones('z2', 'z3')],
      requests: [
        { at: '0s', cluster: 'c', service_time: '5s' },
        { at: '3s', cluster: 'c', service_time: '1s' },
      ],
      timeline: [
        { at: '1s', remove_cluster: 'c' },
        { at: '2s', update_cluster: inZones('z3') },
      ],
      duration: '10s',
    });
    expect(moved(stats)).toMatchObject(answers(200, 2, ['', 'zone.z1.z3.']));
  });

  it('whose metadata says canary in a word is none, and a node without a zone has no statistics by zone', async () => {
    const stats = await statsOf({
      clusters: [{ name: 'c' }],
      endpoints: { c: [{ address: '10.0.0.1:80', zone: 'z2', metadata: { canary: 'true' } }] },
      requests: [{ at: '0s', cluster: 'c' }],
    });
    expect(Object.keys(moved(stats)).filter((name) => /canary|zone/.test(name))).toEqual([]);
  });

  it('that finds no host is an answer of the proxy, from no zone', async () => {
    const stats = await statsOf({
      proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
      clusters: [{ name: 'c' }],
      endpoints: { c: [] },
      requests: [{ at: '0s', cluster: 'c' }],
    });
    expect(moved(stats)).toEqual({ ...answers(503, 1, ['', 'external.']), upstream_cx_none_healthy: 1 });
  });

  it('that times out at its host', async () => {
    const stats = await oneRequest({ down: 'hang' }, {});
    expect(moved(stats)).toMatchObject({
      ...ONE_CONNECTION,
      ...answers(504, 1, EVERYWHERE),
      upstream_rq_timeout: 1,
      upstream_cx_destroy_local: 1,
      upstream_rq_total: 1,
    });
    expect(moved(stats)['upstream_rq_tx_reset']).toBeUndefined();
    expect(stats.histograms['cluster.c.upstream_cx_length_ms']).toMatchObject({ count: 1, min: 500, max: 500 });
    expect(stats.histograms['cluster.c.upstream_rq_per_cx']).toMatchObject({ count: 1, min: 1, max: 1 });
    expect(stats.histograms['cluster.c.upstream_rq_time']).toBeUndefined();
  });

  it('that comes late: times are counted from then on', async () => {
    const stats = await statsOf({
      clusters: [{ name: 'c' }],
      endpoints: { c: ['10.0.0.1:80'] },
      behavior: [{ hosts: {}, down: 'hang' }],
      requests: [{ at: '3s', cluster: 'c', timeout: '500ms' }],
    });
    expect(stats.histograms['cluster.c.upstream_cx_length_ms']).toMatchObject({ count: 1, min: 500, max: 500 });
  });

  it('that times out on an HTTP/2 connection, which stays', async () => {
    const stats = await oneRequest({ down: 'hang' }, {}, { http2_protocol_options: {} });
    expect(moved(stats)).toEqual({
      ...answers(504, 1, EVERYWHERE),
      upstream_cx_total: 1,
      upstream_cx_active: 1,
      upstream_cx_http2_total: 1,
      upstream_rq_pending_total: 1,
      upstream_rq_total: 1,
      upstream_rq_timeout: 1,
      upstream_rq_tx_reset: 1,
    });
  });

  it('that times out while it waits for a connection: no host is to blame', async () => {
    const stats = await oneRequest({ connect_time: '10s' }, {}, { outlier_detection: { consecutive_5xx: 1 } });
    expect(moved(stats)).toEqual({
      ...ONE_CONNECTION,
      ...answers(504, 1, ['', 'external.']),
      upstream_cx_active: 1,
      upstream_rq_timeout: 1,
      upstream_rq_cancelled: 1,
    });
  });

  it('whose tries wait for a connection: their time has not begun', async () => {
    const tries = { timeout: '2s', retry_policy: { retry_on: '5xx', num_retries: 1, per_try_timeout: '300ms' } };
    const waiting = moved(await oneRequest({ connect_time: '400ms' }, tries));
    expect(waiting).toMatchObject(answers(200, 1, EVERYWHERE));
    expect(waiting['upstream_rq_per_try_timeout']).toBeUndefined();
    const hanging = moved(await oneRequest({ connect_time: '400ms', down: 'hang' }, tries));
    expect(hanging).toMatchObject({ upstream_rq_per_try_timeout: 2, upstream_rq_retry: 1, upstream_rq_504: 1 });
  });

  it('that times out between two tries is told so, and counted nowhere', async () => {
    const patient = { base_interval: '1000s', max_interval: '1000s' };
    const stats = await oneRequest(
      { error_rate: '100%', error_status: 503 },
      { retry_policy: { retry_on: '5xx', num_retries: 3, retry_back_off: patient } },
    );
    expect(moved(stats)).toEqual({
      ...ONE_CONNECTION,
      ...answers(503, 1, ['retry.']),
      upstream_cx_active: 1,
      upstream_rq_total: 1,
    });
  });

  it('that cannot be sent anywhere, twice', async () => {
    const stats = await oneRequest({ down: 'refuse' }, retryOnce, {
      outlier_detection: { enforcing_consecutive_5xx: 0 },
    });
    expect(moved(stats)).toEqual({
      ...answers(503, 1, EVERYWHERE),
      upstream_cx_total: 2,
      upstream_cx_http1_total: 2,
      upstream_cx_connect_fail: 2,
      upstream_cx_destroy: 2,
      upstream_cx_destroy_remote: 2,
      upstream_rq_pending_total: 2,
      upstream_rq_pending_failure_eject: 2,
      upstream_rq_retry: 1,
      upstream_rq_retry_backoff_exponential: 1,
      upstream_rq_retry_limit_exceeded: 1,
    });
    expect(stats.histograms['cluster.c.upstream_cx_connect_ms']).toBeUndefined();
    expect(stats.histograms['cluster.c.upstream_rq_per_cx']).toBeUndefined();
    expect(stats.histograms['cluster.c.upstream_cx_length_ms']?.count).toBe(2);
  });

  it('whose connection breaks: HTTP/1 counts nothing more, HTTP/2 an ejection', async () => {
    const broken = (cluster: Record<string, unknown>): Promise<StatsResult> =>
      statsOf({
        proxies: [{ version: '1.40', node: { locality: { zone: 'z1' } } }],
        clusters: [{ name: 'c', ...cluster }],
        endpoints: { c: [{ address: '10.0.0.1:80', zone: 'z2' }] },
        behavior: [{ hosts: {}, service_time: '1s' }],
        requests: [{ at: '0s', cluster: 'c' }],
        timeline: [{ at: '500ms', fail: '10.0.0.1:80' }],
      });
    const first = moved(await broken({}));
    expect(first).toMatchObject({ ...answers(503, 1, EVERYWHERE), upstream_cx_destroy_remote: 1 });
    expect(first['upstream_rq_pending_failure_eject']).toBeUndefined();
    expect(moved(await broken({ http2_protocol_options: {} }))).toMatchObject({ upstream_rq_pending_failure_eject: 1 });
  });

  it('turned away before it has a connection is from no zone, after that from its host’s', async () => {
    const pending = await oneRequest({}, {}, { circuit_breakers: { thresholds: [{ max_pending_requests: 0 }] } });
    expect(moved(pending)).toMatchObject({ ...answers(503, 1, ['', 'external.']), upstream_rq_pending_overflow: 1 });
    expect(moved(pending)['zone.z1.z2.upstream_rq_503']).toBeUndefined();
    const active = await oneRequest({}, {}, { circuit_breakers: { thresholds: [{ max_requests: 0 }] } });
    expect(moved(active)).toMatchObject({ ...answers(503, 1, EVERYWHERE), upstream_rq_active_overflow: 1 });
  });
});

it('puts the histograms of all proxies together', async () => {
  const stats = await statsOf({
    proxies: [{ count: 2 }],
    clusters: [{ name: 'c' }],
    endpoints: { c: ['10.0.0.1:80'] },
    behavior: [{ hosts: {}, service_time: '5ms' }],
    workloads: [{ cluster: 'c', arrivals: '100/s', stop: '2s' }],
  });
  expect(stats.histograms['cluster.c.upstream_rq_time']?.count).toBe(stats.counters['cluster.c.upstream_rq_total']);
});

/** A proxy 1.40.0 starts its clusters in the order of their names; watched with two threads, which count alike. */
describe('zones are worked out', () => {
  const subsets = { fallback_policy: 'ANY_ENDPOINT', subset_selectors: [{ keys: ['stage'] }] };
  const hosts = ['a', 'b'].flatMap((zone, index) =>
    ['prod', 'dev', 'prod'].map((stage, host) => ({
      address: `10.0.${index}.${host}:80`,
      zone,
      metadata: { stage },
    })),
  );
  const calculations = async (version: string, timeline: readonly unknown[] = []): Promise<Record<string, number>> => {
    const names = ['z', 'local', 'a', 'empty', 'z-empty', 'a-backup', 'a-subsets', 'z-subsets'];
    const { counters } = await statsOf({
      proxies: [{ version, node: { locality: { zone: 'a' } }, local_cluster_name: 'local' }],
      clusters: names.map((name) => ({ name, ...(name.endsWith('subsets') && { lb_subset_config: subsets }) })),
      endpoints: Object.fromEntries(
        names.map((name) => {
          if (name.endsWith('empty')) return [name, []];
          return [name, name === 'a-backup' ? hosts.map((host) => ({ ...host, priority: 1 })) : hosts];
        }),
      ),
      requests: [{ at: '2s', cluster: 'a' }],
      timeline,
    });
    return Object.fromEntries(
      names.map((name) => [name, counters[`cluster.${name}.lb_recalculate_zone_structures`] ?? 0]),
    );
  };

  it('once where a cluster starts after the local one, and for its hosts too where it starts before', async () => {
    expect(await calculations('1.40')).toEqual({
      // A first priority without hosts is not announced.
      ...{ a: 4, z: 2, local: 0, empty: 2, 'z-empty': 0, 'a-backup': 2 },
      ...{ 'a-subsets': 14, 'z-subsets': 8 },
    });
    expect(await calculations('1.17')).toMatchObject({ a: 4, z: 4 });
  });

  it('once for a new subset', async () => {
    const joined = ['n0', 'n1'].map((stage, index) => ({ address: `10.0.2.${index}:80`, metadata: { stage } }));
    const timeline = ['a-subsets', 'z-subsets'].map((cluster) => ({
      at: '1s',
      add_hosts: { cluster, locality: { zone: 'a' }, endpoints: joined },
    }));
    expect(await calculations('1.40', timeline)).toMatchObject({ 'a-subsets': 24, 'z-subsets': 18 });
  });

  it('again where an update has another overprovisioning factor, though nobody is in the first priority', async () => {
    const assignment = (policy: object): object => ({
      cluster_name: 'z',
      policy,
      endpoints: [{ priority: 1, lb_endpoints: [endpointAt('10.0.0.1')] }],
    });
    const { counters } = await statsOf({
      proxies: [{ version: '1.40', node: { locality: { zone: 'a' } }, local_cluster_name: 'local' }],
      clusters: [{ name: 'z', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }, { name: 'local' }],
      assignments: { z: assignment({}) },
      endpoints: { local: hosts },
      requests: [{ at: '2s', cluster: 'z' }],
      timeline: [{ at: '1s', assign: assignment({ weighted_priority_health: true }) }],
    });
    expect(counters['cluster.z.lb_recalculate_zone_structures']).toBe(2);
  });
});

it('a ring is first built when all priorities are known: as here none panics, it is empty', async () => {
  const { gauges } = await statsOf({
    proxies: [{ version: '1.40' }],
    clusters: [{ name: 'web', lb_policy: 'RING_HASH' }],
    endpoints: {
      web: [
        { address: '10.0.0.1:80', count: 2, health: 'UNHEALTHY' },
        { address: '10.0.1.1:80', priority: 1, health: 'DEGRADED' },
      ],
    },
    requests: [{ at: '1s', cluster: 'web' }],
  });
  expect(gauges['cluster.web.ring_hash_lb.size'] ?? 0).toBe(0);
});

it('tables are built once for all priorities of an update: none in between, where priority 1 would panic', async () => {
  const hostsAt = (priority: number, ...statuses: readonly string[]): object => ({
    priority,
    lb_endpoints: statuses.map((status, index) => ({
      ...endpointAt(`10.0.${priority}.${index}`),
      health_status: status,
    })),
  });
  const { gauges } = await statsOf({
    proxies: [{ version: '1.40' }],
    clusters: [{ name: 'web', lb_policy: 'MAGLEV', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } }],
    assignments: {
      web: { cluster_name: 'web', endpoints: [hostsAt(0, 'HEALTHY'), hostsAt(1, 'HEALTHY', 'UNHEALTHY', 'UNHEALTHY')] },
    },
    requests: [{ at: '2s', cluster: 'web' }],
    timeline: [
      { at: '1s', assign: { cluster_name: 'web', endpoints: [hostsAt(1, 'DEGRADED', 'DEGRADED', 'DEGRADED')] } },
    ],
  });
  expect(gauges['cluster.web.maglev_lb.max_entries_per_host']).toBe(1);
});

function endpointAt(address: string): object {
  return { endpoint: { address: { socket_address: { address, port_value: 80 } } } };
}
