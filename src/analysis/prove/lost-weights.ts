import { entryOf, groupBy } from '../../core/values.js';
import type { Host } from '../../host/host.js';
import type { HostSet } from '../../hostset/host-set.js';
import { sumOfWeights } from '../../hostset/priority-load.js';

/** What can be lost of a list, in so many ways: how many each is, small numbers first, and what they weigh. */
type ListLosses = Readonly<{ ways: number; count: (way: number) => number; weight: (way: number) => number }>;

/** Numbers that are kept of what the hosts of a list can weigh together. */
const MOST_WEIGHTS = 5e6;

export type LevelLosses = NonNullable<ReturnType<typeof levelLosses>>;

/**
 * All that can be lost of each list of a level; undefined: it is too much.
 *
 * @returns in `byWeight` what those of a list weigh, beside one that has to be left; undefined: they all weigh the same, or health does
 * not go by weight.
 */
export function levelLosses({ healthy, degraded, weightedPriorityHealth }: HostSet, losable: ReadonlySet<number>) {
  const some = (list: readonly Host[]): readonly Host[] => list.filter(({ index }) => losable.has(index));
  const lists = { healthy: some(healthy), degraded: some(degraded) };
  const [each = 1, ...others] = weightedPriorityHealth
    ? new Set([...lists.healthy, ...lists.degraded].map(({ weight }) => weight))
    : [];
  const known = new Map<string, LostWeights>();
  const weightsOf = (of: 'healthy' | 'degraded', kept?: number): LostWeights => {
    const place = lists[of].findIndex(({ index }) => index === kept);
    return entryOf(known, `${of} ${place}`, () => new LostWeights(lists[of].filter((_, at) => at !== place)));
  };
  const byWeight = others.length === 0 ? undefined : weightsOf;
  const lossesOf = (of: 'healthy' | 'degraded'): ListLosses =>
    byWeight?.(of).all() ?? { ways: lists[of].length + 1, count: (way) => way, weight: (way) => each * way };
  const isLarge = (list: readonly Host[]): boolean => list.length * sumOfWeights(list) > MOST_WEIGHTS;
  if (byWeight !== undefined && Object.values(lists).some(isLarge)) return undefined;
  return { byWeight, healthy: lossesOf('healthy'), degraded: lossesOf('degraded') };
}

/**
 * What some of these hosts can weigh together, by how many they are.
 *
 * Kind by kind of weight: what can be had without a kind can be had with none of it, and with one more of it what weighs so much
 * more. How few of the kind it takes is kept, so that hosts can be named.
 */
class LostWeights {
  private readonly kinds: readonly (readonly [number, readonly Host[]])[];
  /** By kind, number and weight: the fewest of the kind; -1: it cannot be had. */
  private readonly fewest: Int32Array[];
  /** Weights from 0 on. */
  private readonly width: number;

  constructor(hosts: readonly Host[]) {
    this.width = sumOfWeights(hosts) + 1;
    this.kinds = [...groupBy(hosts, ({ weight }) => weight)];
    const { width } = this;
    let before = new Int32Array((hosts.length + 1) * width).fill(-1);
    before[0] = 0;
    this.fewest = this.kinds.map(([weight, { length }]) => {
      const own = new Int32Array(before.length);
      for (let at = 0; at < own.length; at++) {
        const less = at >= width && at % width >= weight ? (own[at - width - weight] as number) : -1;
        own[at] = (before[at] as number) >= 0 ? 0 : less >= 0 && less < length ? less + 1 : -1;
      }
      return (before = own);
    });
  }

  /** The largest weight of so many, from `from` to `to`; undefined: there is none. */
  most(count: number, from: number, to: number): number | undefined {
    const last = this.fewest.at(-1) ?? [0];
    for (let weight = Math.min(to, this.width - 1); weight >= from; weight--)
      if ((last[count * this.width + weight] ?? -1) >= 0) return weight;
    return undefined;
  }

  /** All that there are. */
  all(): ListLosses {
    const { width } = this;
    const found: number[] = [];
    for (const [at, few] of (this.fewest.at(-1) ?? [0]).entries()) if (few >= 0) found.push(at);
    const placeOf = (way: number): number => found[way] as number;
    return {
      ways: found.length,
      count: (way) => Math.floor(placeOf(way) / width),
      weight: (way) => placeOf(way) % width,
    };
  }

  /** So many that weigh so much. */
  rows(count: number, weight: number): readonly number[] {
    let at = count * this.width + weight;
    return [...this.kinds.entries()].reverse().flatMap(([index, [each, hosts]]) => {
      const own = this.fewest[index]?.[at] ?? 0;
      at -= own * (this.width + each);
      return hosts.slice(0, own).map((host) => host.index);
    });
  }
}
