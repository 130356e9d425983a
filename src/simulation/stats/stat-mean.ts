import { type Micros, MICROS_PER_SECOND } from '../../core/units.js';

/** So many looks at a window: what is constant half of the time is off by a thousandth at most. */
const LOOKS = 1000;
/** Its multiples are spread evenly over a step, and no two of the first thousand are close. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A statistic as it is at one moment; undefined: it does not exist. */
export interface StatLook {
  readonly kind: 'counter' | 'gauge';
  readonly value: number;
}

/**
 * The mean of a statistic over a window of time: of a gauge the mean of what it is at moments all over the window, of a
 * counter what it grew by from the first moment to the last, per second.
 *
 * The moments lie one in each of equal steps, at another place of each, so that what happens at an even pace is met at all
 * of its phases.
 */
export class StatMean {
  /** When to look, ascending. */
  readonly timesUs: readonly Micros[];
  private looks = 0;
  private sum = 0;
  private first: (StatLook & { readonly atUs: Micros }) | undefined;
  private last: (StatLook & { readonly atUs: Micros }) | undefined;

  constructor(fromUs: Micros, toUs: Micros) {
    const step = (toUs - fromUs) / LOOKS;
    const inside = Array.from({ length: LOOKS }, (_, index) =>
      Math.round(fromUs + step * (index + ((index * GOLDEN) % 1))),
    );
    this.timesUs = toUs > fromUs ? [fromUs, ...inside, toUs] : [];
  }

  see(look: StatLook, atUs: Micros): void {
    const seen = { ...look, atUs };
    this.first ??= seen;
    this.last = seen;
    this.looks++;
    this.sum += look.value;
  }

  /** null: it did not exist. */
  get mean(): number | null {
    const { first, last } = this;
    if (first === undefined || last === undefined) return null;
    if (first.kind === 'gauge') return this.sum / this.looks;
    const seconds = (last.atUs - first.atUs) / MICROS_PER_SECOND;
    return seconds === 0 ? null : (last.value - first.value) / seconds;
  }
}
