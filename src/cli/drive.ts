import type { Simulation } from '../simulation/simulation.js';
import type { Interrupt } from './interrupt.js';
import type { Pacer } from './pace.js';

/** Between two slices the event loop gets its turn: Ctrl-C is heard, the bar moves, files and sockets are written. */
const EVENTS_PER_SLICE = 20_000;

export interface Drive {
  readonly pacer: Pacer;
  readonly interrupt: Interrupt;
  /** No slice goes on past it. */
  readonly sliceEndUs?: () => number;
  /** After each slice. */
  readonly onSlice: () => Promise<void>;
  /** Nobody wants the rest. */
  readonly isUnwanted?: () => boolean;
}

/** Takes a run to its end, or to where the user interrupts it or nobody wants the rest; true where it ended. */
export async function drive(
  simulation: Simulation,
  { pacer, interrupt, sliceEndUs, onSlice, isUnwanted }: Drive,
): Promise<boolean> {
  for (;;) {
    const untilUs = Math.min(pacer.untilUs, sliceEndUs?.() ?? Infinity);
    const finished = simulation.advance(EVENTS_PER_SLICE, untilUs);
    await onSlice();
    await pacer.rest(simulation);
    if (finished || interrupt.happened || isUnwanted?.() === true) return finished;
  }
}
