import { microsToSeconds } from '../core/units.js';
import { meanOf } from '../random/distributions.js';
import type { Behavior } from './model.js';

/** Requests a second that a host can serve: as many at once as it takes, each for its mean service time; Infinity: any. */
export function capacityOf({ serviceTime, concurrency }: Behavior): number {
  const meanUs = meanOf(serviceTime);
  return meanUs === 0 ? Infinity : concurrency / microsToSeconds(meanUs);
}
