import { type Micros, MICROS_PER_SECOND } from '../core/units.js';
import type { RandomStream } from '../random/streams.js';
import type { Arrivals } from '../settings/world.js';
import { atAnotherRate, evenTime, evenTimes, type EvenTimes } from '../schedule/even-times.js';

/** When the requests of an open workload arrive. Times are whole µs and never decrease; Infinity: no more. */
export interface ArrivalProcess {
  next(): Micros;
  /** The rate changes at `nowUs`; a pending arrival that {@link next} returned is drawn again. */
  setRate(perSecond: number, nowUs: Micros): void;
}

export function arrivalProcess(
  arrivals: Exclude<Arrivals, { kind: 'closed' }>,
  startUs: Micros,
  stream: RandomStream,
): ArrivalProcess {
  switch (arrivals.kind) {
    case 'poisson':
      return new PoissonArrivals(arrivals.perSecond, startUs, stream);
    case 'constant':
      return new ConstantArrivals(arrivals.perSecond, startUs);
    case 'ramp':
      return new RampArrivals(arrivals.points, startUs, stream);
    case 'trace':
      return new TraceArrivals(arrivals.timesUs, startUs);
  }
}

function unitExponential(stream: RandomStream): number {
  return -Math.log1p(-stream.uniform());
}

class PoissonArrivals implements ArrivalProcess {
  private perMicro: number;

  constructor(
    perSecond: number,
    private atUs: number,
    private readonly stream: RandomStream,
  ) {
    this.perMicro = perSecond / MICROS_PER_SECOND;
  }

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
class ConstantArrivals implements ArrivalProcess {
  private sent = 0;
  private times: EvenTimes;

  constructor(perSecond: number, startUs: Micros) {
    this.times = evenTimes(perSecond, startUs);
  }

  next(): Micros {
    return evenTime(this.times, this.sent++);
  }

  setRate(perSecond: number, nowUs: Micros): void {
    this.times = atAnotherRate(this.times, perSecond, nowUs);
    this.sent = 0;
  }
}

/** A Poisson process whose rate is linear between points, constant outside; a gap inverts the integral of the rate. */
class RampArrivals implements ArrivalProcess {
  constructor(
    private points: readonly { readonly atUs: Micros; readonly perSecond: number }[],
    private atUs: number,
    private readonly stream: RandomStream,
  ) {}

  next(): Micros {
    let area = unitExponential(this.stream);
    for (;;) {
      const { rate, slope, untilUs } = this.pieceAt(this.atUs);
      const width = untilUs - this.atUs;
      const pieceArea = width === Infinity ? Infinity : width * (rate + (slope * width) / 2);
      if (area < pieceArea) {
        // Solve rate·x + slope·x²/2 = area, in the form that does not cancel.
        this.atUs += (2 * area) / (rate + Math.sqrt(rate * rate + 2 * slope * area));
        return Math.floor(this.atUs);
      }
      if (untilUs === Infinity) return Infinity;
      area -= pieceArea;
      this.atUs = untilUs;
    }
  }

  setRate(perSecond: number, nowUs: Micros): void {
    this.points = [{ atUs: nowUs, perSecond }];
    this.atUs = nowUs;
  }

  /** Rate and slope per µs at `atUs`, and where the linear piece ends. */
  private pieceAt(atUs: number): { rate: number; slope: number; untilUs: number } {
    const after = this.points.findIndex((point) => point.atUs > atUs);
    const left = this.points[after === -1 ? this.points.length - 1 : after - 1];
    const right = after === -1 ? undefined : this.points[after];
    const constant = (perSecond: number, untilUs: number): { rate: number; slope: number; untilUs: number } => ({
      rate: perSecond / MICROS_PER_SECOND,
      slope: 0,
      untilUs,
    });
    if (right === undefined) return constant(left?.perSecond ?? 0, Infinity);
    if (left === undefined) return constant(right.perSecond, right.atUs);
    const slope = (right.perSecond - left.perSecond) / MICROS_PER_SECOND / (right.atUs - left.atUs);
    const rate = left.perSecond / MICROS_PER_SECOND + slope * (atUs - left.atUs);
    return { rate: Math.max(rate, 0), slope, untilUs: right.atUs };
  }
}

/** Recorded times; those before the start are left out. A trace has no rate to change: it ends there. */
class TraceArrivals implements ArrivalProcess {
  private index: number;

  constructor(
    private readonly timesUs: readonly Micros[],
    startUs: Micros,
  ) {
    const first = timesUs.findIndex((time) => time >= startUs);
    this.index = first === -1 ? timesUs.length : first;
  }

  next(): Micros {
    return this.timesUs[this.index++] ?? Infinity;
  }

  setRate(): void {
    this.index = this.timesUs.length;
  }
}
