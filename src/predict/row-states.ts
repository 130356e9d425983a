import type { Health } from '../host/host.js';
import { HEALTHS, type RowStates } from '../result/phases.js';

/** Whether both are equal: columns that did not change are the same objects. */
export function areSameStates(one: RowStates, other: RowStates): boolean {
  return one.rows === other.rows && one.weights === other.weights && one.healths === other.healths;
}

/**
 * By row index: its weight, and its kind: 0 where the row is not listed, else for {@link healthOf}.
 *
 * @param rows how many there are.
 */
export function statesByRow(
  listed: RowStates,
  rows: number,
): { readonly weights: Float64Array; readonly kinds: Uint8Array } {
  const weights = new Float64Array(rows).fill(1);
  const kinds = new Uint8Array(rows);
  for (let at = 0; at < listed.rows.length; at++) {
    const row = listed.rows[at] as number;
    weights[row] = listed.weights[at] as number;
    kinds[row] = 1 + (listed.healths[at] as number);
  }
  return { weights, kinds };
}

/** A row that is not listed is shown as healthy: it got requests while it was there. */
export function healthOf(kind: number): Health {
  return HEALTHS[kind - 1] ?? 'healthy';
}
