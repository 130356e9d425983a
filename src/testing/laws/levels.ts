import fc from 'fast-check';
import { quirksOf } from '../../core/version.js';
import type { HostSet } from '../../hostset/host-set.js';
import type { BalancerDescription } from '../../hostset/generated/descriptions.js';
import { Decision, emptyPickRequest, type LoadBalancer } from '../../hostset/load-balancer.js';
import { ScriptedRandom } from '../../random/random64.js';
import type { Story, BalancerUnderTest } from '../law.js';
import { cluster, hosts, plainCluster, requests, story, fail, play } from '../law.js';
import * as scenes from './situation.js';
import { sum } from '../../core/values.js';

/** Loads of all levels, healthy and degraded, sum to 100; unless no host is available at all. */
export const loadsSumTo100 = scenes.storyLaw('spreads 100 % of the load over its levels', {
  examples: () => story(),
  updated: (_, __, balancer, levels) => {
    if (!scenes.findsHosts(levels)) return;
    const { priorities } = balancer.describe();
    const total = sum(priorities.map(({ healthyLoad, degradedLoad }) => healthyLoad + degradedLoad));
    if (total !== 100) fail(`the loads of all levels sum to ${total}: ${loadsText(balancer)}`);
  },
});

/** Of the hundred percent points that a draw (or a hash) can hit, each level gets as many as its load says. */
export const drawsLevelsByLoad = scenes.storyLaw('draws levels by their load', {
  examples: () => story(),
  updated: (subject, _, balancer) => {
    const drawn = { healthy: new Map<number, number>(), degraded: new Map<number, number>() };
    const decision = new Decision();
    for (let point = 0; point < 100; point++) {
      const request = emptyPickRequest(new ScriptedRandom([{ hi: 0, lo: point }]));
      if (scenes.placesByHash(subject)) Object.assign(request, { hasHash: true, hashLo: point });
      balancer.choose(request, decision);
      const counts = decision.degraded ? drawn.degraded : drawn.healthy;
      counts.set(decision.priority, (counts.get(decision.priority) ?? 0) + 1);
    }
    let left = 100;
    for (const kind of ['healthy', 'degraded'] as const) {
      for (const { priority, healthyLoad, degradedLoad } of balancer.describe().priorities) {
        // Loads may sum to more where no host is available; beyond the hundredth point nothing is reached.
        const load = Math.min(left, kind === 'healthy' ? healthyLoad : degradedLoad);
        left -= load;
        const count = drawn[kind].get(priority) ?? 0;
        if (count !== load)
          fail(
            `priority ${priority} is drawn for its ${kind} hosts ${count} times in 100, ` +
              `its load is ${load}: ${loadsText(balancer)}`,
          );
      }
    }
  },
});

/**
 * A level panics as soon as strictly less than the threshold of its hosts is available, while all levels together cannot
 * carry the whole load: at the threshold itself it does not.
 *
 * Source: the proxy's documentation of the panic threshold.
 */
export const panicsBelowThreshold = scenes.storyLaw('panics below the threshold and not at it', {
  examples: () => story({ cluster: plainCluster(), maxPriorities: 2, health: scenes.fewHealthy }),
  numRuns: 120,
  updated: (subject, { cluster: { healthyPanicThreshold: threshold } }, balancer, levels) => {
    const expected = expectedPanic(subject, threshold, levels);
    for (const { priority, panic } of balancer.describe().priorities) {
      const level = levels.get(priority);
      if (panic !== (expected.get(priority) ?? panic))
        fail(
          `priority ${priority} is ${panic ? '' : 'not '}in panic: ${scenes.available(level)} of ${scenes.counted(level)} hosts ` +
            `are available, the threshold is ${threshold} %`,
        );
    }
  },
  picked: (subject, { cluster }, { decision: { host, priority, panic }, levels, number }) => {
    if (host === undefined) return;
    const wanted = expectedPanic(subject, cluster.healthyPanicThreshold, levels).get(priority) ?? panic;
    if (panic !== wanted)
      fail(`request ${number} was placed ${panic ? 'in' : 'without'} panic of priority ${priority}`);
  },
});

/** undefined for a level that keeps an earlier flag. */
function expectedPanic({ version }: BalancerUnderTest, threshold: number, levels: ReadonlyMap<number, HostSet>) {
  let total = 0;
  for (const level of levels.values())
    total += scenes.availability(level, level.healthy.length) + scenes.availability(level, level.degraded.length);
  const expected = new Map<number, boolean>();
  if (total === 0 && !quirksOf(version).totalPanicMovesLoad) return expected.set(0, threshold > 0);
  if (total === 0 && threshold === 0) return expected;
  for (const [priority, level] of levels) {
    const below =
      scenes.counted(level) === 0 ? threshold > 0 : 100 * scenes.available(level) < threshold * scenes.counted(level);
    expected.set(priority, total < 100 && below);
  }
  return expected;
}

interface Recovery extends Story {
  readonly host: number;
  readonly better: 'DEGRADED' | 'HEALTHY';
}

/**
 * When a host gets better, its level's load does not fall, except in total panic, where load follows the number of hosts
 * and ignores health. Availability is truncated to whole percents once for healthy hosts and once for degraded ones, so a
 * host that goes from these to those may cost its level one point: two degraded hosts of three are 93 %, one of each kind
 * 46 + 46 %. The load of its healthy hosts does not fall even then.
 */
export const recoveryNeverLowersLoad = scenes.storyLaw('never lowers the load of a level whose host gets better', {
  examples: () =>
    fc
      .record({
        seed: fc.nat(9999),
        cluster: plainCluster(),
        hosts: hosts().filter((list) => list.length > 0),
        host: fc.nat(7),
        better: fc.constantFrom('HEALTHY', 'DEGRADED'),
      })
      .map(({ host: drawn, ...one }): Recovery => {
        const host = drawn % one.hosts.length;
        return { ...one, host, steps: [{ requests: [] }, { change: { host, health: one.better }, requests: [] }] };
      })
      .filter(({ hosts: list, host, better }) => {
        const health = list[host]?.health;
        // A draining host is excluded (since 1.40), and a degraded one is not: that is not just better.
        return health === 'DEGRADED' ? better === 'HEALTHY' : health === 'UNHEALTHY';
      }),
  test: (subject, recovery) => {
    const { priority = 0, health } = recovery.hosts[recovery.host] ?? {};
    const seen: BalancerDescription[] = [];
    play(subject, recovery, { updated: (balancer) => seen.push(balancer.describe()) });
    const [before, after] = seen;
    if (before === undefined || after === undefined || isTotalPanic(before) || isTotalPanic(after)) return;
    const [less, more] = [loadOf(before, priority), loadOf(after, priority)];
    const degraded = health === 'DEGRADED';
    if (degraded && more.healthy < less.healthy)
      fail(`the load of priority ${priority}'s healthy hosts fell from ${less.healthy} to ${more.healthy} %`);
    if (more.total < less.total - (degraded ? 1 : 0))
      fail(`the load of priority ${priority} fell from ${less.total} to ${more.total} %`);
  },
  numRuns: 200,
});

const isTotalPanic = ({ priorities }: BalancerDescription): boolean => priorities.every(({ panic }) => panic);

function loadOf({ priorities }: BalancerDescription, priority: number): { healthy: number; total: number } {
  const { healthyLoad = 0, degradedLoad = 0 } = priorities[priority] ?? {};
  return { healthy: healthyLoad, total: healthyLoad + degradedLoad };
}

/**
 * The order in which hosts are listed affects nothing but turns: not the loads, panic, zones and weighted localities of any
 * policy, and not the host of a hash. The exceptions are the proxy's own: Maglev sorts its hosts only since 1.27, and rings
 * round differently where weights differ.
 */
export const ignoresHostOrder = scenes.storyLaw('does not depend on the order of hosts', {
  examples: () =>
    fc
      .record({
        seed: fc.nat(9999),
        cluster: cluster(),
        hosts: hosts({ maxWeight: 1 }),
        requests: requests().map((list) => list.map(({ hash }, index) => ({ hash: hash ?? { hi: index, lo: index } }))),
        // Sort keys of the second order.
        order: fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }),
      })
      .map(({ requests: stream, ...one }) => ({ ...one, steps: [{ requests: stream }] })),
  test: (subject, example) => {
    const shuffled = scenes.sortedBy(example.hosts, example.order);
    const [one, other] = [seenOf(subject, example), seenOf(subject, { ...example, hosts: shuffled })];
    const order = (): string => shuffled.map(({ address }) => address).join(', ');
    if (one.state !== other.state)
      fail(`it stands as\n${one.state}\nand with the hosts as ${order()} as\n${other.state}`);
    // Hosts of localities with weights weigh differently.
    if (!scenes.tableIgnoresOrder(subject) || example.cluster.localityWeights !== undefined) return;
    const at = one.picks.findIndex((pick, index) => pick !== other.picks[index]);
    if (at >= 0)
      fail(
        `request ${at} went to ${one.picks[at] ?? ''}, and with the hosts as ${order()} to ${other.picks[at] ?? ''}`,
      );
  },
});

function seenOf(subject: BalancerUnderTest, story: Story) {
  let state = '';
  const picks: string[] = [];
  play(subject, story, {
    updated: (balancer) => (state = JSON.stringify(scenes.standingOf(balancer.describe()))),
    picked: ({ decision }) => picks.push(decision.host?.address ?? 'no host'),
  });
  return { state, picks };
}

const loadsText = (balancer: LoadBalancer): string =>
  balancer
    .describe()
    .priorities.map((level) => `priority ${level.priority} ${level.healthyLoad} + ${level.degradedLoad} %`)
    .join(', ');
