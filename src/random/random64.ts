import { type U64, toDecimal } from '../core/u64.js';

/**
 * A source of 64-bit random values, returned as two unsigned 32-bit halves so that no draw allocates.
 *
 * The number and the order of draws are part of a policy's behaviour: call `next()` exactly where the proxy calls its
 * generator, then read `hi` and `lo`.
 */
export interface Random64 {
  /** Upper half of the value drawn last. */
  hi: number;
  /** Lower half of the value drawn last. */
  lo: number;
  /** Draws the next value into `hi` and `lo`. */
  next(): void;
}

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
