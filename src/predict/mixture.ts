import { addAll, lazily } from '../core/values.js';
import { shareOf, withoutNoise } from '../core/rounding.js';
import type { RowStates } from '../result/phases.js';
import * as columnsOfHosts from './host-columns.js';
import { agree, loosest, Outcome } from './outcome.js';
import type { PredictedHost, PredictedSplit } from './generated/prediction.js';
import { isObstacle, type Obstacle } from './obstacle.js';

/** A part of a request smaller than this is rounding. */
const REQUEST_DIGITS = 9;

const EXACT = { method: 'exact' as const };

export class Mixture {
  private count = 0;
  private readonly parts: { readonly outcome: Outcome; readonly count: number }[] = [];
  /** Requests whose number is unknown. */
  private readonly uncounted: Outcome[] = [];
  /** Kinds of request that do not occur, with a weight: used where no other kind occurs. */
  readonly idle: { readonly outcome: Outcome; readonly count: number }[] = [];

  /** @param count of the requests; undefined: it is unknown. */
  add(outcome: Outcome, count: number | undefined): void {
    if (count === undefined) this.uncounted.push(outcome);
    else this.parts.push({ outcome, count });
    this.count += count ?? 0;
  }

  addAll(other: Mixture): void {
    this.count += other.count;
    addAll(this.parts, other.parts);
    addAll(this.uncounted, other.uncounted);
    addAll(this.idle, other.idle);
  }

  /** Their number; null: it is unknown. */
  get requests(): number | null {
    return this.uncounted.length > 0 ? null : withoutNoise(this.count, REQUEST_DIGITS);
  }

  /** `requests` is null where their number is unknown, `count` of those whose number is known. */
  mixed(rows: number) {
    return { requests: this.requests, count: this.count, outcome: this.combined(rows) };
  }

  private combined(rows: number): Outcome | Obstacle {
    const [first] = this.uncounted;
    if (first === undefined) return mixed(this.count > 0 ? this.parts.filter((part) => part.count > 0) : this.idle);
    if (first.obstacle !== undefined) return first.obstacle;
    const counted = this.count > 0 ? mixed(this.parts) : undefined;
    if (isObstacle(counted)) return counted;
    const all = counted === undefined ? this.uncounted : [...this.uncounted, counted];
    if (all.every((other) => agree(first, other, rows))) return loosest(all, rows);
    return this.uncounted.find((other) => other.obstacle !== undefined)?.obstacle ?? { kind: 'closed_workload' };
  }
}

export type Mixed = ReturnType<Mixture['mixed']>;

/** Stretches of time together, as if each request were drawn from one of them. */
export function joined(stretches: readonly Mixed[]): Mixed {
  const [only] = stretches;
  if (only !== undefined && stretches.length === 1) return only;
  const count = stretches.reduce((sum, { requests }) => sum + (requests ?? 0), 0);
  const requests = stretches.every((one) => one.requests !== null) ? count : null;
  const lost = stretches.map(({ outcome }) => outcome).find(isObstacle);
  if (lost !== undefined || requests === null) return { requests, count, outcome: lost ?? { kind: 'several_phases' } };
  const parts = stretches.flatMap(({ outcome, requests: own }) =>
    isObstacle(outcome) ? [] : [{ outcome, count: own ?? 0 }],
  );
  return { requests, count, outcome: mixed(parts) };
}

/** @param head fields before those of the split. @param states of the rows: the first that lists one counts. */
export function splitOf<Head extends object>(
  head: Head,
  { requests, count, outcome }: Mixed,
  order: columnsOfHosts.RowOrder,
  states: readonly RowStates[],
): Head & PredictedSplit {
  if (isObstacle(outcome)) {
    const nothing = { hosts: [], localities: [], priorities: [], subsets: [] };
    return { ...head, method: 'none', obstacle: outcome, requests, ...nothing };
  }
  const error = outcome.errorShare + (outcome.errorRequests === 0 ? 0 : outcome.errorRequests / count);
  const rows = order.rows.length;
  const { approximate } = outcome;
  const isExact = error <= 1e-9 && !approximate;
  const method = approximate ? ('approximate' as const) : ('numeric' as const);
  const precision = isExact ? EXACT : { method, error: Math.min(1, error) };
  const subsets = [...outcome.subsets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([subset, sum]) => ({ subset, share: shareOf(sum) }));
  const no_host = columnsOfHosts.portion(outcome.none, outcome.noneSecond, outcome.noneGranularitySquared);
  const groups = lazily({}, { now: () => sums(order, outcome.byRow(rows).share, states) });
  const columns = (): columnsOfHosts.HostColumns => columnsOfHosts.hostColumns(order, outcome.byRow(rows), states);
  // A large cluster over many phases is a million rows: most of it is made on demand.
  const split = Object.assign(
    lazily(
      { ...head, ...precision, requests },
      {
        hosts: () => {
          const { identities, at } = columns();
          return identities.map((_, index) => at(index));
        },
        localities: () => groups.now.localities,
        priorities: () => groups.now.priorities,
      },
    ),
    { subsets, no_host },
  );
  columnsOfHosts.columnsOfSplit.set(split, columns);
  return split;
}

/** Shares by locality and by priority, of those with a row. */
function sums({ rows, identities, runs }: columnsOfHosts.RowOrder, share: Float64Array, states: readonly RowStates[]) {
  const { kinds } = columnsOfHosts.statesByRow(states, rows.length);
  const localities = new Map<PredictedHost['locality'], number>();
  const priorities = new Map<number, number>();
  for (const { from, to } of runs) {
    const place = identities[from];
    let [sum, isShown] = [0, false];
    for (let at = from; at < to; at++) {
      const row = rows[at] as number;
      const own = share[row] as number;
      sum += own;
      isShown ||= own > 0 || (kinds[row] as number) > 0;
    }
    if (place === undefined || !isShown) continue;
    localities.set(place.locality, (localities.get(place.locality) ?? 0) + sum);
    priorities.set(place.priority, (priorities.get(place.priority) ?? 0) + sum);
  }
  return {
    localities: [...localities].map(([locality, sum]) => ({ locality, share: shareOf(sum) })),
    priorities: [...priorities].map(([priority, sum]) => ({ priority, share: shareOf(sum) })),
  };
}

export function mixed(parts: readonly { readonly outcome: Outcome; readonly count: number }[]): Outcome | Obstacle {
  const [only] = parts;
  if (only === undefined) return { kind: 'nothing_sent' };
  for (const { outcome } of parts) if (outcome.obstacle !== undefined) return outcome.obstacle;
  if (parts.length === 1) return only.outcome;
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const sum = new Outcome();
  for (const { outcome, count } of parts) sum.mix(outcome, total === 0 ? 1 / parts.length : count / total);
  return sum;
}
