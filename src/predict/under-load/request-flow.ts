import { type Micros, microsToSeconds } from '../../core/units.js';
import type { RequestFlow, RequestKind } from '../traffic.js';

/** The requests of one proxy while no rate changes. */
export interface SteadyFlow {
  readonly fromUs: Micros;
  readonly toUs: Micros;
  /** Requests a second. */
  readonly rate: number;
  readonly pace: RequestFlow['pace'];
}

/** A stretch of time, divided where the rate of some kind changes. */
export function steadyFlows(
  kinds: readonly RequestKind[],
  portionOf: (kind: RequestKind) => number,
  fromUs: Micros,
  toUs: Micros,
): readonly SteadyFlow[] {
  const boundaries = new Set([fromUs, toUs]);
  for (const { flow } of kinds) {
    for (const changeUs of flow.changesUs) if (changeUs > fromUs && changeUs < toUs) boundaries.add(changeUs);
  }
  const times = [...boundaries].sort((a, b) => a - b);
  return times.slice(1).map((end, index) => flowBetween(kinds, portionOf, times[index] as Micros, end));
}

function flowBetween(
  kinds: readonly RequestKind[],
  portionOf: (kind: RequestKind) => number,
  fromUs: Micros,
  toUs: Micros,
): SteadyFlow {
  let rate = 0;
  let pace: RequestFlow['pace'] = 'poisson';
  for (const kind of kinds) {
    const portion = portionOf(kind);
    const [before, after] = [kind.flow.sent(fromUs), kind.flow.sent(toUs)];
    if (portion === 0 || (before === after && before !== undefined)) continue;
    if (before === undefined || after === undefined) pace = 'unsteady';
    else rate += (portion * (after - before)) / microsToSeconds(toUs - fromUs);
    if (kind.flow.pace === 'unsteady' || pace === 'unsteady') pace = 'unsteady';
    else if (kind.flow.pace === 'even') pace = 'even';
  }
  return { fromUs, toUs, rate, pace };
}
