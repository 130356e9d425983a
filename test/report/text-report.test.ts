import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, PLAIN } from '../../src/report/layout.js';
import { headlineOf } from '../../src/report/run/headline.js';
import type { TextReportOptions } from '../../src/report/run/generated/text-options.js';
import { textReport } from '../../src/report/run/text-report.js';
import type { RunResult } from '../../src/result/run-result.js';
import { cluster, host, large, phase, place, run, zoneDown, zoneOutage } from './results.js';

function report(result: RunResult, options: Partial<TextReportOptions> = {}): string {
  return textReport(result, { width: 80, bars: true, paint: PLAIN, all: false, full: true, ...options });
}

/** How the first cluster splits: the line below the headline. */
function answer(result: RunResult): string {
  return report(result, { width: 1000 }).split('\n')[3] ?? '';
}

describe('a whole report', () => {
  it('answers first and then shows the evidence', () => {
    expect(report(zoneDown())).toBe(`example  seed 1 · 10 s, 3,000 requests, none failed ·
  behaves as Envoy 1.17, the last of the v2 API

3 hosts get 33.3 % each, 10.0.0.4:80 nothing (unhealthy).
backend: 4 hosts, 3 hosts get 33.3 % each, 10.0.0.4:80 nothing (unhealthy).

backend  ROUND_ROBIN · 4 hosts · 3,000 requests

  host         zone  health     requests   share  0 to 80 %
  10.0.0.1:80  a     healthy       1,000  33.3 %  ██████████
  10.0.0.2:80  a     healthy       1,000  33.3 %  ██████████
  10.0.0.3:80  b     healthy       1,000  33.3 %  ██████████
  10.0.0.4:80  c     unhealthy         0   0.0 %

  zone  hosts  requests   share  0 to 80 %
  a         2     2,000  66.7 %  ████████████████████
  b         1     1,000  33.3 %  ██████████
  c         1         0   0.0 %
`);
  });

  it('follows the phases, with the reasons and labels where they belong', () => {
    const text = report(zoneOutage(), {
      expectations: [
        {
          subject: { kind: 'share', cluster: 'backend', hosts: {} },
          comparator: undefined,
          during: undefined,
          text: '',
        },
      ],
    });
    expect(text).toContain(`4 hosts get 25.0 % each, 10.0.0.1:80 and 10.0.0.2:80 nothing (unhealthy) from
21.4 to 60 s.`);
    expect(text).toContain(`  20.0 – 21.4 s   weight of 10.0.0.5:80 set to 1                    700 requests
    · 20.4 s: zone a stops answering
    host         zone  requests   share  0 to 50 %`);
    expect(text).toContain(`  21.4 – 60.0 s   10.0.0.1:80, 10.0.0.2:80 unhealthy             19,300 requests
    → No panic with 4 of 6 hosts available (66.7 %, threshold 50 %).
    host         zone  health     requests   share  0 to 50 %
    10.0.0.1:80  a     unhealthy         0   0.0 %`);
    expect(text).toContain('latency   p50 10.1 ms   p90 23.4 ms   p99 46.0 ms   max 88.2 ms\n');
    expect(text).toContain('expect    share of zone b between 32 % and 52 %  ok (44.4 %)\n');
    expect(text).toContain('note      no workloads given: 1000/s for 10 s to each cluster\n');
    expect(text).toContain('  whole run                                                      30,000 requests\n');
  });

  it('marks what was interrupted', () => {
    expect(report({ ...zoneDown(), partial: true, duration_s: 2.5 })).toContain(
      'PARTIAL: interrupted at 2.5 s of simulated time; this is what was known by then.',
    );
  });

  it('tells the time it took only when asked to', () => {
    expect(report(zoneDown())).not.toContain('simulated in');
    expect(report(zoneDown(), { elapsedS: 0.051, width: 100 })).toContain(
      '3,000 requests, none failed (simulated in 0.05 s)',
    );
  });
});

describe('the answer', () => {
  it('names hosts that get nothing, with the reason', () => {
    const one = cluster([host('10.0.0.1:80', 500), host('10.0.0.2:80', 0, { health: 'unhealthy' })]);
    expect(answer(run({ one }))).toBe('one: 2 hosts, 10.0.0.1:80 gets 100 %, 10.0.0.2:80 nothing (unhealthy).');
    const degraded = cluster([host('10.0.0.1:80', 500), host('10.0.0.2:80', 0, { health: 'degraded' })]);
    expect(answer(run({ degraded }))).toContain('10.0.0.2:80 nothing (degraded, and the healthy hosts carry the load)');
    const ring = cluster([host('10.0.0.1:80', 500), host('10.0.0.2:80', 0)], { policy: 'RING_HASH' });
    expect(answer(run({ ring }))).toContain('10.0.0.2:80 nothing (healthy, but no key of this traffic falls to it)');
  });

  it('does not take chance for a finding', () => {
    expect(answer(run({ few: cluster([host('10.0.0.1:80', 3), host('10.0.0.2:80', 0)]) }))).toBe(
      'few: 2 hosts, 10.0.0.1:80 gets 100 %, 10.0.0.2:80 nothing (of 3 requests, too few to show shares).',
    );
  });

  it('says that a priority stands by', () => {
    const hosts = [host('10.0.0.1:80', 500), host('10.0.0.2:80', 0, { priority: 1 })];
    const load = { degraded_load: 0, panic: false, healthy: 1, degraded: 0, total: 1 };
    const priorities = [
      { priority: 0, healthy_load: 100, ...load },
      { priority: 1, healthy_load: 0, ...load },
    ];
    const tiers = cluster(hosts, { phases: [phase(0, 10, hosts, { priorities })] });
    expect(answer(run({ tiers }))).toBe(
      'tiers: 2 hosts, 10.0.0.1:80 gets 100 %, 10.0.0.2:80 nothing (the priorities before it carry all the load).',
    );
  });

  it('gives the reasons of a run without events in the same breath', () => {
    const hosts = [host('10.0.0.1:80', 250), host('10.0.0.2:80', 250, { health: 'unhealthy' })];
    const panic = { kind: 'panic', available: 1, counted: 2, available_percent: 50, threshold: 60 } as const;
    const facts = [{ ...panic, effect: 'all_hosts' } as const];
    expect(answer(run({ one: cluster(hosts, { phases: [phase(0, 10, hosts, { facts })] }) }))).toBe(
      'one: 2 hosts, 50.0 % each. Panic with 1 of 2 hosts available (50 %, threshold 60 %), so all hosts are used, healthy or not.',
    );
  });

  it('speaks of no hosts, no requests and requests that found nobody', () => {
    expect(answer(run({ none: cluster([], { no_host: { requests: 40, share: 1 } }) }))).toBe(
      'none: no hosts; none of 40 requests could be sent.',
    );
    expect(answer(run({ idle: cluster([host('10.0.0.1:80', 0)]) }))).toBe('idle: 1 host, no requests.');
    const lossy = run({ lossy: cluster([host('10.0.0.1:80', 75)], { no_host: { requests: 25, share: 0.25 } }) });
    expect(answer(lossy)).toBe('lossy: 1 host, 75.0 %; 25.0 % found no host.');
    expect(report(lossy)).toContain('25.0 % of requests failed, throughout (25 found no host).');
    expect(report(lossy)).toMatch(/\(no host\) +25 +25\.0 %/);
  });

  it('names zones where hosts are too many to name, and a range where there are no zones', () => {
    const many = (of: (index: number) => string): RunResult =>
      run({
        many: cluster(
          Array.from({ length: 30 }, (_, i) => host(`10.0.0.${i}:80`, 100 + i, { locality: place(of(i)) })),
        ),
      });
    expect(answer(many((index) => 'ab'.charAt(index % 2)))).toBe('many: 30 hosts, zones a / b get 49.8 / 50.2 %.');
    expect(answer(many(() => ''))).toBe('many: 30 hosts, 2.9 to 3.8 % each.');
  });

  it('points out the one host that differs from many alike', () => {
    const stable = Array.from({ length: 9 }, (_, index) => host(`10.0.0.${index + 1}:80`, 2210 + 5 * (index % 2)));
    expect(answer(run({ web: cluster([...stable, host('10.0.1.1:80', 116)]) }))).toBe(
      'web: 10 hosts, 10.0.1.1:80 gets 0.6 %, the 9 others 11.0 to 11.1 % each.',
    );
  });

  it('says in words that nobody was there', () => {
    const rows = [host('10.0.0.1:80', 0, { health: 'unhealthy' })];
    expect(answer(run({ one: cluster(rows, { no_host: { requests: 9, share: 1 } }) }))).toBe(
      'one: 1 host, no request found a host.',
    );
  });

  it('is about the most uneven of several phases', () => {
    const even = [host('10.0.0.1:80', 5_010), host('10.0.0.2:80', 4_990)];
    const whole = [host('10.0.0.1:80', 9_010), host('10.0.0.2:80', 10_990)];
    const shifted = [host('10.0.0.1:80', 4_000), host('10.0.0.2:80', 6_000)];
    const moved = run({ moved: cluster(whole, { phases: [phase(0, 10, even), phase(10, 20, shifted)] }) });
    expect(headlineOf(moved).text).toBe('10.0.0.2:80 gets 60.0 %, 10.0.0.1:80 gets 40.0 % from 10 to 20 s.');
    expect(answer(moved)).toBe('moved: 2 hosts, over 2 phases 10.0.0.2:80 gets 54.9 %, 10.0.0.1:80 gets 45.1 %.');
  });

  it('counts the expectations that failed', () => {
    const expectation = { expectation: 'share of b at most 10 %', passed: false, actual: 0.5 };
    const text = report({ ...zoneDown(), expect: [expectation, { ...expectation, passed: true }] });
    expect(text).toContain('1 of 2 expectations failed: share of b at most 10 %.');
    expect(text).toContain('share of b at most 10 %  FAILED (0.5)');
  });
});

describe('many clusters', () => {
  const many = (number: number): RunResult =>
    run(
      Object.fromEntries(
        Array.from({ length: number }, (_, index) => [
          `c${index}`,
          cluster([host('10.0.0.1:80', 90 + index)], index === 2 ? { no_host: { requests: 60, share: 0.4 } } : {}),
        ]),
      ),
    );

  it('are told where most failed and where most went, the rest counted', () => {
    const text = report(many(300));
    expect(text).toContain('39.5 % of requests to c2 failed, throughout (60 found no host).');
    expect(text).toMatch(/^c2: /m);
    expect(text).toMatch(/^c299: /m);
    expect(text).not.toMatch(/^c5: /m);
    expect(text).toContain('… 280 more clusters: 64,538 attempts, 0 failed (--all shows each)');
    expect(text.split('\n').length).toBeLessThan(200);
    expect(report(many(300), { all: true })).toMatch(/^c5: /m);
    expect(report(many(20))).not.toContain('more cluster');
  });
});

describe('tables', () => {
  it('show only columns that tell hosts apart', () => {
    const same = report(run({ one: cluster([host('10.0.0.1:80', 1), host('10.0.0.2:80', 1)]) }));
    expect(same).toMatch(/^ {2}host +requests +share +0 to 50 %$/m);
    expect(report(large(4), { width: 200 })).not.toContain('predicted');
    const rich = report(large(4), { width: 200, predicted: true });
    expect(rich).toMatch(/host +locality +prio +weight +health +requests +share +predicted +z +errors +p50 +p99/);
  });

  it('show what was predicted only where the run does not agree, and then what it means', () => {
    const of = (z: number): RunResult =>
      run({
        one: cluster([
          host('10.0.0.1:80', 60, { predicted_share: 0.5, predicted_z: z }),
          host('10.0.0.2:80', 40, { predicted_share: 0.5, predicted_z: -z }),
        ]),
      });
    expect(report(of(2))).not.toContain('predicted');
    expect(report(of(2), { predicted: true })).toContain('predicted');
    expect(report(of(9))).toMatch(/predicted +z/);
    expect(report(of(9))).toContain('beyond 5 not by chance');
  });

  it('summarise many hosts and say how to see all', () => {
    const text = report(large());
    expect(text).toContain('… 92 more');
    expect(text).toContain('(--all lists them)');
    const rows = report(large(), { all: true }).match(/^ {2}10\.0\.0\.\d+:8080/gm) ?? [];
    // At 80 columns the table comes in two blocks.
    expect(rows.length).toBe(200);
  });

  it('turn to a line per phase where phases are many', () => {
    const phases = Array.from({ length: 40 }, (_, index) =>
      phase(index, index + 1, [host('10.0.0.1:80', 50 + index), host('10.0.0.2:80', 50)], {
        causes: [{ kind: 'timeline', entry: `step ${index}` }],
      }),
    );
    const text = report(run({ one: cluster([host('10.0.0.1:80', 2780), host('10.0.0.2:80', 2000)], { phases }) }));
    expect(text).toMatch(/ 0 – {2}1 s +100 +50\.0 % each +step 0/);
    expect(text).toContain('… 20 phases in between (--all lists them)');
    expect(text.split('\n').length).toBeLessThan(45);
  });

  it('compare proxies', () => {
    const one = (requests: readonly number[]): RunResult =>
      run({ backend: cluster(requests.map((number, index) => host(`10.0.0.${index + 1}:80`, number))) });
    const [left, right] = [one([75, 25]), one([25, 75])];
    const both = run(one([100, 100]).clusters, {
      proxies: {
        'edge-1': { clusters: left.clusters, stats: left.stats },
        'edge-2': { clusters: right.clusters, stats: right.stats },
      },
    });
    expect(report(both)).toContain(`each proxy

  proxy   requests  a host gets
  edge-1       100  75.0 / 25.0 %
  edge-2       100  25.0 / 75.0 %
`);
  });
});

describe('any width', () => {
  const samples = { zoneDown: zoneDown(), zoneOutage: zoneOutage(), large: large(), largeAll: large(57) };

  it.each(Object.entries(samples))('%s never exceeds it', (_, result) => {
    for (const width of [60, 72, 80, 100, 160]) {
      for (const bars of [true, false]) {
        for (const line of report(result, { width, bars }).split('\n')) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(line).toBe(line.trimEnd());
        }
      }
    }
  });

  it.each(Object.entries(samples))('%s has the same numbers at 60 columns as at 200', (_, result) => {
    const numbers = (text: string): string[] =>
      [...new Set(text.replace(/10\.0\.\d+\.\d+:\d+|0 to \d+ %/g, '').match(/[\d,.]*\d/g) ?? [])].sort();
    expect(numbers(report(result, { width: 60 }))).toEqual(numbers(report(result, { width: 200 })));
  });

  it('drops the bars before anything else', () => {
    const wide = report(zoneOutage(), { width: 80 })
      .replace(/ +[█▏▎▍▌▋▊▉▒]+$/gm, '')
      .replace(/ +0 to \d+ %(, ▒ failed)?$/gm, '');
    expect(report(zoneOutage(), { width: 80, bars: false })).toBe(wide);
    expect(report(large(), { width: 60 })).not.toMatch(/errors +p50 +p99 .*█/);
  });

  it('keeps names of any length and alphabet inside', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 60, max: 100 }), (title, zone, width) => {
        const hosts = [
          host('10.0.0.1:80', 10, { locality: place(zone) }),
          host('[2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff]:65535', 20, { locality: place(`${zone}2`) }),
        ];
        const text = report({ ...run({ [title]: cluster(hosts) }), scenario: title }, { width, bars: false });
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 100 },
    );
  });
});
