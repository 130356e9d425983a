import fc from 'fast-check';
import { chanceBound, longLook, visibleDeviation } from '../chance.js';
import { demand, type LawOptions, search } from '../law.js';
import { demand as demandArguments, FROM_ZERO, must, NUMBER, NUMBERS, withFunctions } from '../../core/arguments.js';
import { type BalancerUnderTest, demandSubject } from '../balancer-under-test.js';
import { healthyHost, pickMany, PLAIN_CLUSTER } from './situation.js';
import { type Remarks, situationScenario } from '../scenario-file.js';
import { begin, CLUSTER, type StoryCluster, type StoryHost } from '../story.js';
import { emptyDecision } from '../../hostset/load-balancer.js';
import { sum } from '../../core/values.js';

export interface ShareExpectation {
  /** Expected share of each host, by its weight. */
  readonly shares: (weights: readonly number[]) => readonly number[];
  /** The allowed error of a count of picks. */
  readonly bound: (share: number, hosts: number, picks: number) => number;
}

interface ShareExample {
  readonly weights: readonly number[];
  /** Constant number of active requests of each host. */
  readonly busy: readonly number[];
  readonly seed: number;
  readonly picks: number;
  /** Initial weights of the hosts; they get their own after {@link WARM_UP} picks, which are not counted. */
  readonly before?: readonly number[] | undefined;
  /** Each time after this many picks an update changes only the weight of a host that is down. 0: never. */
  readonly updateEvery: number;
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
}

const PICKS_PER_HOST = 150;
const RUNS = 40;
/** No panic. */
const CLUSTER_OF_EQUALS: StoryCluster = { healthyPanicThreshold: 0, failTrafficOnPanic: false };
const WARM_UP = 10;
const PLAIN = { updateEvery: 0, others: 0 };

/**
 * Picks are spread as the policy promises: every host's count stays within a derived bound of picks · share, in whatever
 * order the hosts stand. This also holds after a change of weights, and beside a second level, whose picks are from another
 * list; for equal weights also during updates that do not change them.
 *
 * The hosts are healthy and idle, and the picks begin at a random point of the balancer's life. Power: hosts of any weights
 * are tried with 150 picks each, and 5, 20 and 192 equal ones with 4,000 for each run of the law: 160,000 by default, which
 * with {@link drawBound} detect 5, 10 and 35 % too much on one host.
 */
export function followsShares(subject: BalancerUnderTest, expectation: ShareExpectation, options?: LawOptions): void {
  demandArguments('followsShares', ['expectation', expectation, withFunctions('shares', 'bound')]);
  const { shares, bound } = expectation;
  const weight = fc.integer({ min: 1, max: 12 });
  const seed = fc.nat(9999);
  const others = fc.constantFrom(0, 0, 2, 3, 5);
  // Equal weights are a separate case: policies use another algorithm then.
  const weighted = fc
    .array(fc.record({ weight, old: weight }), { minLength: 1, maxLength: 9 })
    .chain((hosts) => fc.record({ hosts: fc.constant(hosts), seed, others, changes: fc.boolean() }))
    .map(({ hosts, changes, ...rest }) => ({
      ...rest,
      weights: hosts.map((host) => host.weight),
      before: changes ? hosts.map(({ old }) => old) : undefined,
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
  const long = [5, 20, 192].map((hosts) => ({ weights: times(hosts, () => 1), busy: times(hosts, () => 0) }));
  const expected = (example: ShareExample): readonly number[] => shares(example.weights);
  searchShares(subject, { law: 'follows its shares', examples, long, expected, bound }, options);
}

const CHOICES = must(
  'a whole number from 1, or Infinity',
  (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1),
);

export interface ChoiceOptions extends LawOptions {
  /** The hosts drawn for a pick differ; default: each is drawn from all of them. */
  readonly distinct?: boolean;
}

/**
 * Of this many hosts of equal weight, drawn with replacement or without, the one with the fewest requests is picked,
 * whichever of them tie: with replacement m of n hosts that have a requests, while l have more, get ((l + m) / n)^choices −
 * (l / n)^choices of the picks. As many distinct choices as hosts are a scan of them all.
 *
 * For policies that look at active requests, such as LEAST_REQUEST. Power: of 20 hosts of which no two are alike the busiest
 * is picked once in 400 times; 4,000 picks for each run, 160,000 by default, show a policy that takes the busier host in
 * 2 % of its picks. Source: Mitzenmacher, "The power of two choices in randomized load balancing", IEEE TPDS 2001.
 *
 * @param choices hosts drawn for a pick, the proxy's `choice_count`; Infinity: all of them.
 */
export function takesFewestOfChoices(
  subject: BalancerUnderTest,
  choices = 2,
  { distinct = false, ...options }: ChoiceOptions = {},
): void {
  demandArguments('takesFewestOfChoices', ['choices', choices, CHOICES]);
  const busy = fc.array(fc.nat(3), { minLength: 1, maxLength: 9 });
  const examples = fc.record({ busy, seed: fc.nat(9999) }).map((example) => ({
    ...PLAIN,
    ...example,
    weights: example.busy.map(() => 1),
    picks: PICKS_PER_HOST * example.busy.length,
  }));
  const law = 'takes the host with the fewest requests of those it draws';
  const long = [5, 20].map((hosts) => ({ weights: times(hosts, () => 1), busy: times(hosts, (host) => host) }));
  const part = distinct ? distinctAmong(choices) : drawnAmong(choices);
  const expected = ({ busy: own }: ShareExample): readonly number[] => fewestOfChoices(own, part);
  searchShares(subject, { law, examples, long, expected, bound: drawBound }, options);
}

/** The chance that all choices from `all` hosts are among `some` of them. */
type ChanceAmong = (some: number, all: number) => number;

const drawnAmong =
  (choices: number): ChanceAmong =>
  (some, all) =>
    (some / all) ** choices;

const distinctAmong =
  (choices: number): ChanceAmong =>
  (some, all) =>
    times(Math.min(choices, all), (taken) => Math.max(0, some - taken) / (all - taken)).reduce((a, b) => a * b, 1);

function fewestOfChoices(busy: readonly number[], among: ChanceAmong): readonly number[] {
  return busy.map((requests) => {
    const same = busy.filter((others) => others === requests).length;
    const more = busy.filter((others) => others > requests).length;
    return (among(more + same, busy.length) - among(more, busy.length)) / same;
  });
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
 * however often the same list is delivered again. For rotations such as ROUND_ROBIN.
 */
export function takesTurns(subject: BalancerUnderTest, options?: LawOptions): void {
  demandSubject('takesTurns', subject);
  search(options, {
    law: 'takes turns in the order of its list',
    examples: fc
      .record({
        seed: fc.nat(9999),
        count: fc.integer({ min: 1, max: 9 }),
        weight: fc.integer({ min: 1, max: 3 }),
        picks: fc.integer({ min: 2, max: 40 }),
      })
      .map(({ seed, count, weight, picks }) => {
        const hosts = times(count, (index) => healthyHost(index, { weight }));
        return { seed, cluster: PLAIN_CLUSTER, hosts, picks };
      }),
    test: (example) => {
      const { hosts } = example;
      const places = pickMany(subject, example, example).map((host) =>
        hosts.findIndex(({ address }) => address === host?.address),
      );
      places.forEach((place, pick) => {
        const due = pick === 0 ? place : ((places[pick - 1] ?? 0) + 1) % hosts.length;
        demand(
          place === due && place >= 0,
          () => `request ${pick} went to host ${place}, and it was the turn of host ${due} of ${hosts.length}`,
        );
      });
    },
    scenario: (example, remarks) => situationScenario(subject, example, example.picks, remarks),
    numRuns: RUNS,
  });
}

function searchShares(subject: BalancerUnderTest, shareLaw: ShareLaw, options: LawOptions = {}): void {
  const { law, examples, long } = shareLaw;
  demandSubject(`the law "${law}"`, subject);
  const one = {
    law,
    test: (example: ShareExample): void => judge(subject, example, shareLaw),
    scenario: (example: ShareExample, remarks: Remarks): string => shareScenario(subject, example, shareLaw, remarks),
    seed: 20,
  };
  search<ShareExample>(options, { ...one, examples, numRuns: RUNS });
  const picks = longLook(options.numRuns ?? RUNS);
  for (const hosts of long) {
    const drawn = fc.nat(9999).map((seed) => ({ ...PLAIN, ...hosts, seed, picks }));
    search<ShareExample>({ ...options, numRuns: 1 }, { ...one, examples: drawn, numRuns: 1 });
  }
}

function judge(subject: BalancerUnderTest, example: ShareExample, { expected, bound }: ShareLaw): void {
  const { counts, picks } = countPicks(subject, example);
  expected(example).forEach((share, index) => {
    const off = Math.abs((counts[index] ?? 0) - picks * share);
    const allowed = bound(share, example.weights.length, picks);
    demand(
      off <= allowed,
      () =>
        `host ${index} has ${counts[index] ?? 0} of ${picks} requests, expected are ${round(picks * share)}: ` +
        `off by ${round(off)}, allowed are ${round(allowed)}; so many requests show ` +
        `${Math.ceil(100 * visibleDeviation(share, picks, allowed))} % too much`,
    );
  });
}

/** The picks of each host, and all of them. */
function countPicks(subject: BalancerUnderTest, example: ShareExample) {
  const { weights, seed, picks, before, updateEvery } = example;
  const situation = { seed, cluster: CLUSTER_OF_EQUALS, hosts: hostsOf(example) };
  const { balancer, discovery, request } = begin(subject, situation);
  const hosts = (discovery.levels.get(0)?.hosts ?? []).slice(0, weights.length);
  const decision = emptyDecision();
  const counts = new Map<string | undefined, number>();
  const pick = (): void => {
    balancer.choose(request, decision);
    const address = decision.host?.address;
    counts.set(address, (counts.get(address) ?? 0) + 1);
  };
  if (before !== undefined) {
    for (let warm = 0; warm < WARM_UP; warm++) pick();
    counts.clear();
    discovery.weigh(
      weights.map((weight, host) => ({ host, weight })),
      balancer,
    );
  }
  for (let done = 0; done < picks; done++) {
    if (updateEvery > 0 && done > 0 && done % updateEvery === 0)
      discovery.weigh([{ host: weights.length, weight: (done / updateEvery) % 2 === 1 ? 2 : 1 }], balancer);
    pick();
  }
  const own = hosts.map(({ address }) => counts.get(address) ?? 0);
  // With one level, picks without a host count as well.
  return { counts: own, picks: example.others === 0 ? picks : sum(own) };
}

/** Beside a second level, the first has 1.8 unhealthy hosts for each healthy one, and so about half of the load. */
function hostsOf({ weights, busy, before, others, updateEvery }: ShareExample): StoryHost[] {
  const some = (net: number, count: number, traits: (index: number) => Partial<StoryHost>): StoryHost[] =>
    times(count, (index) => healthyHost(index, { address: `10.0.${net}.${index}:80`, ...traits(index) }));
  const own = before ?? weights;
  const unhealthy = others > 0 ? Math.round(1.8 * weights.length) : updateEvery > 0 ? 1 : 0;
  return [
    ...some(0, own.length, (index) => ({ weight: own[index] ?? 1, busy: busy[index] ?? 0 })),
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
  const { weights, seed, picks, before, updateEvery, others } = example;
  const start = before === undefined ? 0 : WARM_UP;
  const percent = (count: number): string => `${round((100 * Math.min(picks, Math.max(0, count))) / picks)}%`;
  const address = (index: number): string => `10.0.0.${index}:80`;
  const at = `${1000 * start - 500}us`;
  const changed = weights.map((weight, index) => ({ at, set_weight: { hosts: address(index), weight } }));
  const updates = [2, 1].map((weight, turn) => ({
    every: `${2 * updateEvery}ms`,
    from: `${1000 * (turn + 1) * updateEvery - 500}us`,
    set_weight: { hosts: '10.0.1.0:80', weight },
  }));
  const shares = expected(example).map((share, index) => {
    const allowed = bound(share, weights.length, picks);
    return {
      share: { cluster: CLUSTER, hosts: address(index) },
      between: [percent(picks * share - allowed), percent(picks * share + allowed)],
      ...(start > 0 && { during: [`${start}ms`, `${start + picks}ms`] }),
    };
  });
  const situation = { seed, cluster: CLUSTER_OF_EQUALS, hosts: hostsOf(example) };
  return situationScenario(subject, situation, start + picks, remarks, {
    timeline: [...(before === undefined ? [] : changed), ...(updateEvery === 0 ? [] : updates)],
    // With two levels the number of requests of each is unknown.
    expect: others > 0 ? [] : shares,
  });
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

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
