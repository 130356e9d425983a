import { describe, expect, it } from 'vitest';
import { clusterStats, phasesOf, requestsByHost, run } from '../support/run.js';

const [A, B, C] = ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'];

const host = (address: string, unchecked = false): unknown => {
  const [ip, port] = address.split(':');
  const checks = unchecked ? { health_check_config: { disable_active_health_check: true } } : {};
  return { endpoint: { address: { socket_address: { address: ip, port_value: Number(port) } }, ...checks } };
};

const assignment = (...hosts: readonly unknown[]): unknown => ({
  cluster_name: 'c',
  endpoints: [{ lb_endpoints: hosts }],
});

/** An EDS cluster whose first host is the only one that passes its health checks. */
const scenario = (first: unknown, timeline: readonly unknown[] = []): unknown => ({
  api: 'v3',
  clusters: [
    {
      name: 'c',
      type: 'EDS',
      eds_cluster_config: { eds_config: { ads: {}, resource_api_version: 'V3' } },
      common_lb_config: { healthy_panic_threshold: { value: 0 } },
      health_checks: [
        {
          timeout: '0.5s',
          interval: '1s',
          unhealthy_threshold: 1,
          healthy_threshold: 1,
          tcp_health_check: {},
        },
      ],
    },
  ],
  assignments: { c: first },
  behavior: [
    { hosts: B, health_check: 'refuse' },
    { hosts: C, health_check: 'refuse' },
  ],
  workloads: [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '4s' }],
  timeline,
});

describe('a host with disable_active_health_check', () => {
  it('is healthy and asked nothing, while the others are checked', async () => {
    const result = await run(scenario(assignment(host(A), host(B, true), host(C))));
    expect(requestsByHost(result)).toMatchObject({ [A]: 20, [B]: 20, [C]: 0 });
    // As the proxy counts it: of those that are checked.
    expect(clusterStats(result)).toMatchObject({ 'health_check.healthy': 1, membership_healthy: 2 });
  });

  it('leaves as soon as discovery no longer names it, where one that passes its checks stays', async () => {
    const without = [{ at: '2s', assign: assignment(host(C)) }];
    const unchecked = await run(scenario(assignment(host(B, true), host(C)), without));
    expect(clusterStats(unchecked)).toMatchObject({ membership_total: 1 });
    const checked = await run(scenario(assignment(host(A), host(C)), without));
    expect(clusterStats(checked)).toMatchObject({ membership_total: 2 });
  });

  it('begins anew where it is checked from now on, or no more', async () => {
    const timeline = [{ at: '2s', assign: assignment(host(A), host(B), host(C, true)) }];
    const result = await run(scenario(assignment(host(A), host(B, true), host(C)), timeline));
    expect(requestsByHost(result)).toMatchObject({ [A]: 20, [B]: 10, [C]: 10 });
    expect(phasesOf(result).map(([from]) => from)).toContain(2);
  });

  it('is enough for a cluster to be ready', async () => {
    const result = await run(scenario(assignment(host(B, true))));
    expect(requestsByHost(result)).toMatchObject({ [B]: 40 });
  });
});

describe('per_host_thresholds', () => {
  it('limit the connections of each host, whatever the cluster has left', async () => {
    const value = {
      api: 'v3',
      clusters: [{ name: 'c', circuit_breakers: { per_host_thresholds: [{ max_connections: 2 }] } }],
      endpoints: { c: [A, B] },
      behavior: [{ hosts: {}, service_time: '1s' }],
      requests: Array.from({ length: 10 }, () => ({ at: '0s', cluster: 'c' })),
    };
    const stats = clusterStats(await run(value));
    // Two to each of two hosts: the other six requests wait for them.
    expect(stats).toMatchObject({ upstream_cx_total: 4 });
    expect(stats['upstream_cx_overflow']).toBeGreaterThan(0);
  });
});

describe('a listener of the proxy itself', () => {
  it('is a host like any other, by its name and the id of the endpoint', async () => {
    const internal = (id: string): unknown => ({
      endpoint: { address: { envoy_internal_address: { server_listener_name: 'inner', endpoint_id: id } } },
    });
    const clusters = [{ name: 'c', load_assignment: assignment(internal('1'), internal('2')) }];
    const workloads = [{ cluster: 'c', arrivals: { constant: '10/s' }, stop: '1s' }];
    const result = await run({ api: 'v3', clusters, workloads });
    expect(requestsByHost(result)).toEqual({ 'envoy://inner/1': 5, 'envoy://inner/2': 5 });
  });
});
