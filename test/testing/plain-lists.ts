import type { Host } from '../../src/host/host.js';
import type { Random64 } from '../../src/random/random64.js';
import type { ListPolicy } from '../../src/testing/index.js';

/** Policies written down from their sources, and the mistakes that one can make. */

type Plain<State> = ListPolicy<unknown, State>;

/** A number below `count`, without the bias of a remainder. */
export function below(random: Random64, count: number): number {
  random.next();
  return Math.floor((random.hi / 2 ** 32) * count);
}

/** One after the other, beginning anywhere. */
export interface Rotation {
  readonly start: number;
  /** Place by list. */
  readonly next: number[];
}

export const rotation: Plain<Rotation> = {
  name: 'PLAIN_ROTATION',
  start: (_config, random) => ({ start: below(random, 2 ** 30), next: [] }),
  refresh: ({ next, start }, source) => {
    next[source] ??= start;
  },
  choose: ({ next }, source, hosts) => {
    const place = next[source] ?? 0;
    next[source] = place + 1;
    return hosts.length === 0 ? -1 : place % hosts.length;
  },
};

export const atRandom: Plain<null> = {
  name: 'PLAIN_RANDOM',
  start: () => null,
  refresh: () => undefined,
  choose: (_state, _source, hosts, { random }) => (hosts.length === 0 ? -1 : below(random, hosts.length)),
};

/** Mitzenmacher, "The power of two choices in randomized load balancing", IEEE TPDS 2001. */
export const twoChoices: Plain<null> = {
  name: 'PLAIN_TWO_CHOICES',
  start: () => null,
  refresh: () => undefined,
  choose: (_state, _source, hosts, { random }) => {
    const [one, other] = [below(random, hosts.length), below(random, hosts.length)];
    return (hosts[other]?.activeRequests ?? 0) < (hosts[one]?.activeRequests ?? 0)
      ? other
      : one < hosts.length
        ? one
        : -1;
  },
};

export interface Smooth {
  readonly skip: number;
  readonly lists: (number[] | undefined)[];
}

/** Of all hosts the one whose credit is greatest: each gains its weight per pick, the picked one pays the sum. */
export const smooth: Plain<Smooth> = {
  name: 'PLAIN_SMOOTH',
  // Beginning anywhere: not every balancer at the heaviest host.
  start: (_config, random) => ({ skip: below(random, 120), lists: [] }),
  refresh: ({ lists, skip }, source, hosts) => {
    const before = lists[source];
    if (before?.length === hosts.length) return;
    const credits = hosts.map(() => 0);
    lists[source] = credits;
    for (let turn = 0; turn < skip; turn++) next(credits, hosts);
  },
  choose: ({ lists }, source, hosts) => next(lists[source] ?? [], hosts),
};

function next(credits: number[], hosts: readonly Host[]): number {
  let best = -1;
  let sum = 0;
  hosts.forEach(({ weight }, index) => {
    credits[index] = (credits[index] ?? 0) + weight;
    sum += weight;
    if (best < 0 || (credits[index] ?? 0) > (credits[best] ?? 0)) best = index;
  });
  credits[best] = (credits[best] ?? 0) - sum;
  return best;
}
