import fc from 'fast-check';
import { quirksOf } from '../../core/quirks.js';
import type { HealthStatus } from '../../host/host.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../../hostset/host-set.js';
import type { BalancerDescription } from '../../hostset/describe.js';
import { emptyDecision, emptyPickRequest, type LoadBalancer } from '../../hostset/load-balancer.js';
import { ScriptedRandom } from '../../random/scripted.js';
import { cluster, fewHealthy, hosts, plainCluster, requests, story } from '../arbitraries.js';
import { demand, type LawOptions, search } from '../law.js';
import { storyScenario } from '../scenario-file.js';
import { play, type Story, type StoryCluster, type StoryHost, type StoryRequest } from '../story.js';
import { type BalancerUnderTest, demandSubject, placesByHash } from '../balancer-under-test.js';
import { searchStories } from './picks.js';
import { tableIgnoresOrder } from './situation.js';

/** Laws of a cluster's levels: how load is spread over them, and when the proxy stops trusting their health. */

/** Loads of all levels, healthy and degraded, sum to 100; unless no host is available at all. */
export function loadsSumTo100(subject: BalancerUnderTest, options?: LawOptions): void {
  searchStories('spreads 100 % of the load over its levels', subject, options, (story) =>
    play(subject, story, {
      updated: (balancer, levels) => {
        if (!findsHosts(levels)) return;
        const { priorities } = balancer.describe();
        const sum = priorities.reduce((total, { healthyLoad, degradedLoad }) => total + healthyLoad + degradedLoad, 0);
        demand(sum === 100, () => `the loads of all levels sum to ${sum}: ${loadsText(balancer)}`);
      },
    }),
  );
}

/** Of the hundred percent points that a draw (or a hash) can hit, each level gets as many as its load says. */
export function drawsLevelsByLoad(subject: BalancerUnderTest, options?: LawOptions): void {
  searchStories('draws levels by their load', subject, options, (story) =>
    play(subject, story, {
      updated: (balancer) => {
        const healthy = new Map<number, number>();
        const degraded = new Map<number, number>();
        const decision = emptyDecision();
        for (let point = 0; point < 100; point++) {
          const request = emptyPickRequest(new ScriptedRandom([{ hi: 0, lo: point }]));
          if (placesByHash(subject)) Object.assign(request, { hasHash: true, hashLo: point });
          balancer.choose(request, decision);
          const counts = decision.degraded ? degraded : healthy;
          counts.set(decision.priority, (counts.get(decision.priority) ?? 0) + 1);
        }
        const { priorities } = balancer.describe();
        let left = 100;
        // Loads may sum to more where no host is available; beyond the hundredth point nothing is reached.
        const reached = (load: number): number => {
          const points = Math.min(left, load);
          left -= points;
          return points;
        };
        for (const [kind, counts] of [
          ['healthy', healthy],
          ['degraded', degraded],
        ] as const) {
          for (const level of priorities) {
            const load = reached(kind === 'healthy' ? level.healthyLoad : level.degradedLoad);
            const drawn = counts.get(level.priority) ?? 0;
            demand(
              drawn === load,
              () =>
                `priority ${level.priority} is drawn for its ${kind} hosts ${drawn} times in 100, ` +
                `its load is ${load}: ${loadsText(balancer)}`,
            );
          }
        }
      },
    }),
  );
}

/**
 * A level panics as soon as strictly less than the threshold of its hosts is available, while all levels together cannot
 * carry the whole load: at the threshold itself it does not.
 *
 * Source: the proxy's documentation of the panic threshold.
 */
export function panicsBelowThreshold(subject: BalancerUnderTest, options?: LawOptions): void {
  const test = (story: Story): void =>
    play(subject, story, {
      updated: (balancer, levels) => {
        const expected = expectedPanic(subject, story.cluster.healthyPanicThreshold, levels);
        for (const { priority, panic } of balancer.describe().priorities) {
          const wanted = expected.get(priority);
          if (wanted === undefined) continue;
          demand(panic === wanted, () => {
            const level = levels.get(priority);
            return (
              `priority ${priority} is ${panic ? '' : 'not '}in panic: ${available(level)} of ${counted(level)} hosts ` +
              `are available, the threshold is ${story.cluster.healthyPanicThreshold} %`
            );
          });
        }
      },
      picked: ({ decision: { host, priority, panic }, levels, number }) => {
        if (host === undefined) return;
        const wanted = expectedPanic(subject, story.cluster.healthyPanicThreshold, levels).get(priority);
        demand(wanted === undefined || panic === wanted, () => {
          return `request ${number} was placed ${panic ? 'in' : 'without'} panic of priority ${priority}`;
        });
      },
    });
  searchStories('panics below the threshold and not at it', subject, options, test, {
    examples: story({ cluster: plainCluster(), maxPriorities: 2, health: fewHealthy }),
    numRuns: 120,
  });
}

/** undefined for a level that keeps an earlier flag. */
function expectedPanic(
  { version }: BalancerUnderTest,
  threshold: number,
  levels: ReadonlyMap<number, HostSet>,
): ReadonlyMap<number, boolean> {
  let total = 0;
  for (const level of levels.values()) {
    total += availability(level, level.healthy.length) + availability(level, level.degraded.length);
  }
  const expected = new Map<number, boolean>();
  if (total === 0 && !quirksOf(version).totalPanicMovesLoad) return expected.set(0, threshold > 0);
  if (total === 0 && threshold === 0) return expected;
  for (const [priority, level] of levels) {
    const below = counted(level) === 0 ? threshold > 0 : 100 * available(level) < threshold * counted(level);
    expected.set(priority, total < 100 && below);
  }
  return expected;
}

function available(level: HostSet | undefined): number {
  return level === undefined ? 0 : level.healthy.length + level.degraded.length;
}

function counted(level: HostSet | undefined): number {
  return level === undefined ? 0 : level.hosts.length - level.excluded.length;
}

/** What this many hosts of a level can take, in percent, with overprovisioning. */
export function availability(level: HostSet | undefined, count = 0): number {
  return counted(level) === 0
    ? 0
    : Math.min(100, Math.floor((DEFAULT_OVERPROVISIONING_FACTOR * count) / counted(level)));
}

/** Whether any host is available. */
export function findsHosts(levels: ReadonlyMap<number, HostSet>): boolean {
  return [...levels.values()].some((level) => available(level) > 0);
}

interface Recovery {
  readonly seed: number;
  readonly cluster: StoryCluster;
  readonly hosts: readonly StoryHost[];
  readonly host: number;
  readonly better: 'DEGRADED' | 'HEALTHY';
}

/**
 * When a host gets better, its level's load does not fall, except in total panic, where load follows the number of hosts
 * and ignores health. Availability is truncated to whole percents once for healthy hosts and once for degraded ones, so a
 * host that goes from these to those may cost its level one point: two degraded hosts of three are 93 %, one of each kind
 * 46 + 46 %. The load of its healthy hosts does not fall even then.
 */
export function recoveryNeverLowersLoad(subject: BalancerUnderTest, options?: LawOptions): void {
  demandSubject('recoveryNeverLowersLoad', subject);
  const examples: fc.Arbitrary<Recovery> = fc.record({
    seed: fc.nat(9999),
    cluster: plainCluster(),
    hosts: hosts().filter((list) => list.length > 0),
    host: fc.nat(7),
    better: fc.constantFrom('HEALTHY', 'DEGRADED'),
  });
  const storyOf = ({ host, better, ...rest }: Recovery): Story => ({
    ...rest,
    steps: [{ requests: [] }, { change: { host: host % rest.hosts.length, health: better }, requests: [] }],
  });
  search<Recovery>(options, {
    law: 'never lowers the load of a level whose host gets better',
    examples: examples.filter(getsBetter),
    test: (recovery) => {
      const { priority = 0 } = recovery.hosts[recovery.host % recovery.hosts.length] ?? {};
      const seen: BalancerDescription[] = [];
      play(subject, storyOf(recovery), { updated: (balancer) => seen.push(balancer.describe()) });
      const [before, after] = seen;
      if (before === undefined || after === undefined || isTotalPanic(before) || isTotalPanic(after)) return;
      const [less, more] = [loadOf(before, priority), loadOf(after, priority)];
      const degraded = wasDegraded(recovery);
      demand(
        !degraded || more.healthy >= less.healthy,
        () => `the load of priority ${priority}'s healthy hosts fell from ${less.healthy} to ${more.healthy} %`,
      );
      demand(
        more.total >= less.total - (degraded ? 1 : 0),
        () => `the load of priority ${priority} fell from ${less.total} to ${more.total} %`,
      );
    },
    scenario: (recovery, remarks) => storyScenario(subject, storyOf(recovery), remarks),
    numRuns: 200,
  });
}

function getsBetter(recovery: Recovery): boolean {
  if (wasDegraded(recovery)) return recovery.better === 'HEALTHY';
  // A draining host is excluded (since 1.40), and a degraded one is not: that is not just better.
  return healthBefore(recovery) === 'UNHEALTHY';
}

function wasDegraded(recovery: Recovery): boolean {
  return healthBefore(recovery) === 'DEGRADED';
}

function healthBefore({ hosts: list, host }: Recovery): HealthStatus | undefined {
  return list[host % list.length]?.health;
}

function isTotalPanic({ priorities }: BalancerDescription): boolean {
  return priorities.every(({ panic }) => panic);
}

function loadOf({ priorities }: BalancerDescription, priority: number): { healthy: number; total: number } {
  const { healthyLoad = 0, degradedLoad = 0 } = priorities[priority] ?? {};
  return { healthy: healthyLoad, total: healthyLoad + degradedLoad };
}

interface Shuffled {
  readonly seed: number;
  readonly cluster: StoryCluster;
  readonly hosts: readonly StoryHost[];
  readonly requests: readonly StoryRequest[];
  /** Sort keys of the second order. */
  readonly order: readonly number[];
}

/**
 * The order in which hosts are listed affects nothing but turns: not the loads, panic, zones and weighted localities of any
 * policy, and not the host of a hash. The exceptions are the proxy's own: Maglev sorts its hosts only since 1.27, and rings
 * round differently where weights differ.
 */
export function ignoresHostOrder(subject: BalancerUnderTest, options?: LawOptions): void {
  const sortsHosts = tableIgnoresOrder(subject);
  const examples: fc.Arbitrary<Shuffled> = fc.record({
    seed: fc.nat(9999),
    cluster: cluster(),
    hosts: hosts({ maxWeight: 1 }),
    requests: requests().map((list) => list.map(({ hash }, index) => ({ hash: hash ?? { hi: index, lo: index } }))),
    order: fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }),
  });
  const storyOf = ({ seed, cluster: config, hosts: list, requests: stream }: Shuffled): Story => ({
    seed,
    cluster: config,
    hosts: list,
    steps: [{ requests: stream }],
  });
  const shuffle = (example: Shuffled): Shuffled => {
    const keyOf = new Map(example.hosts.map((host, index) => [host, example.order[index] ?? 0]));
    return { ...example, hosts: [...example.hosts].sort((a, b) => (keyOf.get(a) ?? 0) - (keyOf.get(b) ?? 0)) };
  };
  const see = (example: Shuffled): { readonly state: string; readonly picks: readonly string[] } => {
    let state = '';
    const picks: string[] = [];
    play(subject, storyOf(example), {
      updated: (balancer) => (state = stateText(balancer)),
      picked: ({ decision }) => picks.push(decision.host?.address ?? 'no host'),
    });
    return { state, picks };
  };
  search<Shuffled>(options, {
    law: 'does not depend on the order of hosts',
    examples,
    test: (example) => {
      const [one, other] = [see(example), see(shuffle(example))];
      const order = (): string =>
        shuffle(example)
          .hosts.map(({ address }) => address)
          .join(', ');
      demand(
        one.state === other.state,
        () => `it stands as\n${one.state}\nand with the hosts as ${order()} as\n${other.state}`,
      );
      // Hosts of localities with weights weigh differently.
      if (!sortsHosts || example.cluster.localityWeights !== undefined) return;
      const at = one.picks.findIndex((pick, index) => pick !== other.picks[index]);
      demand(
        at < 0,
        () =>
          `request ${at} went to ${one.picks[at] ?? ''}, and with the hosts as ${order()} to ${other.picks[at] ?? ''}`,
      );
    },
    scenario: (example, remarks) => storyScenario(subject, storyOf(example), remarks),
    numRuns: 60,
  });
}

/** All that a description says but for tables, whose hosts stand in the order of the level. */
function stateText(balancer: LoadBalancer): string {
  const { panicThreshold, normalizedTotal, priorities, zone } = balancer.describe();
  return JSON.stringify({
    panicThreshold,
    normalizedTotal,
    priorities: priorities.map((level) => ({ ...level, table: undefined })),
    zone,
  });
}

function loadsText(balancer: LoadBalancer): string {
  return balancer
    .describe()
    .priorities.map((level) => `priority ${level.priority} ${level.healthyLoad} + ${level.degradedLoad} %`)
    .join(', ');
}
