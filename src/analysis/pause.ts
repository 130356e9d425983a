import type { Micros } from '../core/units.js';
import type { Simulation } from '../simulation/simulation.js';

/**
 * Called from time to time by long work with its progress, 0–1. The caller may show it, yield to other tasks, or reject,
 * which ends the work.
 */
export type Pause = (done: number) => Promise<void>;

export const NO_PAUSE: Pause = () => Promise.resolve();

/** The seed of the n-th run under one seed, from 0. The first run is that of `lbsim run`. */
export const seedOfRun = (seed: string, run: number): string => (run === 0 ? seed : `${seed}-${run + 1}`);

/** Few enough for Ctrl-C to work at once. */
export const EVENTS_PER_PAUSE = 20_000;

/** Continues a run to its end, or until everything of an instant has happened. */
export async function runUntil(
  simulation: Pick<Simulation, 'advance' | 'nextUs' | 'progress'>,
  pause: Pause,
  untilUs: Micros = Infinity,
): Promise<void> {
  while (!simulation.advance(EVENTS_PER_PAUSE, untilUs) && simulation.nextUs <= untilUs)
    await pause(simulation.progress);
}
