import type { U64 } from '../core/u64.js';
import type { Random64 } from './random64.js';

/** Returns the given values in order, then `after` for ever (the proxy's test mocks return 0). */
export class ScriptedRandom implements Random64 {
  hi = 0;
  lo = 0;
  /** Values drawn so far, those after the end of the script included. */
  draws = 0;

  constructor(
    private readonly values: readonly U64[],
    private readonly after: U64 = { hi: 0, lo: 0 },
  ) {}

  next(): void {
    const value = this.values[this.draws++] ?? this.after;
    this.hi = value.hi;
    this.lo = value.lo;
  }
}
