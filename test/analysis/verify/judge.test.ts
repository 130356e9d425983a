import { expect, it } from 'vitest';
import { judge } from '../../../src/analysis/verify/judge.js';
import type { Decisions } from '../../../src/analysis/verify/own-decisions.js';
import { loadScenarioValue } from '../../../src/scenario/load.js';
import { PLAIN_TRAFFIC } from './plain-traffic.js';

const [spec] =
  loadScenarioValue(
    { clusters: [{ name: 'web' }], endpoints: { web: ['10.0.0.1:80'] }, requests: [{ at: '0s', cluster: 'web' }] },
    'a test',
  ).scenario?.proxies ?? [];
const traffic = [PLAIN_TRAFFIC];
const situation = { fromUs: 0, toUs: 0, proxy: 'proxy', spec: 0, causes: [], clusters: new Map(), traffic };

/** Both sides count this much, of 100 requests there and 200 here. */
function agrees(
  statistic: string,
  there: number,
  here: number,
  unordered: ReadonlySet<string> = new Set(),
): boolean | undefined {
  if (spec === undefined) throw new Error('the test has no proxy');
  const side = (requests: number, count: number): Decisions => ({
    ...{ hosts: [[]], requests, stats: new Map([[`cluster.web.${statistic}`, count]]) },
  });
  const sides = { situation, spec, at: (address: string) => address, unordered };
  return judge({ ...sides, proxy: side(100, there), lbsim: side(200, here) }).stats[0]?.agrees;
}

it.each([
  ['counts of requests are shares', 'lb_healthy_panic', 100, 200, true],
  ['and no shares that differ', 'lb_healthy_panic', 100, 100, false],
  ['of a statistic that counts updates too they may be equal', 'lb_local_cluster_not_ok', 90, 90, true],
  ['states are equal', 'membership_total', 2, 2, true],
  ['or differ', 'membership_total', 2, 4, false],
  ['answers have a status', 'upstream_rq_503', 50, 0, false],
  ['and come from a zone', 'zone.a.b.upstream_rq_200', 100, 0, false],
  ['to somebody outside', 'external.upstream_rq_5xx', 40, 80, true],
  ['drops are counted', 'upstream_rq_drop_overload', 30, 60, true],
])('%s: %s', (_, statistic, there, here, expected) => {
  expect(agrees(statistic, there, here)).toBe(expected);
});

it('compares what these requests added to counts: a difference of before does not hide one of now', () => {
  if (spec === undefined) throw new Error('the test has no proxy');
  const stats = (count: number): ReadonlyMap<string, number> => new Map([['cluster.web.upstream_rq_404', count]]);
  const side = (requests: number, count: number): Decisions => ({ hosts: [[]], requests, stats: stats(count) });
  const sides = { situation, spec, at: (address: string) => address };
  const before = { proxy: side(100, 0), lbsim: side(200, 200) };
  const [stat] = judge({ ...sides, proxy: side(100, 50), lbsim: side(200, 300), before }).stats;
  expect(stat).toMatchObject({ proxy: 50, lbsim: 50, agrees: true });
  const [other] = judge({ ...sides, proxy: side(100, 100), lbsim: side(200, 200), before }).stats;
  expect(other).toMatchObject({ proxy: 100, lbsim: 0, agrees: false });
});

it.each([
  [undefined, false],
  [{ numRetries: 2 }, true],
])('lets chance have more to say of counts that each try of a request adds to: %j', (retried, expected) => {
  if (spec === undefined) throw new Error('the test has no proxy');
  const retryPolicy = retried && ({ ...RETRY, ...retried } as const);
  const own = [{ ...PLAIN_TRAFFIC, spec: { ...PLAIN_TRAFFIC.spec, retryPolicy } }];
  const stats = (count: number): Decisions['stats'] => new Map([['cluster.web.upstream_rq_retry', count]]);
  const side = (requests: number, count: number): Decisions => ({ hosts: [[]], requests, stats: stats(count) });
  const sides = { situation: { ...situation, traffic: own }, spec, at: (address: string) => address };
  const [stat] = judge({ ...sides, proxy: side(800, 740), lbsim: side(1600, 1560) }).stats;
  expect(stat?.agrees).toBe(expected);
});

const RETRY = {
  ...{ numRetries: 1, retryOn: ['5xx'], perTryTimeoutUs: 0, hostSelectionRetryMaxAttempts: 1 },
  ...{ retryHostPredicate: [], retriableStatusCodes: [], retriableHeaders: [], retriableRequestHeaders: [] },
};

it('does not compare what counts updates where they come in no fixed order', () => {
  expect(agrees('lb_recalculate_zone_structures', 3, 4)).toBe(false);
  expect(agrees('lb_recalculate_zone_structures', 3, 4, new Set(['web']))).toBeUndefined();
  expect(agrees('membership_total', 3, 4, new Set(['web']))).toBe(false);
});

it('has the cookies that were made for requests which hosts answered on both sides', () => {
  if (spec === undefined) throw new Error('the test has no proxy');
  const traffic = [PLAIN_TRAFFIC];
  const side = (hosts: readonly string[], made: readonly string[]): Decisions => ({
    ...{ hosts: [hosts], requests: 3, stats: new Map() },
    sent: [made.map((one) => ({ cookie: '', address: '127.0.0.1:4000', ...(one !== '' && { made: [one] }) }))],
  });
  const cookiesOf = (proxy: Decisions, lbsim: Decisions) =>
    judge({ situation: { ...situation, traffic }, spec, at: (address) => address, proxy, lbsim }).splits[0];
  const theirs = side(['a', 'a', ''], ['s="1"', '', '']);
  expect(cookiesOf(theirs, side(['a', 'a', 'a'], ['s="1"', '', 's="3"']))?.cookies).toEqual({ compared: 1, differ: 0 });
  const differs = cookiesOf(theirs, side(['a', 'a', ''], ['s="2"', 's="1"', '']));
  expect(differs?.cookies).toEqual({ compared: 2, differ: 2 });
  expect(differs?.agrees).toBe(false);
  // Each subset that is asked makes it again.
  const again = { ...theirs, sent: [[{ cookie: '', address: '', made: ['s="1"', 's="1"'] }]] };
  const inSubsets = { ...situation, traffic: [{ ...PLAIN_TRAFFIC, hasSubsets: true }] };
  const sides = { spec, at: (address: string) => address, proxy: again, lbsim: side(['a'], ['s="1"']) };
  expect(judge({ situation: inSubsets, ...sides }).splits[0]?.cookies).toEqual({ compared: 1, differ: 0 });
});

it('has the host of each client, but of requests whose cookie was yet to be made: chance chose their clusters', () => {
  if (spec === undefined) throw new Error('the test has no proxy');
  const makes = { lifeUs: Infinity, attributes: '' };
  const source = { header: 'cookie', cookie: 'sid', makes, terminal: false };
  const one = {
    ...PLAIN_TRAFFIC,
    clients: 2,
    looksUpKeys: true,
    spec: { ...PLAIN_TRAFFIC.spec, hashPolicy: [source] },
  };
  const sent = [['', '', 'sid="1"', 'sid="2"'].map((cookie) => ({ cookie, address: '127.0.0.1:4000' }))];
  const side = (...hosts: readonly string[]): Decisions => ({ hosts: [hosts], sent, requests: 4, stats: new Map() });
  const keysOf = (route: typeof one.route) => {
    const sides = { situation: { ...situation, traffic: [{ ...one, route }] }, spec, at: (address: string) => address };
    return judge({ ...sides, proxy: side('a', 'b', 'a', 'b'), lbsim: side('b', 'b', 'a', 'c') }).splits[0]?.keys;
  };
  const differs = { key: 'client 1', proxy: 'b', lbsim: 'c' };
  expect(keysOf([...one.route, ...one.route])).toEqual({ compared: 2, differ: 1, different: [differs] });
  const first = { key: 'client 0', proxy: 'a', lbsim: 'b' };
  expect(keysOf(one.route)).toEqual({ compared: 4, differ: 2, different: [first, differs] });
});
