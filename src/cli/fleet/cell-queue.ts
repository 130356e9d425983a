import type { RunSummary } from '../../analysis/replicate/estimates.js';
import type { Cell, CellResult } from '../cell.js';

/** Of every key. */
export const PREFIX = 'lbsim';

/** Cells of one version of lbsim: another one may count otherwise, and never sees them. */
export function queueOf(version: string): string {
  return `cells-${version}`;
}

/** What cells have in common is stored once. */
export function contextKey(id: string): string {
  return `${PREFIX}:context:${id}`;
}

/** After so long without a sweep that wants it, in seconds. */
export const CONTEXT_S = 3600;

/** How long results wait for whoever asked for them, in seconds: a sweep that died finds them when it goes on. */
export const KEPT_S = 3600;

/** How often a cell is tried. */
export const ATTEMPTS = 3;

/** Why a cell was stopped that no sweep waited for any more: whoever wants it now hands it out again. */
export const UNWANTED = 'the sweep that wanted it has ended';

/** The data of a job, whose id is the `cellId`: one that is there is not added again. */
export interface CellJob extends Cell {
  /** Of `contextId`. */
  readonly context: string;
}

/** The result of a job, as JSON has it. */
export type CellAnswer =
  | { readonly run: Omit<RunSummary, 'numbers'>; readonly numbers: Readonly<Record<string, number>> }
  | { readonly problem: string; readonly isLimit?: true };

export function answerOf(result: CellResult): CellAnswer {
  if (result.kind === 'problem') {
    const { problem, isLimit } = result;
    return { problem, ...(isLimit && { isLimit }) };
  }
  const { numbers, ...run } = result.run;
  return { run, numbers: Object.fromEntries(numbers) };
}

export function resultOf(answer: CellAnswer): CellResult {
  if ('problem' in answer) return { kind: 'problem', ...answer };
  return { kind: 'run', run: { ...answer.run, numbers: new Map(Object.entries(answer.numbers)) } };
}
