import type { Micros } from '../core/units.js';
import type { TimelineEntry } from '../scenario/model.js';

/** When an entry of the timeline acts, up to `endUs`. */
export function occurrences(entry: TimelineEntry, endUs: Micros): Micros[] {
  const { atUs, everyUs, untilUs = Infinity } = entry;
  if (everyUs === undefined) return atUs <= endUs ? [atUs] : [];
  const times: Micros[] = [];
  for (let time = atUs; time <= endUs && time < untilUs; time += everyUs) times.push(time);
  return times;
}
