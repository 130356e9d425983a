import { InvalidArgumentError } from 'commander';
import type { Micros } from '../core/units.js';
import { MAX_INTERVALS } from '../result/course.js';
import { endOf } from '../scenario/end-time.js';
import type { Scenario } from '../scenario/model.js';
import { formatDuration, parseDuration } from '../scenario/units.js';
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
