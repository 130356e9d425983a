import type { Health } from '../host/host.js';
import type { Micros } from '../core/units.js';
import type { Cause, Happening } from '../upstream/cause.js';
import type { PhaseFact } from './facts.js';
import type { HostTruth, PriorityResult } from './run-result.js';

/**
 * The rows that were listed in a phase, in columns: a large cluster has many, and most phases change a few of them. A
 * column that did not change since the phase before is the same object.
 */
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
export interface HostService {
  readonly truth: HostTruth | undefined;
  readonly capacity: number;
}

/** The values of {@link RowStates.truths}; undefined: it answers as it always did. */
export const TRUTHS: readonly (HostTruth | undefined)[] = [undefined, 'dead', 'hangs', 'failing', 'slow', 'back'];

/** It answers nothing. */
export function isDown(truth: HostTruth | 'alive' | undefined): boolean {
  return truth === 'dead' || truth === 'hangs';
}

/** The values of {@link RowStates.healths}. */
export const HEALTHS: readonly Health[] = ['healthy', 'degraded', 'unhealthy'];

export const NO_ROWS: RowStates = {
  rows: new Uint32Array(0),
  weights: new Float64Array(0),
  healths: new Uint8Array(0),
  truths: new Uint8Array(0),
  capacities: undefined,
};

/** Records the state of a cluster's rows; columns that did not change since the last time are shared. */
export class RowStatesWriter {
  private seen = new Uint8Array(0);
  private count = 0;
  private rows = new Uint32Array(0);
  private weights = new Float64Array(0);
  private healths = new Uint8Array(0);
  private truths = new Uint8Array(0);
  private capacities = new Float64Array(0);
  private isBounded = false;

  /** @param rows how many there are. */
  begin(rows: number): void {
    this.count = 0;
    this.isBounded = false;
    if (rows > this.seen.length) {
      const room = 2 * rows;
      this.seen = new Uint8Array(room);
      this.rows = new Uint32Array(room);
      this.weights = new Float64Array(room);
      this.healths = new Uint8Array(room);
      this.truths = new Uint8Array(room);
      this.capacities = new Float64Array(room);
    } else this.seen.fill(0, 0, rows);
  }

  /** Only the first state of a row counts. */
  add(row: number, weight: number, health: Health, service?: HostService): void {
    if (this.seen[row] === 1) return;
    this.seen[row] = 1;
    this.rows[this.count] = row;
    this.weights[this.count] = weight;
    this.healths[this.count] = HEALTHS.indexOf(health);
    this.truths[this.count] = TRUTHS.indexOf(service?.truth);
    const capacity = service?.capacity ?? Infinity;
    if (capacity < Infinity) this.isBounded = true;
    this.capacities[this.count++] = capacity;
  }

  /** @param last the state before. */
  end(last: RowStates): RowStates {
    const { count } = this;
    return {
      rows: isSame(last.rows, this.rows, count) ? last.rows : this.rows.slice(0, count),
      weights: isSame(last.weights, this.weights, count) ? last.weights : this.weights.slice(0, count),
      healths: isSame(last.healths, this.healths, count) ? last.healths : this.healths.slice(0, count),
      truths: isSame(last.truths, this.truths, count) ? last.truths : this.truths.slice(0, count),
      capacities: this.isBounded ? this.sharedCapacities(last.capacities) : undefined,
    };
  }

  private sharedCapacities(last: Float64Array | undefined): Float64Array {
    const { capacities, count } = this;
    return last !== undefined && isSame(last, capacities, count) ? last : capacities.slice(0, count);
  }
}

/** Whether `before` equals the first `count` of `now`. */
function isSame(before: ArrayLike<number>, now: ArrayLike<number>, count: number): boolean {
  if (before.length !== count) return false;
  for (let index = 0; index < count; index++) if (before[index] !== now[index]) return false;
  return true;
}

/** An event that the balancers do not see. */
export interface Label {
  readonly fact: Happening;
  readonly atUs: Micros;
}

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
