import { type ProxyVersion, quirksOf } from '../core/version.js';
import type { Random64 } from '../random/random64.js';
import { createByPicking, createWithPicks, pick } from '../schedule/edf.js';
import type { HealthLists, HostSet, LevelLists } from './host-set.js';
import type { SubsetConfig } from './lb-config.js';

export interface LocalityChooser {
  /** A level has new lists, or the balancer starts with them. */
  update(hostSet: HostSet): void;
  /** @returns index of a locality group; -1: choose among all hosts of the level. */
  choose(priority: number, degraded: boolean, random: Random64): number;
  /** The same in panic, among all hosts; absent: localities are ignored in panic. */
  chooseAny?(priority: number, random: Random64): number;
  /** The weights were recomputed from load reports. */
  refresh?(): void;
  describe(priority: number): LocalityScheduleDescription | undefined;
}

/** Effective weights, parallel to the level's localities; undefined where no schedule chooses. */
export interface LocalityScheduleDescription {
  readonly healthy: readonly number[] | undefined;
  readonly degraded: readonly number[] | undefined;
}

/**
 * The effective weight of a locality: its weight, reduced as soon as overprovisioning no longer makes up for the hosts that
 * are not eligible. Weight 1, 1 of 5 hosts eligible, overprovisioning 140: 1 · min(1, 1.4 · 0.2) = 0.28.
 */
export function effectiveLocalityWeight(
  weight: number,
  eligible: number,
  counted: number,
  overprovisioningFactor: number,
): number {
  if (counted === 0) return 0;
  const availability = (1.0 * eligible) / counted;
  return weight * Math.min(1.0, (overprovisioningFactor / 100.0) * availability);
}

/** @returns undefined where a level has no locality weights, no eligible host, or only weights of 0. */
export function effectiveLocalityWeights(
  hostSet: LevelLists,
  eligible: (group: HealthLists) => number,
): readonly number[] | undefined {
  const weights = hostSet.localityWeights;
  if (weights === undefined) return undefined;
  const effective = hostSet.localities.map((group, index) =>
    effectiveLocalityWeight(
      weights[index] ?? 0,
      eligible(group),
      group.hosts.length - group.excluded.length,
      hostSet.overprovisioningFactor,
    ),
  );
  return effective.some((weight) => weight > 0) ? effective : undefined;
}

/**
 * The locality weights of a subset: none unless it is aware of them, and if configured scaled to the part of each
 * locality's hosts that it has, `counts` by locality. In single precision and rounded half up, as the proxy does:
 * weight 1 with 1 of 4 hosts becomes 0, and those hosts get nothing.
 */
export function subsetLocalityWeights(
  { localityWeightAware, scaleLocalityWeight }: SubsetConfig,
  { localityWeights, localities }: LevelLists,
  counts: () => readonly number[],
): readonly number[] | undefined {
  if (!localityWeightAware) return undefined;
  if (!scaleLocalityWeight || localityWeights === undefined) return localityWeights;
  const own = counts();
  return localityWeights.map((weight, index) => {
    const whole = localities[index]?.hosts.length ?? 0;
    return whole === 0 ? 0 : Math.round(Math.fround(Math.fround(weight * (own[index] ?? 0)) / whole));
  });
}

export type LocalitySchedule = NonNullable<ReturnType<typeof createLocalitySchedule>>;

/** @param weights undefined: no schedule. @param seed picks to skip, 32 bits (modern); undefined: none are. */
export function createLocalitySchedule(weights: readonly number[] | undefined, seed: number | undefined) {
  if (weights === undefined) return undefined;
  // By entry of the schedule; those with weight 0 are left out.
  const localities = [...weights.keys()].filter((index) => (weights[index] ?? 0) > 0);
  const positive = localities.map((index) => weights[index] ?? 0);
  const schedule =
    seed === undefined
      ? createByPicking(positive.length, weightAt, positive, 0)
      : createWithPicks(positive.length, weightAt, positive, seed);
  return { weights, schedule, localities };
}

/** @returns index of the locality whose turn it is. */
export const nextLocality = (schedule: LocalitySchedule): number =>
  schedule.localities[pick(schedule.schedule, weightOfLocality, schedule)] as number;

const weightAt = (weights: readonly number[], entry: number): number => weights[entry] as number;

const weightOfLocality = (schedule: LocalitySchedule, entry: number): number =>
  schedule.weights[schedule.localities[entry] as number] as number;

/**
 * Locality-weighted balancing: two schedules a level, of healthy and of degraded hosts, restarted at every update of it.
 * Draws (modern): one per level at the start, in order of priority, and one per update; the two schedules of a level share
 * it. The v2 era draws none. Source: the proxy's locality-weighted balancing (`locality_weighted_lb_config`).
 */
export class WeightedLocalities implements LocalityChooser {
  private readonly levels: Readonly<Record<'healthy' | 'degraded', LocalitySchedule | undefined>>[] = [];

  constructor(
    private readonly version: ProxyVersion,
    private readonly random: Random64,
  ) {}

  update(hostSet: HostSet): void {
    const { seedsLocalities } = quirksOf(this.version);
    if (seedsLocalities) this.random.next();
    const seed = seedsLocalities ? this.random.lo : undefined;
    this.levels[hostSet.priority] = {
      healthy: createLocalitySchedule(effectiveLocalityWeights(hostSet, healthyHosts), seed),
      degraded: createLocalitySchedule(effectiveLocalityWeights(hostSet, degradedHosts), seed),
    };
  }

  choose(priority: number, degraded: boolean): number {
    const level = this.levels[priority];
    const schedule = degraded ? level?.degraded : level?.healthy;
    return schedule === undefined ? -1 : nextLocality(schedule);
  }

  describe(priority: number): LocalityScheduleDescription {
    const level = this.levels[priority];
    return { healthy: level?.healthy?.weights, degraded: level?.degraded?.weights };
  }
}

/** Without `locality_weighted_lb_config`. */
export const UNWEIGHTED_LOCALITIES: LocalityChooser = {
  update: () => undefined,
  choose: () => -1,
  describe: () => undefined,
};

export const healthyHosts = (group: HealthLists): number => group.healthy.length;
export const degradedHosts = (group: HealthLists): number => group.degraded.length;
