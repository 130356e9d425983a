import type { Health } from '../host/host.js';
import type { RowStates as Columns } from '../result/phases.js';
import { HEALTHS } from '../result/phases.js';

/** The state of the rows at one moment. */
export class RowStates {
  constructor(readonly listed: Columns) {}

  /** Whether both states are equal. */
  isAs({ listed: other }: RowStates): boolean {
    const { rows, weights, healths } = this.listed;
    return rows === other.rows && weights === other.weights && healths === other.healths;
  }

  /**
   * By row index: its weight, and its kind: 0 where the row is not listed, else for {@link healthOf}.
   *
   * @param rows how many there are.
   */
  columns(rows: number): { readonly weights: Float64Array; readonly kinds: Uint8Array } {
    const { listed } = this;
    const weights = new Float64Array(rows).fill(1);
    const kinds = new Uint8Array(rows);
    for (let at = 0; at < listed.rows.length; at++) {
      const row = listed.rows[at] as number;
      weights[row] = listed.weights[at] as number;
      kinds[row] = 1 + (listed.healths[at] as number);
    }
    return { weights, kinds };
  }
}

/** A row that is not listed is shown as healthy: it got requests while it was there. */
export function healthOf(kind: number): Health {
  return HEALTHS[kind - 1] ?? 'healthy';
}
