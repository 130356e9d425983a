import { describe, expect, it } from 'vitest';
import type { RequestOutcome } from '../../src/result/request-record.js';
import { Check } from './check.js';
import type { CaseOutcome } from './outcome.js';
import { compareAnswers, readAnswers } from './proxy/answers.js';
import { hasVanished, rotationStart, scheduleStart, shareTolerance } from '../../src/analysis/verify/judge.js';
import { sameShare } from './proxy/share-rule.js';
import type { ComparedStatistics } from './proxy/statistics.js';
import { compareStatistics, matches } from './proxy/statistics.js';

describe('shares', () => {
  const five = { errors: 5 };

  it('may differ by so many standard errors of their difference and two requests', () => {
    // p = 0.5, n = n' = 10,000: 5 · sqrt(0.25 · 0.0002) = 0.0353553…, and 2/10,000.
    expect(shareTolerance(5000, 10_000, 5000, 10_000, 5)).toBeCloseTo(0.0355553, 6);
    expect(sameShare(5000, 10_000, 5355, 10_000, five)).toBe(true);
    expect(sameShare(5000, 10_000, 5370, 10_000, five)).toBe(false);
    expect(sameShare(5000, 10_000, 5214, 10_000, { errors: 3 })).toBe(true);
    expect(sameShare(5000, 10_000, 5215, 10_000, { errors: 3 })).toBe(false);
  });

  it('of nobody is nobody: p = 0 leaves the two requests', () => {
    expect(sameShare(0, 20_000, 0, 20_000, five)).toBe(true);
    expect(sameShare(0, 20_000, 30, 20_000, five)).toBe(false);
    expect(sameShare(0, 0, 0, 20_000, five)).toBe(true);
    expect(sameShare(0, 0, 1, 20_000, five)).toBe(false);
  });

  it('are given more room where a case says so', () => {
    expect(sameShare(500, 1000, 640, 1000, five)).toBe(false);
    expect(sameShare(500, 1000, 640, 1000, { errors: 5, jitter: 0.03 })).toBe(true);
    expect(sameShare(500, 1000, 660, 1000, { errors: 5, relative: 0.1 })).toBe(true);
  });

  it('cannot be none on one side and ten requests on the other', () => {
    // Of ten that are as likely here as there, none here: 2 to the power of -10, which is 0.1 %.
    expect(hasVanished(0, 400, 9, 400, 0)).toBe(false);
    expect(hasVanished(0, 400, 10, 400, 0)).toBe(true);
    expect(hasVanished(10, 400, 0, 400, 0)).toBe(true);
    expect(hasVanished(1, 400, 20, 400, 0)).toBe(false);
    // Eight runs that have 8 each: (8/9)^64 is 0.05 %; 2 % of the requests may have moved.
    expect(hasVanished(0, 400, 64, 3200, 0)).toBe(true);
    expect(hasVanished(0, 400, 64, 3200, 0.02)).toBe(false);
  });
});

describe('answers to explicit requests', () => {
  const record = (tUs: number, host: string | null, outcome: RequestOutcome = 'answered', attempts = 1) => ({
    request: 0,
    tUs,
    latencyUs: host === null ? 0 : 400_000,
    proxy: 'default',
    worker: 0,
    workload: null,
    cluster: 'c',
    hash: null,
    outcome,
    status: outcome === 'answered' ? 200 : 503,
    attempts,
    host,
  });
  const A = '10.0.0.1:80';
  const B = '10.0.0.2:80';
  const ours = [record(1e6, A), record(1e6, null, 'overflow'), record(2e6, A), record(3e6, A), record(3e6, B)];
  const rows: readonly (readonly [number, string, number, number, number])[] = [
    [1.001, '!overflow', 503, 1, 0.01],
    [1.0012, A, 200, 1, 0.4],
    [2.0004, A, 200, 1, 0.4],
    [3.0001, B, 200, 1, 0.4],
    [3.0001, A, 200, 1, 0.4],
  ];
  const resultOf = (recorded: readonly unknown[], eventsUs: readonly number[] = []): string => {
    const check = new Check();
    compareAnswers(check, readAnswers(recorded, 'requests'), ours, eventsUs);
    return check.outcome('', '').result;
  };

  it('are compared instant by instant, since real time shuffles those of one', () => {
    expect(resultOf(rows)).toBe('passed');
    expect(resultOf(rows.slice(1))).toBe('failed');
  });

  it.each([
    ['a fate', 0, [1.001, '!timeout', 503, 1, 0.01]],
    ['a status', 1, [1.0012, A, 500, 1, 0.4]],
    ['a number of attempts', 1, [1.0012, A, 200, 2, 0.4]],
    ['the host where there is only one', 2, [2.0004, B, 200, 1, 0.4]],
    ['a host that was not there', 3, [3.0001, '10.0.0.3:80', 200, 1, 0.4]],
    ['a latency', 2, [2.0004, A, 200, 1, 0.48]],
  ])('fail for %s that is another', (_, index, row) => {
    expect(resultOf(rows.with(index, row as never))).toBe('failed');
  });

  it('may differ within 50 ms of an event', () => {
    const altered = rows.with(2, [2.0004, B, 200, 1, 0.4]);
    expect(resultOf(altered, [1_950_400])).toBe('passed');
    expect(resultOf(altered, [1_950_399])).toBe('failed');
  });

  it('are rows of a known shape', () => {
    expect(() => readAnswers([[1, A, 200, 1]], 'requests')).toThrow(/requests\[0\]\[4\]/);
    expect(() => readAnswers([[1, A, 200, 1, 0, 0]], 'requests')).toThrow(/more than/);
  });
});

describe('sequences', () => {
  it('a rotation must be ours from some start, pick by pick', () => {
    const ours = [0, 1, 2, 0, 1, 2, 0, 1, 2];
    expect(rotationStart([2, 0, 1, 2], ours)).toBe(2);
    expect(rotationStart([2, 1, 0, 2], ours)).toBe(-1);
    expect(rotationStart([0, 1, 2, 0, 1, 2, 0, 1, 2, 0], ours)).toBe(-1);
  });

  it('a schedule may swap neighbours but never lead by two', () => {
    const ours = [1, 1, 0, 1, 1, 0, 1, 1, 0];
    expect(scheduleStart([1, 0, 1, 1, 1, 0], ours, 2)).toBeGreaterThanOrEqual(0);
    expect(scheduleStart([1, 1, 1, 1, 1, 1], ours, 2)).toBe(-1);
    expect(scheduleStart([0, 0, 0], ours, 2)).toBe(-1);
  });
});

const facts = {
  hosts: 3,
  intervalUs: 1e6,
  racedUs: 0,
  nameWeights: new Set<number>(),
  isUpdated: false,
  burstConnections: 0,
};

describe('statistics', () => {
  const compared = (...args: Parameters<typeof outcomeOf>): CaseOutcome['result'] => outcomeOf(...args).result;
  const outcomeOf = (
    recorded: Record<string, number>,
    ours: Record<string, number>,
    more: Partial<ComparedStatistics> = {},
  ): CaseOutcome => {
    const valueOf = (name: string): { low: number; high: number } => ({ low: ours[name] ?? 0, high: ours[name] ?? 0 });
    const check = new Check();
    compareStatistics(check, {
      where: '',
      recorded: new Map(Object.entries(recorded)),
      recordedAtStart: undefined,
      unasked: () => 0,
      mean: valueOf,
      span: valueOf,
      answered: () => 10_000,
      recordedRequests: 10_000,
      ourRequests: 10_000,
      perSecond: 0,
      rule: { errors: 3 },
      readBeforeUs: 0,
      explicit: false,
      clusters: new Map([
        ['c', { ...facts, type: 'EDS', burstConnections: 5 }],
        ['d', { ...facts, type: 'STRICT_DNS', nameWeights: new Set([1, 2]) }],
        ['s', { ...facts, type: 'STATIC', intervalUs: Infinity }],
      ]),
      notCompared: [],
      loose: new Map(),
      ...more,
    });
    return check.outcome('', '');
  };

  it.each([
    ['cluster.c.membership_healthy', 3, 4],
    ['cluster.c.ring_hash_lb.size', 1024, 1025],
    ['cluster.c.lb_subsets_created', 2, 3],
    ['cluster.c.lb_recalculate_zone_structures', 4, 5],
    ['cluster.c.lb_zone_cluster_too_small', 2, 3],
    ['cluster.c.update_success', 2, 3],
    ['cluster.c.outlier_detection.ejections_active', 1, 2],
    ['cluster.s.update_attempt', 0, 1],
    ['cluster.c.max_host_weight', 1, 2],
    ['cluster.c.circuit_breakers.default.rq_open', 1, 0],
    ['cluster.c.lb_subsets_single_host_per_subset_duplicate', 1, 0],
    ['cluster_manager.cluster_updated', 1, 2],
  ])('%s is exact', (name, recorded, ours) => {
    expect(compared({ [name]: recorded }, { [name]: recorded })).toBe('passed');
    expect(compared({ [name]: recorded }, { [name]: ours })).toBe('failed');
  });

  it.each([
    'lb_healthy_panic',
    'lb_zone_routing_sampled',
    'lb_local_cluster_not_ok',
    'lb_subsets_fallback_panic',
    'upstream_rq_retry',
    'upstream_rq_pending_overflow',
    'outlier_detection.ejections_total',
    'upstream_rq_total',
    'upstream_rq_timeout',
  ])('%s is a share of the requests', (statistic) => {
    const name = `cluster.c.${statistic}`;
    expect(compared({ [name]: 5000 }, { [name]: 5200 })).toBe('passed');
    expect(compared({ [name]: 5000 }, { [name]: 5300 })).toBe('failed');
  });

  it('what is counted without any request is no share of them', () => {
    const name = 'cluster.c.lb_local_cluster_not_ok';
    // 36 times the zones were worked out, whoever asks how often.
    const more = { unasked: () => 36, ourRequests: 26_000 };
    expect(compared({ [name]: 36 }, { [name]: 36 })).toBe('passed');
    expect(compared({ [name]: 36 }, { [name]: 36 }, { ourRequests: 26_000 })).toBe('failed');
    expect(compared({ [name]: 36 }, { [name]: 36 }, more)).toBe('passed');
    expect(compared({ [name]: 1036 }, { [name]: 2636 }, more)).toBe('passed');
    expect(compared({ [name]: 1036 }, { [name]: 36 }, more)).toBe('failed');
  });

  it('the largest weight is that of the name that was answered last', () => {
    const name = 'cluster.d.max_host_weight';
    const more = { recordedAtStart: new Map([[name, 2]]) };
    expect(compared({ [name]: 1 }, { [name]: 0 }, more)).toBe('passed');
    expect(compared({ [name]: 3 }, { [name]: 0 }, more)).toBe('failed');
  });

  it('checks and resolver rounds may be off by one per host', () => {
    for (const name of ['cluster.c.health_check.attempt', 'cluster.d.update_attempt']) {
      // 3 ms late each time, which is less than one in all.
      expect(compared({ [name]: 30 }, { [name]: 33 })).toBe('passed');
      expect(compared({ [name]: 30 }, { [name]: 34 })).toBe('failed');
    }
  });

  it('overflows are exact where each request is stated', () => {
    const name = 'cluster.c.upstream_rq_active_overflow';
    expect(compared({ [name]: 15 }, { [name]: 16 })).toBe('passed');
    expect(compared({ [name]: 15 }, { [name]: 16 }, { explicit: true })).toBe('failed');
  });

  it('refusals to open connections are exact but for those opened in bursts, and never appear from nowhere', () => {
    const name = (cluster: string): string => `cluster.${cluster}.upstream_cx_overflow`;
    expect(compared({ [name('s')]: 15 }, { [name('s')]: 16 }, { explicit: true })).toBe('failed');
    expect(compared({ [name('c')]: 15 }, { [name('c')]: 20 }, { explicit: true })).toBe('passed');
    expect(compared({ [name('c')]: 15 }, { [name('c')]: 21 }, { explicit: true })).toBe('failed');
    expect(compared({ [name('c')]: 0 }, { [name('c')]: 1 }, { explicit: true })).toBe('failed');
  });

  it('are compared as increases since the start', () => {
    const name = 'cluster.c.update_success';
    const more = { recordedAtStart: new Map([[name, 1]]) };
    expect(compared({ [name]: 3 }, { [name]: 2 }, more)).toBe('passed');
    expect(compared({ [name]: 3 }, { [name]: 3 }, more)).toBe('failed');
  });

  it('may have any value that they had around their reading, and say so', () => {
    const name = 'cluster.c.membership_healthy';
    const more = { span: () => ({ low: 2, high: 3 }) };
    expect(compared({ [name]: 2 }, {}, more)).toBe('passed');
    expect(compared({ [name]: 1 }, {}, more)).toBe('failed');
    expect(outcomeOf({ [name]: 2 }, {}, more).loose).toEqual([
      { why: 'changes within 50 ms of its reading, or with the seed', what: [name] },
    ]);
    expect(outcomeOf({ [name]: 2 }, { [name]: 2 }).loose).toBeUndefined();
  });

  it('of requests under way and of connections have bounds', () => {
    const more = { perSecond: 200 };
    // 10 arrive in 50 ms, and two.
    expect(compared({ 'cluster.c.upstream_rq_active': 12 }, {}, more)).toBe('passed');
    expect(compared({ 'cluster.c.upstream_rq_active': 13 }, {}, more)).toBe('failed');
    const name = 'cluster.c.upstream_cx_total';
    expect(compared({ [name]: 60 }, { [name]: 4 }, more)).toBe('failed');
    expect(compared({ [name]: 30 }, { [name]: 4 }, more)).toBe('passed');
    expect(compared({ [name]: 0 }, { [name]: 12 }, more)).toBe('failed');
  });

  it('without a rule, or left out by the case, inform only: nothing compared is not a pass', () => {
    expect(compared({ 'cluster.s.luck': 1, 'cluster.c.circuit_breakers.default.cx_pool_open': 9 }, {})).toBe('failed');
    const notCompared = ['cluster.*.ring_hash_lb.*'];
    const recorded = { 'cluster.c.ring_hash_lb.size': 5, 'cluster.c.membership_total': 1 };
    expect(compared(recorded, { 'cluster.c.membership_total': 1 }, { notCompared })).toBe('passed');
    expect(matches('cluster.*.lb_*', 'cluster.c.lb_healthy_panic')).toBe(true);
    expect(matches('cluster.*.lb_*', 'clusterXc.lb_healthy_panic')).toBe(false);
  });

  it('loose ones may be off by their own tolerance', () => {
    const name = 'cluster.c.outlier_detection.ejections_active';
    const loose = new Map([['cluster.*.outlier_detection.*', '5% + 2']]);
    expect(compared({ [name]: 100 }, { [name]: 107 }, { loose })).toBe('passed');
    expect(compared({ [name]: 100 }, { [name]: 108 }, { loose })).toBe('failed');
    expect(() => compared({ [name]: 1 }, {}, { loose: new Map([['*', 'a bit']]) })).toThrow(/tolerance/);
  });
});
