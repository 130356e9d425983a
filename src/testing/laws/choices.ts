import fc from 'fast-check';
import { demand as demandArguments, must } from '../../core/arguments.js';
import { Decision } from '../../hostset/load-balancer.js';
import { RandomStreams } from '../../random/streams.js';
import type { BalancerUnderTest, LawOptions, Situation } from '../law.js';
import { chanceBound, fail, search, situationScenario, begin, demandSubject } from '../law.js';
import * as shares from './shares.js';
import { countWhere, healthyHost } from './situation.js';

/** Laws of policies that draw hosts and take the one with the fewest requests. */

const CHOICES = must(
  'a whole number from 1, or Infinity',
  (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1),
);

/** Of every host: what is equal is equal, whatever it is. */
const WEIGHT = fc.constantFrom(1, 1, 100);

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
  const examples = fc.record({ busy, seed: fc.nat(9999), weight: WEIGHT }).map(({ weight, ...example }) => ({
    ...shares.PLAIN,
    ...example,
    weights: example.busy.map(() => weight),
    picks: shares.PICKS_PER_HOST * example.busy.length,
  }));
  const law = 'takes the host with the fewest requests of those it draws';
  const long = [5, 20].map((hosts) => ({
    weights: shares.times(hosts, () => 1),
    busy: shares.times(hosts, (host) => host),
  }));
  const part = chanceAmong(choices, distinct);
  const expected = ({ busy: own }: shares.ShareExample): readonly number[] =>
    own.map((requests) => {
      const same = countWhere(own, (others) => others === requests);
      const more = countWhere(own, (others) => others > requests);
      return (part(more + same, own.length) - part(more, own.length)) / same;
    });
  shares.searchShares(subject, { law, examples, long, expected, bound: shares.drawBound }, options);
}

/** `most`: no more requests are open at a time, for each host; `weight`: that of each. */
type LoadedHosts = Readonly<Record<'seed' | 'count' | 'weight' | 'most' | 'picks', number>>;

const OUTCOMES = ['success', 'error', 'timeout', 'reset', 'connect_failure'] as const;

/**
 * Loads are those of the moment: requests begin and end between two updates, and each pick takes the host with the fewest of
 * those that it draws, see {@link takesFewestOfChoices}. Every request was placed by the balancer itself, which hears of the
 * ends, of answers and of failures: it may count them, or read `activeRequests`. Now and then its list is delivered again.
 *
 * Power: loads around 10, 100 and 256 with 2,000 picks, of hosts of weight 1 or 100, and up to 70,000 a host once: a load that is
 * cut off at 20, kept in a byte or in two, compared as a text, divided in whole numbers, or taken from the last update is seen.
 */
export function goesByLoads(subject: BalancerUnderTest, choices = 2, options: ChoiceOptions = {}): void {
  demandSubject('goesByLoads', subject);
  demandArguments('goesByLoads', ['choices', choices, CHOICES]);
  const { distinct = false, ...searched } = options;
  const part = chanceAmong(choices, distinct);
  const any = { seed: fc.nat(9999), count: fc.integer({ min: 2, max: 5 }), weight: WEIGHT, picks: fc.constant(2000) };
  search<LoadedHosts>(searched, {
    law: 'goes by the loads of the moment',
    examples: fc.record({ ...any, most: fc.constantFrom(2, 12, 30, 110, 300) }),
    once: [fc.record({ ...any, count: fc.constant(2), most: fc.constant(70_000), picks: fc.constant(250_000) })],
    test: (example) => judgeLoads(subject, example, part),
    scenario: (example, remarks) => situationScenario(subject, equalsOf(example), example.picks, remarks),
    numRuns: shares.RUNS,
    seed: 21,
  });
}

const equalsOf = ({ seed, count, weight }: LoadedHosts): Situation => ({
  seed,
  cluster: shares.CLUSTER_OF_EQUALS,
  hosts: shares.times(count, (index) => healthyHost(index, { weight })),
});

function judgeLoads(subject: BalancerUnderTest, example: LoadedHosts, part: ChanceAmong): void {
  const { seed, count, most, picks } = example;
  const { balancer, discovery, request } = begin(subject, equalsOf(example));
  const { hosts } = discovery;
  const ends = new RandomStreams(String(seed)).stream('ends');
  const decision = new Decision();
  // By the number of hosts that had fewer requests than the one that was picked.
  const [seen, expected] = [hosts.map(() => 0), hosts.map(() => 0)];
  const loads = hosts.map(() => 0);
  let open = 0;
  for (let pick = 0; pick < picks; pick++) {
    while (open > 0 && (open >= most * count || ends.uniform() < 0.25)) {
      // Some hosts answer sooner than others.
      const place = Math.floor(count * ends.uniform() ** 2);
      const host = hosts[place];
      if (host === undefined || loads[place] === 0) continue;
      loads[place] = --host.activeRequests;
      open--;
      decision.listener?.answered?.(host, 1000, OUTCOMES[pick % OUTCOMES.length] ?? 'success');
    }
    if (pick % 500 === 99) discovery.again(balancer);
    balancer.choose(request, decision);
    const { host } = decision;
    const place = host === undefined ? -1 : hosts.indexOf(host);
    if (place < 0) fail(`request ${pick} of ${picks} went to none of ${count} healthy hosts`);
    for (const [rank, own] of loads.entries()) {
      const fewer = countWhere(loads, (load) => load < own);
      const same = countWhere(loads, (load) => load === own);
      const more = count - fewer - same;
      expected[fewer] = (expected[fewer] ?? 0) + (part(more + same, count) - part(more, count)) / same;
      if (rank === place) seen[fewer] = (seen[fewer] ?? 0) + 1;
    }
    if (host !== undefined) loads[place] = ++host.activeRequests;
    open++;
  }
  expected.forEach((due, fewer) => {
    const [times = 0, allowed] = [seen[fewer], chanceBound(picks, due / picks)];
    if (Math.abs(times - due) > allowed)
      fail(
        `of ${picks} picks ${times} took a host beside which ${fewer} of ${count} had fewer requests, expected are ${shares.round(due)}: ` +
          `${shares.round(allowed)} more or less are allowed; the loads are ${loads.join(', ')} now`,
      );
  });
}

/** The chance that all choices from `all` hosts are among `some` of them. */
type ChanceAmong = (some: number, all: number) => number;

/** As many distinct ones as there are hosts are all of them, and so are infinitely many of any kind. */
function chanceAmong(choices: number, distinct: boolean): ChanceAmong {
  if (!distinct && choices < Infinity) return (some, all) => (some / all) ** choices;
  return (some, all) =>
    shares
      .times(Math.min(choices, all), (taken) => Math.max(0, some - taken) / (all - taken))
      .reduce((a, b) => a * b, 1);
}
