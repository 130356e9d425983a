import type { Health } from '../host/host.js';
import { localityKey, NOWHERE } from '../host/host.js';
import type { LevelSnapshot, Row } from './discovery.js';
import { availability } from './discovery.js';
import { Outcome } from './outcome.js';
import type { PredictedHost, PredictedPortion, PredictedSplit } from './prediction.js';

/** How rows stood at one moment, by row index. */
export class RowStates {
  private readonly weights: Float64Array;
  /** 1 + availability; 0: nobody lists the row. */
  private readonly kinds: Uint8Array;

  constructor(rows: number, levels: readonly (LevelSnapshot | undefined)[]) {
    this.weights = new Float64Array(rows);
    this.kinds = new Uint8Array(rows);
    for (const level of levels) {
      for (const { row, weight, status } of level?.members ?? []) {
        if (this.kinds[row.index] !== 0) continue;
        this.kinds[row.index] = 1 + availability(status);
        this.weights[row.index] = weight;
      }
    }
  }

  lists(row: Row): boolean {
    return (this.kinds[row.index] ?? 0) > 0;
  }

  weightOf(row: Row): number {
    return this.weights[row.index] ?? 1;
  }

  healthOf(row: Row): Health {
    const kind = this.kinds[row.index];
    return kind === 2 ? 'degraded' : kind === 3 ? 'unhealthy' : 'healthy';
  }
}

/** All requests of one stretch of time, with what becomes of each kind of them. */
export class Mixture {
  private count = 0;
  private readonly parts: { readonly outcome: Outcome; readonly count: number }[] = [];
  /** Requests of whom nobody can tell how many there are. */
  private readonly uncounted: Outcome[] = [];
  /** Kinds of request that do not occur, with a weight: what would become of them if nothing else tells. */
  private readonly idle: { readonly outcome: Outcome; readonly count: number }[] = [];

  add(outcome: Outcome, count: number): void {
    this.count += count;
    this.parts.push({ outcome, count });
  }

  addUncounted(outcome: Outcome): void {
    this.uncounted.push(outcome);
  }

  addIdle(outcome: Outcome, weight: number): void {
    this.idle.push({ outcome, count: weight });
  }

  addAll(other: Mixture): void {
    this.count += other.count;
    this.parts.push(...other.parts);
    this.uncounted.push(...other.uncounted);
    this.idle.push(...other.idle);
  }

  /**
   * @param head  fields that stand before those of the split.
   * @param order rows in the order of the report.
   */
  split<Head extends object>(head: Head, order: readonly Row[], states: RowStates): Head & PredictedSplit {
    const requests = this.uncounted.length > 0 ? null : this.count;
    const outcome = this.combined(order.length);
    if (typeof outcome === 'string') {
      const nothing = { hosts: [], localities: [], priorities: [], subsets: [] };
      return { ...head, method: 'none', why_not: outcome, requests, ...nothing };
    }
    const error = outcome.errorShare + (outcome.errorRequests === 0 ? 0 : outcome.errorRequests / this.count);
    const isShown = (row: Row): boolean => states.lists(row) || (outcome.share[row.index] ?? 0) > 0;
    const shown = order.every(isShown) ? order : order.filter(isShown);
    const places = new Map<Row['locality'], LocalityFields>();
    const localities = new Map<string, { locality: LocalityFields; share: number }>();
    const priorities = new Map<number, { priority: number; share: number }>();
    let last: Row | undefined;
    let place = { locality: localityFields(NOWHERE), share: 0 };
    let level = { priority: 0, share: 0 };
    for (const row of shown) {
      // Rows are ordered by priority and locality: neither changes often.
      if (row.locality !== last?.locality || row.priority !== last.priority) {
        const key = localityKey(row.locality);
        place = localities.get(key) ?? { locality: localityFields(row.locality), share: 0 };
        localities.set(key, place);
        places.set(row.locality, place.locality);
        level = priorities.get(row.priority) ?? { priority: row.priority, share: 0 };
        priorities.set(row.priority, level);
        last = row;
      }
      const share = outcome.share[row.index] ?? 0;
      place.share += share;
      level.share += share;
    }
    let hosts: PredictedHost[] | undefined;
    return {
      ...head,
      ...(error > 1e-9 ? { method: 'numeric' as const, error: Math.min(1, error) } : { method: 'exact' as const }),
      requests,
      // Many phases of a large cluster are a million rows: they are made when they are asked for.
      get hosts(): PredictedHost[] {
        return (hosts ??= shown.map((row) => ({
          address: row.address,
          priority: row.priority,
          locality: places.get(row.locality) ?? localityFields(row.locality),
          weight: states.weightOf(row),
          health: states.healthOf(row),
          ...portion(outcome.share[row.index] ?? 0, outcome.second[row.index] ?? 0, outcome.grain[row.index] ?? 0),
        })));
      },
      localities: [...localities.values()],
      priorities: [...priorities.values()],
      subsets: [...outcome.subsets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([subset, share]) => ({ subset, share })),
      no_host: portion(outcome.none, outcome.noneSecond, outcome.noneGrain),
    };
  }

  /** @returns a text where there is no prediction: why. */
  private combined(rows: number): Outcome | string {
    const [first, ...others] = this.uncounted;
    if (first === undefined) {
      const parts = this.count > 0 ? this.parts.filter((part) => part.count > 0) : this.idle;
      return mixed(parts, rows);
    }
    if (first.whyNot !== undefined) return first.whyNot;
    const counted = this.count > 0 ? mixed(this.parts, rows) : undefined;
    if (typeof counted === 'string') return counted;
    const same = others.every((other) => first.agrees(other)) && (counted === undefined || first.agrees(counted));
    if (same) return first;
    const odd = others.find((other) => other.whyNot !== undefined);
    return odd?.whyNot ?? 'how many requests a closed workload sends depends on its answers; simulate it';
  }
}

type LocalityFields = PredictedHost['locality'];

export function localityFields({ region, zone, subZone }: Row['locality']): LocalityFields {
  return { region, zone, sub_zone: subZone };
}

function mixed(
  parts: readonly { readonly outcome: Outcome; readonly count: number }[],
  rows: number,
): Outcome | string {
  const [only] = parts;
  if (only === undefined) return 'nothing is sent to this cluster';
  for (const { outcome } of parts) if (outcome.whyNot !== undefined) return outcome.whyNot;
  if (parts.length === 1) return only.outcome;
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const sum = new Outcome(rows);
  for (const { outcome, count } of parts) sum.mix(outcome, total === 0 ? 1 / parts.length : count / total);
  return sum;
}

function portion(share: number, second: number, grain: number): PredictedPortion {
  return { share, variance: varianceOf(share, second), granularity: Math.sqrt(grain) };
}

/** What is certain has no variance; what the subtraction leaves of it is rounding. */
function varianceOf(share: number, second: number): number {
  const variance = second - share * share;
  return variance < 1e-12 ? 0 : variance;
}
