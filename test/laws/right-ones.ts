import * as laws from '../../src/testing/index.js';
import type { BalancerUnderTest, ListedTables, ListPolicy } from '../../src/testing/index.js';
import { countsItself } from '../testing/common-mistakes.js';
import { atRandom, rotation, smooth, twoChoices } from '../testing/plain-lists.js';
import { plainMaglev, plainRing, pointOf, walkOf } from '../testing/plain-tables.js';
import type { Check, Checks } from './public-laws.js';
import { named, ofEveryBalancer, ofTables } from './public-laws.js';

/** Every law that applies to seven right balancers, written from their sources and with nothing of our policies. */
export function rightOnes(): readonly Check[] {
  return [...lists(), ...tables()];
}

const around = <State>(policy: ListPolicy<unknown, State>): BalancerUnderTest => laws.listPolicyUnderTest(policy);

function* lists(): Generator<Check> {
  const { byWeight, drawBound, evenly, scheduleBound } = laws;
  yield* ofList('a rotation', around(rotation), { shares: evenly, bound: scheduleBound }, (subject) => ({
    'takes turns': (options) => laws.takesTurns(subject, options),
  }));
  yield* ofList('random picks', around(atRandom), { shares: evenly, bound: drawBound });
  yield* ofList('two choices', around(twoChoices), { shares: evenly, bound: drawBound }, (subject) => ({
    'takes the fewest of two': (options) => laws.takesFewestOfChoices(subject, 2, options),
  }));
  yield* ofList('two choices by an own count', countsItself(), { shares: evenly, bound: drawBound }, (subject) => ({
    'goes by loads': (options) => laws.goesByLoads(subject, 2, { ...options, distinct: true }),
  }));
  // Its credits are never further apart than all weights together, so that a count is off by less than the hosts.
  yield* ofList('smooth weighted round robin', around(smooth), {
    shares: byWeight,
    bound: (_share, hosts) => 2 * hosts,
  });
}

function ofList(
  name: string,
  subject: BalancerUnderTest,
  shares: laws.ShareExpectation,
  more: (subject: BalancerUnderTest) => Checks = () => ({}),
): readonly Check[] {
  return named(`${name}, from its source,`, {
    ...ofEveryBalancer(subject),
    'follows its shares': (options) => laws.followsShares(subject, shares, options),
    'starts apart': (options) => laws.startsApart(subject, options),
    ...more(subject),
  });
}

function* tables(): Generator<Check> {
  const [ring, maglev] = [plainRing(), plainMaglev()];
  yield* named('a ring, from its paper,', {
    ...ofEveryBalancer(inBalancer(ring, 'RING_HASH')),
    ...ofTables(ring, 'points'),
    'walks upwards': (options) => laws.walksItsRing(ring, options),
    'places its points': (options) => laws.placesItsPoints(ring, pointOf, options),
  });
  yield* named('a Maglev table, from its paper,', {
    ...ofEveryBalancer(inBalancer(maglev, 'MAGLEV')),
    ...ofTables(maglev, 'slots'),
    'fills its slots': (options) => laws.fillsItsSlots(maglev, walkOf, (keys) => [...keys.keys()], options),
  });
}

/** Tables of their own, inside a balancer of the last release whose tables know no order of hosts but the given one. */
function inBalancer<Table extends object>(
  { policy, config }: ListedTables<null, Table>,
  lbPolicy: 'RING_HASH' | 'MAGLEV',
): BalancerUnderTest {
  return laws.tablePolicyUnderTest(policy, config, { lbPolicy, version: '1.17' });
}
