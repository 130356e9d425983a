import { describe, expect, it } from 'vitest';
import type { Host } from '../../src/host/host.js';
import { rendezvous } from '../../src/policy/extensions/rendezvous.js';
import {
  BALANCER_LAWS,
  type BalancerUnderTest,
  builtInPolicy,
  byWeight,
  fillsItsSlots,
  followsShares,
  goesByLoads,
  ignoresListOrder,
  looksUpItsHosts,
  obeysZoneSettings,
  reachesEveryEntry,
  repeatsItself,
  startsApart,
  takesTurns,
  weighsRequests,
  picksEligibleHosts,
  picksPresentHosts,
  scheduleBound,
  takesFewestOfChoices,
  tablePolicyUnderTest,
} from '../../src/testing/index.js';
import { reasonOf } from './falsified.js';
import * as mistakes from './common-mistakes.js';
import { rotation } from './plain-lists.js';
import { plainMaglev, plainRing, pointOf, walkOf } from './plain-tables.js';

/** The mistakes that balancers of strangers had, each seen by a law, and the right ones, which none may fail. */

const { leastOfTwo, smoothTurns, staticStride } = mistakes;
const ofTwo = (subject: BalancerUnderTest) => () => goesByLoads(subject, 2, { distinct: true });
const wholeLoads = leastOfTwo(({ activeRequests, weight }) => Math.trunc(activeRequests / weight));
/** A smooth schedule is never further off than this, in any stretch. */
const smooth = { shares: byWeight, bound: () => 3, stretch: () => 3 };
/** An offset moves neighbours apart: half of the others come in a row, at most. Scaled weights are rounded, which adds up. */
const stride = {
  shares: byWeight,
  bound: scheduleBound,
  stretch: (share: number, hosts: number) => 2.5 + 0.45 * share * hosts,
};
const turns = { shares: byWeight, bound: scheduleBound };
const turning = (at: (place: number, hosts: readonly Host[]) => number): BalancerUnderTest =>
  mistakes.around({
    ...rotation,
    choose: (state, source, hosts) => {
      const place = state.next[source] ?? 0;
      state.next[source] = place + 1;
      return hosts.length === 0 ? -1 : at(place, hosts);
    },
  });
const byAddress = (hosts: readonly Host[]): readonly number[] =>
  [...hosts.keys()].sort((a, b) => ((hosts[a]?.address ?? '') < (hosts[b]?.address ?? '') ? -1 : 1));
/** Its module has the place, which each start begins anew. */
function sharing(): BalancerUnderTest {
  let place = 0;
  return mistakes.around({
    ...rotation,
    start: (config, random) => {
      const state = rotation.start(config, random);
      place = state.start;
      return state;
    },
    choose: (_state, _source, hosts) => (hosts.length === 0 ? -1 : place++ % hosts.length),
  });
}
const stuck: typeof walkOf = (key, slots) => ({ ...walkOf(key, slots), skip: 0 });
const none = { policy: mistakes.jump(), config: null, entriesPerHost: () => [] };

describe('a law sees', () => {
  it.each<[string, () => void]>([
    ['loads of the last update', () => goesByLoads(mistakes.staleLoads)],
    ['ends that are never heard', ofTwo(mistakes.countsItself(() => false))],
    ['ends that are heard of answers alone', ofTwo(mistakes.countsItself((outcome) => outcome === 'success'))],
    ['loads in a byte', ofTwo(leastOfTwo(({ activeRequests }) => activeRequests & 0xff))],
    ['loads in two bytes', ofTwo(leastOfTwo(({ activeRequests }) => activeRequests & 0xffff))],
    ['loads that are cut off at 20', ofTwo(leastOfTwo(({ activeRequests }) => Math.min(20, activeRequests)))],
    ['loads that are compared as texts', ofTwo(leastOfTwo(({ activeRequests }) => String(activeRequests)))],
    ['loads over weights in whole numbers', ofTwo(wholeLoads)],
    ['the same, of loads that stay', () => takesFewestOfChoices(wholeLoads, 2, { distinct: true })],
    ['a place that outlives its host', () => picksPresentHosts(mistakes.remembers(true), { seed: 1 })],
    ['loads of the update, with weights', () => weighsRequests(mistakes.weighedRequests('at the update'))],
    ['newcomers that are flooded', () => followsShares(mistakes.fewestServed('its own'), turns)],
    ['a place in two bytes', () => takesTurns(turning((place, hosts) => (place & 0xffff) % hosts.length))],
    [
      'turns in the order of addresses',
      () => takesTurns(turning((place, hosts) => byAddress(hosts)[place % hosts.length] ?? -1)),
    ],
    ['a state that balancers share', () => repeatsItself(sharing())],
    ['weights that are cut off', () => followsShares(smoothTurns({ read: (weight) => Math.min(100, weight) }), smooth)],
    ['weights in a byte', () => followsShares(smoothTurns({ read: (weight) => weight & 0xff }), smooth)],
    ['a stride of eight bits', () => followsShares(staticStride(8), { shares: byWeight, bound: scheduleBound })],
    ['weights by index where a host leaves', () => followsShares(smoothTurns({ byIndex: true }), smooth)],
    ['a stride without an offset', () => followsShares(staticStride(16, false), stride)],
    ['jump in the order of a list', () => ignoresListOrder({ ...none, policy: mistakes.jump({ sorted: false }) })],
    [
      'points that two hosts share',
      () => ignoresListOrder(plainRing({ point: (key, index) => pointOf(key + String(index), 0) }), { seed: 1 }),
    ],
    ['a walk that does not come to each slot', () => fillsItsSlots(plainMaglev(), stuck, (keys) => [...keys.keys()])],
    [
      'a slot that stays empty',
      () => reachesEveryEntry({ ...plainMaglev(), entries: () => [{ position: '7', host: -1 }] }),
    ],
    ['a key that stays with an unhealthy host', () => picksEligibleHosts(mistakes.sticky(false))],
    ['one host more than min_cluster_size', () => obeysZoneSettings(mistakes.oneHostMore)],
    [
      'look-ups that wear a table out',
      () => looksUpItsHosts({ ...none, policy: mistakes.jump({ wearsOutAfter: 1000 }) }),
    ],
  ])('%s', async (_, law) => {
    expect(await reasonOf(law)).toMatch(/\w/);
  });
});

const inCluster = (policy: Parameters<typeof tablePolicyUnderTest>[0]): BalancerUnderTest =>
  tablePolicyUnderTest(policy, null, { lbPolicy: 'MAGLEV', version: '1.17' });

describe('what is right stays right:', () => {
  it.each<[string, () => void]>([
    ["Finagle's two choices", ofTwo(leastOfTwo(({ activeRequests }) => activeRequests))],
    ['two choices by loads over weights', ofTwo(leastOfTwo(({ activeRequests, weight }) => activeRequests / weight))],
    ['one choice and a memory', () => picksPresentHosts(mistakes.remembers(false))],
    ['two choices by an own count', ofTwo(mistakes.countsItself())],
    ['an own count, which hears of its ends', () => startsApart(mistakes.countsItself())],
    ['weights over requests', () => weighsRequests(mistakes.weighedRequests('at each pick'))],
    ['newcomers with the fewest of others', () => followsShares(mistakes.fewestServed('the newest'), turns)],
    ["HAProxy's leastconn", () => goesByLoads(mistakes.leastConnections, Infinity)],
    ['LEAST_REQUEST', () => goesByLoads(builtInPolicy('LEAST_REQUEST', '1.40'))],
    ["nginx' smooth turns", () => followsShares(smoothTurns(), smooth)],
    ["gRPC's static stride", () => followsShares(staticStride(), stride)],
    [
      'ROUND_ROBIN',
      () => followsShares(builtInPolicy('ROUND_ROBIN', '1.40'), { shares: byWeight, bound: scheduleBound }),
    ],
    ['a ring, in any order', () => ignoresListOrder(plainRing())],
    ['rendezvous, in any order', () => ignoresListOrder({ ...none, policy: rendezvous, config: {} })],
    ['jump with sorted hosts', () => ignoresListOrder(none)],
    ['jump, looked up', () => looksUpItsHosts(none)],
    ['multi-probe, in any order', () => ignoresListOrder({ ...none, policy: mistakes.multiProbe })],
    ['a sticky key that looks at health', () => picksEligibleHosts(mistakes.sticky(true))],
    ['zone settings, by an own count', () => obeysZoneSettings(mistakes.countsItself(), { seed: 17 })],
    ['zone settings', () => obeysZoneSettings(builtInPolicy('ROUND_ROBIN', '1.40'))],
  ])('%s', (_, law) => {
    expect(law).not.toThrow();
  });

  it.each([
    ['jump', mistakes.jump()],
    ['multi-probe', mistakes.multiProbe],
  ] as const)('%s, by every law', (_, policy) => {
    for (const { check } of BALANCER_LAWS) check(inCluster(policy), { numRuns: 20 });
  });
});
