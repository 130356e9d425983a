import type { Micros } from '../../core/units.js';
import { MAX_INTERVALS } from '../../result/course.js';
import type { Scenario } from '../../scenario/model.js';
import { endOf } from '../../settings/world.js';
import type { Simulation } from '../../words/library.js';
import { says, UsageError } from '../session.js';
import { checkMemory, type Interrupt } from '../long-work.js';
import type { Pace } from '../program/option-values.js';

/** Refuses more intervals than a run can keep, naming the shortest possible length. */
export function refuseTooMany(everyUs: Micros | undefined, scenario: Scenario): void {
  const endUs = endOf(scenario);
  if (everyUs === undefined || endUs <= everyUs * MAX_INTERVALS) return;
  const [leastUs, intervals] = [endUs / MAX_INTERVALS, endUs / everyUs].map(Math.ceil);
  throw new UsageError(says('too_many_intervals', { everyUs, endUs, leastUs, intervals, most: MAX_INTERVALS }));
}

/**
 * Between two slices the event loop runs: Ctrl-C takes effect, the bar moves, files and sockets are written. A slice ends
 * after a number of events or, where they are slow, after some time.
 */
const EVENTS_PER_SLICE = 20_000;
const SLICE_MS = 50;
/** Events between two readings of the clock. */
const EVENTS_PER_LOOK = 128;

export interface Drive {
  readonly monotonicMs: () => number;
  /** Couples virtual time to wall time. */
  readonly pace: Pace;
  readonly interrupt: Interrupt;
  /** No slice goes on past it. */
  readonly sliceEndUs?: () => number;
  readonly onSlice: () => Promise<void>;
  readonly isUnwanted?: () => boolean;
}

/** Continues a run to its end, or until the user interrupts it or its rest is not needed; true if it ended. */
export async function drive(
  simulation: Simulation,
  { monotonicMs, pace, interrupt, sliceEndUs, onSlice, isUnwanted }: Drive,
): Promise<boolean> {
  const isPaced = pace !== Infinity;
  const startMs = isPaced ? monotonicMs() : 0;
  const dueUs = (): number => (isPaced ? (monotonicMs() - startMs) * 1000 * pace : Infinity);
  for (;;) {
    const finished = slice(simulation, Math.min(dueUs(), sliceEndUs?.() ?? Infinity), monotonicMs);
    checkMemory();
    await onSlice();
    // The event loop goes on; if the run is ahead, until something is due, 50 ms at most.
    const aheadMs = isPaced ? (simulation.nextUs - dueUs()) / (1000 * pace) : 0;
    await new Promise((resolve) => (aheadMs > 1 ? setTimeout(resolve, Math.min(aheadMs, 50)) : setImmediate(resolve)));
    if (finished || interrupt.happened || isUnwanted?.() === true) return finished;
  }
}

/** True where the run ended. */
function slice(simulation: Simulation, untilUs: number, monotonicMs: () => number): boolean {
  const endMs = monotonicMs() + SLICE_MS;
  for (let events = 0; events < EVENTS_PER_SLICE; events += EVENTS_PER_LOOK) {
    if (simulation.advance(EVENTS_PER_LOOK, untilUs)) return true;
    if (simulation.nextUs > untilUs || monotonicMs() >= endMs) return false;
  }
  return false;
}
