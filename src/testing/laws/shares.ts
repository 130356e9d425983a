import fc from 'fast-check';
import { emptyDecision } from '../../hostset/load-balancer.js';
import type { LawOptions } from '../law.js';
import { demand, search } from '../law.js';
import { clusterLines, document, endpointLines, proxyValue, steadyWorkload } from '../scenario-file.js';
import type { StoryCluster, StoryHost } from '../story.js';
import {
  balancerStream,
  CLUSTER,
  configOf,
  environmentOf,
  NODE_ZONE,
  pickRequest,
  PROXY,
  StoryDiscovery,
} from '../story.js';
import type { BalancerUnderTest } from '../subject.js';

export interface ShareExpectation {
  /** Expected share of each host, by its weight. */
  readonly shares: (weights: readonly number[]) => readonly number[];
  /** How far a count of picks may be off. */
  readonly bound: (share: number, hosts: number, picks: number) => number;
}

interface Example {
  readonly weights: readonly number[];
  /** Requests that each host is busy with, all the time. */
  readonly busy: readonly number[];
  readonly seed: number;
}

/** A law of shares: what is expected of an example. */
interface ShareLaw {
  readonly law: string;
  readonly examples: fc.Arbitrary<Example>;
  readonly expected: (example: Example) => readonly number[];
  readonly bound: ShareExpectation['bound'];
}

const CLUSTER_OF_EQUALS: StoryCluster = { healthyPanicThreshold: 50, failTrafficOnPanic: false };
const PICKS_PER_HOST = 150;

/**
 * Picks are spread as the policy promises: every host's count stays within a derived bound of picks · share, in whatever
 * order the hosts stand.
 *
 * The hosts are healthy and idle, and the picks begin at a random point of the balancer's life.
 */
export function followsShares(
  subject: BalancerUnderTest,
  { shares, bound }: ShareExpectation,
  options?: LawOptions,
): void {
  // Equal weights are a case of their own: policies take another way then.
  const weights: fc.Arbitrary<readonly number[]> = fc.oneof(
    fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 9 }),
    fc.array(fc.constant(1), { minLength: 1, maxLength: 9 }),
  );
  const examples = fc
    .record({ weights, seed: fc.nat(9999) })
    .map((example) => ({ ...example, busy: example.weights.map(() => 0) }));
  const expected = (example: Example): readonly number[] => shares(example.weights);
  searchShares(subject, { law: 'follows its shares', examples, expected, bound }, options);
}

/**
 * Of so many hosts of equal weight, drawn with replacement, the one with the fewest requests is picked, whichever of them
 * tie: m of n hosts that have a requests, while l have more, get ((l + m) / n)^choices − (l / n)^choices of the picks.
 *
 * For policies that look at what hosts are busy with, LEAST_REQUEST among them. Source: Mitzenmacher, "The power of two
 * choices in randomized load balancing", IEEE TPDS 2001.
 *
 * @param choices hosts drawn for a pick, the proxy's `choice_count`.
 */
export function takesFewestOfChoices(subject: BalancerUnderTest, choices = 2, options?: LawOptions): void {
  const busy = fc.array(fc.nat(3), { minLength: 1, maxLength: 9 });
  const examples = fc
    .record({ busy, seed: fc.nat(9999) })
    .map((example) => ({ ...example, weights: example.busy.map(() => 1) }));
  const law = 'takes the host with the fewest requests of those it draws';
  const expected = (example: Example): readonly number[] => fewestOfChoices(example.busy, choices);
  searchShares(subject, { law, examples, expected, bound: drawBound }, options);
}

function fewestOfChoices(busy: readonly number[], choices: number): readonly number[] {
  const part = (hosts: number): number => (hosts / busy.length) ** choices;
  return busy.map((requests) => {
    const same = busy.filter((others) => others === requests).length;
    const more = busy.filter((others) => others > requests).length;
    return (part(more + same) - part(more)) / same;
  });
}

function searchShares(
  subject: BalancerUnderTest,
  { law, examples, expected, bound }: ShareLaw,
  options: LawOptions | undefined,
): void {
  search<Example>(
    {
      law,
      examples,
      test: (example) => {
        const counts = countPicks(subject, example);
        const picks = PICKS_PER_HOST * example.weights.length;
        expected(example).forEach((share, index) => {
          const off = Math.abs((counts[index] ?? 0) - picks * share);
          const allowed = bound(share, example.weights.length, picks);
          demand(
            off <= allowed,
            () =>
              `host ${index} has ${counts[index] ?? 0} of ${picks} requests, expected are ${round(picks * share)}: ` +
              `off by ${round(off)}, allowed are ${round(allowed)}`,
          );
        });
      },
      scenario: (example, header) => scenarioOf(subject, example, expected(example), bound, [law, header]),
      numRuns: 40,
      seed: 20,
    },
    options,
  );
}

/** In proportion to the weights. */
export function byWeight(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The same for every host. */
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

function hostsOf(weights: readonly number[]): StoryHost[] {
  return weights.map((weight, index) => ({
    address: `10.0.0.${index}:80`,
    priority: 0,
    zone: NODE_ZONE,
    weight,
    health: 'HEALTHY',
    metadata: {},
  }));
}

function countPicks(subject: BalancerUnderTest, { weights, busy, seed }: Example): readonly number[] {
  const random = balancerStream(seed, PROXY);
  const balancer = subject.create(configOf(subject, CLUSTER_OF_EQUALS), environmentOf(random, false));
  const story = { cluster: CLUSTER_OF_EQUALS, hosts: hostsOf(weights) };
  const discovery = new StoryDiscovery(story, subject.version, NODE_ZONE);
  discovery.announce(balancer);
  discovery.levels.get(0)?.hosts.forEach((host, index) => {
    host.activeRequests = busy[index] ?? 0;
  });
  const decision = emptyDecision();
  const request = pickRequest(random);
  const counts = new Map<string | undefined, number>();
  for (let pick = 0; pick < PICKS_PER_HOST * weights.length; pick++) {
    balancer.choose(request, decision);
    const address = decision.host?.address;
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return story.hosts.map(({ address }) => counts.get(address) ?? 0);
}

/** A request a millisecond draws the same values as the law did; `expect` states the law's own bounds. */
function scenarioOf(
  subject: BalancerUnderTest,
  { weights, busy, seed }: Example,
  expected: readonly number[],
  bound: ShareExpectation['bound'],
  [law, header]: readonly [string, readonly string[]],
): string {
  const hosts = hostsOf(weights);
  const picks = PICKS_PER_HOST * weights.length;
  const percent = (count: number): string => `${round((100 * Math.min(picks, Math.max(0, count))) / picks)}%`;
  return document(
    { header, description: law },
    {
      seed,
      proxies: [{ value: proxyValue(PROXY, NODE_ZONE, subject, false) }],
      clusters: clusterLines(subject, CLUSTER_OF_EQUALS, hosts),
      endpoints: endpointLines(CLUSTER_OF_EQUALS, hosts),
      behavior: hosts.flatMap(({ address }, index) => {
        const requests = busy[index] ?? 0;
        return requests === 0 ? [] : [{ value: { hosts: address, initial_active_requests: requests } }];
      }),
      workloads: [steadyWorkload(picks)],
      expect: hosts.map(({ address }, index) => {
        const share = expected[index] ?? 0;
        const allowed = bound(share, hosts.length, picks);
        const between = [percent(picks * share - allowed), percent(picks * share + allowed)];
        return { value: { share: { cluster: CLUSTER, hosts: address }, between } };
      }),
    },
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
