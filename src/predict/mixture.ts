import type { Health } from '../host/host.js';
import { localityKey } from '../host/host.js';
import type { Row } from './discovery.js';
import { Outcome } from './outcome.js';
import type { PredictedHost, PredictedPortion, PredictedSplit } from './prediction.js';

/** How a row stood when a phase began; undefined: nobody listed it. */
export interface RowState {
  readonly weight: number;
  readonly health: Health;
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

  /** @param order rows in the order of the report. */
  split(order: readonly Row[], stateOf: (row: Row) => RowState | undefined): PredictedSplit {
    const requests = this.uncounted.length > 0 ? null : this.count;
    const outcome = this.combined(order.length);
    if (typeof outcome === 'string') {
      return { method: 'none', why_not: outcome, requests, hosts: [], localities: [], priorities: [], subsets: [] };
    }
    const error = outcome.errorShare + (outcome.errorRequests === 0 ? 0 : outcome.errorRequests / this.count);
    const localities = new Map<string, { locality: LocalityFields; share: number }>();
    const priorities = new Map<number, { priority: number; share: number }>();
    const hosts: PredictedHost[] = [];
    const places = new Map<Row['locality'], { locality: LocalityFields; share: number }>();
    for (const row of order) {
      const state = stateOf(row);
      const share = outcome.share[row.index] ?? 0;
      if (state === undefined && share === 0) continue;
      let place = places.get(row.locality);
      if (place === undefined) {
        place = { locality: localityFields(row.locality), share: 0 };
        places.set(row.locality, place);
        localities.set(localityKey(row.locality), place);
      }
      place.share += share;
      let level = priorities.get(row.priority);
      if (level === undefined) {
        level = { priority: row.priority, share: 0 };
        priorities.set(row.priority, level);
      }
      level.share += share;
      hosts.push({
        address: row.address,
        priority: row.priority,
        locality: place.locality,
        weight: state?.weight ?? 1,
        health: state?.health ?? 'healthy',
        ...portion(share, outcome.second[row.index] ?? 0, outcome.grain[row.index] ?? 0),
      });
    }
    return {
      ...(error > 1e-9 ? { method: 'numeric' as const, error: Math.min(1, error) } : { method: 'exact' as const }),
      requests,
      hosts,
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
  // What is certain has no variance; what the subtraction leaves of it is rounding.
  const variance = Math.max(0, second - share * share);
  return { share, variance: variance < 1e-12 ? 0 : variance, granularity: Math.sqrt(grain) };
}
