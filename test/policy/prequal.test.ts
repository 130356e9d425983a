import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Host } from '../../src/host/host.js';
import type { PolicyStep } from '../../src/policy/generated/policy-steps.js';
import { stepWords } from '../../src/words/steps.js';
import { prequal } from '../../src/policy/extensions/prequal.js';
import type { Random64 } from '../../src/random/random64.js';
import { RandomStreams } from '../../src/random/streams.js';
import { scripted } from '../support/balancing.js';

const DEFAULTS = Object.fromEntries(
  Object.entries(prequal.settings ?? {}).map(([name, schema]) => [name, schema.default ?? 0]),
);

const stream = (seed = '1'): Random64 => new RandomStreams(seed).stream('test');

/** One balancer over `size` hosts. */
function start(size: number, settings: Readonly<Record<string, number>> = {}, random: Random64 = stream()) {
  const hosts = Array.from({ length: size }, (_, i) => new Host({ address: `10.0.0.${i + 1}:80` }));
  const clock = { nowUs: 0 };
  const counts: Record<string, number> = {};
  const state = prequal.start(
    {
      settings: { ...DEFAULTS, ...settings },
      clock,
      runtime: { number: () => undefined },
      version: '1.40',
      weightOf: ({ weight }) => weight,
      count: (statistic, by = 1) => (counts[statistic] = (counts[statistic] ?? 0) + by),
    },
    random,
  );
  prequal.refresh(state, 0, hosts);
  const steps: PolicyStep[] = [];
  const input = { random, priorityHi: 0, priorityLo: 0, trace: (step: PolicyStep) => steps.push(step) };
  return {
    hosts,
    clock,
    counts,
    steps,
    list: (next: readonly Host[]) => prequal.refresh(state, 0, next),
    choose: (from: readonly Host[] = hosts) => prequal.choose(state, 0, from, input),
    asks: () => prequal.probes?.(state, 0, hosts, input) ?? [],
    hears: (host: number, inFlight: number, latencyUs: number) =>
      prequal.probed?.(state, hosts[host] as Host, { inFlight, latencyUs }),
  };
}

const outcomes = (steps: readonly PolicyStep[]): readonly string[] => steps.map((step) => stepWords(step).outcome);

/** No removals, so that a pool is what was heard. */
const KEPT = { remove_rate: 0 };

describe('PREQUAL', () => {
  it('takes the fastest of the cold hosts', () => {
    const { choose, hears, counts, steps } = start(20, KEPT);
    hears(3, 0, 9000);
    hears(4, 1, 2000);
    hears(5, 1, 3000);
    hears(6, 5, 1000);
    hears(7, 0, 4000);
    // 0.84 of five answers, 0 0 1 1 5, is the fifth: nobody is hot.
    expect(choose()).toBe(6);
    for (let answer = 0; answer < 20; answer++) hears(8, 0, 5000);
    // Of 25 answers the 21st: two said 1, one 5, so that the limit is 0, and 8 has it at 5 ms.
    expect(choose()).toBe(7);
    expect(counts).toMatchObject({ picks_cold: 2, probes_answered: 25 });
    expect(outcomes(steps).at(-1)).toBe(
      '6 hosts answered lately, 3 of them cold; of those, 10.0.0.8:80 has the lowest latency, 4 ms',
    );
  });

  it('takes the one with the fewest requests where all are hot', () => {
    const { choose, clock, counts, hears, steps } = start(20, KEPT);
    for (let answer = 0; answer < 90; answer++) hears(0, 0, 1000);
    clock.nowUs = 1_000_001;
    hears(1, 7, 1000);
    hears(2, 3, 9000);
    hears(3, 4, 500);
    expect(choose()).toBe(2);
    expect(counts['picks_hot']).toBe(1);
    expect(outcomes(steps).at(-1)).toBe('3 hosts answered lately, all hot; 10.0.0.3:80 has the fewest requests (3)');
  });

  it('a quantile of 0 goes by requests, one of 1 by latency', () => {
    const [first, fewest, fastest] = [0, 1, 2].map((host) => host);
    for (const [rif_quantile, expected] of [
      [0, fewest],
      [1, fastest],
    ] as const) {
      const { choose, hears } = start(20, { ...KEPT, rif_quantile });
      hears(first as number, 5, 5000);
      hears(fewest as number, 4, 9000);
      hears(fastest as number, 9, 1000);
      expect(choose()).toBe(expected);
    }
  });

  it('counts what it has sent since: one answer does not draw all requests', () => {
    const { choose, hears } = start(3, { ...KEPT, rif_quantile: 0 });
    hears(0, 0, 1000);
    hears(1, 2, 1000);
    expect(Array.from({ length: 4 }, () => choose()).sort()).toEqual([0, 0, 0, 1]);
  });

  it('takes any host with fewer answers than two, or where they are too old', () => {
    const { choose, clock, counts, hears } = start(4, KEPT, scripted(3, 2, 1));
    expect(choose()).toBe(3);
    hears(0, 0, 1000);
    expect(choose()).toBe(2);
    hears(3, 0, 2000);
    clock.nowUs = 1_000_000;
    expect(choose()).toBe(0);
    clock.nowUs = 1_000_001;
    expect(choose()).toBe(1);
    expect(counts).toEqual({ picks_at_random: 3, picks_cold: 1, probes_answered: 2 });
  });

  it('removes the worst and the oldest by turns, one with each request', () => {
    const { choose, hears } = start(20, { pool_size: 16, probe_rate: 100 });
    hears(0, 0, 1000); // the oldest
    hears(1, 0, 9000); // the worst
    hears(2, 0, 3000);
    hears(3, 0, 2000);
    expect(choose()).toBe(0); // its answer is used; 1 is removed
    // Left are 2 and 3: 100 probes for a request leave no use for a second time.
    expect(choose()).toBe(3);
    expect(start(1).choose()).toBe(0);
  });

  it('an answer of a host replaces its former one, and the oldest makes room', () => {
    const { choose, hears } = start(20, { ...KEPT, pool_size: 2 });
    hears(0, 0, 1000);
    hears(1, 0, 5000);
    hears(0, 0, 9000);
    expect(choose()).toBe(1);
    hears(2, 0, 8000);
    expect(choose()).toBe(2);
  });

  it('uses an answer as often as the budget says, on the mean', () => {
    // 16 of 64 stand in the pool: 3.6 / (0.75 · 3) = 1.6 uses each, 40 of 25 answers.
    const { choose, counts, hears } = start(64, { ...KEPT, min_pool: 1, reuse_slack: 2.6 });
    choose();
    for (let answer = 0; answer < 25; answer++) {
      hears(answer, 0, 1000);
      const { picks_at_random: before } = counts;
      while (counts['picks_at_random'] === before) choose();
    }
    expect(counts).toMatchObject({ picks_cold: 25, picks_hot: 15 });
  });

  it('counts whom it asks, be it one', () => {
    const { asks, counts } = start(9, { probe_rate: 1 });
    expect([asks().length, counts['probes_sent']]).toEqual([1, 1]);
  });

  it('asks different hosts, as many as the rate says on the mean, all alike', () => {
    const { asks, counts } = start(8, { probe_rate: 2.5 });
    const times = new Array<number>(8).fill(0);
    for (let request = 0; request < 4000; request++) {
      const asked = asks();
      expect(new Set(asked).size).toBe(asked.length);
      for (const host of asked) times[host] = (times[host] ?? 0) + 1;
    }
    expect(counts['probes_sent']).toBe(10_000);
    // 1,250 each: five standard errors of a draw of 1 in 8 are below 5 · sqrt(10,000 · 7 / 64) = 165.
    for (const count of times) expect(Math.abs(count - 1250)).toBeLessThan(165);
    expect(start(2).asks()).toHaveLength(2);
  });

  it('whatever it hears, it takes a host of the list, and of those that answered never one that both signals speak against', () => {
    const answer = fc.record({
      host: fc.nat({ max: 9 }),
      inFlight: fc.nat({ max: 20 }),
      latencyUs: fc.nat({ max: 50_000 }),
      waitUs: fc.nat({ max: 400_000 }),
      picks: fc.nat({ max: 3 }),
      gone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 60 }), (answers) => {
        const { choose, clock, counts, hears, hosts, list } = start(10, { remove_rate: 0, reuse_slack: 100 });
        // What each host said last, with what it was sent since, and when.
        const said = new Map<Host, { inFlight: number; latencyUs: number; atUs: number }>();
        for (const { host, inFlight, latencyUs, waitUs, picks, gone } of answers) {
          clock.nowUs += waitUs;
          hears(host, inFlight, latencyUs);
          said.set(hosts[host] as Host, { inFlight, latencyUs, atUs: clock.nowUs });
          const left = gone ? hosts.slice(0, 5) : hosts;
          list(left);
          for (let pick = 0; pick < picks; pick++) {
            const before = counts['picks_at_random'] ?? 0;
            const taken = left[choose(left)];
            expect(taken).toBeDefined();
            if ((counts['picks_at_random'] ?? 0) > before || taken === undefined) continue;
            const own = said.get(taken);
            if (own === undefined) throw new Error('it never answered');
            expect(clock.nowUs - own.atUs).toBeLessThanOrEqual(1_000_000);
            const better = [...said].filter(
              ([other, { inFlight: requests, latencyUs: us, atUs }]) =>
                left.includes(other) &&
                clock.nowUs - atUs <= 1_000_000 &&
                requests < own.inFlight &&
                us < own.latencyUs,
            );
            expect(better).toEqual([]);
            own.inFlight++;
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
