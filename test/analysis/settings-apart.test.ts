import { describe, expect, it } from 'vitest';
import { settingsApart } from '../../src/analysis/run/settings-apart.js';
import { scenarioOf } from '../support/run.js';

function apart(...clusters: readonly object[]): unknown {
  const named = clusters.map((one, index) => ({ name: `c${index + 1}`, connect_timeout: '1s', ...one }));
  const endpoints = Object.fromEntries(named.map(({ name }) => [name, ['10.0.0.1:80']]));
  return settingsApart(scenarioOf({ clusters: named, endpoints }));
}

describe('what sets clusters apart', () => {
  it('is also what their only workloads do, and never what may be a secret', () => {
    const workload = (cluster: string, more: object): object => ({
      cluster,
      arrivals: { constant: '1/s' },
      stop: '1s',
      ...more,
    });
    const scenario = scenarioOf({
      clusters: [
        { name: 'a', connect_timeout: '1s' },
        { name: 'b', connect_timeout: '1s' },
      ],
      endpoints: { a: ['10.0.0.1:80'], b: ['10.0.0.2:80'] },
      workloads: [
        workload('a', { headers: { authorization: 'letmein' } }),
        workload('b', { timeout: '250ms', arrivals: { constant: '2/s' } }),
      ],
    });
    expect(settingsApart(scenario)).toEqual({
      a: { timeout: '15s', 'arrivals.per_second': '1' },
      b: { timeout: '250ms', 'arrivals.per_second': '2' },
    });
  });

  it('is what most others do not have, by field', () => {
    const check = {
      timeout: '1s',
      interval: '10s',
      unhealthy_threshold: 3,
      healthy_threshold: 1,
      tcp_health_check: {},
    };
    expect(apart({ health_checks: [check] }, { health_checks: [{ ...check, unhealthy_edge_interval: '1s' }] })).toEqual(
      { c2: { 'health_checks.unhealthy_edge_interval': '1s' } },
    );
  });

  it('is no text of a cluster, which may be a secret', () => {
    const check = { timeout: '1s', interval: '10s', unhealthy_threshold: 3, healthy_threshold: 1 };
    const sends = (text: string): object => ({ health_checks: [{ ...check, tcp_health_check: { send: { text } } }] });
    expect(JSON.stringify(apart(sends('CAFE'), sends('DEAD')))).not.toMatch(/CAFE|DEAD/);
    const named = (host: string): object => ({
      health_checks: [{ ...check, http_health_check: { path: '/', host } }],
    });
    expect(JSON.stringify(apart(named('letmein'), named('other')))).not.toContain('letmein');
  });

  it('of two is what each sets, and never who it is or its policy', () => {
    const window = (update_merge_window: string): object => ({ common_lb_config: { update_merge_window } });
    expect(apart(window('0s'), { ...window('5s'), lb_policy: 'RANDOM' })).toEqual({
      c1: { 'common_lb_config.update_merge_window': '0s' },
      c2: { 'common_lb_config.update_merge_window': '5s' },
    });
  });

  it('has the number of a message that holds one, 0 too', () => {
    const panic = (value: number): object => ({ common_lb_config: { healthy_panic_threshold: { value } } });
    expect(apart({}, panic(30))).toEqual({ c2: { 'common_lb_config.healthy_panic_threshold': '30' } });
    expect(apart({}, panic(0))).toEqual({ c2: { 'common_lb_config.healthy_panic_threshold': '0' } });
  });

  it('is nothing among clusters that are alike, alone, many, or that differ in much', () => {
    expect(apart({}, {})).toEqual({});
    expect(apart({ connect_timeout: '2s' })).toEqual({});
    expect(apart(...Array.from({ length: 7 }, (_, index) => ({ connect_timeout: `${index + 1}s` })))).toEqual({});
    const limits = { max_connections: 1, max_pending_requests: 2, max_requests: 3, max_retries: 4 };
    const pools = { track_remaining: true, max_connection_pools: 5 };
    const other = { connect_timeout: '2s', circuit_breakers: { thresholds: [{ ...limits, ...pools }] } };
    expect(apart({}, {}, other)).toEqual({});
  });
});
