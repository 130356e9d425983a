import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/report/layout.js';
import { headlineOf } from '../../src/report/run/headline.js';
import { textReport } from '../../src/report/run/text-report.js';
import { noFailures } from '../../src/result/failures.js';
import type { QuestionResult, RunResult } from '../../src/result/run-result.js';
import { questionText } from '../../src/words/question.js';
import { cluster, host, phase, run } from './results.js';

const [A, B] = ['10.0.0.1:80', '10.0.0.2:80'];

describe('the first sentence, where nothing failed', () => {
  it('tells of the host that is given more than it can serve', () => {
    const hosts = [host(A, 1200, { load: 1.2 }), host(B, 800, { load: 0.8 })];
    const busy = cluster(hosts, { phases: [phase(0, 10, hosts)] });
    expect(headlineOf(run({ busy })).text).toBe(`${A} gets 120.0 % of what it can serve from 0 to 10 s.`);
  });

  it('tells who waits, and for which limit or host', () => {
    const latency_ms = { p50: 10, p90: 20, p99: 6900, max: 7000, mean: 100 };
    const hosts = [host(A, 900), host(B, 100, { truth: 'slow' })];
    const slow = cluster(hosts, { latency_ms, phases: [phase(0, 10, hosts)] });
    expect(headlineOf(run({ slow })).text).toBe(
      `1 in 100 requests waits 6,900 ms or longer, while half wait 10.0 ms at most: ${B} is slow and gets 10.0 %.`,
    );
    const reached = { kind: 'limit', limit: 'max_connections', high_priority: false } as const;
    const event = {
      t_s: 1,
      kind: 'circuit_breaker',
      cluster: 'slow',
      proxy: 'edge',
      host: null,
      fact: reached,
    } as const;
    expect(headlineOf({ ...run({ slow }), events: [event] }).text).toMatch(/at most: max_connections reached\.$/);
  });

  it('else of the most uneven cluster, named where there are several', () => {
    const even = cluster([host(A, 500), host(B, 500)]);
    expect(headlineOf(run({ even })).text).toBe('2 hosts get 50.0 % each.');
    expect(headlineOf(run({ even, one: cluster([host(A, 50)]) })).text).toMatch(
      /^even: 2 hosts|^one: 10\.0\.0\.1:80 gets 100 %/,
    );
    const uneven = cluster([host(A, 900), host(B, 100)]);
    expect(headlineOf(run({ even, uneven })).text).toBe(`uneven: ${A} gets 90.0 %, ${B} gets 10.0 %.`);
  });
});

describe('why requests failed', () => {
  const failing = (clusters: RunResult['clusters'], failed: number, success: number): RunResult => {
    const result = run(clusters);
    return { ...result, totals: { ...result.totals, requests: failed + success, failed, success } };
  };

  it('tells of the host that went away, and of the update that waits in the merge window', () => {
    const back = [host(A, 500), host(B, 500)];
    const gone = [host(A, 50), host(B, 50, { errors: 50, truth: 'dead' })];
    const at = (from: number, to: number, entry: string, hosts = back, failed = 0) => ({
      ...phase(from, to, hosts),
      failed,
      causes: [{ kind: 'timeline' as const, entry }],
    });
    const intervals = [0, 1].map((second) => ({
      ...{
        from_s: 5 * second,
        to_s: 5 * second + 5,
        requests: 550,
        no_host: 0,
        success: 500,
        in_flight: 0,
        ejected: 0,
      },
      failed: 50 * second,
      failures: {},
      latency_ms: { p50: 1, p90: 1, p99: 1, max: 1, mean: 1 },
    }));
    const web = cluster(gone, {
      failed: 50,
      success: 1050,
      failures: { ...noFailures(), connect_failure: 50 },
      phases: [at(0, 6, 'B set HEALTHY'), at(6, 7, 'B stops answering', gone, 50), at(7, 10, 'B answers again')],
      course: { every_s: 5, intervals },
      merge_window: {
        updates_put_off: 2,
        deliveries: 1,
        updates_saved: 1,
        requests_to_known_bad: { requests: 50, share: 0.05 },
      },
    });
    expect(headlineOf(failing({ web }, 50, 1050)).text).toMatch(
      /from 6 to 7 s \(4\.5 % of the whole run\): B stops answering at 6 s; the update about it waits in the merge window\.$/,
    );
  });

  it('tells of the panic of the subset that was asked for', () => {
    const hosts = [host(A, 100, { errors: 100 })];
    const facts = [
      {
        ...({ kind: 'panic', effect: 'all_hosts', subset: '{v: "2"}' } as const),
        ...{ available: 0, counted: 1, available_percent: 0, threshold: 50 },
      },
    ];
    const web = cluster(hosts, { failed: 100, success: 0, phases: [{ ...phase(0, 10, hosts), failed: 100, facts }] });
    expect(headlineOf(failing({ web }, 100, 0)).text).toMatch(
      /: subset \{v: "2"\}: panic with 0 of 1 host available .*, so all hosts are used, healthy or not\.$/,
    );
  });

  it('tells of the subset that nobody answers for, not of one before it', () => {
    const fallback = { kind: 'fallback', why: 'empty' } as const;
    const facts = [
      { ...fallback, wanted: '{v: "2"}', chain: [{ subset: '{v: "1"}', empty: false }] },
      { ...fallback, wanted: '{v: "9"}', chain: [] },
    ];
    const phases = [{ ...phase(0, 10, [host(A, 50)]), failed: 50, facts }];
    const failures = { ...noFailures(), no_host: 50 };
    const web = cluster([host(A, 50)], { failed: 50, success: 50, failures, phases });
    expect(headlineOf(failing({ web }, 50, 50)).text).toMatch(
      /: subset \{v: "9"\} is empty and the fallback is NO_FALLBACK, so no host is asked\.$/,
    );
  });

  it('tells of those that wait for a connection, once', () => {
    const fact = { kind: 'connect_timeouts', timeout_s: 1 } as const;
    const hosts = [host(A, 300), host(B, 100, { errors: 100 })];
    const failures = { ...noFailures(), connect_failure: 100 };
    const once = cluster(hosts, {
      failed: 100,
      failures,
      facts: [fact],
      phases: [{ ...phase(0, 10, hosts), failed: 100 }],
    });
    const result = failing({ once }, 100, 300);
    expect(headlineOf(result).text).toMatch(
      /: only at 10\.\S+; requests wait up to connect_timeout \(1 s\) for connections that are not made\.$/,
    );
    expect(textReport(result, { width: 80, bars: false, paint: PLAIN, all: false }).match(/wait up to/g)).toHaveLength(
      1,
    );
  });

  it('tells of more load than hosts can serve, and how much of it is retries', () => {
    const hosts = [host(A, 1000, { load: 7.6 }), host(B, 1000, { load: 7.6 })];
    const busy = cluster(hosts, {
      requests: 2000,
      success: 100,
      failed: 400,
      failures: { ...noFailures(), timeout: 400 },
      phases: [{ ...phase(0, 10, hosts), failed: 400 }],
    });
    expect(headlineOf(failing({ busy }, 400, 100)).text).toMatch(
      /: a load of 760 % of capacity, 75 % of it retries, so answers come too late\.$/,
    );
  });
});

describe('the question of a scenario', () => {
  const share = (value: number, of: string, address: string): QuestionResult => ({
    subject: { kind: 'share', cluster: of, hosts: { address } },
    value,
    unit: 'share',
  });

  it('leads, with what a weight or a table has to do with it', () => {
    const hosts = [host(A, 950, { weight: 95 }), host(B, 50, { weight: 5 })];
    const weighed = cluster(hosts, { phases: [phase(0, 10, hosts)] });
    const asked = (own: typeof weighed): string =>
      headlineOf({ ...run({ web: own }), question: [share(0.05, 'web', B)] }).text;
    expect(asked(weighed)).toBe(`${B} gets 5.0 %: weights count per host, here 5 of 100 in all.`);
    const even = [host(A, 500, { weight: 9 }), host(B, 500)];
    const random = cluster(even, { policy: 'RANDOM', phases: [phase(0, 10, even)] });
    expect(headlineOf({ ...run({ web: random }), question: [share(0.5, 'web', B)] }).text).toBe(
      `${B} gets 50.0 %: RANDOM ignores weights.`,
    );
    const size = { size: 4, min_hashes_per_host: 1, max_hashes_per_host: 1 };
    const ring = { ...weighed, load_balancer: { policy: 'RING_HASH', ...size } };
    expect(asked(ring)).toBe(
      `${B} gets 5.0 %: the table has 4 entries, one entry per host, and it owns its part of them.`,
    );
  });

  it('is told before what failed', () => {
    const hosts = [host(A, 500, { errors: 40 }), host(B, 500)];
    const failures = {
      no_host: 0,
      overflow: 0,
      connect_failure: 40,
      reset: 0,
      timeout: 0,
      error_status: 0,
      drop_overload: 0,
      no_cluster: 0,
    };
    const failing = cluster(hosts, { success: 960, failed: 40, failures });
    const whole = run({ web: failing });
    const result = { ...whole, failures, totals: { ...whole.totals, success: 960, failed: 40 } };
    expect(headlineOf({ ...result, question: [share(0.5, 'web', A)] }).text).toMatch(
      /^10\.0\.0\.1:80 gets 50\.0 %\. 4\.0 % of/,
    );
  });

  it('names the cluster once, where the same hosts are asked about at several times', () => {
    const at = (from_s: number): QuestionResult => ({ ...share(0.5, 'a', A), from_s, to_s: from_s + 1 });
    expect(questionText([at(0), at(1), share(0.25, 'b', A)], true)).toBe(
      `${A} gets 50.0 % in a from 0 to 1 s, 50.0 % from 1 to 2 s and 25.0 % in b`,
    );
  });

  it('says once of requests in a row whom they are for, and where they go', () => {
    const request = (number: number, own: string, host: string | null): QuestionResult => ({
      subject: { kind: 'decision', request: number, cluster: own, host },
      unit: 'number',
      value: null,
    });
    const question = [request(0, 'a', A), request(1, 'a', B), request(2, 'b', A), request(7, 'b', null)];
    expect(questionText(question, true)).toBe(
      `requests 0 to 1, for a, go to ${A} and ${B}; request 2, for b, goes to ${A}; request 7, for b, goes to no host`,
    );
    expect(questionText(question.slice(0, 1), false)).toBe(`request 0 goes to ${A}`);
  });

  it('tells what a host had as the run began, where that is another matter', () => {
    const now = { ...share(0.5, 'a', A), from_s: 5, to_s: 9 };
    const more = { usual: 0.083, over_tcp: undefined };
    expect(questionText([now], false, [more])).toBe(`${A} gets 50.0 % (8.3 % at first) from 5 to 9 s`);
  });

  it('says numbers with the same ends once, each with its unit', () => {
    expect(questionText([share(0.25, 'a', A), share(0.0005, 'b', A), share(1, 'b', B)], true)).toBe(
      `${A} gets 25.0 % in a and 0.05 % in b; ${B} gets 100 % in b`,
    );
    const of = (subject: QuestionResult['subject'], unit: QuestionResult['unit'], value: number | null = 0.5): string =>
      questionText([{ subject, unit, value, from_s: 1, to_s: 2 }], true);
    const web = { cluster: 'web' };
    expect([
      of({ kind: 'no_host', ...web }, 'share'),
      of({ kind: 'crosses_zones', ...web }, 'share'),
      of({ kind: 'moved_keys', ...web }, 'share'),
      of({ kind: 'success_rate', ...web }, 'share'),
      of({ kind: 'failures', ...web, cause: undefined }, 'number', 1200),
      of({ kind: 'requests', ...web }, 'number', 3),
      of({ kind: 'latency', ...web, percentile: 99 }, 'seconds'),
      of({ kind: 'mean_latency', ...web }, 'seconds', 46.79),
      of({ kind: 'host_load', ...web, overUs: 1e6 }, 'load', 1.2),
      of({ kind: 'stat', name: 'cluster.web.lb_healthy_panic' }, 'number', 2),
      of({ kind: 'mean_stat', name: 'cluster.web.upstream_rq_active' }, 'number', null),
    ]).toEqual([
      '50.0 % of the requests to web find no host from 1 to 2 s',
      '50.0 % of the requests to web cross zones from 1 to 2 s',
      '50.0 % of the keys of web move to another host from 1 to 2 s',
      '50.0 % of the requests to web succeed from 1 to 2 s',
      '1,200 requests to web fail from 1 to 2 s',
      'web gets 3 attempts from 1 to 2 s',
      'the p99 latency is 500.0 ms in web from 1 to 2 s',
      'the mean latency is 46.8 s in web from 1 to 2 s',
      'the busiest host gets 120 % of what it can take in web from 1 to 2 s',
      'cluster.web.lb_healthy_panic is 2',
      'the mean of cluster.web.upstream_rq_active is nothing from 1 to 2 s',
    ]);
    expect(questionText([share(0.004, 'a', A)], false)).toBe(`${A} gets 0.40 %`);
  });
});

describe('the short report of many clusters', () => {
  it('has a line for those where most failed, in their order, and counts the others', () => {
    const even = cluster([host(A, 500), host(B, 500)]);
    const failures = { ...noFailures(), connect_failure: 40 };
    const failing = cluster([host(A, 500, { errors: 40 }), host(B, 500)], { success: 960, failed: 40, failures });
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const whole = run(Object.fromEntries(names.map((name) => [name, name === 'c39' ? failing : even])));
    const result = { ...whole, failures, totals: { ...whole.totals, success: 39_960, failed: 40 } };
    const text = textReport(result, { width: 80, bars: false, paint: PLAIN, all: false });
    const rows = text.split('\n').flatMap((line) => /^ {2}(c\d+) /.exec(line)?.[1] ?? []);
    expect(rows.at(-1)).toBe('c39');
    expect(rows.slice(0, 2)).toEqual(['c0', 'c1']);
    expect(text).toContain(`… ${40 - rows.length} more clusters (--full)`);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  });

  it('is followed by what happened, with the cluster that it happened to, also where its name is part of a word', () => {
    const hosts = [host('10.0.0.1:80', 1)];
    const left = { kind: 'timeline', entry: '10.0.0.9 leaves' } as const;
    const two = cluster(hosts, { phases: [phase(0, 5, hosts), phase(5, 10, hosts, { causes: [left] })] });
    const whole = cluster(hosts, { phases: [phase(0, 10, hosts)] });
    const text = (clusters: Record<string, typeof two>) =>
      textReport(run(clusters), { width: 80, bars: false, paint: PLAIN, all: false });
    expect(text({ e: two, other: whole })).toContain('  · 5 s: e: 10.0.0.9 leaves\n');
    expect(text({ e: two, other: two })).toContain('  · 5 s: 10.0.0.9 leaves\n');
  });
});
