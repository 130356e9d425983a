import { describe, expect, it } from 'vitest';
import type { ListPolicy, ProxyVersion } from '../../src/testing/index.js';
import {
  type BalancerUnderTest,
  builtInPolicy,
  byWeight,
  drawBound,
  evenly,
  followsShares,
  listPolicyUnderTest,
  scheduleBound,
  startsApart,
  takesFewestOfChoices,
  takesTurns,
  weighsRequests,
} from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';
import { atRandom, below, rotation, smooth, twoChoices } from './plain-lists.js';

/** Policies of lists that pass every law of single picks, and are wrong; and right ones, which no law may fail. */

const around = <State>(policy: ListPolicy<unknown, State>): BalancerUnderTest => listPolicyUnderTest(policy);
const turns = { shares: evenly, bound: scheduleBound };
const draws = { shares: evenly, bound: drawBound };

describe.each<ProxyVersion>(['1.17', '1.40'])('of our own policies at %s', (version) => {
  it.each(['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM'] as const)('%s starts apart from its equals', (lbPolicy) => {
    startsApart(builtInPolicy(lbPolicy, version));
  });
});

describe('a law of shares fails a rotation', () => {
  it('that begins anew at each update', async () => {
    const wrong = around({
      ...rotation,
      refresh: ({ next, start }, source) => {
        next[source] = start;
      },
    });
    expect(await reasonOf(() => followsShares(wrong, turns))).toMatch(/^host \d has/);
  });

  it('with one place for all lists', async () => {
    const wrong = around({
      ...rotation,
      choose: (state, _source, hosts, input) => rotation.choose(state, 0, hosts, input),
    });
    expect(await reasonOf(() => followsShares(wrong, turns))).toMatch(/^host \d has/);
  });

  it('that begins with the first host in every worker', async () => {
    const wrong = around({ ...rotation, start: () => ({ start: 0, next: [] }) });
    expect(await reasonOf(() => startsApart(wrong))).toMatch(/^1000 of 1000 balancers begin with 10\.0\.0\.1:80/);
    expect(() => followsShares(wrong, turns)).not.toThrow();
  });
});

describe('a law of turns and choices', () => {
  const builtIn = (lbPolicy: 'ROUND_ROBIN' | 'LEAST_REQUEST'): BalancerUnderTest => builtInPolicy(lbPolicy, '1.40');
  const scan: ListPolicy<unknown, null> = {
    ...twoChoices,
    choose: (_state, _source, hosts, { random }) => {
      const fewest = Math.min(...hosts.map(({ activeRequests }) => activeRequests));
      const tied = [...hosts.keys()].filter((index) => hosts[index]?.activeRequests === fewest);
      return tied[below(random, tied.length)] ?? -1;
    },
  };

  it('holds for a rotation, for a scan of all hosts, and for weights by requests', () => {
    takesTurns(around(rotation));
    takesTurns(builtIn('ROUND_ROBIN'));
    takesFewestOfChoices(around(scan), Infinity, { distinct: true });
    weighsRequests(builtIn('LEAST_REQUEST'), 1);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'turns that go backwards',
      () => {
        const choose: typeof rotation.choose = (state, source, hosts, input) =>
          hosts.length - 1 - rotation.choose(state, source, hosts, input);
        takesTurns(around({ ...rotation, choose }), { seed: 1 });
      },
      /^request \d+ went to host \d, and it was the turn of host \d of \d$/,
    ],
    ['draws where turns are due', () => takesTurns(around(atRandom), { seed: 1 }), /it was the turn of/],
    [
      'two choices that may be the same',
      () => takesFewestOfChoices(around(twoChoices), 2, { distinct: true }),
      /^host \d has \d+ of/,
    ],
    [
      'a scan that takes the first of those that tie',
      () => {
        const choose: typeof scan.choose = (_state, _source, hosts) => {
          const fewest = Math.min(...hosts.map(({ activeRequests }) => activeRequests));
          return hosts.findIndex(({ activeRequests }) => activeRequests === fewest);
        };
        takesFewestOfChoices(around({ ...scan, choose }), Infinity, { distinct: true });
      },
      /^host \d has \d+ of/,
    ],
    ['weights without a look at requests', () => weighsRequests(builtIn('ROUND_ROBIN')), /^host \d has \d+ of/],
    ['another bias', () => weighsRequests(builtIn('LEAST_REQUEST'), 2), /^host \d has \d+ of/],
  ])('fails %s', async (_, law, reason) => {
    expect(await reasonOf(law)).toMatch(reason);
  });
});

describe('a law of shares fails weights', () => {
  type Kept = { readonly inner: ReturnType<typeof smooth.start>; readonly weights: number[][] };
  /** Hosts as they were when their list came first, or when it changed its length. */
  const keeping = (isStale: (known: readonly number[], now: number) => boolean): ListPolicy<unknown, Kept> => ({
    name: 'KEEPING',
    start: (config, random) => ({ inner: smooth.start(config, random), weights: [] }),
    refresh: ({ inner, weights }, source, hosts) => {
      const known = weights[source];
      if (known === undefined || !isStale(known, hosts.length)) weights[source] = hosts.map(({ weight }) => weight);
      smooth.refresh(inner, source, hosts);
    },
    choose: ({ inner, weights }, source, hosts, input) => {
      const known = hosts.map((host, index) =>
        Object.assign(Object.create(host) as typeof host, { weight: weights[source]?.[index] ?? 1 }),
      );
      return smooth.choose(inner, source, known, input);
    },
  });
  const bound = (_share: number, hosts: number): number => 2 * hosts;

  it.each<[string, BalancerUnderTest]>([
    ['that no update changes', around(keeping((known, hosts) => known.length === hosts))],
    ['of the first list for ever', around(keeping((known) => known.length > 0))],
  ])('%s', async (_, wrong) => {
    expect(await reasonOf(() => followsShares(wrong, { shares: byWeight, bound }))).toMatch(/^host \d has/);
  });
});

describe('a law of shares has the power to see', () => {
  const drawing = (index: (hosts: number, random: Parameters<typeof below>[0]) => number): BalancerUnderTest =>
    around<null>({
      ...atRandom,
      choose: (_state, _source, hosts, { random }) => (hosts.length === 0 ? -1 : index(hosts.length, random)),
    });

  it('one host with 10 % too much', async () => {
    const wrong = drawing((hosts, random) => {
      const host = below(random, hosts);
      // Every other host gives a tenth of what the first should have, divided among them.
      return host > 0 && below(random, 10 * (hosts - 1)) === 0 ? 0 : host;
    });
    expect(await reasonOf(() => followsShares(wrong, draws))).toMatch(/^host 0 has .* show 6 % too much$/);
  });

  it('the remainder of eight bits', async () => {
    const wrong = drawing((hosts, random) => {
      random.next();
      return (random.lo & 0xff) % hosts;
    });
    expect(await reasonOf(() => followsShares(wrong, draws))).toMatch(/^host \d+ has/);
  });

  it('two choices that take the busier one in 2 % of their picks', async () => {
    const wrong = around<null>({
      ...twoChoices,
      choose: (_state, _source, hosts, { random }) => {
        const [one, other] = [below(random, hosts.length), below(random, hosts.length)];
        const [less, more] =
          (hosts[other]?.activeRequests ?? 0) < (hosts[one]?.activeRequests ?? 0) ? [other, one] : [one, other];
        return below(random, 50) === 0 ? more : less;
      },
    });
    expect(await reasonOf(() => takesFewestOfChoices(wrong))).toMatch(/^host \d+ has/);
  });
});
