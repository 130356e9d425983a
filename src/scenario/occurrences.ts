import type { Micros } from '../core/units.js';
import type { TimelineEntry } from './model.js';

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
