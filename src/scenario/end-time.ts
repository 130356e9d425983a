import type { Micros } from '../core/units.js';
import type { Scenario } from './model.js';

/** The end of a run, as far as the scenario defines it; without a duration answers may come later. */
export function endOf({ durationUs, workloads, requests, timeline }: Scenario): Micros {
  if (durationUs !== undefined) return durationUs;
  return [
    ...workloads.map(({ stopUs, arrivals }) => stopUs ?? (arrivals.kind === 'trace' ? arrivals.timesUs.at(-1) : 0)),
    ...requests.map(({ atUs }) => atUs),
    ...timeline.map(({ atUs }) => atUs),
  ].reduce((last: number, timeUs = 0) => Math.max(last, timeUs), 0);
}
