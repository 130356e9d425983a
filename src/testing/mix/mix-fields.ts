import fc from 'fast-check';

/** A scenario, or a part of one, as a file would hold it. */
export type Json = Record<string, unknown>;

/** Most of the time the default. */
export function sometimes<T>(...values: readonly T[]): fc.Arbitrary<T | undefined> {
  return fc.constantFrom<T | undefined>(undefined, undefined, ...values);
}
