import { describe, expect, it } from 'vitest';
import { Host } from '../../src/host/host.js';
import { adaptModule } from '../../src/policy/foreign/adapted-module.js';
import { EXTENSIONS } from '../../src/policy/extensions.js';
import { peakEwma } from '../../src/policy/extensions/peak-ewma.js';
import { powerOfD } from '../../src/policy/extensions/power-of-d.js';
import { rendezvous } from '../../src/policy/extensions/rendezvous.js';
import { smoothWeightedRoundRobin } from '../../src/policy/extensions/smooth-weighted-round-robin.js';
import { weightedLeastConnections } from '../../src/policy/extensions/weighted-least-connections.js';
import { shapeProblems } from '../../src/scenario/modules/module-shape.js';
import type { ListPolicyModule, ModuleConfig } from '../../src/policy/foreign/policy-module.js';
import { weightedHosts } from '../../src/policy/weighted-hosts.js';
import { RandomStreams } from '../../src/random/streams.js';
import type { Random64 } from '../../src/random/random64.js';
import {
  BALANCER_LAWS,
  buildsPureTables,
  byWeight,
  drawBound,
  evenly,
  followsShares,
  looksUpItsHosts,
  policyModuleUnderTest,
  scheduleBound,
} from '../../src/testing/index.js';
import { scripted } from '../support/balancing.js';

const clock = { nowUs: 0 };

function hosts(...weights: readonly number[]): Host[] {
  return weights.map((weight, i) => new Host({ address: `10.0.0.${i + 1}:80`, weight }));
}

/** One policy over one list; what it picks is sent at once, and stays open. */
function picker<State>(module: ListPolicyModule<State>, list: readonly Host[], random: Random64, settings = {}) {
  const config: ModuleConfig = {
    settings: { decay_time: 10_000_000, choices: 2, max_fails: 1, ...settings },
    clock,
    runtime: { number: () => undefined },
    version: '1.40',
    weightOf: ({ weight }) => weight,
    count: () => undefined,
  };
  const state = module.start(config, random);
  module.refresh(state, 0, list);
  return {
    state,
    next: () => module.choose(state, 0, list, { random, priorityHi: 0, priorityLo: 0 }),
    answered: (host: number, latencyUs: number, outcome: 'success' | 'timeout' = 'success') =>
      module.answered?.(state, list[host] as Host, latencyUs, outcome),
    refresh: (next: readonly Host[]) => module.refresh(state, 0, next),
  };
}

const stream = (): Random64 => new RandomStreams('1').stream('test');

describe.each(Object.entries(EXTENSIONS))('%s', (name, module) => {
  const subject = policyModuleUnderTest(module);

  // Who sees the first priority alone breaks the laws of levels; its own test has the others.
  const laws = module.kind === 'list' && module.firstPriorityOnly === true ? [] : BALANCER_LAWS;
  it.each(laws)('$name', ({ check }) => check(subject));

  it('is what a module may be, with its source', () => {
    expect(shapeProblems(module)).toEqual([]);
    expect(module.name).toBe(name);
    expect(module.source).toMatch(/\w/);
    for (const setting of Object.values(module.settings ?? {})) expect(setting.description).toMatch(/\.$/);
  });
});

describe('how they spread over idle hosts', () => {
  it('SMOOTH_WEIGHTED_ROUND_ROBIN by weight, within one rotation', () =>
    followsShares(policyModuleUnderTest(smoothWeightedRoundRobin), { shares: byWeight, bound: scheduleBound }));
  it('POWER_OF_D evenly', () => followsShares(policyModuleUnderTest(powerOfD), { shares: evenly, bound: drawBound }));
  it('RENDEZVOUS builds pure tables and looks up its hosts', () => {
    const table = adaptModule(rendezvous);
    if (table.kind !== 'table') throw new Error('it is a table');
    const own = { policy: table, config: {}, entriesPerHost: () => [] };
    buildsPureTables(
      { ...own, policy: { ...table, build: (list, config) => table.build(list, config) } },
      { numRuns: 5 },
    );
    looksUpItsHosts(own);
  });
});

describe('PEAK_EWMA', () => {
  it('avoids a slow host for decay_time · ln(its latency / theirs), and tries it then', () => {
    clock.nowUs = 0;
    const { answered, next } = picker(peakEwma, hosts(1, 1), stream());
    const slowAt: number[] = [];
    for (let ms = 0; ms < 60_000; ms += 10) {
      clock.nowUs = ms * 1000;
      const host = next();
      if (host === 1) slowAt.push(ms);
      answered(host, host === 1 ? 50_000 : 5000);
    }
    // 10 s · ln 10 = 23.03 s; the fast host has fallen by up to 10 ms of decay between two of its answers.
    expect(slowAt[0]).toBeLessThan(100);
    expect((slowAt[1] ?? 0) - (slowAt[0] ?? 0)).toBeGreaterThan(23_000);
    expect((slowAt[1] ?? 0) - (slowAt[0] ?? 0)).toBeLessThan(23_100);
    expect(slowAt).toHaveLength(3);
  });

  it('jumps up at once, and counts open requests', () => {
    clock.nowUs = 0;
    const list = hosts(1, 1);
    const { answered, next } = picker(peakEwma, list, scripted());
    answered(0, 1000);
    answered(1, 1000);
    answered(1, 1500);
    expect(next()).toBe(0);
    (list[0] as Host).activeRequests = 1;
    expect(next()).toBe(1);
  });

  it('does not send more to a host that has never answered', () => {
    const list = hosts(1, 1);
    const { answered, next } = picker(peakEwma, list, stream());
    answered(0, 1_000_000);
    expect(next()).toBe(1);
    (list[1] as Host).activeRequests = 1;
    expect(Array.from({ length: 20 }, next)).not.toContain(1);
  });

  it('draws two different hosts', () => {
    const random = scripted(0, 0);
    picker(peakEwma, hosts(1, 1, 1), random).next();
    expect(random.draws).toBe(2);
  });
});

describe('POWER_OF_D', () => {
  it('with as many choices as hosts joins the shortest queue', () => {
    const list = hosts(1, 1, 1);
    const { next } = picker(powerOfD, list, stream(), { choices: 3 });
    for (let request = 0; request < 300; request++) (list[next()] as Host).activeRequests++;
    expect(list.map(({ activeRequests }) => activeRequests)).toEqual([100, 100, 100]);
  });

  it('of two hosts never takes the busier, which draws with replacement do in a quarter of picks', () => {
    const list = hosts(1, 1);
    (list[0] as Host).activeRequests = 9;
    const { next } = picker(powerOfD, list, stream());
    expect(Array.from({ length: 100 }, next)).not.toContain(0);
  });

  it('draws d hosts, all alike', () => {
    const pairs = new Set<string>();
    const random = stream();
    for (let pick = 0; pick < 2000; pick++) {
      const seen: number[] = [];
      const list = hosts(1, 1, 1, 1).map((host, index) =>
        Object.defineProperty(host, 'activeRequests', { get: () => (seen.push(index), 0) }),
      );
      picker(powerOfD, list, random).next();
      expect(new Set(seen).size).toBe(2);
      pairs.add(seen.join());
    }
    expect(pairs.size).toBe(12);
  });
});

describe('SMOOTH_WEIGHTED_ROUND_ROBIN', () => {
  it('spreads 5, 1, 1 as its source shows', () => {
    const { next } = picker(smoothWeightedRoundRobin, hosts(5, 1, 1), stream());
    expect(Array.from({ length: 14 }, next)).toEqual([0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 0]);
  });

  it('goes on where it was after an update, and forgets who is gone', () => {
    const list = hosts(1, 1, 1);
    const { next, refresh } = picker(smoothWeightedRoundRobin, list, stream());
    expect([next(), next()]).toEqual([0, 1]);
    refresh(list);
    expect(next()).toBe(2);
  });

  it('gives less to a host that cannot be reached, pick by pick more', () => {
    const { answered, next } = picker(smoothWeightedRoundRobin, hosts(3, 3), stream());
    answered(0, 0, 'timeout');
    const picks = Array.from({ length: 12 }, next);
    expect(picks.slice(0, 4).filter((host) => host === 0).length).toBeLessThan(2);
    expect(picks.slice(6).filter((host) => host === 0)).toHaveLength(3);
  });
});

describe('WEIGHTED_LEAST_CONNECTIONS', () => {
  it('fills 2, 1, 1 in proportion, idle hosts first', () => {
    const list = hosts(2, 1, 1);
    const { next } = picker(weightedLeastConnections, list, stream());
    const picks = Array.from({ length: 8 }, () => {
      const host = next();
      (list[host] as Host).activeRequests++;
      return host;
    });
    expect(picks).toEqual([0, 1, 2, 0, 0, 1, 2, 0]);
  });

  it('takes turns among idle hosts', () => {
    const { answered, next } = picker(weightedLeastConnections, hosts(5, 1, 1), stream());
    const picks = Array.from({ length: 6 }, () => {
      const host = next();
      answered(host, 1);
      return host;
    });
    expect(picks).toEqual([0, 1, 2, 0, 1, 2]);
  });
});

describe('RENDEZVOUS', () => {
  const of = (keys: readonly string[], weights?: readonly number[]) => rendezvous.build(weightedHosts(keys, weights));
  const requests = (count: number): readonly (readonly [number, number])[] => {
    const random = stream();
    return Array.from({ length: count }, () => {
      random.next();
      return [random.hi, random.lo] as const;
    });
  };

  it('moves the keys of a lost host, and no other', () => {
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const [all, left] = [of(keys), of(keys.slice(1))];
    const to = new Map<number, number>();
    for (const [hi, lo] of requests(20_000)) {
      const [before, after] = [rendezvous.choose(all, hi, lo, 0), rendezvous.choose(left, hi, lo, 0)];
      if (before === 0) to.set(after, (to.get(after) ?? 0) + 1);
      else expect(after).toBe(before - 1);
    }
    // A fifth of 20,000, in four parts of 1000 ± 5 standard errors.
    for (const count of to.values()) expect(Math.abs(count - 1000)).toBeLessThan(5 * Math.sqrt(1000));
    expect(to.size).toBe(4);
  });

  it('follows weights', () => {
    const counts = [0, 0, 0];
    const table = of(['a', 'b', 'c'], [1, 2, 5]);
    for (const [hi, lo] of requests(40_000)) {
      const host = rendezvous.choose(table, hi, lo, 0);
      counts[host] = (counts[host] ?? 0) + 1;
    }
    for (const [host, part] of [1 / 8, 2 / 8, 5 / 8].entries()) {
      expect(Math.abs((counts[host] ?? 0) / 40_000 - part)).toBeLessThan(5 * Math.sqrt((part * (1 - part)) / 40_000));
    }
  });

  it('a retry takes the next best, each host once', () => {
    const table = of(['a', 'b', 'c']);
    for (const [hi, lo] of requests(50)) {
      const order = [0, 1, 2].map((attempt) => rendezvous.choose(table, hi, lo, attempt));
      expect(new Set(order).size).toBe(3);
      expect(rendezvous.choose(of(['a', 'b', 'c'].filter((_, host) => host !== order[0])), hi, lo, 0)).toBe(
        [0, 1, 2].filter((host) => host !== order[0]).indexOf(order[1] ?? -1),
      );
    }
  });
});
