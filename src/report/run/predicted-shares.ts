import { sum } from '../../core/lists.js';
import type { Predicted } from '../../result/run-result.js';
import { percent } from '../format.js';
import type { HostRow } from './groups.js';
import { areJudged } from './host-shares.js';
import type { ReportLayout } from '../layout.js';

/** From this many standard errors on, chance is no explanation. */
export const DISAGREES = 5;

/** Whether predictions are shown: on request, or if the run does not agree. */
export function showsPrediction(rows: readonly Predicted[], { predicted }: ReportLayout): boolean {
  return predicted === true ? rows.some((row) => row.predicted_share !== undefined) : disagrees(rows);
}

function disagrees(rows: readonly Predicted[]): boolean {
  return rows.some(({ predicted_z: z = 0 }) => Math.abs(z) > DISAGREES);
}

/**
 * The rows with their expected shares, where too few requests were sent to show them; undefined: counts tell them.
 * A row that expects requests counts as having one.
 */
export function expectedRows(rows: readonly HostRow[]): readonly HostRow[] | undefined {
  if (areJudged(rows) || disagrees(rows)) return undefined;
  const expected = rows.flatMap(({ predicted_share: share, ...row }): HostRow[] =>
    share === undefined ? [] : [{ ...row, share, requests: Math.sign(share) }],
  );
  const isSeen = expected.every(({ share }, index) => percent(share) === percent(rows[index]?.share ?? 0));
  return isSeen || expected.length < rows.length ? undefined : expected;
}

/** So few requests that hosts do not share them by their weights, and no exact shares to tell instead. */
export function areChance(rows: readonly HostRow[]): boolean {
  if (rows.some(({ predicted_share: share }) => share !== undefined)) return false;
  const served = rows.filter(({ requests }) => requests > 0);
  const levels = new Set(served.map(({ priority }) => priority));
  const open = rows.filter((row) => row.requests > 0 || (row.health === 'healthy' && levels.has(row.priority)));
  const total = sum(open.map(({ weight }) => weight));
  return !areJudged(served) && open.some(({ share, weight }) => percent(share) !== percent(weight / total));
}
