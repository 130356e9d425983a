import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/report/layout.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { RunResult } from '../../src/words/results.js';
import { loadScenarioValue } from '../../src/scenario/load.js';
import { runScenario } from '../../src/words/library.js';

async function run(value: Record<string, unknown>): Promise<RunResult> {
  const { scenario, problems } = loadScenarioValue(value, 'test');
  if (scenario === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return runScenario(scenario);
}

const told = ({ events }: RunResult): (string | number)[][] =>
  events.map(({ t_s, proxy, text }) => [t_s, ...(proxy === null ? [] : [proxy]), text]);

/** Two proxies, three hosts; the first one stops answering between 2 s and 20 s. */
function ejecting(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    proxies: [{ name: 'edge', count: 2 }],
    clusters: [
      {
        name: 'c',
        outlier_detection: { consecutive_5xx: 3, interval: '1s', base_ejection_time: '5s', max_ejection_percent: 50 },
      },
    ],
    endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'] },
    workloads: [{ cluster: 'c', arrivals: '200/s', stop: '30s' }],
    timeline: [
      { at: '2s', fail: '10.0.0.1:80' },
      { at: '4s', recover: '10.0.0.1:80' },
    ],
    ...more,
  };
}

describe('events of a run', () => {
  it('tell what each proxy did and when, beside what the timeline did', async () => {
    const result = await run(ejecting());
    const text = '10.0.0.1:80 ejected for consecutive_5xx';
    const ejections = result.events.filter(({ kind }) => kind === 'ejection');
    expect(new Set(ejections.map(({ proxy }) => proxy))).toEqual(new Set(['edge-1', 'edge-2']));
    for (const { t_s, text: said, host, cluster } of ejections) {
      expect([said, host, cluster]).toEqual([text, '10.0.0.1:80', 'c']);
      expect(t_s).toBeGreaterThan(2);
      expect(t_s).toBeLessThan(3);
    }
    expect(told(result)[0]).toEqual([2, '10.0.0.1:80 stops answering']);
    expect(result.events.filter(({ kind }) => kind === 'unejection')).toHaveLength(2);
  });

  it('name the proxies that a phase is about, where it is not all of them', async () => {
    const { clusters } = await run(ejecting());
    const causes = clusters['c']?.phases.map(({ cause }) => cause) ?? [];
    expect(causes[1]).toBe('10.0.0.1:80 stops answering');
    expect(causes.slice(2, 4).sort()).toEqual(
      ['edge-1', 'edge-2'].map((proxy) => `10.0.0.1:80 ejected for consecutive_5xx (${proxy})`),
    );
    // Both sweep at the same time.
    expect(causes[5]).toBe('10.0.0.1:80 back: its ejection is over (5 s × 1)');
  });

  it('say which update the merge window held back, and what that cost', async () => {
    const result = await run({
      clusters: [{ name: 'c', common_lb_config: { update_merge_window: '2s' } }],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'] },
      workloads: [{ cluster: 'c', arrivals: { constant: '300/s' }, stop: '10s' }],
      timeline: [
        { at: '3s', set_weight: { hosts: '10.0.0.1:80', weight: 2 } },
        { at: '3.5s', set_health: { hosts: '10.0.0.3:80', status: 'UNHEALTHY' } },
        { at: '4s', set_weight: { hosts: '10.0.0.1:80', weight: 1 } },
      ],
    });
    const cluster = result.clusters['c'];
    expect(cluster?.phases.map(({ from_s, cause }) => [from_s, cause])).toEqual([
      [0, 'start'],
      [3, '10.0.0.1:80 gets weight 2'],
      [5.5, '10.0.0.3:80 set UNHEALTHY; 10.0.0.1:80 gets weight 1, delivered after the merge window'],
    ]);
    expect(cluster?.merge_window).toMatchObject({ updates_put_off: 2, deliveries: 1, updates_saved: 1 });
    // 300/s: half a second of one in four, then, since weights are read at once, 1.5 s of one in three.
    expect(cluster?.merge_window?.requests_to_known_bad.requests).toBeCloseTo(187.5, -1);
    expect(told(result).at(-1)).toEqual([
      5.5,
      'proxy',
      'delivered after the merge window: 10.0.0.3:80 set UNHEALTHY; 10.0.0.1:80 gets weight 1',
    ]);
  });

  it('is nobody’s mistake to send to unhealthy hosts in panic', async () => {
    const result = await run({
      clusters: [{ name: 'c', common_lb_config: { update_merge_window: '1s' } }],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'].map((address) => ({ address, health: 'UNHEALTHY' })) },
      workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '5s' }],
      timeline: [
        { at: '2s', set_weight: { hosts: '10.0.0.1:80', weight: 2 } },
        { at: '2.1s', set_weight: { hosts: '10.0.0.1:80', weight: 3 } },
      ],
    });
    expect(result.clusters['c']?.merge_window?.requests_to_known_bad).toEqual({ requests: 0, share: 0 });
  });

  it('tell of panic, of its end, and of hosts that come and go', async () => {
    const result = await run({
      clusters: [{ name: 'c', common_lb_config: { update_merge_window: '0s' } }],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'] },
      workloads: [{ cluster: 'c', arrivals: '10/s', stop: '10s' }],
      timeline: [
        { at: '1s', set_health: { hosts: { address: '10.0.0.1' }, status: 'UNHEALTHY' } },
        { at: '2s', set_health: { hosts: { address: '10.0.0.2' }, status: 'UNHEALTHY' } },
        { at: '3s', remove_hosts: '10.0.0.1:80' },
        { at: '4s', add_hosts: { cluster: 'c', endpoints: ['10.0.0.4:80'] } },
      ],
    });
    expect(told(result).filter(([, by]) => by === 'proxy')).toEqual([
      [2, 'proxy', 'panic: 1 of 3 hosts available'],
      [3, 'proxy', 'panic over: 1 of 2 hosts available'],
      [3, 'proxy', '10.0.0.1:80 left'],
      [4, 'proxy', '10.0.0.4:80 joined'],
    ]);
  });

  it('tell of limits that were reached, in bounded memory', async () => {
    const result = await run({
      clusters: [{ name: 'c', circuit_breakers: { thresholds: [{ max_requests: 2 }] } }],
      endpoints: { c: ['10.0.0.1:80'] },
      behavior: [{ hosts: {}, service_time: '10ms' }],
      workloads: [{ cluster: 'c', arrivals: '1000/s', stop: '5s' }],
    });
    const limits = result.events.filter(({ kind }) => kind === 'circuit_breaker');
    expect(limits).toHaveLength(1);
    expect(limits[0]).toMatchObject({ text: 'max_requests reached', proxy: 'proxy' });
    expect(limits[0]?.times).toBeGreaterThan(100);
  });

  it('tell when a name is not resolved, and when it is again', async () => {
    const result = await run({
      clusters: [{ name: 'c', type: 'STRICT_DNS', dns_refresh_rate: '1s' }],
      endpoints: { c: ['svc.test:80'] },
      dns: { 'svc.test': { addresses: ['10.0.0.1'] } },
      workloads: [{ cluster: 'c', arrivals: '10/s', stop: '10s' }],
      timeline: [
        { at: '2.5s', dns: { 'svc.test': { fail: true } } },
        { at: '6.5s', dns: { 'svc.test': { addresses: ['10.0.0.2'] } } },
      ],
    });
    expect(told(result).filter(([, by]) => by === 'proxy')).toEqual([
      [3, 'proxy', 'svc.test does not resolve'],
      [7, 'proxy', 'svc.test resolves again'],
      [7, 'proxy', 'svc.test: 10.0.0.2:80 added, 10.0.0.1:80 gone'],
    ]);
  });
});

describe('time to detect', () => {
  it('is what each proxy took to notice, and to trust again', async () => {
    const { clusters } = await run(ejecting());
    const detections = clusters['c']?.detections ?? [];
    expect(detections).toHaveLength(1);
    const [detection] = detections;
    expect(detection).toMatchObject({ address: '10.0.0.1:80', failed_at_s: 2, recovered_at_s: 4 });
    expect(detection?.seen.map(({ proxy }) => proxy).sort()).toEqual(['edge-1', 'edge-2']);
    expect(detection?.back.map(({ after_s, by }) => [after_s, by])).toEqual([
      [4, 'its ejection is over'],
      [4, 'its ejection is over'],
    ]);
  });

  it('of health checks depends on the interval and the threshold', async () => {
    const { clusters } = await run({
      clusters: [
        {
          name: 'c',
          health_checks: [
            {
              timeout: '0.5s',
              interval: '2s',
              no_traffic_interval: '2s',
              unhealthy_threshold: 3,
              healthy_threshold: 2,
              http_health_check: { path: '/' },
            },
          ],
        },
      ],
      endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
      workloads: [{ cluster: 'c', arrivals: '10/s', stop: '40s' }],
      timeline: [
        { at: '3s', set_behavior: { hosts: '10.0.0.1:80', down: 'hang' } },
        { at: '21s', recover: '10.0.0.1:80' },
      ],
    });
    const [detection] = clusters['c']?.detections ?? [];
    // Checks begin at 4 s, 6.5 s and 9 s, each for 0.5 s; then every 2.5 s while it fails.
    expect(detection?.seen).toMatchObject([{ proxy: 'proxy', after_s: 6.5, by: 'failed checks' }]);
    expect(detection?.back).toHaveLength(1);
  });

  it('is not told of clusters that watch nobody', async () => {
    const { clusters } = await run(ejecting({ clusters: [{ name: 'c' }] }));
    expect(clusters['c']?.detections).toBeUndefined();
  });
});

it('a report names who noticed only where there are several proxies', async () => {
  const value = (count: number): Record<string, unknown> => ({
    proxies: [{ name: 'edge', count }],
    clusters: [{ name: 'c', outlier_detection: { consecutive_5xx: 3, max_ejection_percent: 50 } }],
    endpoints: { c: ['10.0.0.1:80', '10.0.0.2:80'] },
    workloads: [{ cluster: 'c', arrivals: { constant: '100/s' }, stop: '5s' }],
    timeline: [{ at: '1s', set_behavior: { hosts: '10.0.0.1:80', error_rate: '100%' } }],
  });
  const line = async (count: number): Promise<string | undefined> =>
    textReport(await run(value(count)), { width: 200, bars: false, paint: PLAIN, all: false, full: true })
      .split('\n')
      .find((text) => text.startsWith('detection'));
  expect(await line(1)).toMatch(/: noticed after 0\.\d+ s \(ejected for consecutive_5xx\)\.$/);
  expect(await line(2)).toMatch(
    /: noticed after 0\.\d+ to 0\.\d+ s by edge-\d and edge-\d \(ejected for consecutive_5xx\)\.$/,
  );
});
