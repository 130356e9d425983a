import fc from 'fast-check';
import { quirksOf } from '../../core/version.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../../hostset/host-set.js';
import type { BalancerDescription } from '../../hostset/generated/descriptions.js';
import type { LoadBalancer } from '../../hostset/load-balancer.js';
import * as drawn from '../arbitraries.js';
import { balancerLaw, fail, situationScenario, type BalancerUnderTest } from '../law.js';
import * as stories from '../story.js';
import * as scenes from './situation.js';
import { drawBound, scheduleBound } from './shares.js';
import { sum } from '../../core/values.js';

/**
 * Levels get load by how many of their hosts are available, each counted 1.4 times and up to 100 %: healthy hosts first, in
 * order of priority, then degraded ones; where all levels together fall short of 100 % each gets its proportional part.
 * Percentages are truncated, and the rest goes to the first level that has any load. In total panic load follows the number
 * of hosts (since 1.14).
 *
 * Levels without an available host are not checked, unless they panic.
 *
 * Source: the proxy's documentation of priority levels.
 */
export const spreadsLoadByAvailability = scenes.storyLaw('spreads load by availability', {
  examples: () => {
    // Total panic ignores availability, so examples should rarely have it.
    const cluster = fc.record({ healthyPanicThreshold: fc.constantFrom(0, 0, 50), failTrafficOnPanic: fc.boolean() });
    // Where a level has a healthy host, what is left by truncation goes to it: degraded ones get it in some examples only.
    return fc.oneof(
      { arbitrary: drawn.story({ cluster, health: scenes.fewHealthy, withNew: true }), weight: 2 },
      { arbitrary: drawn.story({ cluster, health: scenes.noneHealthy, maxHosts: 14 }), weight: 1 },
    );
  },
  numRuns: 200,
  updated: ({ version }, _, balancer, levels) => {
    const { priorities } = balancer.describe();
    const present = priorities.map(({ priority }) => levels.get(priority));
    const panics = priorities.length > 0 && priorities.every(({ panic }) => panic);
    // Of the healthy hosts of all levels, then of their degraded ones.
    const expected =
      panics && quirksOf(version).totalPanicMovesLoad
        ? divided(present.map((level) => level?.hosts.length ?? 0))
        : divided([...abilities(present, 'healthy'), ...abilities(present, 'degraded')], 100);
    if (expected === undefined) return;
    priorities.forEach(({ priority, healthyLoad, degradedLoad }, index) => {
      const [healthy = 0, degraded = 0] = [expected[index], expected[priorities.length + index]];
      if (healthyLoad !== healthy || degradedLoad !== degraded) {
        const { hosts: all = [], healthy: good = [], degraded: worse = [] } = present[index] ?? {};
        fail(
          `priority ${priority} gets ${healthyLoad} % for its healthy and ${degradedLoad} % for its degraded hosts, ` +
            `expected are ${healthy} and ${degraded} %: ${good.length} of its ${all.length} hosts are healthy, ` +
            `${worse.length} degraded${panics ? ', and every level is in panic' : ''}`,
        );
      }
    });
  },
});

const abilities = (levels: readonly (HostSet | undefined)[], health: 'healthy' | 'degraded'): readonly number[] =>
  levels.map((level) => scenes.availability(level, level?.[health].length));

/**
 * A hundred percent over `parts` in their order, each by its part of them all, or of `whole` where they are more than that;
 * undefined where all are 0.
 */
function divided(parts: readonly number[], whole = Infinity): readonly number[] | undefined {
  const total = Math.min(whole, sum(parts));
  if (total === 0) return undefined;
  let left = 100;
  const shares = parts.map((part) => {
    const share = Math.min(left, Math.floor((100 * part) / total));
    left -= share;
    return share;
  });
  const first = parts.findIndex((part) => part > 0);
  return shares.map((share, index) => (index === first ? share + left : share));
}

const HASHES = 16;

/**
 * After hosts have come, gone and changed, a balancer has the state of a new one with the present hosts: the same loads,
 * panic, zones and weighted localities, the same subsets with the same hosts, and a request's hash leads to the same host,
 * whether it is told of its hosts or finds them when it is made. It may remember only turns.
 *
 * While no host is available the proxy keeps old loads and panic; this is not checked. Before 1.24 hosts keep their metadata,
 * since one that changes it makes no subset.
 */
export const forgetsHistory = scenes.storyLaw('depends on the present hosts alone', {
  examples: ({ version }) => {
    const aware = fc.record({ localityWeightAware: fc.boolean(), scaleLocalityWeight: fc.boolean() });
    const cluster = fc
      .tuple(
        drawn.plainCluster(),
        drawn.subsetConfig(),
        aware,
        fc.constantFrom('localityWeights', 'callers', undefined),
        fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) }),
      )
      .map(([plain, subset, own, places, counts]) => ({
        ...plain,
        ...(places !== undefined && { [places]: counts }),
        subset: { ...subset, ...own },
      }));
    const examples = drawn.story({ cluster, metadata: drawn.listedMetadata(), maxPriorities: 2, withNew: true });
    return [drawn.story(), quirksOf(version).onlyAddedHostsMakeSubsets ? examples.map(withoutMoves) : examples];
  },
  updated: judgeHistory,
});

/** Hosts stay in their subsets. */
const withoutMoves = (story: stories.Story): stories.Story => ({
  ...story,
  steps: story.steps.map(({ change, requests }) =>
    change === undefined || 'metadata' in change ? { requests } : { change, requests },
  ),
});

function judgeHistory(
  subject: BalancerUnderTest,
  { seed, cluster }: stories.Story,
  balancer: LoadBalancer,
  levels: ReadonlyMap<number, HostSet>,
): void {
  if (!scenes.findsHosts(levels)) return;
  const { callers } = cluster;
  const environment = stories.environmentOf(stories.balancerStream(seed, stories.PROXY), callers !== undefined);
  const fresh = subject.create(stories.configOf(subject, cluster), environment);
  for (const level of levels.values()) fresh.update(level, level.hosts, []);
  const initial = [...levels.values()].sort((a, b) => a.priority - b.priority);
  const later = subject.create(stories.configOf(subject, cluster), { ...environment, initial });
  if (callers !== undefined)
    for (const each of [fresh, later]) each.updateLocalCluster(stories.localHostSet(callers, stories.NODE_ZONE));
  const [before, now, late] = [standing(balancer), standing(fresh), standing(later)];
  if (before !== now) fail(`it stands as\n${before}\nand with the present hosts alone as\n${now}`);
  if (late !== now) fail(`it stands as\n${now}\nand where the hosts were there before it as\n${late}`);
  if (!scenes.placesByHash(subject) || cluster.subset !== undefined) return;
  for (const hash of scenes.drawnHashes(seed, HASHES)) {
    const [one, other] = [balancer, fresh].map((each) => scenes.ownerOf(each, hash));
    if (one !== other) fail(`a hash leads to ${one ?? ''}, and with the present hosts alone to ${other ?? ''}`);
  }
}

function standing(balancer: LoadBalancer): string {
  const all = balancer.describe();
  // A subset without an available host keeps what it had, and one without a host of a level may not know that level.
  const subsets = all.subsets
    ?.map(({ subset, hosts: count, healthy, balancer: own }) => {
      const isAvailable = own?.priorities.some((level) => level.healthy + level.degraded > 0) === true;
      return { subset, count, healthy, ...(isAvailable && standingOf(own)) };
    })
    .sort((a, b) => (a.subset < b.subset ? -1 : 1));
  return JSON.stringify({ ...standingOf(all), subsets });
}

function standingOf(description: BalancerDescription): object {
  const { zone, priorities, ...all } = scenes.standingOf(description);
  const levels = priorities.filter(({ hosts: count }) => count > 0);
  // Why picks are not routed by zone is not compared.
  return { ...all, priorities: levels, zone: zone?.state === 'none' ? undefined : zone };
}

const PICKS = 3000;

/**
 * Under locality-weighted balancing each locality is picked by its weight, less as soon as 1.4 times its healthy hosts
 * are fewer than all its hosts: weight · min(1, 1.4 · healthy / hosts) out of the sum of these. The bound is that of
 * independent draws, which a schedule keeps to as well. Power: 3,000 picks of each of 40 examples show 20 % too much on a
 * locality that should have half of them.
 *
 * Does not apply to hashing policies, which divide their tables by weight.
 *
 * Source: the proxy's documentation of locality-weighted load balancing.
 */
export const followsLocalityWeights = balancerLaw<stories.Situation>('follows locality weights', {
  applies: scenes.picksFromLists,
  examples: () =>
    fc.record({
      seed: fc.nat(9999),
      hosts: drawn.hosts({ maxPriorities: 1, maxWeight: 1, health: fc.constantFrom('HEALTHY', 'UNHEALTHY') }),
      // Without panic, so that the weights apply to the remaining hosts.
      cluster: fc.record({
        healthyPanicThreshold: fc.constant(0),
        failTrafficOnPanic: fc.constant(false),
        localityWeights: fc.record({ a: fc.nat(4), b: fc.nat(4), c: fc.nat(4) }),
      }),
    }),
  test: (subject, example) => {
    const zones = Object.entries(effectiveWeights(example));
    const total = sum(zones.map(([, effective]) => effective));
    if (total === 0) return;
    const picked = scenes.pickMany(subject, example, { picks: PICKS });
    for (const [zone, effective] of zones) {
      const share = effective / total;
      const count = scenes.countWhere(picked, (host) => host?.locality.zone === zone);
      const off = Math.abs(count - PICKS * share);
      const allowed = share === 0 ? 0 : Math.max(drawBound(share, 0, PICKS), scheduleBound(share, zones.length));
      if (off > allowed)
        fail(
          `zone ${zone} has ${count} of ${PICKS} requests, expected are ${(PICKS * share).toFixed(1)}: ` +
            `its weight counts as ${effective.toFixed(2)} of ${total.toFixed(2)}; allowed are ${allowed.toFixed(1)} more or less`,
        );
    }
  },
  scenario: (subject, example, remarks) => situationScenario(subject, example, PICKS, remarks),
  numRuns: 40,
  seed: 7,
});

/** By zone, of the zones that have hosts. */
const effectiveWeights = ({ hosts: list, cluster }: stories.Situation): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set(list.map(({ zone }) => zone))].map((name) => {
      const all = list.filter(({ zone }) => zone === name);
      const healthy = all.filter(({ health }) => health === 'HEALTHY').length;
      const availability = Math.min(1, ((DEFAULT_OVERPROVISIONING_FACTOR / 100) * healthy) / all.length);
      return [name, (cluster.localityWeights?.[name] ?? 0) * availability];
    }),
  );
