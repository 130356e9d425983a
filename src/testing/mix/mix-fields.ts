import fc from 'fast-check';
import { POOLS } from './generated/pools.js';

/** A scenario, or a part of one, as a file would hold it. */
export type Json = Record<string, unknown>;

/** Most of the time the default. */
export function sometimes<T>(...values: readonly T[]): fc.Arbitrary<T | undefined> {
  return fc.constantFrom<T | undefined>(undefined, undefined, ...values);
}

/** One of pools.yaml. */
export function fromPool(name: keyof typeof POOLS): fc.Arbitrary<Json | undefined> {
  return fc.constantFrom(...POOLS[name]).map((one) => one ?? undefined);
}
