import type { Health } from '../host/host.js';
import type { LevelSnapshot } from './level-snapshot.js';
import { DEGRADED, UNHEALTHY } from './member.js';

/** Kinds of rows: nobody lists it; else what its host is. */
const ABSENT = 0;
const KINDS: readonly Health[] = ['healthy', 'healthy', 'degraded', 'unhealthy'];

/** How rows stood at one moment. Snapshots do not change, so that they can be read when somebody asks. */
export class RowStates {
  constructor(private readonly levels: readonly (LevelSnapshot | undefined)[]) {}

  /** Rows stood as they did then. */
  isAs({ levels }: RowStates): boolean {
    return levels.length === this.levels.length && levels.every((level, priority) => level === this.levels[priority]);
  }

  /**
   * By row index: its weight, and its kind: 0 where nobody lists the row, else for {@link healthOf}. Of hosts that have one
   * row the first counts.
   *
   * @param rows how many there are.
   */
  columns(rows: number): { readonly weights: Float64Array; readonly kinds: Uint8Array } {
    const weights = new Float64Array(rows).fill(1);
    const kinds = new Uint8Array(rows);
    for (const level of this.levels) {
      if (level === undefined) continue;
      for (let i = 0; i < level.rows.length; i++) {
        const row = level.rows[i] as number;
        if (kinds[row] !== ABSENT) continue;
        const state = level.states[i] as number;
        kinds[row] = (state & UNHEALTHY) !== 0 ? 3 : (state & DEGRADED) !== 0 ? 2 : 1;
        weights[row] = level.weights[i] as number;
      }
    }
    return { weights, kinds };
  }
}

/** A row that nobody lists is shown as healthy: it got requests while it was there. */
export function healthOf(kind: number): Health {
  return KINDS[kind] ?? 'healthy';
}
