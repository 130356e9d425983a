import type { Simulation } from '../words/library.js';
import type { Micros } from '../core/units.js';
import { MAX_INTERVALS } from '../result/course.js';
import { endOf } from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import { formatDuration } from '../scenario/fields/units.js';
import { UsageError } from './errors.js';
import type { Pace } from './program/option-values.js';

/** Refuses more intervals than a run can keep, naming the shortest possible length. */
export function refuseTooMany(everyUs: Micros | undefined, scenario: Scenario): void {
  const endUs = endOf(scenario);
  if (everyUs === undefined || endUs <= everyUs * MAX_INTERVALS) return;
  const intervals = Math.ceil(endUs / everyUs).toLocaleString('en-US');
  const least = formatDuration(Math.ceil(endUs / MAX_INTERVALS));
  throw new UsageError(
    `--every ${formatDuration(everyUs)} makes ${intervals} intervals of ${formatDuration(endUs)}: ` +
      `at most ${MAX_INTERVALS.toLocaleString('en-US')} are kept, as of --every ${least}`,
  );
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
