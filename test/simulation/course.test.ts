import { describe, expect, it } from 'vitest';
import { FAILURE_CAUSES } from '../../src/core/failure-cause.js';
import type { ClusterResult, CourseResult } from '../../src/result/run-result.js';
import { run } from '../support/run.js';

const BASE = {
  clusters: [
    {
      name: 'c',
      connect_timeout: '1s',
      outlier_detection: { consecutive_5xx: 5 },
      load_assignment: {
        cluster_name: 'c',
        endpoints: [
          {
            lb_endpoints: [1, 2, 3].map((host) => ({
              endpoint: { address: { socket_address: { address: `10.0.0.${String(host)}`, port_value: 80 } } },
            })),
          },
        ],
      },
    },
  ],
  behavior: [{ hosts: {}, service_time: '5ms' }],
  workloads: [{ cluster: 'c', arrivals: { constant: '100/s' } }],
  duration: '60s',
};

function courseOf({ course }: ClusterResult): CourseResult {
  if (course === undefined) throw new Error('no course');
  return course;
}

async function clusterOf(timeline: unknown, everyUs?: number): Promise<ClusterResult> {
  const { clusters } = await run({ ...BASE, timeline }, { everyUs });
  if (clusters['c'] === undefined) throw new Error('no cluster');
  return clusters['c'];
}

describe('the course over time', () => {
  it('shows a host that is slow for a while, and that it recovered', async () => {
    const slow = [
      { at: '20s', set_behavior: { hosts: { address: '10.0.0.2' }, service_time: '80ms' } },
      { at: '30s', set_behavior: { hosts: { address: '10.0.0.2' }, service_time: '5ms' } },
    ];
    const { intervals, every_s: every } = courseOf(await clusterOf(slow));
    expect(every).toBe(1);
    const slowest = intervals.slice(0, 60).map(({ latency_ms: { p99 } }) => p99);
    expect(slowest).toEqual(
      slowest.map((_, second) => (second >= 20 && second < 30 ? 80 : second === 30 ? slowest[30] : 5)),
    );
  });

  it('adds up to what the cluster counted, whatever fails', async () => {
    const failing = [
      { at: '10s', set_behavior: { hosts: { address: '10.0.0.1' }, error_rate: 1 } },
      { at: '15s', set_behavior: { hosts: { address: '10.0.0.2' }, down: 'refuse' } },
      { at: '40s', set_behavior: { hosts: {}, down: 'none', error_rate: 0 } },
    ];
    for (const everyUs of [250_000, 7_000_000]) {
      const cluster = await clusterOf(failing, everyUs);
      const { intervals, hosts } = courseOf(cluster);
      const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
      expect(sum(intervals.map(({ requests }) => requests))).toBe(cluster.requests);
      expect(sum(intervals.map(({ failed }) => failed))).toBe(cluster.failed);
      for (const cause of FAILURE_CAUSES) {
        expect(sum(intervals.map(({ failures }) => failures[cause] ?? 0))).toBe(cluster.failures[cause]);
      }
      expect(sum(intervals.map(({ success }) => success))).toBe(cluster.success);
      expect(hosts?.map(({ address, requests, errors = [] }) => [address, sum(requests), sum(errors)])).toEqual(
        cluster.hosts.map(({ address, requests, errors }) => [address, requests, errors]),
      );
      expect(intervals.some(({ ejected }) => ejected > 0)).toBe(true);
      expect(intervals[intervals.length - 1]?.in_flight).toBe(0);
    }
  });
});
