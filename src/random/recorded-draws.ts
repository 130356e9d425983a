import { toDecimal } from '../core/u64.js';
import type { Random64 } from './random64.js';

/** Hands on what another source draws, and writes it down. */
export class RecordedDraws implements Random64 {
  hi = 0;
  lo = 0;

  /** @param draws decimal, in the order in which they are drawn. */
  constructor(
    private readonly source: Random64,
    private readonly draws: string[],
  ) {}

  next(): void {
    this.source.next();
    this.hi = this.source.hi;
    this.lo = this.source.lo;
    this.draws.push(toDecimal(this.hi, this.lo));
  }
}
