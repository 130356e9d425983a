import fc from 'fast-check';
import { expect } from 'vitest';
import type { ProxyVersion } from '../../src/core/version.js';
import { HealthFlag, Host } from '../../src/host/host.js';
import type { HostSet } from '../../src/hostset/host-set.js';
import type { LbPolicy, LoadBalancerConfig } from '../../src/hostset/lb-config.js';
import type { LbEnvironment } from '../../src/hostset/lb-environment.js';
import type { Decision, LoadBalancer } from '../../src/hostset/load-balancer.js';
import { emptyDecision } from '../../src/hostset/load-balancer.js';
import type { TablePolicy, WeightedHosts } from '../../src/policy/table-policy.js';
import type { RandomStream } from '../../src/random/streams.js';
import { RandomStreams } from '../../src/random/streams.js';
import { environment, hostsOf, lbConfig, level, pickRequest, zone } from '../support/balancing.js';
import { weightedHosts } from './weighted-hosts.js';

/**
 * The laws that every policy obeys. Each takes what is to be judged and throws where it finds a counterexample; a
 * policy's own test calls the laws of its kind and adds what is special about it.
 */

/** A policy inside the balancer that uses it: what a request meets. */
export interface BalancerUnderTest {
  readonly lbPolicy: LbPolicy;
  readonly version: ProxyVersion;
  readonly create: (config: LoadBalancerConfig, env: LbEnvironment) => LoadBalancer;
}

/** A cluster at one moment, and the updates it has been through. */
interface ClusterStory {
  readonly config: Partial<LoadBalancerConfig>;
  /** Delivered in this order, each followed by some picks. */
  readonly updates: readonly HostSet[];
  readonly seed: string;
}

const PICKS_PER_UPDATE = 12;
const RUNS = { numRuns: 60 };

/** As an assertion, but for free where it holds: laws look at many thousands of picks. */
function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

function includes(hosts: readonly Host[] | undefined, host: Host): boolean {
  return hosts?.includes(host) === true;
}

const health = fc.constantFrom(
  0,
  0,
  0,
  HealthFlag.FAILED_EDS_HEALTH,
  HealthFlag.DEGRADED_EDS_HEALTH,
  HealthFlag.PENDING_ACTIVE_HC | HealthFlag.FAILED_ACTIVE_HC,
);

const update: fc.Arbitrary<HostSet> = fc
  .record({
    priority: fc.integer({ min: 0, max: 2 }),
    hosts: fc.array(
      fc.record({ weight: fc.integer({ min: 1, max: 5 }), flags: health, zone: fc.constantFrom('a', 'b', 'c') }),
      { maxLength: 7 },
    ),
    weights: fc.option(fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) }), { nil: undefined }),
  })
  .map(({ priority, hosts, weights }) =>
    level(
      hosts.map((host, index) => {
        return new Host({ ...host, locality: zone(host.zone), address: `10.${priority}.0.${index}:80` });
      }),
      { priority, node: zone('a'), ...(weights && { localityWeights: weights }) },
    ),
  );

const story: fc.Arbitrary<ClusterStory> = fc.record({
  config: fc.record({
    healthyPanicThreshold: fc.constantFrom(0, 50, 100),
    failTrafficOnPanic: fc.boolean(),
    localityWeighted: fc.boolean(),
  }),
  updates: fc.array(update, { minLength: 1, maxLength: 5 }),
  seed: fc.string(),
});

type Observer = (decision: Decision, levels: ReadonlyMap<number, HostSet>, balancer: LoadBalancer) => void;

/** Small tables: what holds for them does not depend on their size. */
const SMALL_TABLES: Partial<LoadBalancerConfig> = {
  ringHash: { minimumRingSize: 64, maximumRingSize: 1024, hashFunction: 'XX_HASH' },
  maglev: { tableSize: 1009 },
};

function play(subject: BalancerUnderTest, { config, updates, seed }: ClusterStory, observe: Observer): void {
  const random = new RandomStreams(seed).stream('balancer');
  const balancer = subject.create(
    lbConfig({ ...SMALL_TABLES, ...config, lbPolicy: subject.lbPolicy, version: subject.version }),
    environment({ random }),
  );
  const levels = new Map<number, HostSet>();
  const decision = emptyDecision();
  const request = pickRequest(random);
  for (const hostSet of updates) {
    levels.set(hostSet.priority, hostSet);
    balancer.update(hostSet, hostSet.hosts, []);
    for (let pick = 0; pick < PICKS_PER_UPDATE; pick++) {
      balancer.choose(request, decision);
      observe(decision, levels, balancer);
    }
  }
}

/** The same seed, configuration and updates give the same picks, one by one. */
export function repeatsItself(subject: BalancerUnderTest): void {
  const picks = (told: ClusterStory): string[] => {
    const seen: string[] = [];
    play(subject, told, ({ host, priority }) => seen.push(`${priority} ${host?.address ?? 'nobody'}`));
    return seen;
  };
  fc.assert(
    fc.property(story, (told) => {
      expect(picks(told)).toEqual(picks(told));
    }),
    RUNS,
  );
}

/** A pick is one of the hosts that the level holds now, never one that has left. */
export function picksPresentHosts(subject: BalancerUnderTest): void {
  fc.assert(
    fc.property(story, (told) => {
      play(subject, told, ({ host, priority }, levels) => {
        if (host !== undefined) demand(includes(levels.get(priority)?.hosts, host), `${host.address} is not there`);
      });
    }),
    RUNS,
  );
}

/**
 * Outside of panic only healthy hosts are picked, or degraded ones where the level was drawn for them; hashing policies
 * never pick those. In panic everybody may be.
 */
export function picksEligibleHosts(subject: BalancerUnderTest): void {
  const hashes = subject.lbPolicy === 'RING_HASH' || subject.lbPolicy === 'MAGLEV';
  fc.assert(
    fc.property(story, (told) => {
      play(subject, told, ({ host, priority, panic, degraded }, levels) => {
        if (host === undefined || panic) return;
        const drawn = levels.get(priority);
        const eligible = degraded && !hashes ? drawn?.degraded : drawn?.healthy;
        demand(includes(eligible, host), `${host.address} is not eligible`);
      });
    }),
    RUNS,
  );
}

/** Whoever could be picked is: there is a host wherever the drawn level has an eligible one. */
export function findsEligibleHosts(subject: BalancerUnderTest): void {
  const hashes = subject.lbPolicy === 'RING_HASH' || subject.lbPolicy === 'MAGLEV';
  fc.assert(
    fc.property(story, (told) => {
      // A weighted locality may be empty, and then nobody else is asked.
      fc.pre(told.config.localityWeighted === false);
      play(subject, told, ({ host, priority, panic, degraded }, levels) => {
        const drawn = levels.get(priority);
        const eligible = panic ? drawn?.hosts : degraded && !hashes ? drawn?.degraded : drawn?.healthy;
        const refused = panic && told.config.failTrafficOnPanic === true && !hashes;
        const wanted = !refused && (eligible?.length ?? 0) > 0;
        demand((host !== undefined) === wanted, `${host?.address ?? 'nobody'} of ${eligible?.length ?? 0} hosts`);
      });
    }),
    RUNS,
  );
}

export interface ShareExpectation {
  /** Expected share of each host, by its weight. */
  readonly shares: (weights: readonly number[]) => readonly number[];
  /** How far a count of picks may be off. */
  readonly bound: (share: number, hosts: number, picks: number) => number;
}

/**
 * Picks are spread as the policy promises: every host's count stays within a derived bound of picks · share.
 *
 * The hosts are healthy and idle, and the picks begin at a random point of the balancer's life.
 */
export function followsShares(subject: BalancerUnderTest, { shares, bound }: ShareExpectation): void {
  const weights = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(weights, fc.string(), (hostWeights, seed) => {
      const picks = 150 * hostWeights.length;
      const counts = countPicks(subject, hostWeights, picks, new RandomStreams(seed).stream('balancer'));
      shares(hostWeights).forEach((share, index) => {
        const off = Math.abs((counts[index] ?? 0) - picks * share);
        const allowed = bound(share, hostWeights.length, picks);
        demand(off <= allowed, `host ${index} is off by ${off}, allowed are ${allowed}`);
      });
    }),
    { seed: 20, numRuns: 40 },
  );
}

function countPicks(
  subject: BalancerUnderTest,
  weights: readonly number[],
  picks: number,
  random: RandomStream,
): readonly number[] {
  const hosts = hostsOf(weights.length);
  weights.forEach((weight, index) => {
    const host = hosts[index];
    if (host !== undefined) host.weight = weight;
  });
  const balancer = subject.create(
    lbConfig({ ...SMALL_TABLES, lbPolicy: subject.lbPolicy, version: subject.version }),
    environment({ random }),
  );
  balancer.update(level(hosts), hosts, []);
  const decision = emptyDecision();
  const request = pickRequest(random);
  const counts = new Map<Host | undefined, number>();
  for (let pick = 0; pick < picks; pick++) {
    balancer.choose(request, decision);
    counts.set(decision.host, (counts.get(decision.host) ?? 0) + 1);
  }
  return hosts.map((host) => counts.get(host) ?? 0);
}

export function byWeight(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

export function evenly(weights: readonly number[]): readonly number[] {
  return weights.map(() => 1 / weights.length);
}

/**
 * What an earliest-deadline-first schedule keeps to, from any point of it: at time t a host of share s out of n has had
 * floor(t · s) picks, and all of them together between t − n and t. So a count since the start is off by at most
 * 1 + n · s, one more where deadlines tie, and a count between two points by twice that.
 */
export function scheduleBound(share: number, hosts: number): number {
  return 2 * (2 + hosts * share);
}

/** Independent draws: five standard deviations, and one for rounding. */
export function drawBound(share: number, _hosts: number, picks: number): number {
  return 5 * Math.sqrt(picks * share * (1 - share)) + 1;
}

/** A table policy, with what a table of it is made of. */
export interface TablePolicyUnderTest<Config, Table> {
  readonly policy: TablePolicy<Config, Table>;
  readonly config: Config;
  readonly entriesPerHost: (table: Table) => ArrayLike<number>;
}

const keyedHosts: fc.Arbitrary<WeightedHosts> = fc
  .uniqueArray(fc.record({ key: fc.string({ minLength: 1, maxLength: 24 }), weight: fc.integer({ min: 1, max: 9 }) }), {
    selector: ({ key }) => key,
    maxLength: 12,
  })
  .map((hosts) =>
    weightedHosts(
      hosts.map(({ key }) => key),
      hosts.map(({ weight }) => weight),
    ),
  );

/** Tables are pure functions of hosts and configuration: building changes neither, other builds leave no trace. */
export function buildsPureTables<Config, Table>({ policy, config }: TablePolicyUnderTest<Config, Table>): void {
  fc.assert(
    fc.property(keyedHosts, keyedHosts, (hosts, others) => {
      const before = structuredClone(hosts);
      const table = policy.build(hosts, config);
      const asBuilt = structuredClone(table);
      policy.build(others, config);
      expect(table).toEqual(asBuilt);
      expect(policy.build(hosts, config)).toEqual(asBuilt);
      expect(hosts).toEqual(before);
    }),
    { numRuns: 30 },
  );
}

const hash = fc.integer({ min: 0, max: 0xffffffff });

/** A lookup gives one of the table's hosts, the same one every time; -1 only from a table without hosts. */
export function looksUpItsHosts<Config, Table>({ policy, config }: TablePolicyUnderTest<Config, Table>): void {
  fc.assert(
    fc.property(keyedHosts, hash, hash, fc.nat(5), (hosts, hi, lo, attempt) => {
      const table = policy.build(hosts, config);
      const chosen = policy.choose(table, hi, lo, attempt);
      expect(policy.choose(table, hi, lo, attempt)).toBe(chosen);
      if (hosts.keys.length === 0) expect(chosen).toBe(-1);
      else expect(hosts.keys[chosen]).toBeDefined();
    }),
    { numRuns: 40 },
  );
}

/** Entries follow weights: each host's count is within `bound` of entries · share. */
export function dividesItsEntries<Config, Table>(
  { policy, config, entriesPerHost }: TablePolicyUnderTest<Config, Table>,
  bound: (share: number, hosts: number, largestShare: number) => number,
): void {
  fc.assert(
    fc.property(keyedHosts, (hosts) => {
      const counts = Array.from(entriesPerHost(policy.build(hosts, config)));
      const entries = counts.reduce((sum, count) => sum + count, 0);
      counts.forEach((count, index) => {
        const share = hosts.weights[index] ?? NaN;
        const off = Math.abs(count - entries * share);
        const allowed = bound(share, counts.length, hosts.maxWeight) + 1e-6;
        demand(off <= allowed, `host ${index} is off by ${off}, allowed are ${allowed}`);
      });
    }),
    { numRuns: 40 },
  );
}

/**
 * Minimal disruption, with its condition: where the hosts that stay keep as many entries as they had, a key moves only if
 * it belonged to the host that left.
 *
 * A ring obeys it; Maglev gives up some of it for balance, and a ring whose size is fixed breaks the condition.
 *
 * @param configFor the configuration under which each of `hosts` equal hosts has the same number of entries.
 */
export function movesOnlyLostKeys<Config, Table>(
  { policy, entriesPerHost }: Pick<TablePolicyUnderTest<Config, Table>, 'policy' | 'entriesPerHost'>,
  configFor: (hosts: number) => Config,
): void {
  const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 24 }), { minLength: 2, maxLength: 10 });
  fc.assert(
    fc.property(
      keys,
      fc.nat(),
      fc.array(fc.tuple(hash, hash), { minLength: 30, maxLength: 30 }),
      (all, pick, hashes) => {
        const lost = pick % all.length;
        const left = all.filter((_, index) => index !== lost);
        const before = policy.build(weightedHosts(all), configFor(all.length));
        const after = policy.build(weightedHosts(left), configFor(left.length));
        const kept = Array.from(entriesPerHost(before)).filter((_, index) => index !== lost);
        expect(Array.from(entriesPerHost(after))).toEqual(kept);
        for (const [hi, lo] of hashes) {
          const owner = all[policy.choose(before, hi, lo, 0)];
          if (owner !== all[lost]) expect(left[policy.choose(after, hi, lo, 0)]).toBe(owner);
        }
      },
    ),
    { numRuns: 40 },
  );
}
