import { emptyDecision } from '../../hostset/load-balancer.js';
import { type Remarks, situationScenario } from '../scenario-file.js';
import { healthyHost } from './situation.js';
import { begin, CLUSTER, type StoryCluster, type StoryHost } from '../story.js';
import type { BalancerUnderTest } from '../balancer-under-test.js';
import { sum } from '../../core/lists.js';

export interface ShareExample {
  readonly weights: readonly number[];
  /** Constant number of active requests of each host. */
  readonly busy: readonly number[];
  readonly seed: number;
  readonly picks: number;
  /** Initial weights of the hosts; they get their own after {@link WARM_UP} picks, which are not counted. */
  readonly before?: readonly number[] | undefined;
  /** Each time after this many picks an update changes only the weight of a host that is down. 0: never. */
  readonly updateEvery: number;
  /** Hosts of a second level with about half of the picks, which are not counted. 0: none. */
  readonly others: number;
}

/** No panic. */
const CLUSTER_OF_EQUALS: StoryCluster = { healthyPanicThreshold: 0, failTrafficOnPanic: false };
const WARM_UP = 10;

/** The picks of each host, and all of them. */
export function countPicks(subject: BalancerUnderTest, example: ShareExample) {
  const { weights, seed, picks, before, updateEvery } = example;
  const situation = { seed, cluster: CLUSTER_OF_EQUALS, hosts: hostsOf(example) };
  const { balancer, discovery, request } = begin(subject, situation);
  const hosts = (discovery.levels.get(0)?.hosts ?? []).slice(0, weights.length);
  const decision = emptyDecision();
  const counts = new Map<string | undefined, number>();
  const pick = (): void => {
    balancer.choose(request, decision);
    const address = decision.host?.address;
    counts.set(address, (counts.get(address) ?? 0) + 1);
  };
  if (before !== undefined) {
    for (let warm = 0; warm < WARM_UP; warm++) pick();
    counts.clear();
    discovery.weigh(
      weights.map((weight, host) => ({ host, weight })),
      balancer,
    );
  }
  for (let done = 0; done < picks; done++) {
    if (updateEvery > 0 && done > 0 && done % updateEvery === 0) {
      discovery.weigh([{ host: weights.length, weight: (done / updateEvery) % 2 === 1 ? 2 : 1 }], balancer);
    }
    pick();
  }
  const own = hosts.map(({ address }) => counts.get(address) ?? 0);
  // With one level, picks without a host count as well.
  return { counts: own, picks: example.others === 0 ? picks : sum(own) };
}

/** Beside a second level, the first has 1.8 unhealthy hosts for each healthy one, and so about half of the load. */
function hostsOf({ weights, busy, before, others, updateEvery }: ShareExample): StoryHost[] {
  const some = (net: number, count: number, traits: (index: number) => Partial<StoryHost>): StoryHost[] =>
    Array.from({ length: count }, (_, index) =>
      healthyHost(index, { address: `10.0.${net}.${index}:80`, ...traits(index) }),
    );
  const own = before ?? weights;
  const unhealthy = others > 0 ? Math.round(1.8 * weights.length) : updateEvery > 0 ? 1 : 0;
  return [
    ...some(0, own.length, (index) => ({ weight: own[index] ?? 1, busy: busy[index] ?? 0 })),
    ...some(1, unhealthy, () => ({ health: 'UNHEALTHY' })),
    ...some(2, others, () => ({ priority: 1 })),
  ];
}

/** A request per millisecond draws the same values as the law; `expect` states the law's own bounds. */
export function shareScenario(
  subject: BalancerUnderTest,
  example: ShareExample,
  /** Least and most picks of each host, of `picks`. */
  between: (share: number) => readonly [number, number],
  expected: readonly number[],
  remarks: Remarks,
): string {
  const { weights, seed, picks, before, updateEvery, others } = example;
  const start = before === undefined ? 0 : WARM_UP;
  const percent = (count: number): string => `${round((100 * Math.min(picks, Math.max(0, count))) / picks)}%`;
  const address = (index: number): string => `10.0.0.${index}:80`;
  const situation = { seed, cluster: CLUSTER_OF_EQUALS, hosts: hostsOf(example) };
  return situationScenario(subject, situation, start + picks, remarks, {
    timeline: [
      ...(before === undefined
        ? []
        : weights.map((weight, index) => ({
            at: `${1000 * start - 500}us`,
            set_weight: { hosts: address(index), weight },
          }))),
      ...(updateEvery === 0
        ? []
        : [2, 1].map((weight, turn) => ({
            every: `${2 * updateEvery}ms`,
            from: `${1000 * (turn + 1) * updateEvery - 500}us`,
            set_weight: { hosts: '10.0.1.0:80', weight },
          }))),
    ],
    // With two levels the number of requests of each is unknown.
    expect:
      others > 0
        ? []
        : weights.map((_, index) => {
            const [least, most] = between(expected[index] ?? 0);
            return {
              share: { cluster: CLUSTER, hosts: address(index) },
              between: [percent(least), percent(most)],
              ...(start > 0 && { during: [`${start}ms`, `${start + picks}ms`] }),
            };
          }),
  });
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
