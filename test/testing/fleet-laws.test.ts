import { describe, expect, it } from 'vitest';
import { aperture, deterministicSubset } from '../../src/policy/client-subsets.js';
import { RandomStreams } from '../../src/random/streams.js';
import type { ListPolicy, LawOptions, Subsetting } from '../../src/testing/index.js';
import {
  agreesAcrossProxies,
  dividesFleet,
  listPolicyUnderTest,
  startsApart,
  tablePolicyUnderTest,
} from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';
import { below, rotation } from './plain-lists.js';
import { plainRing } from './plain-tables.js';

/** What balancers and clients of one fleet owe each other: right ones, which no law may fail, and wrong ones. */

const SEARCH: LawOptions = { seed: 1 };
const SIZE = 5;

/** One order for all clients, whatever order each heard of. */
function shuffled(hosts: readonly string[], seed: number): readonly string[] {
  const list = [...hosts].sort();
  const random = new RandomStreams(String(seed)).stream('shuffle');
  for (let last = list.length - 1; last > 0; last--) {
    const other = below(random, last + 1);
    [list[last], list[other]] = [list[other] ?? '', list[last] ?? ''];
  }
  return list;
}

/** Beyer et al., "Site Reliability Engineering", chapter 20: a round of clients shares a shuffled list without rest. */
const rounds: Subsetting = (client, _clients, hosts) => {
  const perRound = Math.max(1, Math.floor(hosts.length / SIZE));
  const start = SIZE * (client % perRound);
  return shuffled(hosts, Math.floor(client / perRound)).slice(start, start + SIZE);
};

/** Clients take the next hosts of a circle, one after the other: apertures of whole hosts. */
const circle = (client: number, _clients: number, hosts: readonly string[]): readonly string[] => {
  const list = shuffled(hosts, 0);
  const size = Math.min(SIZE, hosts.length);
  return Array.from({ length: size }, (_, index) => list[(client * size + index) % list.length] ?? '');
};

const size = SIZE;

const chosen = (hosts: readonly string[], indices: readonly number[]): string[] =>
  indices.map((index) => hosts[index] ?? '');

const ourAperture: Subsetting = (client, clients, hosts) =>
  new Map(aperture(hosts, { client, clients }, SIZE).map(({ host, part }) => [hosts[host] ?? '', part]));

describe('subsetting from its sources', () => {
  it('in rounds', () => {
    // Each round leaves out what does not fill a subset.
    const spread = (clients: number, hosts: number): number =>
      hosts % SIZE === 0 || hosts < SIZE ? 1 : Math.ceil(clients / Math.floor(hosts / SIZE));
    dividesFleet(rounds, { size, spread });
  });
  it('round a circle', () => dividesFleet(circle, { size }));
  it('our own in rounds, which leave nobody out', () => {
    dividesFleet((client, _clients, hosts) => chosen(hosts, deterministicSubset(hosts, client, SIZE)), { size });
  });
  it('our own by apertures, which load hosts exactly alike', () => {
    dividesFleet(ourAperture, { size, spread: () => 0 });
  });
});

describe('the law of subsetting fails', () => {
  it.each<[string, Subsetting, RegExp]>([
    [
      'the first hosts for everybody',
      (_client, _clients, hosts) => [...hosts].sort().slice(0, SIZE),
      /serves .* a spread of 1/,
    ],
    [
      'subsets drawn at random',
      (client, _clients, hosts) => shuffled(hosts, client).slice(0, SIZE),
      /serves \d+ of \d+ clients and .* a spread of 1 is promised$/,
    ],
    ['rounds that leave hosts out, where no spread is allowed', rounds, /a spread of 1 is promised$/],
    [
      'the order in which a client heard of its hosts',
      (client, clients, hosts) =>
        circle(client, clients, hosts).map(
          (_, index) => hosts[(client * Math.min(SIZE, hosts.length) + index) % hosts.length] ?? '',
        ),
      /where it hears of them as/,
    ],
    [
      'a circle that does not close',
      (client, _clients, hosts) =>
        shuffled(hosts, 0)
          .slice((client * SIZE) % hosts.length)
          .slice(0, SIZE),
      /different ones of \d+ hosts are promised$/,
    ],
    [
      'hosts that are twice in a subset',
      (client, clients, hosts) => [
        ...circle(client, clients, hosts).slice(1),
        circle(client, clients, hosts)[1] ?? hosts[0] ?? '',
      ],
      /different ones/,
    ],
    [
      'a host that has left',
      (client, clients, hosts) => ['10.0.0.99:80', ...circle(client, clients, hosts).slice(1)],
      /is none of the hosts$/,
    ],
  ])('%s', async (_, wrong, reason) => {
    expect(
      await reasonOf(() =>
        dividesFleet(wrong, { size, ...(reason.source.includes('of 0') && { spread: () => 0 }) }, SEARCH),
      ),
    ).toMatch(reason);
  });
});

describe('a law of fleets fails', () => {
  it('a rotation that begins anew where its list grows', async () => {
    const lengths: ListPolicy<unknown, { inner: ReturnType<typeof rotation.start>; known: number[] }> = {
      name: 'ANEW',
      start: (config, random) => ({ inner: rotation.start(config, random), known: [] }),
      refresh: ({ inner, known }, source, hosts) => {
        rotation.refresh(inner, source, hosts);
        if ((known[source] ?? 0) > 0 && known[source] !== hosts.length) inner.next[source] = 0;
        known[source] = hosts.length;
      },
      choose: ({ inner }, source, hosts, input) => rotation.choose(inner, source, hosts, input),
    };
    expect(await reasonOf(() => startsApart(listPolicyUnderTest(lengths)))).toMatch(
      /^1000 of 1000 balancers go on, after a host was added, with 10\.0\.0\.1:80/,
    );
  });

  it('a table in the order in which hosts were listed', async () => {
    const { policy } = plainRing();
    const placed = tablePolicyUnderTest(
      {
        ...policy,
        build: (hosts) => policy.build({ ...hosts, keys: hosts.keys.map((_, index) => `host ${index}`) }, null),
      },
      null,
    );
    expect(await reasonOf(() => agreesAcrossProxies(placed, SEARCH))).toMatch(
      /^a hash leads to .* in one proxy, and to/,
    );
    const keyed = tablePolicyUnderTest(policy, null);
    agreesAcrossProxies(keyed);
  });
});
