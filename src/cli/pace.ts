import { InvalidArgumentError } from 'commander';
import type { Simulation } from '../words/library.js';

/** Virtual seconds per wall-clock second; Infinity: as fast as possible. */
export type Pace = number;

/** Reads `1x`, `0.5x`, `10x` or `max`. */
export function parsePace(text: string): Pace {
  if (text === 'max') return Infinity;
  const factor = /^(\d+(?:\.\d+)?)x$/.exec(text)?.[1];
  if (factor === undefined || Number(factor) === 0) throw new InvalidArgumentError('It is 1x, 10x, 0.5x … or max.');
  return Number(factor);
}

/** Couples virtual time to wall time. */
export class Pacer {
  private readonly startMs: number;

  constructor(
    private readonly pace: Pace,
    private readonly monotonicMs: () => number,
  ) {
    this.startMs = monotonicMs();
  }

  /** The virtual time allowed by now. */
  get untilUs(): number {
    return this.pace === Infinity ? Infinity : (this.monotonicMs() - this.startMs) * 1000 * this.pace;
  }

  /** Yields to the event loop; if the run is ahead, waits until something is due, 50 ms at most. */
  async rest(simulation: Simulation): Promise<void> {
    const aheadMs = this.pace === Infinity ? 0 : (simulation.nextUs - this.untilUs) / (1000 * this.pace);
    if (aheadMs > 1) await new Promise((resolve) => setTimeout(resolve, Math.min(aheadMs, 50)));
    else await new Promise((resolve) => setImmediate(resolve));
  }
}
