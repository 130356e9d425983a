import type { Health, Host } from '../host/host.js';
import type { Micros } from '../core/units.js';
import type { Cause, Happening } from '../upstream/cause.js';
import type { PhaseFact } from './generated/facts.js';
import type { HostTruth, PhaseHostResult, PriorityResult } from './run-result.js';

/** In columns: a large cluster has many rows, and most phases change a few. A column that did not change is the same object. */
export interface RowStates {
  /** Each once. */
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
  /** Indices into {@link HEALTHS}. */
  readonly healths: Uint8Array;
  /** Indices into {@link TRUTHS}. */
  readonly truths: Uint8Array;
  /** Requests a second that each can serve; Infinity: any. undefined: all of them any. */
  readonly capacities: Float64Array | undefined;
}

/** How a host serves, whatever the proxy believes. */
export type HostService = Readonly<{ truth: HostTruth | undefined; capacity: number }>;

/** The values of {@link RowStates.truths}; undefined: it answers as it always did. */
export const TRUTHS: readonly (HostTruth | undefined)[] = [undefined, 'dead', 'hangs', 'failing', 'slow', 'back'];

/** Tells a host from all others of its cluster, in any run: one that changed its priority has a row of each. */
export const hostId = ({ address, priority }: Readonly<Pick<PhaseHostResult, 'address' | 'priority'>>): string =>
  `${priority} ${address}`;

export const isDown = (truth: HostTruth | 'alive' | undefined): boolean => truth === 'dead' || truth === 'hangs';

/** The values of {@link RowStates.healths}. */
export const HEALTHS: readonly Health[] = ['healthy', 'degraded', 'unhealthy'];

const columnsFor = (rows: number) => ({
  rows: new Uint32Array(rows),
  weights: new Float64Array(rows),
  healths: new Uint8Array(rows),
  truths: new Uint8Array(rows),
  capacities: new Float64Array(rows),
});

export const NO_ROWS: RowStates = { ...columnsFor(0), capacities: undefined };

/** Records the state of a cluster's rows; columns that did not change since the last time are shared. */
export class RowStatesWriter {
  private seen = new Uint8Array(0);
  private count = 0;
  private columns = columnsFor(0);
  private isBounded = false;

  begin(rows: number): void {
    this.count = 0;
    this.isBounded = false;
    if (rows > this.seen.length) {
      this.seen = new Uint8Array(2 * rows);
      this.columns = columnsFor(2 * rows);
    } else this.seen.fill(0, 0, rows);
  }

  /** Only the first state of a row counts. */
  add(row: number, weight: number, health: Health, service?: HostService): void {
    if (this.seen[row] === 1) return;
    this.seen[row] = 1;
    const { columns } = this;
    const at = this.count++;
    columns.rows[at] = row;
    columns.weights[at] = weight;
    // The first of each is that of most rows.
    columns.healths[at] = health === 'healthy' ? 0 : HEALTHS.indexOf(health);
    columns.truths[at] = service?.truth === undefined ? 0 : TRUTHS.indexOf(service.truth);
    const capacity = service?.capacity ?? Infinity;
    if (capacity < Infinity) this.isBounded = true;
    columns.capacities[at] = capacity;
  }

  end(last: RowStates): RowStates {
    const { count } = this;
    const { rows, weights, healths, truths, capacities } = this.columns;
    return {
      rows: kept(last.rows, rows, count),
      weights: kept(last.weights, weights, count),
      healths: kept(last.healths, healths, count),
      truths: kept(last.truths, truths, count),
      capacities: this.isBounded ? kept(last.capacities, capacities, count) : undefined,
    };
  }
}

/** What was recorded before, after a few hosts changed. Each has a row of its own. @param truthsNow by row, of those that serve otherwise. */
export function statesAfter(
  before: RowStates,
  changed: readonly Host[],
  truthsNow: ReadonlyMap<number, HostTruth | undefined>,
): RowStates {
  let { weights, healths, truths } = before;
  const placeOf = (row: number): number => (before.rows[row] === row ? row : before.rows.indexOf(row));
  for (const [row, truth] of truthsNow) {
    const at = placeOf(row);
    const kind = TRUTHS.indexOf(truth);
    if (at >= 0 && truths[at] !== kind) truths = truths.with(at, kind);
  }
  for (const { index, weight, health } of changed) {
    const at = placeOf(index);
    const kind = HEALTHS.indexOf(health);
    if (weights[at] !== weight) weights = weights.with(at, weight);
    if (healths[at] !== kind) healths = healths.with(at, kind);
  }
  return { ...before, weights, healths, truths };
}

/** The first `count` of a column: the ones of before where they did not change. */
const kept = <Column extends ArrayLike<number>>(
  before: Column | undefined,
  now: Column & { slice(from: number, to: number): Column },
  count: number,
): Column => (before !== undefined && isSame(before, now, count) ? before : now.slice(0, count));

/** Whether `before` equals the first `count` of `now`. */
function isSame(before: ArrayLike<number>, now: ArrayLike<number>, count: number): boolean {
  if (before.length !== count) return false;
  for (let index = 0; index < count; index++) if (before[index] !== now[index]) return false;
  return true;
}

export type Label = Readonly<{ fact: Happening; atUs: Micros }>;

/** What the balancers of a cluster see. */
export interface PhaseView {
  readonly states: RowStates;
  readonly priorities: readonly PriorityResult[];
  /** Why shares are not what weights alone would give. */
  readonly facts: readonly PhaseFact[];
}

/** A stretch of time in which that does not change. */
export interface Phase extends PhaseView {
  readonly fromUs: Micros;
  readonly causes: readonly Cause[];
  readonly labels: Label[];
}

/** The phases of one cluster, shared by all proxies: each delivery to any balancer ends one. */
export class PhaseLog {
  readonly phases: Phase[];

  constructor(view: PhaseView) {
    this.phases = [{ fromUs: 0, causes: [{ fact: { kind: 'start' } }], labels: [], ...view }];
  }

  get current(): Phase {
    return this.phases[this.phases.length - 1] as Phase;
  }

  /** Something was delivered; what is delivered at one instant starts one phase. @returns whether one began. */
  startPhase(nowUs: Micros, causes: readonly Cause[], view: PhaseView): boolean {
    const current = this.current;
    if (current.fromUs === nowUs) {
      const known = current.causes;
      const fresh = causes.filter((cause) => !known.some((one) => (one.source ?? one) === (cause.source ?? cause)));
      this.phases[this.phases.length - 1] = { ...current, causes: [...known, ...fresh], ...view };
      return false;
    }
    // What happened at this very instant began the phase, or begins with it.
    const begins = current.labels.findIndex(({ atUs }) => atUs === nowUs);
    const labels = begins < 0 ? [] : current.labels.splice(begins);
    this.phases.push({ fromUs: nowUs, causes, labels, ...view });
    return true;
  }

  /** An event that the balancers do not see: a note, a behaviour, a rate. */
  label(fact: Happening, atUs: Micros): void {
    this.current.labels.push({ fact, atUs });
  }
}
