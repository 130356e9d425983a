import { mod } from '../../src/core/u64.js';
import { compareBytes } from '../../src/core/byte-order.js';
import { utf8 } from '../../src/hash/bytes.js';
import { PROXY_VERSIONS } from '../../src/core/version.js';
import { hashString, xxhash64 } from '../../src/hash/text-hashes.js';
import { EXTENSIONS } from '../../src/policy/extensions.js';
import { powerOfD } from '../../src/policy/extensions/power-of-d.js';
import { rendezvous } from '../../src/policy/extensions/rendezvous.js';
import { smoothWeightedRoundRobin } from '../../src/policy/extensions/smooth-weighted-round-robin.js';
import { weightedLeastConnections } from '../../src/policy/extensions/weighted-least-connections.js';
import { maglev, type MaglevTable } from '../../src/policy/maglev.js';
import { type AddedPolicy, lbPolicyName, type ProxyPolicy } from '../../src/policy/registry.js';
import { ringHash, type RingTable } from '../../src/policy/ring-hash.js';
import * as laws from '../../src/testing/index.js';
import type { BalancerUnderTest, LawOptions, ProxyVersion } from '../../src/testing/index.js';
import { withHosts } from '../support/balancing.js';

/** One law of `lbsim/testing` about one of our policies. */
export interface Check {
  readonly name: string;
  readonly check: (options: LawOptions) => void;
}

export type Checks = Readonly<Record<string, Check['check']>>;

const OLD_POLICIES: readonly ProxyPolicy[] = ['ROUND_ROBIN', 'LEAST_REQUEST', 'RANDOM', 'RING_HASH', 'MAGLEV'];

/** Releases, and the policies that decide otherwise there than in the release before. */
const RELEASES: readonly (readonly [ProxyVersion, readonly ProxyPolicy[]])[] = [
  ['1.12', ['RANDOM', 'RING_HASH']],
  ['1.14', ['RANDOM']],
  ['1.17', OLD_POLICIES],
  ['1.40', OLD_POLICIES],
];

/** Every law that applies, for every policy; nothing else of the project's tests. */
export function publicLaws(): readonly Check[] {
  return [...recorded(), ...balancers(), ...extensions(), ...rings(), ...maglevTables()];
}

/** All that is recorded. */
function* recorded(): Generator<Check> {
  const extended = Object.keys(EXTENSIONS) as AddedPolicy[];
  const modern = (['CLIENT_SIDE_WEIGHTED_ROUND_ROBIN', ...extended] as const).map(
    (policy) => [policy, '1.40'] as const,
  );
  const old = PROXY_VERSIONS.flatMap((version) => OLD_POLICIES.map((policy) => [policy, version] as const));
  for (const [policy, version] of [...modern, ...old]) {
    const subject = laws.builtInPolicy(policy, version);
    yield* named(`${lbPolicyName(policy)} at ${version}`, {
      'decides as recorded': (options) => laws.decidesAsRecorded(subject, options),
    });
  }
}

export function named(subject: string, checks: Checks): readonly Check[] {
  return Object.entries(checks).map(([law, check]) => ({ name: `${subject} ${law}`, check }));
}

export function ofEveryBalancer(subject: BalancerUnderTest): Checks {
  return Object.fromEntries(laws.BALANCER_LAWS.map(({ name, check }) => [name, (options) => check(subject, options)]));
}

function* balancers(): Generator<Check> {
  for (const [version, policies] of RELEASES) {
    for (const lbPolicy of policies) {
      const subject = laws.builtInPolicy(lbPolicy, version);
      yield* named(`${lbPolicy} at ${version}`, { ...ofEveryBalancer(subject), ...ofPolicy(lbPolicy, subject) });
    }
  }
}

/** Equal weights draw, different ones have a schedule. */
const drawOrSchedule: typeof laws.drawBound = (share, hosts, picks) =>
  Math.max(laws.scheduleBound(share, hosts), laws.drawBound(share, hosts, picks));

function ofPolicy(lbPolicy: ProxyPolicy, subject: BalancerUnderTest): Checks {
  const startsApart: Check['check'] = (options) => laws.startsApart(subject, options);
  const bounded: Checks = {
    'bounds the loads of hosts': (options) => laws.boundsLoads(subject, options),
    'spreads what a full host cannot take': (options) => laws.spreadsOverflow(subject, options),
  };
  const slowStart: Checks =
    subject.version === '1.40' ? { 'lets new hosts grow': (options) => laws.growsNewHosts(subject, options) } : {};
  const { byWeight, drawBound, evenly, scheduleBound } = laws;
  switch (lbPolicy) {
    case 'ROUND_ROBIN':
      return {
        ...slowStart,
        'starts apart': startsApart,
        'follows its shares': (options) =>
          laws.followsShares(subject, { shares: byWeight, bound: scheduleBound }, options),
        'takes turns': (options) => laws.takesTurns(subject, options),
      };
    case 'LEAST_REQUEST':
      return {
        ...slowStart,
        'starts apart': startsApart,
        'follows its shares': (options) =>
          laws.followsShares(subject, { shares: byWeight, bound: drawOrSchedule }, options),
        'takes the fewest of two': (options) => laws.takesFewestOfChoices(subject, 2, options),
        'goes by loads': (options) => laws.goesByLoads(subject, 2, options),
        'takes the fewest of all': (options) => {
          const scan = configured(subject, { selectionMethod: 'FULL_SCAN' });
          laws.takesFewestOfChoices(scan, Infinity, { ...options, distinct: true });
        },
        ...Object.fromEntries(
          [0, 1, 2].map((bias) => {
            const biased = configured(subject, { activeRequestBias: { defaultValue: bias, runtimeKey: '' } });
            return [`weighs requests by ${bias}`, (options: LawOptions) => laws.weighsRequests(biased, bias, options)];
          }),
        ),
      };
    case 'RANDOM':
      return {
        'starts apart': startsApart,
        'follows its shares': (options) => laws.followsShares(subject, { shares: evenly, bound: drawBound }, options),
      };
    case 'RING_HASH':
      return { ...bounded, 'uses its hash function': (options) => laws.usesItsHashFunction(subject, options) };
    case 'MAGLEV':
      return bounded;
    case 'CLIENT_SIDE_WEIGHTED_ROUND_ROBIN':
      return {};
  }
}

/** The policy with other settings than the laws give it. */
function configured(
  subject: BalancerUnderTest,
  settings: Partial<laws.LoadBalancerConfig['leastRequest']>,
): BalancerUnderTest {
  return {
    ...subject,
    create: (config, env) =>
      subject.create(
        withHosts(config, ({ leastRequest }) => ({ leastRequest: { ...leastRequest, ...settings } })),
        env,
      ),
  };
}

function* extensions(): Generator<Check> {
  for (const [name, module] of Object.entries(EXTENSIONS)) {
    // What sees the first priority alone breaks the laws of levels.
    if (module.kind === 'list' && module.firstPriorityOnly === true) continue;
    yield* named(name, ofEveryBalancer(laws.policyModuleUnderTest(module)));
  }
  const smooth = laws.policyModuleUnderTest(smoothWeightedRoundRobin);
  const least = laws.policyModuleUnderTest(weightedLeastConnections);
  const choosing = (choices: number): BalancerUnderTest => laws.policyModuleUnderTest(powerOfD, { choices });
  const { byWeight, evenly, scheduleBound } = laws;
  yield* named('SMOOTH_WEIGHTED_ROUND_ROBIN', {
    'follows its shares': (options) => laws.followsShares(smooth, { shares: byWeight, bound: scheduleBound }, options),
  });
  yield* named('WEIGHTED_LEAST_CONNECTIONS', {
    'follows its shares': (options) => laws.followsShares(least, { shares: evenly, bound: scheduleBound }, options),
  });
  yield* named('POWER_OF_D', {
    'takes the fewest of two': (options) => laws.takesFewestOfChoices(choosing(2), 2, { ...options, distinct: true }),
    'goes by loads': (options) => laws.goesByLoads(choosing(2), 2, { ...options, distinct: true }),
    'takes the fewest of four': (options) => laws.takesFewestOfChoices(choosing(4), 4, { ...options, distinct: true }),
  });
  // Each host owns its part of all keys.
  const ranks = {
    policy: rendezvous,
    config: {},
    entriesPerHost: ({ weights }: { readonly weights: Float64Array }) => weights,
  };
  yield* named('RENDEZVOUS', {
    'builds pure tables': (options) => laws.buildsPureTables(ranks, options),
    'looks up its hosts': (options) => laws.looksUpItsHosts(ranks, options),
    'ignores the order of its list': (options) => laws.ignoresListOrder(ranks, options),
    'gives keys to its entries': (options) => laws.keysFollowEntries(ranks, 'slots', options),
    'leads a further attempt elsewhere': (options) => laws.retriesElsewhere(ranks, options),
  });
}

export function ofTables<Config, Table>(subject: laws.ListedTables<Config, Table>, kind: laws.TableKind): Checks {
  return {
    'builds pure tables': (options) => laws.buildsPureTables(subject, options),
    'looks up its hosts': (options) => laws.looksUpItsHosts(subject, options),
    'gives keys to its entries': (options) => laws.keysFollowEntries(subject, kind, options),
    'reaches every entry': (options) => laws.reachesEveryEntry(subject, options),
    'leads a further attempt elsewhere': (options) => laws.retriesElsewhere(subject, options),
  };
}

function* rings(): Generator<Check> {
  for (const hashFunction of ['XX_HASH', 'MURMUR_HASH_2'] as const) {
    const config = { minimumRingSize: 256, maximumRingSize: 8388608, hashFunction };
    const entriesPerHost = (table: RingTable): Uint32Array => table.entriesPerHost;
    const entries = (table: RingTable) => ringHash.entries(table);
    const subject = { policy: ringHash, config, entriesPerHost, entries };
    const pointOf = (key: string, index: number) => hashString(`${key}_${String(index)}`, hashFunction);
    const ofSize = (size: number) => ({ ...config, minimumRingSize: size, maximumRingSize: size });
    yield* named(`a ring by ${hashFunction}`, {
      ...ofTables(subject, 'points'),
      'walks upwards': (options) => laws.walksItsRing(subject, options),
      'ignores the order of its list': (options) => laws.ignoresListOrder(subject, options),
      'places its points': (options) => laws.placesItsPoints(subject, pointOf, options),
      'divides its entries': (options) => laws.dividesItsEntries(subject, (share) => 1 + share, options),
      'moves only lost keys': (options) => laws.movesOnlyLostKeys(subject, (hosts) => ofSize(16 * hosts), options),
    });
  }
}

function* maglevTables(): Generator<Check> {
  for (const version of ['1.17', '1.40'] as const) {
    const config = maglev.configOf({ maglev: { tableSize: 251 } }, version);
    const entriesPerHost = (table: MaglevTable): Uint32Array => table.entriesPerHost;
    const entries = (table: MaglevTable) => maglev.entries(table);
    const subject = { policy: maglev, config, entriesPerHost, entries };
    const inOrder = (keys: readonly string[]): number[] => [...keys.keys()];
    const byKey = (keys: readonly string[]): number[] =>
      inOrder(keys).sort((a, b) => compareBytes(keys[a] ?? '', keys[b] ?? ''));
    const turns = config.sortByKey ? byKey : inOrder;
    const walkOf = (key: string, slots: number): laws.Walk => {
      const [one, other] = [xxhash64(utf8(key)), xxhash64(utf8(key), { hi: 0, lo: 1 })];
      return { offset: mod(one.hi, one.lo, slots), skip: mod(other.hi, other.lo, slots - 1) + 1 };
    };
    yield* named(`Maglev at ${version}`, {
      ...ofTables(subject, 'slots'),
      'divides its entries': (options) =>
        laws.dividesItsEntries(
          subject,
          (share, hosts, largest) => share / largest + Math.max(1, hosts * share),
          options,
        ),
      'fills its slots': (options) => laws.fillsItsSlots(subject, walkOf, turns, options),
      'fills its slots by weight': (options) =>
        laws.fillsItsSlots(subject, walkOf, turns, { ...options, weighted: true }),
    });
  }
}
