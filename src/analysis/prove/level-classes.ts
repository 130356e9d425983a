import { entryOf, firstWhere } from '../../core/values.js';
import type { LevelLosses } from './lost-weights.js';
import type { HostSet } from '../../hostset/host-set.js';
import {
  type LevelNumbers,
  numberOf,
  percentAvailable,
  percentCovered,
  sumOfWeights,
} from '../../hostset/priority-load.js';

/** Losses of one level that look the same to the other levels; `hosts` are those of its smallest loss. */
export interface LevelClass extends LevelNumbers {
  /** What the healthy hosts that are left cover, and the degraded ones, in percent. */
  readonly health: number;
  readonly degradedHealth: number;
  /** Fewest losses. */
  least: number;
  readonly parts: ClassPart[];
  /** What has been worked out of it. */
  readonly known: Map<number, Pick>;
}

/** So many degraded hosts are lost, and so many healthy ones. */
interface ClassPart {
  readonly degraded: number;
  readonly from: number;
  readonly to: number;
  /** What they weigh together, from and to; absent: any will do. */
  readonly weights?: Readonly<Record<keyof LevelLoss, [number, number]>>;
}

/** How many hosts of a level are lost, or can be, of those that are healthy and of those that are degraded. */
export type LevelLoss = Readonly<{ healthy: number; degraded: number }>;

/** What is lost of a level: so many, and of the list that is hit just these rows. */
export interface Pick extends LevelLoss {
  readonly part?: ClassPart;
  readonly hit?: { readonly of: keyof LevelLoss; readonly rows: () => readonly number[] };
}

export const NOWHERE: Pick = { healthy: Infinity, degraded: Infinity };

/**
 * All losses of a level, by class, those of few hosts first; all that cover the `rest`, in percent, are one: what a level can do
 * beyond its part changes nothing.
 *
 * @param isGone lost hosts are no longer listed.
 */
export function classesOf(
  level: HostSet,
  losable: LevelLosses,
  [one, other]: readonly [number, number],
  isGone: boolean,
) {
  const { hosts, healthy, degraded, excluded, overprovisioningFactor, weightedPriorityHealth } = level;
  const measure = weightedPriorityHealth ? sumOfWeights : numberOf;
  const whole = measure(hosts) - measure(excluded);
  const [wellWeight, illWeight] = [measure(healthy), measure(degraded)];
  const isByWeight = losable.byWeight !== undefined;
  // With further losses each number below only grows, or only shrinks, unless weights differ, or a sum is rounded anew.
  const turnsBack = isByWeight || (isGone && degraded.length > 0);
  const found = new Map<number, LevelClass>();
  for (let ill = 0; ill < losable.degraded.ways; ill++) {
    const [lostDegraded, degradedWeight] = [losable.degraded.count(ill), losable.degraded.weight(ill)];
    const numbersOf = (way: number) => {
      const [lost, weight] = [losable.healthy.count(way), losable.healthy.weight(way)];
      const left = hosts.length - (isGone ? lost + lostDegraded : 0);
      const counted = whole - (isGone ? weight + degradedWeight : 0);
      const health = percentCovered(overprovisioningFactor, wellWeight - weight, counted);
      const degradedHealth = percentCovered(overprovisioningFactor, illWeight - degradedWeight, counted);
      const [wellLeft, illLeft] = [healthy.length - lost, degraded.length - lostDegraded];
      const available = percentAvailable(wellLeft, illLeft, left - excluded.length);
      const panics = (available < one ? 1 : 0) + (available < other ? 1 : 0);
      const key = (health * 101 + degradedHealth) * 6 + panics * 2 + (left === 0 ? 1 : 0);
      return { lost, weight, left, health, degradedHealth, available, key };
    };
    let before: { readonly key: number; readonly part: ClassPart } | undefined;
    for (let way = 0, end = 0; way < losable.healthy.ways; way = end) {
      const { lost, weight, left, health, degradedHealth, available, key } = numbersOf(way);
      end = turnsBack ? way + 1 : firstWhere(way + 1, losable.healthy.ways, (later) => numbersOf(later).key !== key);
      if (before?.part.weights !== undefined && key === before.key && lost === before.part.from) {
        before.part.weights.healthy[1] = weight;
        continue;
      }
      const own = entryOf(found, key, (): LevelClass => {
        return { health, degradedHealth, available, hosts: left, least: Infinity, parts: [], known: new Map() };
      });
      const part: ClassPart = {
        degraded: lostDegraded,
        from: lost,
        to: losable.healthy.count(end - 1),
        ...(isByWeight && { weights: { healthy: [weight, weight], degraded: [degradedWeight, degradedWeight] } }),
      };
      own.parts.push(part);
      own.least = Math.min(own.least, lost + lostDegraded);
      before = { key, part };
    }
  }
  const all = [...found.values()].sort((a, b) => a.least - b.least);
  const known = new Map<number, readonly LevelClass[]>();
  return (rest: number): readonly LevelClass[] =>
    entryOf(known, rest, () => {
      const enough = all.filter(({ health }) => health >= rest);
      const parts = enough.flatMap((one) => one.parts);
      const together = enough.slice(0, 1).map((first): LevelClass => ({ ...first, parts, known: new Map() }));
      return [...together, ...all.filter(({ health }) => health < rest)].sort((a, b) => a.least - b.least);
    });
}

/** @param healthyOf how many healthy hosts to lose in a part at least; Infinity: none will do. */
export function fewestIn({ parts }: LevelClass, healthyOf: (part: ClassPart) => number = ({ from }) => from): Pick {
  let best = NOWHERE;
  for (const part of parts) {
    const healthy = healthyOf(part);
    if (healthy >= part.from && healthy <= part.to && healthy + part.degraded < best.healthy + best.degraded)
      best = { healthy, degraded: part.degraded, part };
  }
  return best;
}
