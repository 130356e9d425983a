import { describe, expect, it, onTestFinished } from 'vitest';
import { EventQueue } from '../../src/core/event-queue.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { ListBalancer } from '../../src/hostset/list-balancer.js';
import type { LoadBalancer } from '../../src/hostset/load-balancer.js';
import { ClusterRecorder } from '../../src/result/cluster-recorder.js';
import type { RunResult } from '../../src/result/run-result.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { OpenRequests } from '../../src/simulation/servers/open-requests.js';
import { RequestStats } from '../../src/stats/request-stats.js';
import { ConnectionPool } from '../../src/upstream/connection-pool.js';
import { runWithInvariants } from './invariants.js';

/** Two clusters in two proxies; hosts fail, are slow, come and go; requests are retried, time out and are turned away. */
async function run(version = '1.17'): Promise<RunResult> {
  const check = {
    timeout: '0.1s',
    interval: '0.5s',
    unhealthy_threshold: 1,
    healthy_threshold: 1,
    http_health_check: { path: '/' },
  };
  const traffic = {
    arrivals: { poisson: '80/s' },
    timeout: '200ms',
    retry_policy: { retry_on: '5xx', num_retries: 2, per_try_timeout: '90ms' },
  };
  const { scenario, problems } = loadScenarioValue(
    {
      duration: '6s',
      warmup: '300ms',
      proxies: [{ name: 'edge', count: 2, workers: 2, version }],
      clusters: [
        {
          name: 'checked',
          health_checks: [check],
          common_lb_config: { update_merge_window: '0.5s', healthy_panic_threshold: { value: 10 } },
          circuit_breakers: { thresholds: [{ max_connections: 3, max_pending_requests: 2, max_retries: 2 }] },
        },
        {
          name: 'watched',
          lb_policy: 'LEAST_REQUEST',
          http2_protocol_options: { max_concurrent_streams: 3 },
          outlier_detection: { consecutive_5xx: 3, interval: '1s', base_ejection_time: '1s', max_ejection_percent: 60 },
          common_lb_config: { update_merge_window: '0s', healthy_panic_threshold: { value: 0 } },
        },
      ],
      endpoints: {
        checked: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80', '10.0.0.4:80'],
        watched: ['10.1.0.1:80', '10.1.0.2:80', '10.1.0.3:80', '10.1.0.4:80'],
      },
      behavior: [
        { hosts: {}, service_time: { exponential: { mean: '30ms' } }, network_latency: '1ms', connect_time: '3ms' },
        { hosts: { cluster: 'checked' }, connect_time: { exponential: { mean: '100ms' } } },
        { hosts: { cluster: 'watched' }, error_rate: '5%' },
        { hosts: '10.1.0.2:80', error_rate: '60%' },
      ],
      workloads: [
        { cluster: 'checked', ...traffic },
        { cluster: 'watched', ...traffic, priority: 'HIGH' },
      ],
      timeline: [
        { at: '1.1s', fail: '10.0.0.1:80' },
        { at: '1.5s', set_behavior: { hosts: '10.0.0.2:80', down: 'hang' } },
        { at: '3s', remove_hosts: '10.0.0.3:80' },
        { at: '3s', remove_hosts: '10.1.0.3:80' },
        { at: '3.5s', recover: {} },
        { at: '4s', add_hosts: { cluster: 'watched', endpoints: ['10.1.0.9:80'] } },
        { at: '5s', remove_cluster: 'watched' },
      ],
    },
    'laws',
  );
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runWithInvariants(scenario);
}

describe('the laws of every run, after each of its events', () => {
  it.each(PROXY_VERSIONS)('hold at %s', async (version) => {
    const { totals, stats } = await run(version);
    // What the laws are about has happened.
    expect(totals.retries).toBeGreaterThan(20);
    expect(totals.overflow).toBeGreaterThan(10);
    const counted = (name: string): number => stats.counters[`cluster.${name}`] ?? 0;
    for (const name of ['upstream_rq_timeout', 'upstream_rq_per_try_timeout', 'upstream_cx_connect_fail']) {
      expect(counted(`checked.${name}`)).toBeGreaterThan(0);
    }
    expect(stats.counters['cluster_manager.update_out_of_merge_window']).toBeGreaterThan(0);
  });
});

/** Has `name` of every `T` done as `meddled` does, which may call it as it was. */
function meddleWith<T extends object>(
  prototype: T,
  name: keyof T & string,
  meddled: (self: T, asItWas: (...args: unknown[]) => void, args: unknown[]) => void,
): void {
  const original = prototype[name] as (...args: unknown[]) => unknown;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: T, ...args: unknown[]): void {
      meddled(this, (...given) => original.apply(this, given), args);
    },
  });
  onTestFinished(() => {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: original });
  });
}

/** Each law is broken by somebody. */
describe('a run is caught that', () => {
  it('forgets an answer', async () => {
    meddleWith(ClusterRecorder.prototype, 'answered', () => undefined);
    await expect(run()).rejects.toThrow(/attempts = answered \+ failed \+ with a host \+ waiting: 1 is not 0$/);
  });

  it('counts an attempt twice', async () => {
    meddleWith(ClusterRecorder.prototype, 'chosen', (_, chosen, args) => {
      chosen(...args);
      chosen(...args);
    });
    await expect(run()).rejects.toThrow('decisions = sent or waiting + no host + turned away: 1 is not 2');
  });

  it('takes a failure for another one', async () => {
    meddleWith(ClusterRecorder.prototype, 'ended', (_, ended, [phase, latencyUs, success, outcome]) => {
      ended(phase, latencyUs, success, outcome === 'timeout' ? 'reset' : outcome);
    });
    await expect(run()).rejects.toThrow(/all: (timeout|reset) of all parts: \d+ is not \d+$/);
  });

  it('never ends a request', async () => {
    meddleWith(OpenRequests.prototype, 'release', () => undefined);
    await expect(run()).rejects.toThrow(/sent = answered \+ failed \+ in flight: \d+ is not/);
  });

  it('lets a request wait that gave up', async () => {
    meddleWith(ConnectionPool.prototype, 'cancel', () => undefined);
    await expect(run()).rejects.toThrow(/requests that wait for connections: \d+ is not/);
  });

  it('gives back an active request twice', async () => {
    meddleWith(ConnectionPool.prototype, 'ended', (pool, ended, args) => {
      pool.host.activeRequests--;
      ended(...args);
    });
    await expect(run()).rejects.toThrow(/-1 active requests of 10\.\d\.0\.\d:80/);
  });

  it('counts for one cluster what another one does, though all together adds up', async () => {
    const all: RequestStats[] = [];
    meddleWith(RequestStats.prototype, 'countAnswer', (one, count, args) => {
      count(...args);
      if (!all.includes(one)) all.push(one);
      const other = all.find((another) => another !== one);
      if (other === undefined) return;
      one.upstreamRqActive++;
      other.upstreamRqActive--;
    });
    await expect(run()).rejects.toThrow(/active requests: -?\d+ is not|: -1 active requests/);
  });

  it('picks hosts that have left', async () => {
    meddleWith(ListBalancer.prototype, 'update', (_, update, args) => {
      const [, , removed] = args as Parameters<LoadBalancer['update']>;
      if (removed.length === 0) update(...args);
    });
    await expect(run()).rejects.toThrow(/10\.\d\.0\.3:80 is in no list/);
  });

  it('picks hosts that it knows to be ill, though no update waits', async () => {
    meddleWith(ListBalancer.prototype, 'update', (_, update, args) => {
      const [, added, removed] = args as Parameters<LoadBalancer['update']>;
      if (added.length + removed.length > 0) update(...args);
    });
    await expect(run()).rejects.toThrow(/10\.\d\.0\.\d:80 of (checked|watched) is known to be unhealthy/);
  });

  it('goes back in time', async () => {
    let once = true;
    meddleWith(EventQueue.prototype, 'push', (queue, push, [timeUs, ...rest]) => {
      const early = once && queue.timeUs > 2_000_000;
      if (early) once = false;
      push(early ? 1_000_000 : timeUs, ...rest);
    });
    await expect(run()).rejects.toThrow(/time runs backwards, from \d+ to \d+ us/);
  });
});
