import { InvalidArgumentError } from 'commander';
import type { Simulation } from '../words/library.js';
import type { Micros } from '../core/units.js';
import { MAX_INTERVALS } from '../result/course.js';
import { endOf } from '../settings/world.js';
import type { Scenario } from '../scenario/model.js';
import { formatDuration, parseDuration } from '../scenario/fields/units.js';
import { UsageError } from './errors.js';

/** Reads the length of an interval: `1s`, `500ms`. */
export function parseEvery(text: string): Micros {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.message}.`);
  if (parsed.value === 0) throw new InvalidArgumentError('An interval is longer than 0: write 1s or 500ms.');
  return parsed.value;
}

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
