import { type Micros, microsToSeconds } from '../core/units.js';
import type { Behavior, Scenario, TimelineEntry } from './model.js';
import { meanOf } from '../random/distributions.js';

/** When an entry of the timeline acts, up to `endUs`. */
export function occurrences(entry: TimelineEntry, endUs: Micros): Micros[] {
  const { atUs, everyUs, untilUs = Infinity } = entry;
  if (everyUs === undefined) return atUs <= endUs ? [atUs] : [];
  const times: Micros[] = [];
  for (let time = atUs; time <= endUs && time < untilUs; time += everyUs) times.push(time);
  return times;
}

/** How often that is. */
export function countOccurrences({ atUs, everyUs, untilUs = Infinity }: TimelineEntry, endUs: Micros): number {
  const lastUs = Math.min(endUs, untilUs - 1);
  if (atUs > lastUs) return 0;
  return everyUs === undefined ? 1 : Math.floor((lastUs - atUs) / everyUs) + 1;
}

/** Requests a second that a host can serve: as many at once as it takes, each for its mean service time; Infinity: any. */
export function capacityOf({ serviceTime, concurrency }: Behavior): number {
  const meanUs = meanOf(serviceTime);
  return meanUs === 0 ? Infinity : concurrency / microsToSeconds(meanUs);
}

/** The end of a run, as far as the scenario defines it; without a duration answers may come later. */
export function endOf({ durationUs, workloads, requests, timeline }: Scenario): Micros {
  if (durationUs !== undefined) return durationUs;
  return [
    ...workloads.map(({ stopUs, arrivals }) => stopUs ?? (arrivals.kind === 'trace' ? arrivals.timesUs.at(-1) : 0)),
    ...requests.map(({ atUs }) => atUs),
    ...timeline.map(({ atUs }) => atUs),
  ].reduce((last: number, timeUs = 0) => Math.max(last, timeUs), 0);
}
