import { type Micros, MICROS_PER_SECOND } from '../core/units.js';
import { byKind } from '../core/values.js';
import { unitExponential } from '../random/samplers.js';
import type { RandomStream } from '../random/streams.js';
import type { Arrivals, RateAt } from '../settings/world.js';
import { atAnotherRate, evenTime, evenTimes } from '../schedule/even-times.js';

/** When the requests of an open workload arrive. Times are whole µs and never decrease; Infinity: no more. */
export interface ArrivalProcess {
  next(): Micros;
  /** The rate changes at `nowUs`; a pending arrival that {@link next} returned is drawn again. */
  setRate(perSecond: number, nowUs: Micros): void;
}

export const arrivalProcess = byKind<
  Exclude<Arrivals, { kind: 'closed' }>,
  ArrivalProcess,
  [startUs: Micros, stream: RandomStream]
>({ poisson: (...process) => new Poisson(...process), constant, ramp, trace });

type Of<Kind> = Extract<Arrivals, { kind: Kind }>;

/** Its time is a field: a variable of a closure would be a new object at each arrival. */
class Poisson implements ArrivalProcess {
  private perMicro = this.arrivals.perSecond / MICROS_PER_SECOND;

  constructor(
    private readonly arrivals: Of<'poisson'>,
    private atUs: Micros,
    private readonly stream: RandomStream,
  ) {}

  next(): Micros {
    if (this.perMicro === 0) return Infinity;
    this.atUs += unitExponential(this.stream) / this.perMicro;
    return Math.floor(this.atUs);
  }

  setRate(perSecond: number, nowUs: Micros): void {
    this.perMicro = perSecond / MICROS_PER_SECOND;
    // The process has no memory: the rest of the gap is distributed as a whole new gap.
    this.atUs = nowUs;
  }
}

/** The first at the start, the k-th k/rate later. */
function constant({ perSecond }: Of<'constant'>, startUs: Micros): ArrivalProcess {
  let times = evenTimes(perSecond, startUs);
  let sent = 0;
  return {
    next: () => evenTime(times, sent++),
    setRate: (rate, nowUs) => {
      times = atAnotherRate(times, rate, nowUs);
      sent = 0;
    },
  };
}

/** A Poisson process whose rate is linear between points, constant outside; a gap inverts the integral of the rate. */
function ramp(arrivals: Of<'ramp'>, startUs: Micros, stream: RandomStream): ArrivalProcess {
  let { points } = arrivals;
  let atUs = startUs;
  return {
    next: () => {
      let area = unitExponential(stream);
      for (;;) {
        const { rate, slope, untilUs } = pieceAt(points, atUs);
        const width = untilUs - atUs;
        const pieceArea = width === Infinity ? Infinity : width * (rate + (slope * width) / 2);
        if (area < pieceArea) {
          // Solve rate·x + slope·x²/2 = area, in the form that does not cancel.
          atUs += (2 * area) / (rate + Math.sqrt(rate * rate + 2 * slope * area));
          return Math.floor(atUs);
        }
        if (untilUs === Infinity) return Infinity;
        area -= pieceArea;
        atUs = untilUs;
      }
    },
    setRate: (perSecond, nowUs) => {
      points = [{ atUs: nowUs, perSecond }];
      atUs = nowUs;
    },
  };
}

/** Rate and slope per µs at `atUs`, and where the linear piece ends. */
function pieceAt(points: readonly RateAt[], atUs: number): { rate: number; slope: number; untilUs: number } {
  const after = points.findIndex((point) => point.atUs > atUs);
  const left = points[after === -1 ? points.length - 1 : after - 1];
  const right = after === -1 ? undefined : points[after];
  if (left === undefined || right === undefined) {
    const rate = ((left ?? right)?.perSecond ?? 0) / MICROS_PER_SECOND;
    return { rate, slope: 0, untilUs: right?.atUs ?? Infinity };
  }
  const slope = (right.perSecond - left.perSecond) / MICROS_PER_SECOND / (right.atUs - left.atUs);
  const rate = left.perSecond / MICROS_PER_SECOND + slope * (atUs - left.atUs);
  return { rate: Math.max(rate, 0), slope, untilUs: right.atUs };
}

/** Recorded times; those before the start are left out. A trace has no rate to change: it ends there. */
function trace({ timesUs }: Of<'trace'>, startUs: Micros): ArrivalProcess {
  const first = timesUs.findIndex((time) => time >= startUs);
  let index = first === -1 ? timesUs.length : first;
  return { next: () => timesUs[index++] ?? Infinity, setRate: () => void (index = timesUs.length) };
}
