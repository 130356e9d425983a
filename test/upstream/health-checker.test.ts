import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { HealthFlag } from '../../src/host/host.js';
import { type CheckResult, writeHealthCheckStats } from '../../src/upstream/health-checker.js';
import { checked, healthCheck, NEW } from './health-check-fixtures.js';

describe('what a result does to a host', () => {
  it('believes the first result at once, whatever the threshold', () => {
    const { take, host } = checked([healthCheck({ healthy_threshold: 5 })], { flags: NEW });
    expect(take('success')).toEqual(['CHANGED']);
    expect(host.health).toBe('healthy');
  });

  it('needs a whole run of successes once a first result was bad', () => {
    const { take, host } = checked([healthCheck({ healthy_threshold: 3 })], { flags: NEW });
    expect(take('network', 'success', 'success', 'network', 'success', 'success')).toEqual([
      'UNCHANGED',
      'CHANGE_PENDING',
      'CHANGE_PENDING',
      'UNCHANGED',
      'CHANGE_PENDING',
      'CHANGE_PENDING',
    ]);
    expect(host.health).toBe('unhealthy');
    expect(take('success')).toEqual(['CHANGED']);
    expect(host.health).toBe('healthy');
  });

  it('bears silence up to the threshold, and a bad answer not at all', () => {
    const silent = checked();
    expect(silent.take('timeout', 'network', 'timeout')).toEqual(['CHANGE_PENDING', 'CHANGE_PENDING', 'CHANGED']);
    expect(checked().take('failure', 'failure')).toEqual(['CHANGED', 'UNCHANGED']);
    const interrupted = checked();
    expect(interrupted.take('timeout', 'timeout', 'success', 'timeout', 'timeout')).not.toContain('CHANGED');
  });

  it('never reaches a threshold of 0', () => {
    const { take } = checked([healthCheck({ unhealthy_threshold: 0 })]);
    expect(take(...Array.from({ length: 50 }, () => 'network' as const))).toEqual(
      Array.from({ length: 50 }, () => 'CHANGE_PENDING'),
    );
  });

  it('takes degraded answers at their word, but a failed host first has to return', () => {
    const { take, host, log } = checked([healthCheck({ healthy_threshold: 3 })]);
    expect(take('degraded', 'degraded', 'success')).toEqual(['CHANGED', 'UNCHANGED', 'CHANGED']);
    take('failure');
    expect(take('degraded', 'degraded')).toEqual(['CHANGE_PENDING', 'CHANGE_PENDING']);
    expect(host.health).toBe('unhealthy');
    expect(log.slice(-2)).toEqual(['same passed', 'same passed']);
    expect(take('degraded')).toEqual(['CHANGED']);
    expect(host.health).toBe('degraded');
  });

  it('ends the exclusion of a new host with its first result, a bad one too', () => {
    for (const result of ['success', 'failure', 'timeout'] as const) {
      const { take, host } = checked([healthCheck()], { flags: NEW | HealthFlag.PENDING_ACTIVE_HC });
      expect(host.excluded).toBe(true);
      expect(take(result)).toEqual(['CHANGED']);
      expect(host.excluded).toBe(false);
      expect(host.health).toBe(result === 'success' ? 'healthy' : 'unhealthy');
    }
  });

  it('remembers that the last failure of a failed host was a timeout', () => {
    const { take, host } = checked([healthCheck({ unhealthy_threshold: 1 })]);
    const timeout = (): boolean => (host.flags & HealthFlag.ACTIVE_HC_TIMEOUT) !== 0;
    take('timeout');
    expect(timeout()).toBe(true);
    take('network');
    expect(timeout()).toBe(false);
    take('timeout', 'success');
    expect(timeout()).toBe(true);
    take('success');
    expect(timeout()).toBe(false);
  });

  it('leaves other flags alone', () => {
    const others = HealthFlag.FAILED_EDS_HEALTH | HealthFlag.FAILED_OUTLIER_CHECK | HealthFlag.PENDING_DYNAMIC_REMOVAL;
    const { take, host } = checked([healthCheck()], { flags: NEW | others });
    take('success');
    expect(host.flags).toBe(others);
  });

  it('notes the time of each success of a failed host, for slow start', () => {
    const { checker, host } = checked([healthCheck()], { flags: NEW });
    checker.onResult(host, 0, 'success', 7_000);
    expect(host.lastHealthCheckPassUs).toBe(7_000);
    checker.onResult(host, 0, 'success', 9_000);
    expect(host.lastHealthCheckPassUs).toBe(7_000);
  });
});

describe('failures that answers to requests tell of', () => {
  it('fail the host at once, and begin its run of successes anew', () => {
    const { checker, host, take } = checked();
    expect(checker.onPassiveFailure(host, false, 0)).toBe('CHANGED');
    expect(checker.onPassiveFailure(host, false, 0)).toBe('UNCHANGED');
    take('success');
    checker.onPassiveFailure(host, false, 0);
    expect(take('success', 'success')).toEqual(['CHANGE_PENDING', 'CHANGED']);
  });

  it('exclude the host at 1.40 until it returns, and only there', () => {
    for (const version of PROXY_VERSIONS) {
      const { checker, host, take } = checked([healthCheck()], { version });
      checker.onPassiveFailure(host, true, 0);
      expect(host.excluded).toBe(version === '1.40');
      take('success', 'success');
      expect(host).toMatchObject({ excluded: false, health: 'healthy' });
    }
  });

  it('count as failures, and not as checks', () => {
    const { checker, host, stats } = checked();
    for (let i = 0; i < 3; i++) checker.onPassiveFailure(host, true, 0);
    expect(stats).toMatchObject({ attempt: 0, failure: 3, passiveFailure: 3, networkFailure: 0, healthy: 0 });
  });

  it('come in a bad answer to a check as well', () => {
    const { take, host, stats } = checked([healthCheck()], { version: '1.40' });
    expect(take('excluding_failure')).toEqual(['CHANGED']);
    expect(host.excluded).toBe(true);
    expect(stats).toMatchObject({ failure: 1, passiveFailure: 0 });
  });
});

describe('when the next check is', () => {
  const intervals = healthCheck({
    interval: '1s',
    unhealthy_interval: '2s',
    unhealthy_edge_interval: '3s',
    healthy_edge_interval: '4s',
    no_traffic_interval: '5s',
    no_traffic_healthy_interval: '6s',
    unhealthy_threshold: 2,
  });

  it('depends on the result and on whether a threshold is being counted', () => {
    const { wait } = checked([intervals]);
    const waits = (['success', 'timeout', 'timeout', 'timeout', 'success', 'success', 'success'] as const).map(wait);
    expect(waits).toEqual([1000, 3000, 2000, 2000, 4000, 1000, 1000]);
  });

  it('is far away before the first connection; good hosts have a word of their own since 1.17', () => {
    const hasTraffic = (): boolean => false;
    const results = ['success', 'timeout', 'timeout', 'success', 'success'] as const;
    expect(results.map(checked([intervals], { hasTraffic }).wait)).toEqual([6000, 5000, 5000, 5000, 6000]);
    const older = checked([intervals], { hasTraffic, version: '1.14' });
    expect(results.map(older.wait)).toEqual([5000, 5000, 5000, 5000, 5000]);
    expect(checked([healthCheck()], { hasTraffic }).wait('success')).toBe(60_000);
  });

  it('follows traffic live', () => {
    let traffic = false;
    const { wait } = checked([intervals], { hasTraffic: () => traffic });
    expect(wait('success')).toBe(6000);
    traffic = true;
    expect(wait('success')).toBe(1000);
  });

  it('falls back from edge to unhealthy to plain', () => {
    const { wait } = checked([healthCheck({ interval: '7s', unhealthy_interval: '9s' })]);
    expect((['timeout', 'failure', 'success'] as const).map(wait)).toEqual([9000, 9000, 7000]);
  });

  it('draws the jitter in percent first, then the other, each only if it is not zero', () => {
    // 40 % of 1000 ms: 478 mod 400 = 78. Then 250 ms: 1007 mod 250 = 7.
    const both = checked([healthCheck({ interval_jitter_percent: 40, interval_jitter: '0.250s' })], {
      draws: [478, 1007],
    });
    expect(both.wait('success')).toBe(1085);
    const none = checked([healthCheck({ interval: '0.002s', interval_jitter_percent: 40 })], { draws: [478] });
    expect(none.wait('success')).toBe(2);
    expect(none.random.draws).toBe(0);
  });

  it('keeps within the runtime’s limits, the lower one last, and never at once', () => {
    const within = (runtime: Record<string, number>): number | undefined =>
      checked([healthCheck()], { runtime }).wait('success');
    expect(within({ 'health_check.max_interval': 300 })).toBe(300);
    expect(within({ 'health_check.min_interval': 3000 })).toBe(3000);
    expect(within({ 'health_check.min_interval': 3000, 'health_check.max_interval': 300 })).toBe(3000);
    expect(within({ 'health_check.max_interval': 0 })).toBe(1);
  });

  it('is now for a new host, or after a draw of initial_jitter', () => {
    const { checker, host } = checked([healthCheck()], { flags: NEW });
    expect(checker.addHost(host)).toEqual([0]);
    const jittered = healthCheck({ initial_jitter: '5s', interval_jitter_percent: 40 });
    const { checker: later, host: other, random } = checked([jittered], { flags: NEW, draws: [0, 12_345] });
    expect(later.addHost(other)).toEqual([2_345_000]);
    expect(random.draws).toBe(2);
  });
});

describe('statistics', () => {
  it('has them all under the proxy’s names', () => {
    const { checker, host, take, stats } = checked();
    checker.beginCheck(host);
    take('success', 'degraded', 'network', 'timeout', 'failure');
    const values = { counters: {}, gauges: {} };
    writeHealthCheckStats(values, stats);
    expect(values.counters).toEqual({
      'health_check.attempt': 1,
      'health_check.success': 2,
      'health_check.failure': 3,
      'health_check.passive_failure': 0,
      'health_check.network_failure': 2,
      'health_check.verify_cluster': 0,
    });
    expect(values.gauges).toEqual({
      'health_check.degraded': 1,
      'health_check.healthy': 0,
    });
  });

  it('lowers the gauge of degraded hosts only when one is removed, as the proxy does', () => {
    const { checker, host, take, stats } = checked();
    take('degraded', 'success');
    expect(stats.degraded).toBe(1);
    take('degraded');
    expect(stats.degraded).toBe(2);
    checker.removeHost(host);
    expect(stats).toMatchObject({ degraded: 1, healthy: 0 });
  });

  it('counts checks that compare the name of the service, as far as the runtime allows', () => {
    const named = healthCheck({ http_health_check: { path: '/', service_name: 'locations' } });
    const all = checked([named]);
    all.take('success', 'degraded', 'failure');
    expect(all.stats.verifyCluster).toBe(2);
    expect(all.random.draws).toBe(0);
    const some = checked([named], { runtime: { 'health_check.verify_cluster': 30 }, draws: [129, 130] });
    some.take('success', 'success');
    expect(some.stats.verifyCluster).toBe(1);
    expect(some.random.draws).toBe(2);
    const none = checked([named], { runtime: { 'health_check.verify_cluster': 0 } });
    none.take('success');
    expect(none.stats.verifyCluster).toBe(0);
  });
});

describe('a host that leaves', () => {
  it('is not asked again, and answers of its last checks come to nothing', () => {
    const { checker, host, stats } = checked();
    checker.removeHost(host);
    checker.removeHost(host);
    expect(checker.beginCheck(host)).toBe(false);
    expect(checker.onResult(host, 0, 'failure', 0)).toBeUndefined();
    expect(checker.onPassiveFailure(host, true, 0)).toBeUndefined();
    expect(stats).toMatchObject({ attempt: 0, failure: 0, healthy: 0 });
  });

  it('costs no draw for a next check when its own failure took it out', () => {
    const { checker, host, random } = checked([healthCheck({ interval_jitter: '1s' })], {
      onEvent: (one, gone) => one.removeHost(gone),
    });
    expect(checker.onResult(host, 0, 'failure', 0)).toEqual({ transition: 'CHANGED', nextDelayUs: undefined });
    expect(random.draws).toBe(0);
  });
});

describe('several checkers', () => {
  const quick = healthCheck({ healthy_threshold: 1, unhealthy_threshold: 1 });
  const slow = healthCheck({ interval: '9s', healthy_threshold: 2, unhealthy_threshold: 2 });

  it('show nothing before each has had a result', () => {
    const { checker, host, stats, log } = checked([quick, slow], { flags: NEW | HealthFlag.PENDING_ACTIVE_HC });
    checker.onResult(host, 0, 'success', 0);
    expect(host).toMatchObject({ health: 'unhealthy', excluded: true });
    expect(log).toEqual([]);
    checker.onResult(host, 1, 'success', 0);
    expect(host).toMatchObject({ health: 'healthy', excluded: false });
    expect(log).toEqual(['changed passed']);
    expect(stats).toMatchObject({ success: 2, healthy: 1 });
  });

  it('must all be content, each by its own thresholds and at its own pace', () => {
    const { checker, host, stats, log } = checked([quick, slow]);
    checker.onResult(host, 0, 'success', 0);
    checker.onResult(host, 1, 'success', 0);
    expect(checker.onResult(host, 1, 'network', 0)).toEqual({ transition: 'CHANGE_PENDING', nextDelayUs: 9_000_000 });
    expect(host.health).toBe('healthy');
    checker.onResult(host, 1, 'network', 0);
    expect(host.health).toBe('unhealthy');
    checker.onResult(host, 0, 'success', 0);
    expect(host.health).toBe('unhealthy');
    expect(stats.healthy).toBe(0);
    checker.onResult(host, 1, 'success', 0);
    checker.onResult(host, 1, 'success', 0);
    expect(host.health).toBe('healthy');
    expect(stats.healthy).toBe(1);
    expect(log).toEqual([
      'same passed',
      'same passed',
      'changed failed',
      'same failed',
      'same failed',
      'changed passed',
    ]);
  });

  it('are degraded while one is, and the gauge follows', () => {
    const { checker, host, stats } = checked([quick, slow]);
    checker.onResult(host, 0, 'degraded', 0);
    checker.onResult(host, 1, 'degraded', 0);
    checker.onResult(host, 0, 'success', 0);
    expect(host.health).toBe('degraded');
    expect(stats.degraded).toBe(1);
    checker.onResult(host, 1, 'success', 0);
    expect(host.health).toBe('healthy');
    expect(stats.degraded).toBe(0);
  });

  it('leave passive failures to the last', () => {
    const { checker, host } = checked([quick, slow]);
    checker.onResult(host, 0, 'success', 0);
    checker.onResult(host, 1, 'success', 0);
    checker.onPassiveFailure(host, false, 0);
    checker.onResult(host, 0, 'success', 0);
    expect(host.health).toBe('unhealthy');
    checker.onResult(host, 1, 'success', 0);
    checker.onResult(host, 1, 'success', 0);
    expect(host.health).toBe('healthy');
  });
});

describe('laws', () => {
  const result = fc.constantFrom<CheckResult>(
    'success',
    'degraded',
    'failure',
    'excluding_failure',
    'network',
    'timeout',
  );
  const run = fc.record({
    results: fc.array(fc.oneof(result, fc.constant('passive' as const)), { maxLength: 60 }),
    healthyThreshold: fc.integer({ min: 1, max: 4 }),
    unhealthyThreshold: fc.integer({ min: 1, max: 4 }),
    version: fc.constantFrom(...PROXY_VERSIONS),
    fresh: fc.boolean(),
  });

  it('hold for every sequence of results', () => {
    fc.assert(
      fc.property(run, ({ results, healthyThreshold, unhealthyThreshold, version, fresh }) => {
        const config = healthCheck({ healthy_threshold: healthyThreshold, unhealthy_threshold: unhealthyThreshold });
        const { checker, host, stats } = checked([config], { version, flags: fresh ? NEW : 0 });
        let passesInRow = 0;
        let silencesInRow = 0;
        for (const one of results) {
          const before = host.health;
          const transition =
            one === 'passive' ? checker.onPassiveFailure(host, true, 0) : checker.onResult(host, 0, one, 0)?.transition;
          const passed = one === 'success' || one === 'degraded';
          passesInRow = passed ? passesInRow + 1 : 0;
          silencesInRow = one === 'network' || one === 'timeout' ? silencesInRow + 1 : 0;
          if (transition !== 'CHANGED') expect(host.health).toBe(before);
          if (passesInRow >= healthyThreshold) expect(host.health).not.toBe('unhealthy');
          if (silencesInRow >= unhealthyThreshold) expect(host.health).toBe('unhealthy');
          if (one === 'failure' || one === 'excluding_failure' || one === 'passive') {
            expect(host.health).toBe('unhealthy');
          }
          if (host.health !== 'unhealthy') expect(host.excluded).toBe(false);
          expect(stats.healthy).toBe(host.health === 'unhealthy' ? 0 : 1);
        }
        expect(stats.success + stats.failure).toBe(results.length);
        checker.removeHost(host);
        expect(stats.healthy).toBe(0);
      }),
    );
  });
});
