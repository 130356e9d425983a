import { quirksOf } from '../core/version.js';
import type { Host } from '../host/host.js';
import type { LoadBalancerConfig } from '../hostset/lb-config.js';
import { factsOf, lbPolicyName } from '../policy/registry.js';
import type { HostGroup } from './delivered-level.js';
import { own, smallest, sum } from '../core/values.js';
import { gcd } from '../core/divisors.js';
import type { PriorityLoad } from '../hostset/priority-load.js';
import type { Obstacle } from './obstacle.js';

export interface ListSplit {
  /** By position in the list; sums to 1. One number: all have the same. */
  readonly share: number | Float64Array;
  /** Each pick is an independent draw; false: hosts take turns. */
  readonly drawn: boolean;
  /** Deviation of a host's count by the turns, in requests; by position, or one for all. */
  readonly granularity: number | Float64Array;
  /** Bound of the difference between counts and their expectation, in requests, independent of their number. */
  readonly errorRequests: number;
  /** Of what a model of busy hosts says: how far a share may be off, 0–1. */
  readonly errorShare?: number;
}

export interface ListContext {
  readonly config: LoadBalancerConfig;
  /** Exponent of least request's weights, as last refreshed. */
  readonly bias: number;
  /** undefined: requests are answered at once, so that only requests that stay open are active. Else: why not. */
  readonly underLoad: Obstacle | undefined;
  /** What is known of hosts that are busy; undefined: nothing. */
  readonly busy?: BusyHosts | undefined;
}

/** Splits lists among hosts that are busy with what they were sent before. */
export interface BusyHosts {
  /** @param portion of all requests that reaches the list, 0–1. @returns the obstacle, where nothing can be said. */
  split(group: HostGroup, portion: number): ListSplit | Obstacle;
}

/** The list is empty, or the policy draws no host: in v3 the proxy accepts a `choice_count` of 0. */
export function findsNoHost(group: HostGroup, { lbPolicy, leastRequest, slowStart }: LoadBalancerConfig): boolean {
  if (group.hosts.length === 0) return true;
  const draws = lbPolicy === 'LEAST_REQUEST' && leastRequest.selectionMethod === 'N_CHOICES' && slowStart === undefined;
  return draws && leastRequest.choiceCount === 0 && !differ(group);
}

/** @returns the obstacle where there is no closed form. The list is not empty. */
export function splitList(
  group: HostGroup,
  slice: PrioritySlice,
  portion: number,
  context: ListContext,
): ListSplit | Obstacle {
  const { config } = context;
  if (group.hosts.length === 1) return { share: 1, drawn: false, granularity: 0, errorRequests: 0 };
  const policy = lbPolicyName(config.lbPolicy);
  const probes = factsOf(config.lbPolicy)?.hears.includes('probes') === true;
  const formula = own(FORMULAS, policy);
  return formula?.(group, slice, context, portion) ?? { kind: 'no_formula', policy, goes_by_probes: probes };
}

type Formula = (group: HostGroup, slice: PrioritySlice, context: ListContext, portion: number) => ListSplit | Obstacle;

/** Of a list with more than one host. */
const FORMULAS: Readonly<Partial<Record<string, Formula>>> = {
  ROUND_ROBIN: (group, _slice, { config }) => {
    if (config.slowStart !== undefined) return SLOW_START;
    return differ(group) ? scheduled(group, (host) => host.weight) : inTurns(group.hosts.length);
  },
  LEAST_REQUEST: (group, _slice, { config, underLoad, busy, bias }, portion) => {
    if (config.slowStart !== undefined) return SLOW_START;
    const whileBusy = (why: Obstacle): ListSplit | Obstacle => busy?.split(group, portion) ?? why;
    if (differ(group)) {
      if (bias !== 0 && underLoad !== undefined) return whileBusy(underLoad);
      return scheduled(group, ({ weight, activeRequests }) => weight / Math.pow(activeRequests + 1, bias));
    }
    const { choiceCount, selectionMethod } = config.leastRequest;
    if (selectionMethod === 'FULL_SCAN') return underLoad === undefined ? fewestOfAll(group) : whileBusy(underLoad);
    if (underLoad !== undefined && choiceCount > 1) return whileBusy(underLoad);
    return fewestOfSome(group, choiceCount);
  },
  RANDOM: (group, slice, { config }) =>
    quirksOf(config.version).hostByPriorityDraw
      ? sharedDraw(group.hosts.length, slice)
      : independently(1 / group.hosts.length),
};

const SLOW_START: Obstacle = { kind: 'slow_start' };

function independently(share: number | Float64Array): ListSplit {
  return { share, drawn: true, granularity: 0, errorRequests: 0 };
}

/** A rotation from a random start: every count is the whole number above or below its mean. */
const inTurns = (size: number): ListSplit => ({ share: 1 / size, drawn: false, granularity: 0.5, errorRequests: 0 });

/**
 * Earliest deadline first: shares in proportion to weight. When host i has had T·wᵢ turns (rounded down) at schedule
 * time T, all n have had between T·W − n and T·W, so that no count is further than 1 + n·wᵢ/W from its share. A weight
 * that changed while the schedule runs applies from a host's next turn on; until then the deadline of the old weight
 * holds, at most 1/old away, and that many turns are missing.
 */
function scheduled({ hosts, level }: HostGroup, weightOf: (host: Host) => number): ListSplit {
  const size = hosts.length;
  const share = new Float64Array(size);
  let sum = 0;
  let lag = 0;
  for (const [index, host] of hosts.entries()) {
    const old = level.delivered.weightOf(host);
    share[index] = weightOf(host);
    sum += share[index];
    if (host.weight !== old) lag += 1 + host.weight / old;
  }
  const granularity = new Float64Array(size);
  for (let index = 0; index < size; index++) {
    share[index] = (share[index] as number) / sum;
    granularity[index] = 1 + (share[index] as number) * size + lag;
  }
  return { share, drawn: false, granularity, errorRequests: lag };
}

/**
 * Of `choices` hosts drawn with replacement, the first with the fewest requests: it has `a` of them if no drawn host has
 * fewer, and one has `a`. Hosts with equally many are equally likely.
 */
function fewestOfSome({ hosts }: HostGroup, choices: number): ListSplit {
  const size = hosts.length;
  const counts = new Map<number, number>();
  for (const { activeRequests: active } of hosts) counts.set(active, (counts.get(active) ?? 0) + 1);
  if (counts.size === 1) return independently(1 / size);
  const shares = new Map<number, number>();
  let atLeast = size;
  for (const [active, count] of [...counts].sort(([a], [b]) => a - b)) {
    const more = atLeast - count;
    shares.set(active, (Math.pow(atLeast / size, choices) - Math.pow(more / size, choices)) / count);
    atLeast = more;
  }
  return independently(byActive(hosts, (active) => shares.get(active) ?? 0));
}

function fewestOfAll({ hosts }: HostGroup): ListSplit {
  const fewest = smallest(hosts.map(({ activeRequests }) => activeRequests));
  const ties = hosts.filter(({ activeRequests }) => activeRequests === fewest).length;
  return independently(byActive(hosts, (active) => (active === fewest ? 1 / ties : 0)));
}

const byActive = (hosts: readonly Host[], shareOf: (active: number) => number): Float64Array =>
  Float64Array.from(hosts, ({ activeRequests }) => shareOf(activeRequests));

/**
 * The modern proxy picks host r mod n with the value r whose r mod 100 has chosen the priority. The two are independent
 * only up to their greatest common divisor g: index i gets the residues of the slice that equal i mod g, each equally
 * often.
 */
function sharedDraw(size: number, slice: PrioritySlice): ListSplit {
  const byResidue = sharesByResidue(size, slice);
  const first = byResidue[0] as number;
  if (byResidue.every((share) => share === first)) return independently(first);
  return independently(new Float64Array(size).map((_, index) => byResidue[index % byResidue.length] as number));
}

/** The share of a host of what slices bring, by its place in the list, modulo the length of the answer. */
export function sharesByResidue(size: number, ...slices: readonly Pick<PrioritySlice, 'from' | 'to'>[]): Float64Array {
  const divisor = gcd(100, size);
  const residues = new Float64Array(divisor);
  let values = 0;
  for (const { from, to } of slices) {
    values += to - from;
    for (let value = from; value < to; value++) residues[value % divisor] = (residues[value % divisor] as number) + 1;
  }
  const unit = divisor / (size * values);
  return residues.map((count) => count * unit);
}

/** By the weights at the delivery: they decide whether a list is scheduled by weight at all. */
export const differ = ({ hosts, level }: HostGroup): boolean => level.delivered.differ(hosts);

/** Of 100 equally likely values, those from `from` up to `to` (exclusive) go to this priority. */
export type PrioritySlice = Readonly<{ priority: number; degraded: boolean; from: number; to: number }>;

/** Priorities in the order in which a draw of 0 … 99 is compared with their loads. */
export function slicesOf({ healthy, degraded }: PriorityLoad): PrioritySlice[] {
  const slices: PrioritySlice[] = [];
  // Draws beyond all loads go to the first priority, also where it has no load and no host.
  let [from, more] = [0, Math.max(0, 100 - sum(healthy) - sum(degraded))];
  const add = (list: readonly number[], isDegraded: boolean): void =>
    list.forEach((load, priority) => {
      const to = Math.min(100, from + load + more);
      if (to > from) slices.push({ priority, degraded: isDegraded, from, to });
      [from, more] = [to, 0];
    });
  add(healthy, false);
  add(degraded, true);
  return slices;
}
