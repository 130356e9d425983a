import type { Simulation } from '../../words/library.js';
import type { Interrupt } from '../output/progress.js';
import { checkMemory } from '../long-work.js';
import type { Pacer } from '../pace.js';

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
  readonly pacer: Pacer;
  readonly interrupt: Interrupt;
  /** No slice goes on past it. */
  readonly sliceEndUs?: () => number;
  /** After each slice. */
  readonly onSlice: () => Promise<void>;
  /** The rest of the run is not needed. */
  readonly isUnwanted?: () => boolean;
}

/** Continues a run to its end, or until the user interrupts it or its rest is not needed; true if it ended. */
export async function drive(
  simulation: Simulation,
  { monotonicMs, pacer, interrupt, sliceEndUs, onSlice, isUnwanted }: Drive,
): Promise<boolean> {
  for (;;) {
    const untilUs = Math.min(pacer.untilUs, sliceEndUs?.() ?? Infinity);
    const finished = slice(simulation, untilUs, monotonicMs);
    checkMemory();
    await onSlice();
    await pacer.rest(simulation);
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
