import fc from 'fast-check';
import { chanceBound, longLook, visibleDeviation } from '../chance.js';
import { balancerLaw, fail, type LawOptions, search } from '../law.js';
import { demand as demandArguments, FROM_ZERO, NUMBER, NUMBERS, withFunctions } from '../../core/arguments.js';
import type { BalancerUnderTest } from '../balancer-under-test.js';
import { healthyHost, PLAIN_CLUSTER, pickOnce } from './situation.js';
import { changeValue, type Remarks, situationScenario } from '../scenario-file.js';
import { begin, CLUSTER, type HostChange, type StoryCluster, type StoryHost, demandSubject } from '../story.js';
import { Decision } from '../../hostset/load-balancer.js';
import { sum } from '../../core/values.js';

export interface ShareExpectation {
  /** Expected share of each host, by its weight. */
  readonly shares: (weights: readonly number[]) => readonly number[];
  /** The allowed error of a count of picks. */
  readonly bound: (share: number, hosts: number, picks: number) => number;
  /** The allowed error of a count of any stretch of picks, however long; default: only whole counts are looked at. */
  readonly stretch?: (share: number, hosts: number) => number;
}

export interface ShareExample {
  readonly weights: readonly number[];
  /** Constant number of active requests of each host. */
  readonly busy: readonly number[];
  readonly seed: number;
  readonly picks: number;
  /** Initial weights of the hosts; they get their own after {@link WARM_UP} picks, which are not counted. */
  readonly before?: readonly number[] | undefined;
  /** Each time after this many picks an update changes only the weight of a host that is down. 0: never. */
  readonly updateEvery: number;
  /** A host of this weight in the middle of the list leaves after {@link WARM_UP} picks, which are not counted. */
  readonly leaver?: number | undefined;
  /** The last host joins after so many. */
  readonly joins?: boolean;
  /** Hosts of a second level with about half of the picks, which are not counted. 0: none. */
  readonly others: number;
}

interface ShareLaw {
  readonly law: string;
  readonly examples: fc.Arbitrary<ShareExample>;
  /** Examples run once with many picks, see {@link longLook}. */
  readonly long: readonly Pick<ShareExample, 'weights' | 'busy'>[];
  readonly expected: (example: ShareExample) => readonly number[];
  readonly bound: ShareExpectation['bound'];
  readonly stretch?: ShareExpectation['stretch'];
}

export const PICKS_PER_HOST = 150;
export const RUNS = 40;
/** No panic. */
export const CLUSTER_OF_EQUALS: StoryCluster = { healthyPanicThreshold: 0, failTrafficOnPanic: false };
const WARM_UP = 40;
const LEAVER = '10.0.3.0:80';
export const PLAIN = { updateEvery: 0, others: 0 };

/**
 * Picks are spread as the policy promises: every host's count stays within a derived bound of picks · share, in whatever
 * order the hosts stand. This also holds after a change of weights, and beside a second level, whose picks are from another
 * list; for equal weights also during updates that do not change them.
 *
 * The hosts are healthy and idle, and the picks begin at a random point of the balancer's life, or after a host in the middle
 * of the list has left, or the last one has joined. Power: hosts of any weights are tried with 150 picks each, and 5, 20 and 192 equal ones, and weights of
 * 1 and 1,000 and up to 10,000, with 4,000 for each run of the law: 160,000 by default, which with {@link drawBound} detect 5,
 * 10 and 35 % too much on one of the equal hosts.
 */
export function followsShares(subject: BalancerUnderTest, expectation: ShareExpectation, options?: LawOptions): void {
  demandArguments('followsShares', ['expectation', expectation, withFunctions('shares', 'bound')]);
  const { shares, bound, stretch } = expectation;
  const weight = fc.integer({ min: 1, max: 12 });
  const seed = fc.nat(9999);
  const others = fc.constantFrom(0, 0, 2, 3, 5);
  const change = fc.constantFrom('none', 'weights', 'weights', 'leaves', 'joins');
  // Equal weights are a separate case: policies use another algorithm then.
  const weighted = fc
    .array(fc.record({ weight, old: weight }), { minLength: 1, maxLength: 9 })
    .chain((hosts) => fc.record({ hosts: fc.constant(hosts), seed, others, change, leaver: weight }))
    .map(({ hosts, change: kind, leaver, ...rest }) => ({
      ...rest,
      weights: hosts.map((host) => host.weight),
      before: kind === 'weights' ? hosts.map(({ old }) => old) : undefined,
      leaver: kind === 'leaves' ? leaver : undefined,
      joins: kind === 'joins',
      updateEvery: 0,
    }));
  const equal = fc.record({
    weights: fc.array(fc.constant(1), { minLength: 1, maxLength: 9 }),
    seed,
    others,
    updateEvery: fc.constantFrom(0, 1, 2, 3, 5),
  });
  const examples = fc.oneof(weighted, equal).map((example) => ({
    ...example,
    busy: example.weights.map(() => 0),
    picks: PICKS_PER_HOST * example.weights.length,
  }));
  const long = [
    ...[5, 20, 192].map((hosts) => times(hosts, () => 1)),
    [1, 1000],
    [10_000, 1, 257, 250],
    // Where light hosts come in bunches, the heavy one is left out for long.
    [12, 1, 1, 1, 1, 1, 1, 1, 1],
    [7, 3, 5, 11, 2],
  ].map((weights) => ({
    weights,
    busy: weights.map(() => 0),
  }));
  const expected = (example: ShareExample): readonly number[] => shares(example.weights);
  searchShares(subject, { law: 'follows its shares', examples, long, expected, bound, stretch }, options);
}

/**
 * Where weights differ, each host counts with weight / (active requests + 1)^bias: LEAST_REQUEST takes turns by that.
 *
 * Source: the proxy's documentation of the weighted least request balancer.
 */
export function weighsRequests(subject: BalancerUnderTest, bias = 1, options?: LawOptions): void {
  demandArguments('weighsRequests', ['bias', bias, NUMBER]);
  const host = fc.record({ weight: fc.integer({ min: 1, max: 5 }), requests: fc.nat(3) });
  const examples = fc
    .record({ hosts: fc.array(host, { minLength: 2, maxLength: 6 }), seed: fc.nat(9999) })
    .map((one) => {
      // The first one differs from all others.
      const weights = one.hosts.map(({ weight }, index) => (index === 0 ? 6 : weight));
      const busy = one.hosts.map(({ requests }) => requests);
      return { ...PLAIN, seed: one.seed, weights, busy, picks: PICKS_PER_HOST * weights.length };
    });
  const expected = ({ weights, busy }: ShareExample): readonly number[] =>
    byWeight(weights.map((weight, index) => weight / ((busy[index] ?? 0) + 1) ** bias));
  const law = 'weighs its hosts by their requests';
  searchShares(subject, { law, examples, long: [], expected, bound: scheduleBound }, options);
}

/**
 * Among equal hosts turns go through the list in its order, from the last host to the first, whatever their weight and
 * however often the same list is delivered again. For rotations such as ROUND_ROBIN. Power: some of 40 searches are 70,000
 * picks long, so that a place that is kept in two bytes is seen to be.
 */
export const takesTurns = balancerLaw('takes turns in the order of its list', {
  examples: () =>
    fc
      .record({
        seed: fc.nat(9999),
        count: fc.integer({ min: 1, max: 12 }),
        weight: fc.integer({ min: 1, max: 3 }),
        picks: fc.oneof(
          { arbitrary: fc.integer({ min: 2, max: 40 }), weight: 4 },
          { arbitrary: fc.constant(70_000), weight: 1 },
        ),
      })
      .map(({ seed, count, weight, picks }) => {
        // Not in the order of their addresses.
        const hosts = times(count, (index) => healthyHost((7 * index) % 13, { weight }));
        return { seed, cluster: PLAIN_CLUSTER, hosts, picks };
      }),
  test: (subject, example) => {
    const { hosts, picks } = example;
    const { balancer, discovery, request } = begin(subject, example);
    const places = new Map(hosts.map(({ address }, place) => [address, place]));
    const decision = new Decision();
    let before: number | undefined;
    for (let pick = 0; pick < picks; pick++) {
      if (pick % 1000 === 7) discovery.again(balancer);
      const place = places.get(pickOnce(balancer, request, decision)?.address ?? '') ?? -1;
      const due: number = before === undefined ? place : (before + 1) % hosts.length;
      if (place !== due || place < 0)
        fail(`request ${pick} went to host ${place}, and it was the turn of host ${due} of ${hosts.length}`);
      before = place;
    }
  },
  scenario: (subject, example, remarks) => situationScenario(subject, example, example.picks, remarks),
  numRuns: RUNS,
});

export function searchShares(subject: BalancerUnderTest, shareLaw: ShareLaw, options: LawOptions = {}): void {
  const { law, examples, long } = shareLaw;
  demandSubject(`the law "${law}"`, subject);
  const picks = longLook(options.numRuns ?? RUNS);
  search<ShareExample>(options, {
    law,
    examples,
    once: long.map((hosts) => fc.nat(9999).map((seed) => ({ ...PLAIN, ...hosts, seed, picks }))),
    test: (example) => judge(subject, example, shareLaw),
    scenario: (example, remarks) => shareScenario(subject, example, shareLaw, remarks),
    numRuns: RUNS,
    seed: 20,
  });
}

function judge(subject: BalancerUnderTest, example: ShareExample, { expected, bound, stretch }: ShareLaw): void {
  const shares = expected(example);
  const { counts, picks, reach } = countPicks(subject, example, shares);
  shares.forEach((share, index) => {
    const within = example.others > 0 ? Infinity : (stretch?.(share, shares.length) ?? Infinity);
    // Bounds may be no numbers.
    if (!((reach[index] ?? 0) <= within))
      fail(
        `host ${index} is off by ${round(reach[index] ?? 0)} in a stretch of its picks, allowed are ${round(within)}`,
      );
    const off = Math.abs((counts[index] ?? 0) - picks * share);
    const allowed = bound(share, example.weights.length, picks);
    if (!(off <= allowed))
      fail(
        `host ${index} has ${counts[index] ?? 0} of ${picks} requests, expected are ${round(picks * share)}: ` +
          `off by ${round(off)}, allowed are ${round(allowed)}; so many requests show ` +
          `${Math.ceil(100 * visibleDeviation(share, picks, allowed))} % too much`,
      );
  });
}

/** The picks of each host, all of them, and by how much each host's share was exceeded or missed in some stretch of them. */
function countPicks(subject: BalancerUnderTest, example: ShareExample, shares: readonly number[]) {
  const { weights, seed, picks, busy, updateEvery } = example;
  const situation = { seed, cluster: CLUSTER_OF_EQUALS, hosts: hostsOf({ ...example, busy: [] }) };
  const { balancer, discovery, request } = begin(subject, situation);
  const places = new Map(weights.map((_, place) => [addressOf(place), place]));
  // Loads are not those of the update.
  for (const host of discovery.hosts) host.activeRequests = busy[places.get(host.address) ?? -1] ?? 0;
  const decision = new Decision();
  const counts = weights.map(() => 0);
  // Of the picks so far, how far each count was from its share, at most and at least.
  const [most, least] = [weights.map(() => 0), weights.map(() => 0)];
  const pick = (number: number): void => {
    const place = places.get(pickOnce(balancer, request, decision)?.address ?? '');
    if (place === undefined) return;
    const off = (counts[place] ?? 0) - number * (shares[place] ?? 0);
    counts[place] = (counts[place] ?? 0) + 1;
    least[place] = Math.min(least[place] ?? 0, off);
    most[place] = Math.max(most[place] ?? 0, off + 1 - (shares[place] ?? 0));
  };
  changesOf(example).forEach((changes, part) => {
    for (let warm = 0; part > 0 && warm < WARM_UP; warm++) pick(0);
    for (const change of changes) discovery.change(change, balancer);
  });
  for (const list of [counts, most, least]) list.fill(0);
  for (let done = 0; done < picks; done++) {
    if (updateEvery > 0 && done > 0 && done % updateEvery === 0)
      discovery.change({ host: weights.length, weight: (done / updateEvery) % 2 === 1 ? 2 : 1 }, balancer);
    pick(done);
  }
  const reach = counts.map((count, place) => {
    const off = count - picks * (shares[place] ?? 0);
    return Math.max(most[place] ?? 0, off) - Math.min(least[place] ?? 0, off);
  });
  // With one level, picks without a host count as well.
  return { counts, reach, picks: example.others === 0 ? picks : sum(counts) };
}

/** Those of the start, and those after {@link WARM_UP} picks, if there are any. */
function changesOf({ weights, before, leaver, joins }: ShareExample): readonly (readonly HostChange[])[] {
  const last = weights.length - 1;
  if (joins === true) return [[{ host: last, present: false }], [{ host: last, present: true }]];
  if (leaver !== undefined) return [[], [{ host: middleOf(weights), present: false }]];
  return before === undefined ? [] : [[], weights.map((weight, host) => ({ host, weight }))];
}

const addressOf = (place: number): string => `10.0.0.${place}:80`;

/** Where the host stands that leaves. */
const middleOf = (weights: readonly number[]): number => weights.length >> 1;

/** Beside a second level, the first has 1.8 unhealthy hosts for each healthy one, and so about half of the load. */
function hostsOf({ weights, busy, before, leaver, others, updateEvery }: ShareExample): StoryHost[] {
  const some = (net: number, count: number, traits: (index: number) => Partial<StoryHost>): StoryHost[] =>
    times(count, (index) => healthyHost(index, { address: `10.0.${net}.${index}:80`, ...traits(index) }));
  const own = before ?? weights;
  const unhealthy = others > 0 ? Math.round(1.8 * weights.length) : updateEvery > 0 ? 1 : 0;
  const staying = some(0, own.length, (index) => ({ weight: own[index] ?? 1, busy: busy[index] ?? 0 }));
  return [
    ...staying.slice(0, middleOf(weights)),
    ...(leaver === undefined ? [] : [healthyHost(0, { address: LEAVER, weight: leaver })]),
    ...staying.slice(middleOf(weights)),
    ...some(1, unhealthy, () => ({ health: 'UNHEALTHY' })),
    ...some(2, others, () => ({ priority: 1 })),
  ];
}

/** A request per millisecond draws the same values as the law; `expect` states the law's own bounds. */
function shareScenario(
  subject: BalancerUnderTest,
  example: ShareExample,
  { expected, bound }: ShareLaw,
  remarks: Remarks,
): string {
  const { weights, seed, picks, updateEvery, others } = example;
  const changes = changesOf(example);
  const start = changes.length > 0 ? WARM_UP : 0;
  const percent = (count: number): string => `${round((100 * Math.min(picks, Math.max(0, count))) / picks)}%`;
  const at = `${1000 * start - 500}us`;
  const updates = [2, 1].map((weight, turn) => ({
    every: `${2 * updateEvery}ms`,
    from: `${1000 * (turn + 1) * updateEvery - 500}us`,
    set_weight: { hosts: '10.0.1.0:80', weight },
  }));
  const shares = expected(example).map((share, index) => {
    const allowed = bound(share, weights.length, picks);
    return {
      share: { cluster: CLUSTER, hosts: addressOf(index) },
      between: [percent(picks * share - allowed), percent(picks * share + allowed)],
      ...(start > 0 && { during: [`${start}ms`, `${start + picks}ms`] }),
    };
  });
  const hosts = hostsOf(example);
  return situationScenario(subject, { seed, cluster: CLUSTER_OF_EQUALS, hosts }, start + picks, remarks, {
    timeline: [
      ...changes.flatMap((some, part) =>
        some.map((change) => changeValue(part === 0 ? '0s' : at, change, hosts[change.host] as StoryHost)),
      ),
      ...(updateEvery === 0 ? [] : updates),
    ],
    // With two levels the number of requests of each is unknown.
    expect: others > 0 ? [] : shares,
  });
}

export const round = (value: number): number => Math.round(value * 1000) / 1000;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** In proportion to the weights. */
export function byWeight(weights: readonly number[]): readonly number[] {
  demandArguments('byWeight', ['weights', weights, NUMBERS]);
  const total = sum(weights);
  return weights.map((weight) => weight / total);
}

/** The same for every host. */
export function evenly(weights: readonly number[]): readonly number[] {
  demandArguments('evenly', ['weights', weights, NUMBERS]);
  return weights.map(() => 1 / weights.length);
}

/**
 * The bound of an earliest-deadline-first schedule, from any point: at time t a host of share s out of n has had floor(t ·
 * s) picks, and all of them together between t − n and t. So a count since the start is off by at most 1 + n · s, one more
 * where deadlines tie, and a count between two points by twice that.
 */
export function scheduleBound(share: number, hosts: number): number {
  demandArguments('scheduleBound', ['share', share, FROM_ZERO], ['hosts', hosts, FROM_ZERO]);
  return 2 * (2 + hosts * share);
}

/** Independent draws: exceeded by chance in one comparison of ten billion, some seven standard errors. */
export function drawBound(share: number, _hosts: number, picks: number): number {
  demandArguments('drawBound', ['share', share, FROM_ZERO], ['picks', picks, FROM_ZERO]);
  return chanceBound(picks, share);
}
