import { NAMES } from '../core/generated/names.js';
import type { Micros } from '../core/units.js';
import type { Harm, MEASURE_UNITS, MeasureSubject } from './generated/measures.js';

export { type Harm, MEASURE_UNITS, type MeasureSubject } from './generated/measures.js';

/** A number that a run is asked for. */
export interface Measure {
  readonly subject: MeasureSubject;
  /** Half-open window of decision time; undefined: the whole run after warm-up. */
  readonly during: readonly [Micros, Micros] | undefined;
}

export type MeasureUnit = (typeof MEASURE_UNITS)[MeasureSubject['kind']];

/** What a loss can bring. `outside`: requests leave the proxies' zone. `limit`: more are open than circuit breakers admit. */
export const HARMS = NAMES.harms;

/** What nobody wants to come of a loss, unless said otherwise. */
export const GRAVE: readonly Harm[] = ['failures', 'overload'];
