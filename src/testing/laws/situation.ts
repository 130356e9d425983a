import fc from 'fast-check';
import { withoutField } from '../../core/values.js';
import type { BalancerDescription } from '../../hostset/generated/descriptions.js';
import { DEFAULT_OVERPROVISIONING_FACTOR, type HostSet } from '../../hostset/host-set.js';
import { balancerLaw, storyScenario, type BalancerUnderTest } from '../law.js';
import type { U64 } from '../../core/u64.js';
import type { HealthStatus, Host } from '../../host/host.js';
import { Decision, emptyPickRequest, type LoadBalancer, type PickRequest } from '../../hostset/load-balancer.js';
import { policyOf } from '../../policy/policy-of.js';
import { isTablePolicy } from '../../policy/registry.js';
import { RandomStreams } from '../../random/streams.js';
import * as stories from '../story.js';

/** Without settings of its own. */
export const PLAIN_CLUSTER: stories.StoryCluster = { healthyPanicThreshold: 50, failTrafficOnPanic: false };

export interface SituationTest extends stories.Surroundings {
  readonly picks: number;
  readonly request?: Partial<PickRequest>;
  /** Before the first pick; `hosts` are those of the situation, in its order, `update` delivers them again. */
  readonly prepare?: (hosts: readonly Host[], update: () => void) => void;
}

/** The hosts that were picked, one a pick. */
export function pickMany(
  subject: BalancerUnderTest,
  situation: stories.Situation,
  { picks, request: wanted, prepare, ...where }: SituationTest,
): readonly (Host | undefined)[] {
  const { balancer, discovery, request: plain } = stories.begin(subject, situation, where);
  prepare?.(discovery.hosts, () => discovery.again(balancer));
  const request = { ...plain, ...wanted };
  const decision = new Decision();
  return Array.from({ length: picks }, () => pickOnce(balancer, request, decision));
}

/** A pick whose request ends at once, so that none is open for a balancer that counts them itself. */
export function pickOnce(balancer: LoadBalancer, request: PickRequest, decision: Decision): Host | undefined {
  balancer.choose(request, decision);
  const { host, listener } = decision;
  if (host !== undefined) listener?.answered?.(host, 1000, 'success');
  return host;
}

export function* drawnHashes(seed: number, count: number): Generator<U64> {
  const stream = new RandomStreams(String(seed)).stream('hashes');
  for (let drawn = 0; drawn < count; drawn++) {
    stream.next();
    yield { hi: stream.hi, lo: stream.lo };
  }
}

export function ownerOf(balancer: LoadBalancer, { hi: hashHi, lo: hashLo }: U64): string {
  const decision = new Decision();
  const unused = new RandomStreams('0').stream('unused');
  balancer.choose({ ...emptyPickRequest(unused), hasHash: true, hashHi, hashLo }, decision);
  return `${decision.host?.address ?? 'no host'} of priority ${decision.priority}`;
}

/** Whether a hash leads to the same host in whatever order the hosts are listed; false for a policy without hashing. */
export function tableIgnoresOrder({ lbPolicy, version }: BalancerUnderTest): boolean {
  const policy = policyOf(lbPolicy);
  const settings = { ringHash: stories.SMALL_RING, maglev: stories.SMALL_MAGLEV };
  return policy.kind === 'table' && policy.ignoresHostOrder(policy.configOf(settings, version));
}

export const countWhere = <T>(list: readonly T[], holds: (one: T) => boolean): number => list.filter(holds).length;

export function sortedBy<Item>(items: readonly Item[], keys: readonly number[]): readonly Item[] {
  const keyed = items.map((item, index) => ({ item, key: keys[index] ?? 0 }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

export function healthyHost(index: number, traits: Partial<stories.StoryHost> = {}): stories.StoryHost {
  const address = `10.0.${traits.priority ?? 0}.${index + 1}:80`;
  return { address, priority: 0, zone: stories.NODE_ZONE, weight: 1, health: 'HEALTHY', metadata: {}, ...traits };
}

/** Levels fall short of their thresholds, and of their load, only where most of their hosts are gone. */
export const fewHealthy = fc.constantFrom<HealthStatus>('HEALTHY', 'UNHEALTHY', 'UNHEALTHY', 'DEGRADED', 'DRAINING');

export const noneHealthy = fc.constantFrom<HealthStatus>('UNHEALTHY', 'UNHEALTHY', 'DEGRADED');

type Of<Seen> = Seen extends (...seen: infer Args) => void
  ? (subject: BalancerUnderTest, story: stories.Story, ...seen: Args) => void
  : never;

/** What is seen of a story as it is played is judged: it throws where the law is broken. */
interface StoryLaw<Example extends stories.Story> {
  readonly examples: (subject: BalancerUnderTest) => fc.Arbitrary<Example> | readonly fc.Arbitrary<Example>[];
  /** Default 60. */
  readonly numRuns?: number;
  readonly updated?: Of<Required<stories.Watcher>['updated']>;
  readonly picked?: Of<Required<stories.Watcher>['picked']>;
  /** Plays it itself. */
  readonly test?: (subject: BalancerUnderTest, story: Example) => void;
}

/* @__NO_SIDE_EFFECTS__ */
export function storyLaw<Example extends stories.Story>(
  law: string,
  { examples, numRuns = 60, updated, picked, test }: StoryLaw<Example>,
) {
  const played = (subject: BalancerUnderTest, story: Example): void =>
    stories.play(subject, story, {
      updated: (...seen) => updated?.(subject, story, ...seen),
      picked: (pick) => picked?.(subject, story, pick),
    });
  return balancerLaw(law, { examples, test: test ?? played, scenario: storyScenario, numRuns });
}

/** All that a description says but for tables, whose hosts stand in the order of the level. */
export function standingOf({ panicThreshold, normalizedTotal, priorities, zone }: BalancerDescription) {
  return { panicThreshold, normalizedTotal, priorities: priorities.map((one) => withoutField(one, 'table')), zone };
}

export const available = (level: HostSet | undefined): number =>
  level === undefined ? 0 : level.healthy.length + level.degraded.length;

export const counted = (level: HostSet | undefined): number =>
  level === undefined ? 0 : level.hosts.length - level.excluded.length;

/** What this many hosts of a level can take, in percent, with overprovisioning. */
export const availability = (level: HostSet | undefined, count = 0): number =>
  counted(level) === 0 ? 0 : Math.min(100, Math.floor((DEFAULT_OVERPROVISIONING_FACTOR * count) / counted(level)));

export const findsHosts = (levels: ReadonlyMap<number, HostSet>): boolean =>
  [...levels.values()].some((level) => available(level) > 0);

/** Whether hosts are looked up by hash: then degraded hosts are never picked, and zones do not matter. */
export const placesByHash = ({ lbPolicy }: BalancerUnderTest): boolean => isTablePolicy(lbPolicy);
export const picksFromLists = (subject: BalancerUnderTest): boolean => !placesByHash(subject);
