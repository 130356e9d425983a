import { describe, expect, it } from 'vitest';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import type { Host } from '../../src/host/host.js';
import { HealthFlag } from '../../src/host/host.js';
import { Detection } from '../../src/upstream/cause.js';
import { answer, ejected, happen, isEjected, SECOND, watch } from './outlier-fixtures.js';

const ALL = { maxEjectionPercent: 100 };

describe('runs of errors', () => {
  it('are detected at the limit, and a success ends them', () => {
    const watched = watch(ALL);
    answer(watched, 0, 500, 4);
    answer(watched, 0, 404, 1);
    answer(watched, 0, 500, 4);
    expect(ejected(watched)).toEqual([]);
    answer(watched, 0, 599, 1);
    expect(watched.log).toEqual(['0 ejected consecutive_5xx']);
    expect(watched.stats).toMatchObject({ ejectionsActive: 1, ejectionsEnforcedTotal: 1, ejectionsTotal: 1 });
  });

  it('of 502, 503 and 504 are told apart, and end with any other error', () => {
    const watched = watch({ ...ALL, enforcingConsecutiveGatewayFailure: 100, consecutive5xx: 100 });
    for (const status of [502, 503, 504, 504]) answer(watched, 0, status, 1);
    answer(watched, 0, 501, 1);
    answer(watched, 0, 502, 4);
    expect(watched.log).toEqual([]);
    answer(watched, 0, 503, 1);
    expect(watched.log).toEqual(['0 ejected consecutive_gateway_failure']);
    expect(watched.stats).toMatchObject({ ejectionsTotal: 0, detected: { consecutive_gateway_failure: 1 } });
  });

  it('of both kinds come in one report, the gateway first', () => {
    const { detector, hosts, stats } = watch(ALL);
    const [host] = hosts as [Host];
    for (let i = 0; i < 4; i++) expect(detector.reportStatus(host, 503)).toBe(Detection.none);
    const both = detector.reportStatus(host, 503);
    expect(both).toBe(Detection.consecutiveGatewayFailure | Detection.consecutive5xx);
    detector.handleDetections(host, both, 0);
    // Not enforced by default, but counted; then the other one ejects.
    expect(stats).toMatchObject({
      ejectionsConsecutive5xx: 1,
      detected: { consecutive_gateway_failure: 1, consecutive_5xx: 1 },
      enforced: { consecutive_gateway_failure: 0, consecutive_5xx: 1 },
    });
  });

  it('never end where the limit is 0', () => {
    const watched = watch({ ...ALL, consecutive5xx: 0 });
    answer(watched, 0, 500, 20);
    expect(watched.stats.detected.consecutive_5xx).toBe(0);
  });

  it('forget what was answered before the main thread heard of them', () => {
    const { detector, hosts, stats } = watch({ ...ALL, enforcingConsecutive5xx: 0 });
    const [host] = hosts as [Host];
    const detections: number[] = [];
    // The main thread is one answer late: of each six errors one is lost, so 59 errors are detected 9 times.
    let late: number = Detection.none;
    for (let i = 0; i < 59; i++) {
      const found = detector.reportStatus(host, 500);
      detector.handleDetections(host, late, 0);
      late = found;
      detections.push(found);
    }
    expect(stats.detected.consecutive_5xx).toBe(9);
    expect(detections.filter((found) => found !== Detection.none)).toHaveLength(10);
  });

  it('say nothing about a host that is already out, and start anew when it is back', () => {
    const watched = watch(ALL);
    answer(watched, 0, 500, 5);
    answer(watched, 0, 500, 5);
    expect(watched.stats.detected.consecutive_5xx).toBe(1);
    answer(watched, 0, 500, 4);
    watched.detector.sweep(30 * SECOND);
    answer(watched, 0, 500, 4, 30 * SECOND);
    expect(watched.stats.ejectionsActive).toBe(0);
    answer(watched, 0, 500, 1, 30 * SECOND);
    expect(watched.stats.ejectionsActive).toBe(1);
  });
});

describe('events of the proxy’s own making', () => {
  it('count as answers where they are not split off', () => {
    const watched = watch({ ...ALL, consecutiveGatewayFailure: 3, enforcingConsecutive5xx: 0 });
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT');
    happen(watched, 0, 'LOCAL_ORIGIN_CONNECT_FAILED');
    // A connection alone says nothing yet.
    happen(watched, 0, 'LOCAL_ORIGIN_CONNECT_SUCCESS');
    expect(watched.stats.detected.consecutive_gateway_failure).toBe(0);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT');
    expect(watched.stats.detected.consecutive_gateway_failure).toBe(1);
    // 500, a 5xx that is no gateway's.
    happen(watched, 0, 'EXT_ORIGIN_REQUEST_FAILED', 2);
    expect(watched.stats).toMatchObject({ detected: { consecutive_5xx: 1, consecutive_local_origin_failure: 0 } });
  });

  it.each(['EXT_ORIGIN_REQUEST_SUCCESS', 'LOCAL_ORIGIN_CONNECT_SUCCESS_FINAL'] as const)('%s ends a run', (event) => {
    const watched = watch(ALL);
    answer(watched, 0, 500, 4);
    happen(watched, 0, event);
    answer(watched, 0, 500, 4);
    expect(ejected(watched)).toEqual([]);
  });

  it('count as the answer that stands in for them', () => {
    const watched = watch(ALL);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 5, 200);
    happen(watched, 1, 'LOCAL_ORIGIN_CONNECT_SUCCESS', 5, 500);
    expect(watched.log).toEqual(['1 ejected consecutive_5xx']);
  });

  it('have a run of their own where they are split off, whatever answer stands in', () => {
    const watched = watch({ ...ALL, splitExternalLocalOriginErrors: true, consecutiveLocalOriginFailure: 3 });
    answer(watched, 0, 500, 4);
    happen(watched, 0, 'LOCAL_ORIGIN_CONNECT_FAILED', 2, 500);
    expect(watched.log).toEqual([]);
    happen(watched, 0, 'LOCAL_ORIGIN_CONNECT_SUCCESS');
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 2, 200);
    answer(watched, 0, 200, 1);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT');
    expect(watched.log).toEqual(['0 ejected consecutive_local_origin_failure']);
  });

  it('begin a new run after each one that is complete, whether the host was ejected or not', () => {
    const split = { splitExternalLocalOriginErrors: true, consecutiveLocalOriginFailure: 3 };
    const watched = watch({ ...ALL, ...split, enforcingConsecutiveLocalOriginFailure: 0 });
    const { stats } = watched;
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 5, 200);
    expect(stats.detected.consecutive_local_origin_failure).toBe(1);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 1, 200);
    expect(stats.detected.consecutive_local_origin_failure).toBe(2);
  });

  it('split off, an exchange that went well is a success of both origins, one that failed a 503', () => {
    const watched = watch({ ...ALL, splitExternalLocalOriginErrors: true, enforcingConsecutive5xx: 0 });
    happen(watched, 0, 'EXT_ORIGIN_REQUEST_FAILED', 5);
    expect(watched.stats.detected.consecutive_gateway_failure).toBe(1);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 4);
    happen(watched, 0, 'EXT_ORIGIN_REQUEST_SUCCESS');
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT');
    expect(watched.stats.detected.consecutive_local_origin_failure).toBe(0);
    const monitor = watched.detector.monitor(watched.hosts[0] as Host);
    watched.detector.sweep(10 * SECOND);
    expect([monitor?.external.volume, monitor?.local.volume]).toEqual([6, 6]);
  });

  it.each([
    ['1.17', []],
    ['1.40', [0]],
  ] as const)('%s: failures while the host was out count on (v2 era) or are forgotten (modern)', (version, after) => {
    const watched = watch({ ...ALL, splitExternalLocalOriginErrors: true }, { version });
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 5);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 6);
    watched.detector.sweep(30 * SECOND);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 5);
    expect(ejected(watched)).toEqual(after);
  });
});

describe('max_ejection_percent', () => {
  function failAll(hosts: number, config: object, version: '1.17' | '1.40'): ReturnType<typeof watch> {
    const watched = watch(config, { hosts, version });
    for (let host = 0; host < hosts; host++) answer(watched, host, 500, 5);
    return watched;
  }

  it.each([
    // 100 · active / 3 < 10 holds for none only; 100 · 1 / 3 <= 10 never holds.
    ['1.17', 3, {}, 1],
    ['1.40', 3, {}, 0],
    ['1.40', 9, {}, 0],
    ['1.40', 10, {}, 1],
    // 20 % are out and below 25: one more. Afterwards it would be 30.
    ['1.17', 10, { maxEjectionPercent: 25 }, 3],
    ['1.40', 10, { maxEjectionPercent: 25 }, 2],
    ['1.17', 3, { maxEjectionPercent: 0 }, 0],
    ['1.40', 3, { maxEjectionPercent: 0 }, 0],
    ['1.17', 4, { maxEjectionPercent: 100 }, 4],
    ['1.40', 4, { maxEjectionPercent: 100 }, 4],
    ['1.40', 3, { alwaysEjectOneHost: true }, 1],
    ['1.40', 20, { alwaysEjectOneHost: true }, 2],
    // The v2 era does not know the switch.
    ['1.17', 3, { alwaysEjectOneHost: true, maxEjectionPercent: 0 }, 0],
  ] as const)('%s, %i hosts, %j: %i out', (version, hosts, config, out) => {
    const { stats } = failAll(hosts, config, version);
    expect(stats).toMatchObject({
      ejectionsActive: out,
      ejectionsOverflow: hosts - out,
      ejectionsConsecutive5xx: hosts,
      ejectionsTotal: out,
      detected: { consecutive_5xx: hosts },
    });
  });

  it('counts no more than 100', () => {
    const watched = watch({}, { hosts: 2, runtime: { 'outlier_detection.max_ejection_percent': 300 } });
    for (const host of [0, 1]) answer(watched, host, 500, 5);
    expect(ejected(watched)).toEqual([0, 1]);
    expect(watched.stats.ejectionsOverflow).toBe(0);
  });
});

describe('enforcing percentages', () => {
  it('draw only strictly between 0 and 100', () => {
    for (const percent of [0, 100]) {
      const watched = watch({ ...ALL, enforcingConsecutive5xx: percent });
      answer(watched, 0, 500, 5);
      expect(ejected(watched)).toHaveLength(percent / 100);
      expect(watched.random.draws).toBe(0);
    }
  });

  it('enforce where the draw modulo 100 is below', () => {
    const watched = watch({ ...ALL, enforcingConsecutive5xx: 30 }, { draws: [130, 529] });
    answer(watched, 0, 500, 5);
    expect(ejected(watched)).toEqual([]);
    // Not enforced, but it counts, and the run starts again.
    expect(watched.stats).toMatchObject({ ejectionsTotal: 1, ejectionsOverflow: 0 });
    answer(watched, 0, 500, 5);
    expect(ejected(watched)).toEqual([0]);
    expect(watched.random.draws).toBe(2);
  });
});

describe('the end of an ejection', () => {
  it('is not known of a host that was never ejected, nor of one that is not watched', () => {
    const watched = watch(ALL);
    answer(watched, 1, 500, 5);
    const [never, once] = watched.hosts as [Host, Host];
    watched.detector.removeHost(watched.hosts[2] as Host);
    expect(watched.detector.ejectionTime(never)).toBeUndefined();
    expect(watched.detector.ejectionTime(watched.hosts[2] as Host)).toBeUndefined();
    expect(watched.detector.ejectionTime(once)?.leastUs).toBe(30 * SECOND);
  });

  it('is the first sweep at which the time is over', () => {
    const watched = watch(ALL);
    answer(watched, 0, 500, 5, 7 * SECOND);
    watched.detector.sweep(37 * SECOND - 1);
    expect(ejected(watched)).toEqual([0]);
    watched.detector.sweep(37 * SECOND);
    expect(watched.log).toEqual(['0 ejected consecutive_5xx', '0 unejected ejection_time_over']);
    expect(watched.stats.ejectionsActive).toBe(0);
  });

  it('is announced host by host, each with the flags of that moment', () => {
    const out: number[][] = [];
    const watched = watch(ALL, { onEvent: () => out.push([...ejected(watched)]) });
    for (const host of [2, 0, 1]) answer(watched, host, 500, 5);
    watched.detector.sweep(30 * SECOND);
    expect(out).toEqual([[2], [0, 2], [0, 1, 2], [1, 2], [2], []]);
  });

  it.each(PROXY_VERSIONS)('%s: comes later with each ejection in a row', (version) => {
    const watched = watch({ ...ALL, baseEjectionTime: 10 * SECOND }, { version });
    let now = 0;
    const lasted: number[] = [];
    for (let round = 1; round <= 3; round++) {
      answer(watched, 0, 500, 5, now);
      const from = now;
      while (ejected(watched).length > 0) watched.detector.sweep((now += 10 * SECOND));
      lasted.push((now - from) / SECOND);
    }
    expect(lasted).toEqual([10, 20, 30]);
  });

  it.each([
    // Three lifetime ejections.
    ['1.14', 30],
    // Two of the back-off's steps were taken back by the sweeps at 40 and 50 s.
    ['1.17', 10],
    ['1.40', 10],
  ] as const)('%s: comes sooner again after good times, where the version has it (%i s)', (version, seconds) => {
    const watched = watch({ ...ALL, baseEjectionTime: 10 * SECOND }, { version });
    const { detector } = watched;
    answer(watched, 0, 500, 5, 0);
    detector.sweep(10 * SECOND);
    answer(watched, 0, 500, 5, 10 * SECOND);
    detector.sweep(30 * SECOND);
    for (const at of [40, 50]) detector.sweep(at * SECOND);
    answer(watched, 0, 500, 5, 50 * SECOND);
    detector.sweep((50 + seconds) * SECOND - 1);
    expect(ejected(watched)).toEqual([0]);
    detector.sweep((50 + seconds) * SECOND);
    expect(ejected(watched)).toEqual([]);
  });

  it.each([
    // 10 s each time: the sweep that ejects took a step back before.
    ['1.17', 10],
    // It is the second ejection, and the sweep takes no step back for a host that it ejects.
    ['1.40', 20],
  ] as const)('%s: a host that each sweep ejects again is out for %i s', (version, seconds) => {
    const watched = watch(
      {
        ...ALL,
        baseEjectionTime: 10 * SECOND,
        consecutive5xx: 0,
        enforcingSuccessRate: 0,
        enforcingFailurePercentage: 100,
        failurePercentageMinimumHosts: 1,
      },
      { version, hosts: 1 },
    );
    const { detector } = watched;
    answer(watched, 0, 500, 50);
    detector.sweep(10 * SECOND);
    expect(watched.log).toEqual(['0 ejected failure_percentage']);
    detector.sweep(20 * SECOND);
    expect(ejected(watched)).toEqual([]);
    answer(watched, 0, 500, 50, 25 * SECOND);
    detector.sweep(30 * SECOND);
    expect(ejected(watched)).toEqual([0]);
    detector.sweep((30 + seconds) * SECOND - 1);
    expect(ejected(watched)).toEqual([0]);
    detector.sweep((30 + seconds) * SECOND);
    expect(ejected(watched)).toEqual([]);
  });

  it.each([
    ['1.14', 40],
    ['1.17', 25],
    ['1.40', 25],
  ] as const)('%s: is never later than max_ejection_time, from 1.17 on (%i s)', (version, longest) => {
    const watched = watch({ ...ALL, baseEjectionTime: 10 * SECOND, maxEjectionTime: 25 * SECOND }, { version });
    let now = 0;
    for (let round = 1; round <= 4; round++) {
      answer(watched, 0, 500, 5, now);
      const time = Math.min(10 * round, longest) * SECOND;
      watched.detector.sweep(now + time - 1);
      expect(ejected(watched)).toEqual([0]);
      watched.detector.sweep((now += time));
      expect(ejected(watched)).toEqual([]);
    }
  });

  it('has a back-off that stops where it passes the longest time by a base time', () => {
    const watched = watch({ ...ALL, baseEjectionTime: 10 * SECOND, maxEjectionTime: 25 * SECOND });
    for (let round = 0; round < 6; round++) {
      answer(watched, 0, 500, 5, round * 25 * SECOND);
      watched.detector.sweep((round + 1) * 25 * SECOND);
    }
    // 3 · 10 is below 25 + 10, 4 · 10 is not.
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.backoff).toBe(4);
  });

  it('starts all runs anew, not only the one that ejected', () => {
    const watched = watch({ ...ALL, consecutiveGatewayFailure: 7 });
    answer(watched, 0, 503, 5);
    watched.detector.sweep(30 * SECOND);
    answer(watched, 0, 503, 4, 30 * SECOND);
    expect(watched.stats.detected.consecutive_gateway_failure).toBe(0);
  });

  it('is put off by a jitter of whole milliseconds, drawn once per ejection (modern)', () => {
    const watched = watch({ ...ALL, maxEjectionTimeJitter: 10 * SECOND }, { version: '1.40', draws: [20_003] });
    answer(watched, 0, 500, 5);
    expect(watched.random.draws).toBe(1);
    // 20003 = 2 · 10001 + 1.
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.jitterUs).toBe(1000);
    watched.detector.sweep(30 * SECOND + 999);
    expect(ejected(watched)).toEqual([0]);
    watched.detector.sweep(30 * SECOND + 1000);
    expect(ejected(watched)).toEqual([]);
  });

  it('comes at once with a passed active health check (modern, if not switched off)', () => {
    const back = (config: object, version: '1.17' | '1.40', flags: number): boolean => {
      const watched = watch({ ...ALL, ...config }, { version });
      const [host] = watched.hosts as [Host];
      answer(watched, 0, 500, 5);
      host.flags |= flags;
      watched.detector.activeHealthCheckSucceeded(host, SECOND);
      expect(watched.stats.ejectionsActive).toBe(isEjected(host) ? 1 : 0);
      return !isEjected(host) && watched.log[1] === '0 unejected active_health_check';
    };
    expect(back({}, '1.40', 0)).toBe(true);
    expect(back({}, '1.17', 0)).toBe(false);
    expect(back({ successfulActiveHealthCheckUnejectHost: false }, '1.40', 0)).toBe(false);
    // One good check is not yet enough for the checker.
    expect(back({}, '1.40', HealthFlag.FAILED_ACTIVE_HC)).toBe(false);
  });

  it('by a health check between two sweeps waits a whole interval before the back-off shrinks', () => {
    const watched = watch({ ...ALL, baseEjectionTime: 10 * SECOND }, { version: '1.40' });
    const [host] = watched.hosts as [Host];
    answer(watched, 0, 500, 5);
    watched.detector.activeHealthCheckSucceeded(host, 5 * SECOND);
    watched.detector.sweep(10 * SECOND);
    expect(watched.detector.monitor(host)?.backoff).toBe(1);
    watched.detector.sweep(20 * SECOND);
    expect(watched.detector.monitor(host)?.backoff).toBe(0);
  });
});

describe('success rates', () => {
  const QUIET = { ...ALL, enforcingConsecutive5xx: 0 };

  it('eject who is strictly below the threshold of the last interval', () => {
    const watched = watch(QUIET, { hosts: 5 });
    for (const host of [1, 2, 3, 4]) answer(watched, host, 200, 100);
    answer(watched, 0, 200, 50);
    answer(watched, 0, 500, 50);
    watched.detector.sweep(10 * SECOND);
    // Mean 90, deviation 20, threshold 90 − 1.9 · 20.
    expect(watched.detector.clusterRates.external).toEqual({ mean: 90, threshold: 52 });
    expect(watched.detector.clusterRates.local).toEqual({ mean: -1, threshold: -1 });
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.external.successRate).toBe(50);
    expect(watched.log).toEqual(['0 ejected success_rate']);
    expect(watched.stats).toMatchObject({
      ejectionsSuccessRate: 1,
      detected: { success_rate: 1 },
      enforced: { success_rate: 1 },
    });
    // Nothing is left of the interval at the next sweep.
    watched.detector.sweep(20 * SECOND);
    expect(watched.detector.clusterRates.external).toEqual({ mean: -1, threshold: -1 });
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.external.successRate).toBe(-1);
  });

  it('of one host are those of its cluster, where one is enough', () => {
    const watched = watch({ ...QUIET, successRateMinimumHosts: 1 }, { hosts: 1 });
    answer(watched, 0, 200, 100);
    answer(watched, 0, 500, 100);
    watched.detector.sweep(10 * SECOND);
    expect(watched.detector.clusterRates.external).toEqual({ mean: 50, threshold: 50 });
  });

  it('are known of each host as soon as the cluster has as many as are needed', () => {
    const rates = [4, 5].map((hosts) => {
      const watched = watch({ ...QUIET, failurePercentageMinimumHosts: 100 }, { hosts });
      for (let host = 0; host < hosts; host++) answer(watched, host, 200, 100);
      watched.detector.sweep(10 * SECOND);
      return watched.detector.monitor(watched.hosts[0] as Host)?.external.successRate;
    });
    expect(rates).toEqual([-1, 100]);
  });

  it('leave a host alone that is just at the threshold', () => {
    // All rates equal: deviation 0, threshold 0 % = rate.
    const watched = watch(QUIET, { hosts: 5 });
    for (let host = 0; host < 5; host++) answer(watched, host, 500, 100);
    watched.detector.sweep(10 * SECOND);
    expect(watched.detector.clusterRates.external).toEqual({ mean: 0, threshold: 0 });
    expect(watched.log).toEqual([]);
  });

  it('are not computed for too few hosts with enough requests', () => {
    const watched = watch(QUIET, { hosts: 5 });
    for (const host of [1, 2, 3]) answer(watched, host, 200, 100);
    answer(watched, 4, 200, 99);
    answer(watched, 0, 500, 100);
    watched.detector.sweep(10 * SECOND);
    expect(watched.detector.clusterRates.external).toEqual({ mean: -1, threshold: -1 });
    expect(watched.log).toEqual([]);
    // Enough for the failure percentage: the host's rate is known all the same.
    expect(watched.detector.monitor(watched.hosts[4] as Host)?.external.successRate).toBe(100);
  });

  it('leave out who is ejected, though panic still sends it requests', () => {
    const watched = watch(ALL, { hosts: 6 });
    for (const host of [1, 2, 3, 4, 5]) answer(watched, host, 200, 100);
    answer(watched, 0, 500, 100);
    watched.detector.sweep(10 * SECOND);
    expect(watched.log).toEqual(['0 ejected consecutive_5xx']);
    expect(watched.detector.clusterRates.external).toEqual({ mean: 100, threshold: 100 });
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.external.successRate).toBe(-1);
    expect(watched.stats.detected.failure_percentage).toBe(0);
  });

  it('of local errors are judged apart', () => {
    const watched = watch(
      { ...QUIET, splitExternalLocalOriginErrors: true, enforcingConsecutiveLocalOriginFailure: 0 },
      { hosts: 5 },
    );
    for (const host of [1, 2, 3, 4]) happen(watched, host, 'LOCAL_ORIGIN_CONNECT_SUCCESS', 100);
    happen(watched, 0, 'LOCAL_ORIGIN_CONNECT_SUCCESS', 50);
    happen(watched, 0, 'LOCAL_ORIGIN_TIMEOUT', 50);
    watched.detector.sweep(10 * SECOND);
    expect(watched.log).toEqual(['0 ejected local_origin_success_rate']);
    expect(watched.stats).toMatchObject({
      ejectionsSuccessRate: 1,
      ejectionsTotal: 0,
      enforced: { local_origin_success_rate: 1 },
    });
  });

  it('and failure percentages eject a host once, though both find it', () => {
    const watched = watch({ ...QUIET, enforcingFailurePercentage: 100 }, { hosts: 5 });
    for (const host of [1, 2, 3, 4]) answer(watched, host, 200, 100);
    answer(watched, 0, 500, 100);
    watched.detector.sweep(10 * SECOND);
    expect(watched.log).toEqual(['0 ejected success_rate']);
    expect(watched.stats).toMatchObject({
      ejectionsActive: 1,
      ejectionsEnforcedTotal: 1,
      detected: { failure_percentage: 1 },
      enforced: { failure_percentage: 0 },
    });
    expect(watched.detector.monitor(watched.hosts[0] as Host)?.ejections).toBe(1);
  });
});

describe('failure percentages', () => {
  const QUIET = { ...ALL, enforcingConsecutive5xx: 0, enforcingSuccessRate: 0, enforcingFailurePercentage: 100 };

  it.each([
    [43, []],
    // 85 % of 50 is 42.5: 43 failures are 86 %, 42 are 84 %.
    [42, [0]],
  ] as const)('of 50 requests, %i fail: not out are %j', (failures, rest) => {
    const watched = watch({ ...QUIET, failurePercentageMinimumHosts: 1 }, { hosts: 1 });
    answer(watched, 0, 500, failures);
    answer(watched, 0, 200, 50 - failures);
    watched.detector.sweep(10 * SECOND);
    expect([0].filter((host) => !ejected(watched).includes(host))).toEqual(rest);
  });

  it('eject at the threshold itself', () => {
    const watched = watch({ ...QUIET, failurePercentageThreshold: 50 }, { hosts: 5 });
    for (let host = 0; host < 5; host++) answer(watched, host, 200, 50);
    answer(watched, 3, 500, 50);
    watched.detector.sweep(10 * SECOND);
    expect(watched.log).toEqual(['3 ejected failure_percentage']);
  });

  it('need requests, hosts, and a cluster that is large enough', () => {
    const few = watch(QUIET, { hosts: 5 });
    for (let host = 0; host < 5; host++) answer(few, host, 500, 49);
    few.detector.sweep(10 * SECOND);
    expect(few.stats.detected.failure_percentage).toBe(0);
    const small = watch(QUIET, { hosts: 4 });
    for (let host = 0; host < 4; host++) answer(small, host, 500, 50);
    small.detector.sweep(10 * SECOND);
    expect(small.stats.detected.failure_percentage).toBe(0);
    expect(small.detector.monitor(small.hosts[0] as Host)?.external.successRate).toBe(-1);
    const idle = watch({ ...QUIET, failurePercentageRequestVolume: 0, failurePercentageMinimumHosts: 0 });
    idle.detector.sweep(10 * SECOND);
    expect(idle.stats.detected.failure_percentage).toBe(0);
  });
});

describe('membership', () => {
  it('an ejected host that leaves is no longer counted, nor are detections under way', () => {
    const watched = watch({ maxEjectionPercent: 10 });
    const [first, second] = watched.hosts as [Host, Host];
    answer(watched, 0, 500, 5);
    watched.detector.removeHost(first);
    expect(watched.stats.ejectionsActive).toBe(0);
    expect(isEjected(first)).toBe(false);
    watched.detector.handleDetections(first, Detection.consecutive5xx, 0);
    expect(watched.detector.reportStatus(first, 500)).toBe(Detection.none);
    expect(watched.detector.reportEvent(first, 'LOCAL_ORIGIN_TIMEOUT')).toBe(Detection.none);
    watched.detector.activeHealthCheckSucceeded(first, 0);
    watched.detector.removeHost(first);
    watched.detector.sweep(30 * SECOND);
    expect(watched.log).toEqual(['0 ejected consecutive_5xx']);
    // Its place under the limit is free.
    answer(watched, 1, 500, 5, 30 * SECOND);
    expect(isEjected(second)).toBe(true);
  });

  it('a host that is added twice keeps its run', () => {
    const watched = watch(ALL);
    answer(watched, 0, 500, 4);
    watched.detector.addHost(watched.hosts[0] as Host);
    answer(watched, 0, 500, 1);
    expect(ejected(watched)).toEqual([0]);
  });

  it('a detector without hosts leaves the gauge at zero for the cluster that replaces it', () => {
    const watched = watch(ALL);
    for (const host of [0, 1, 2]) answer(watched, host, 500, 5);
    expect(watched.stats.ejectionsActive).toBe(3);
    for (const host of watched.hosts) watched.detector.removeHost(host);
    expect(watched.stats).toMatchObject({ ejectionsActive: 0, ejectionsEnforcedTotal: 3 });
  });
});

describe('runtime', () => {
  it('is read at each use', () => {
    const runtime: Record<string, number> = {};
    const watched = watch({}, { runtime, hosts: 4, version: '1.40' });
    expect(watched.detector.intervalUs).toBe(10 * SECOND);
    answer(watched, 0, 500, 2);
    runtime['outlier_detection.consecutive_5xx'] = 3;
    runtime['outlier_detection.max_ejection_percent'] = 50;
    runtime['outlier_detection.interval_ms'] = 250;
    runtime['outlier_detection.base_ejection_time_ms'] = 1500;
    answer(watched, 0, 500, 1);
    expect(ejected(watched)).toEqual([0]);
    expect(watched.detector.intervalUs).toBe(250_000);
    watched.detector.sweep(1_499_999);
    expect(ejected(watched)).toEqual([0]);
    watched.detector.sweep(1_500_000);
    expect(ejected(watched)).toEqual([]);
  });
});
