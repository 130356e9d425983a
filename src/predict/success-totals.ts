import { shareOf } from '../core/rounding.js';
import type { PredictedSuccess } from './generated/prediction.js';
import { isObstacle, type Obstacle } from './obstacle.js';

/** The chance that a request succeeds, by the tries that it may take. */
export interface Success {
  readonly after: readonly number[];
  /** Bound of the error, 0–1; an estimate where it is approximate. */
  readonly error: number;
  readonly approximate: boolean;
}

type Part = Readonly<{ success: Success; count: number }>;

/** undefined: there are no requests. */
export function meanSuccess(parts: readonly Part[]): Success | undefined {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return undefined;
  const tries = parts.reduce((most, { success }) => Math.max(most, success.after.length), 0);
  const after = new Array<number>(tries).fill(0);
  let error = 0;
  for (const { success, count } of parts) {
    const portion = count / total;
    error += portion * success.error;
    for (let attempt = 0; attempt < tries; attempt++) {
      const own = success.after[Math.min(attempt, success.after.length - 1)] ?? 0;
      after[attempt] = Math.min(1, (after[attempt] as number) + portion * own);
    }
  }
  return { after, error, approximate: parts.some(({ success }) => success.approximate) };
}

export class SuccessTotals {
  private readonly parts: Part[] = [];
  private obstacle: Obstacle | undefined;

  add(success: Success | Obstacle, count: number): void {
    if (isObstacle(success)) this.obstacle ??= success;
    else if (count > 0) this.parts.push({ success, count });
  }

  addAll(other: SuccessTotals): void {
    this.obstacle ??= other.obstacle;
    for (const part of other.parts) this.parts.push(part);
  }

  /** undefined: nothing was sent. */
  result(): PredictedSuccess | undefined {
    if (this.obstacle !== undefined) return { method: 'none', obstacle: this.obstacle };
    const mean = meanSuccess(this.parts);
    if (mean === undefined) return undefined;
    const { after, error, approximate } = mean;
    const rounded = after.map(shareOf);
    const known = { chance: rounded.at(-1) ?? 0, after: rounded };
    if (approximate) return { method: 'approximate', error: Math.min(1, error), ...known };
    return error > 1e-9 ? { method: 'numeric', error: Math.min(1, error), ...known } : { method: 'exact', ...known };
  }
}
