import fc from 'fast-check';
import { quirksOf } from '../../core/version.js';
import type { Host } from '../../host/host.js';
import { UNSET } from '../../hostset/generated/unset.js';
import type { Situation, StoryCluster, StoryHost, BalancerUnderTest } from '../law.js';
import { chanceBound, balancerLaw, fail, SLOW_START_PERCENT, situationScenario } from '../law.js';
import { scheduleBound } from './shares.js';
import { countWhere, healthyHost, pickMany, PLAIN_CLUSTER, picksFromLists, placesByHash } from './situation.js';
import { sum } from '../../core/values.js';

/**
 * Laws of single settings: each setting is obeyed, and so are the requirements of a caller. Power: 1,500 picks of each
 * of 25 examples show 30 % too much on what should have half of them.
 */

const PICKS = 1500;
const RUNS = 25;

const many = (count: number, traits: (index: number) => Partial<StoryHost>, from = 0): StoryHost[] =>
  Array.from({ length: count }, (_, index) => healthyHost(from + index, traits(index)));

interface SettingLaw<Drawn, Made> {
  /** What is drawn for an example, besides its seed. */
  readonly drawn: () => { readonly [Name in keyof Drawn]: fc.Arbitrary<Drawn[Name]> };
  readonly make: (drawn: Drawn) => Made;
  readonly test: (subject: BalancerUnderTest, example: Drawn & Made & Pick<Situation, 'seed'>) => void;
  readonly applies?: (subject: BalancerUnderTest) => boolean;
}

/* @__NO_SIDE_EFFECTS__ */
const settingLaw = <Drawn, Made extends Omit<Situation, 'seed'>>(
  law: string,
  { drawn, make, test, applies }: SettingLaw<Drawn, Made>,
) =>
  balancerLaw<Drawn & Made & Pick<Situation, 'seed'>>(law, {
    examples: () => fc.tuple(fc.nat(9999), fc.record(drawn())).map(([seed, one]) => ({ seed, ...one, ...make(one) })),
    scenario: (subject, example, remarks) => situationScenario(subject, example, 100, remarks),
    ...{ applies, test, numRuns: RUNS, seed: 8 },
  });

/** Draws, or turns of so many lists. */
const allowedFor = (share: number, picks: number, lists: number): number =>
  share === 0 || share === 1 ? 0 : Math.max(chanceBound(picks, share), scheduleBound(share, lists));

/** Bound of the difference of two random counts, one of which serves as the expectation. */
const allowedBetween = (expected: number, picks: number, lists: number): number =>
  2 * allowedFor(expected / picks, picks, lists);

/**
 * Zone-aware routing begins with `min_cluster_size` healthy hosts, applies to `routing_enabled` percent of the picks, and
 * ends while the local cluster panics; elsewhere picks go where they would without a local cluster. Power: two random counts
 * are compared, which show 50 % too much on half of the hosts.
 *
 * Does not apply to hashing policies, which do not route by zone. Source: the proxy's documentation of zone-aware routing.
 */
export const obeysZoneSettings = settingLaw('obeys the settings of zone-aware routing', {
  applies: picksFromLists,
  drawn: () => ({
    here: fc.integer({ min: 1, max: 4 }),
    there: fc.integer({ min: 1, max: 4 }),
    // Beside the number of hosts: they are just enough, or too few.
    needed: fc.constantFrom(0, 0, 1, 4),
    routingEnabled: fc.constantFrom(100, 100, 30, 0),
    down: fc.nat(12),
  }),
  make: ({ here, there, needed, routingEnabled, down }) => ({
    cluster: {
      ...PLAIN_CLUSTER,
      // As many callers as hosts: the zone has capacity for its own.
      callers: { a: here, b: there },
      callersDown: { a: down },
      minClusterSize: Math.max(1, here + there + needed),
      routingEnabled,
    },
    hosts: [...many(here, () => ({ zone: 'a' })), ...many(there, () => ({ zone: 'b' }), here)],
  }),
  test: (subject, { seed, cluster, hosts, here, down }) => {
    const size = hosts.length;
    const panics = 100 * size < cluster.healthyPanicThreshold * (size + down);
    const routed = size < cluster.minClusterSize || panics ? 0 : cluster.routingEnabled / 100;
    const isHere = (host: Host | undefined): boolean => host?.locality.zone === 'a';
    const unrouted = countWhere(pickMany(subject, { seed, cluster: PLAIN_CLUSTER, hosts }, { picks: PICKS }), isHere);
    const expected = routed * PICKS + (1 - routed) * unrouted;
    const stayed = countWhere(pickMany(subject, { seed, cluster, hosts }, { picks: PICKS }), isHere);
    if (Math.abs(stayed - expected) > allowedBetween(expected, PICKS, size))
      fail(
        `${stayed} of ${PICKS} requests stayed in the zone, expected are ${expected.toFixed(0)}: ` +
          `${here} of ${size} hosts are there, min_cluster_size is ${cluster.minClusterSize}, ` +
          `routing_enabled ${cluster.routingEnabled} %, ${down} of ${size + down} callers are down`,
      );
  },
});

/**
 * A subset uses the weights of localities only under `locality_weight_aware`; `scale_locality_weight` reduces each to the
 * part of the locality's hosts that the subset has.
 *
 * Does not apply to hashing policies, which divide their tables by weight. Source: the proxy's documentation of subsets.
 */
export const weighsLocalitiesOfSubsets = settingLaw('weighs the localities of subsets as it is told', {
  applies: picksFromLists,
  drawn: () => {
    const zone = fc.record({
      members: fc.integer({ min: 1, max: 3 }),
      others: fc.nat(3),
      weight: fc.integer({ min: 1, max: 4 }),
    });
    return { a: zone, b: zone, aware: fc.boolean(), scales: fc.boolean() };
  },
  make: ({ a, b, aware, scales }) => {
    const zones = [
      { name: 'a', ...a },
      { name: 'b', ...b },
    ];
    const hosts = zones.flatMap(({ name, members, others }, place) =>
      many(
        members + others,
        (index) => ({ zone: name, metadata: { stage: index < members ? 'prod' : 'dev' } }),
        10 * place,
      ),
    );
    const selectors = [{ keys: ['stage'], ...UNSET.selector }];
    const subset = { ...UNSET.subset, selectors, localityWeightAware: aware, scaleLocalityWeight: scales };
    // Scaled weights are rounded to whole numbers: 60 is divisible by 1 to 6.
    const localityWeights = { a: 60 * a.weight, b: 60 * b.weight };
    return { zones, cluster: { ...PLAIN_CLUSTER, localityWeights, subset }, hosts };
  },
  test: (subject, { zones, aware, scales, ...situation }) => {
    const parts = zones.map(({ members, others, weight }) =>
      scales ? (weight * members) / (members + others) : weight,
    );
    const share = (parts[0] ?? 0) / sum(parts);
    const request = { metadataMatch: { stage: 'prod' } };
    const countIn = (cluster: StoryCluster): number =>
      countWhere(
        pickMany(subject, { ...situation, cluster }, { picks: PICKS, request }),
        (host) => host?.locality.zone === 'a',
      );
    const size = situation.hosts.length;
    const count = countIn(situation.cluster);
    // Without locality_weight_aware, a subset spreads as in a cluster without weights.
    const expected = aware ? PICKS * share : countIn({ ...situation.cluster, localityWeights: undefined });
    const allowed = aware ? allowedFor(share, PICKS, size) : allowedBetween(expected, PICKS, size);
    if (Math.abs(count - expected) > allowed)
      fail(
        `zone a has ${count} of ${PICKS} requests for {stage: prod}, expected are ${expected.toFixed(0)}: ` +
          `locality_weight_aware is ${String(aware)}, scale_locality_weight ${String(scales)}`,
      );
  },
});

/** Selections after the first. */
const FURTHER = 5;

/**
 * A host that the caller rejects, as retry host predicates do, is chosen only where the first selection and every further
 * one that the caller allows led to such a host.
 *
 * Hashing policies react to rejections only since 1.14.
 */
export const hearsRejections = settingLaw('hears which hosts its caller rejects', {
  applies: (subject) => !placesByHash(subject) || !quirksOf(subject.version).tablesIgnoreRejections,
  drawn: () => ({ count: fc.integer({ min: 2, max: 5 }), rejected: fc.integer({ min: 1, max: 5 }) }),
  make: ({ count }) => ({ cluster: PLAIN_CLUSTER, hosts: many(count, () => ({})) }),
  test: (subject, { rejected, ...situation }) => {
    const unwanted = new Set(situation.hosts.slice(0, rejected).map(({ address }) => address));
    let attempts = 0;
    const rejects = ({ address }: Host): boolean => {
      attempts++;
      return unwanted.has(address);
    };
    const request = { rejects, hostSelectionRetryCount: FURTHER };
    for (let pick = 0; pick < 20; pick++) {
      attempts = 0;
      const [host] = pickMany(subject, { ...situation, seed: situation.seed + pick }, { picks: 1, request });
      if (host !== undefined && unwanted.has(host.address) && attempts <= FURTHER)
        fail(
          `a request went to ${host.address}, which its caller rejects, after ${attempts} of ${FURTHER + 1} selections`,
        );
    }
  },
});

/**
 * A caller's own loads of the levels, as a retry priority gives them, replace the balancer's.
 *
 * Hashing policies ignore them, as in the proxy.
 */
export const hearsPriorityLoads = settingLaw('hears the loads that its caller gives levels', {
  applies: picksFromLists,
  drawn: () => ({ first: fc.integer({ min: 1, max: 3 }), wanted: fc.nat(100) }),
  make: ({ first }) => ({
    cluster: PLAIN_CLUSTER,
    hosts: [...many(first, () => ({})), ...many(2, () => ({ priority: 1 }))],
  }),
  test: (subject, { wanted, ...situation }) => {
    const load = { healthy: [100 - wanted, wanted], degraded: [0, 0] };
    const picked = pickMany(subject, situation, { picks: PICKS, request: { priorityLoad: () => load } });
    const count = countWhere(picked, (host) => host?.address.startsWith('10.0.1.') === true);
    const share = wanted / 100;
    if (Math.abs(count - PICKS * share) > allowedFor(share, PICKS, 1))
      fail(`priority 1 has ${count} of ${PICKS} requests, its caller gives it ${wanted} %`);
  },
});

const SLOW_START_MS = 10_000;

/**
 * Slow start: a new host has the elapsed part of its window, to the power of 1 / aggression, of its weight, at least the
 * minimum, and all of it afterwards; the other hosts share the rest. For policies that have slow start. Power: 1,500 picks
 * show 30 % too much on a host that should have half of them.
 *
 * Source: the proxy's documentation of slow start mode, with its defaults.
 */
export const growsNewHosts = settingLaw('lets new hosts grow into their weight', {
  drawn: () => ({
    count: fc.integer({ min: 2, max: 6 }),
    passed: fc.constantFrom(0.05, 0.25, 0.5, 1.5),
    aggression: fc.constantFrom(1, 1, 2, 0.5),
    minimum: fc.constantFrom(SLOW_START_PERCENT, 30),
  }),
  make: ({ count, aggression, minimum }) => ({
    cluster: {
      ...PLAIN_CLUSTER,
      slowStartMs: SLOW_START_MS,
      slowStartAggression: aggression,
      slowStartMinimum: minimum,
    },
    hosts: many(count, () => ({})),
  }),
  test: (subject, { passed, aggression, minimum, ...situation }) => {
    const { length } = situation.hosts;
    const clock = { nowUs: 0 };
    const picked = pickMany(subject, situation, {
      picks: PICKS,
      clock,
      prepare: (hosts, update) => {
        // The last one is new, after a window in which there was nothing but the others.
        const since = 3 * SLOW_START_MS * 1000;
        hosts.forEach((host, index) => {
          host.lastHealthCheckPassUs = index === length - 1 ? since : 0;
        });
        clock.nowUs = since;
        update();
        clock.nowUs = since + passed * SLOW_START_MS * 1000;
        update();
      },
    });
    const part = passed >= 1 ? 1 : Math.max(passed ** (1 / aggression), minimum / 100);
    const share = part / (length - 1 + part);
    const count = countWhere(picked, (host) => host?.address === situation.hosts[length - 1]?.address);
    if (Math.abs(count - PICKS * share) > allowedFor(share, PICKS, length))
      fail(
        `a host that is there for ${100 * passed} % of the slow start window has ${count} of ${PICKS} requests ` +
          `beside ${length - 1} others, expected are ${(PICKS * share).toFixed(0)}`,
      );
  },
});

/**
 * Hashing with bounded loads: as long as some host has capacity, none is picked that has more than `hash_balance_factor`
 * percent of its part of all requests, the new one included. A host with capacity keeps its keys.
 *
 * Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA 2018.
 */
export const boundsLoads = settingLaw('bounds the loads of hosts', {
  drawn: () => ({
    busy: fc.array(fc.nat(9), { minLength: 2, maxLength: 6 }),
    factor: fc.integer({ min: 100, max: 200 }),
  }),
  make: ({ busy, factor }) => ({
    cluster: { ...PLAIN_CLUSTER, hashBalanceFactor: factor },
    hosts: many(busy.length, (index) => ({ busy: busy[index] ?? 0 })),
  }),
  test: (subject, situation) => {
    const { hosts, cluster } = situation;
    const all = hosts.reduce((sum, { busy = 0 }) => sum + busy, 0) + 1;
    const slots = Math.max(1, Math.ceil(Math.ceil((all * cluster.hashBalanceFactor) / 100) / hosts.length));
    const hasRoom = (active: number): boolean => active <= slots;
    if (!hosts.some(({ busy = 0 }) => hasRoom(busy))) return;
    // Without a hash one draw replaces it, the same for both.
    const bound = pickMany(subject, situation, { picks: 40 });
    const free = pickMany(subject, { ...situation, cluster: { ...cluster, hashBalanceFactor: 0 } }, { picks: 40 });
    bound.forEach((host, pick) => {
      const active = host?.activeRequests ?? 0;
      if (!hasRoom(active)) fail(`${host?.address ?? ''} was picked with ${active} requests, ${slots} are its bound`);
      const own = free[pick];
      if (own !== undefined && hasRoom(own.activeRequests) && own.address !== host?.address)
        fail(`a key of ${own.address}, which has room, went to ${host?.address ?? 'no host'}`);
    });
  },
});

/**
 * Hashing with bounded loads spreads what a full host cannot take over all others that have capacity, equally much to each.
 *
 * The paper takes the next host on the circle, whose part depends on its arcs; this is what the proxy does. Power: some 800
 * keys of the full host show 65 % too much on one of four others.
 */
export const spreadsOverflow = settingLaw('spreads what a full host cannot take', {
  drawn: () => ({ others: fc.integer({ min: 1, max: 5 }) }),
  make: ({ others }) => ({
    cluster: { ...PLAIN_CLUSTER, hashBalanceFactor: 100 },
    hosts: many(others + 1, (index) => ({ busy: index === 0 ? 50 : 0 })),
  }),
  test: (subject, { hosts, ...situation }) => {
    const picks = 800 * hosts.length;
    const free = pickMany(
      subject,
      { ...situation, cluster: { ...situation.cluster, hashBalanceFactor: 0 }, hosts },
      { picks },
    );
    const bound = pickMany(subject, { ...situation, hosts }, { picks });
    const full = hosts[0]?.address;
    const moved = bound.filter((_, pick) => free[pick]?.address === full);
    const share = 1 / (hosts.length - 1);
    for (const { address } of hosts.slice(1)) {
      const count = countWhere(moved, (host) => host?.address === address);
      if (Math.abs(count - moved.length * share) > allowedFor(share, moved.length, 1))
        fail(
          `of ${moved.length} keys of ${full ?? ''}, which is full, ${address} gets ${count}, one of ${hosts.length - 1} others`,
        );
    }
  },
});

/** A ring is built with the configured hash function: another one moves some of 64 keys. */
export const usesItsHashFunction = settingLaw('uses its hash function', {
  drawn: () => ({ count: fc.integer({ min: 2, max: 6 }) }),
  make: ({ count }) => ({
    cluster: { ...PLAIN_CLUSTER, hashFunction: 'MURMUR_HASH_2' as const },
    hosts: many(count, () => ({})),
  }),
  test: (subject, situation) => {
    const [murmur, xx] = (['MURMUR_HASH_2', 'XX_HASH'] as const).map((hashFunction) =>
      pickMany(subject, { ...situation, cluster: { ...situation.cluster, hashFunction } }, { picks: 64 }),
    );
    if (murmur?.some((host, pick) => host?.address !== xx?.[pick]?.address) !== true)
      fail('64 keys lead to the same hosts by MURMUR_HASH_2 and by XX_HASH');
  },
});
