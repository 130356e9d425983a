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
