import type { MovedKeysResult } from '../analysis/compare/comparison.js';
import { printable } from '../core/printable.js';
import { count, decimal, percent } from './format.js';
import { type ReportLayout, wrap } from './layout.js';
import { columnsOf, table } from './table.js';

/** An alternative table of a cluster. */
export interface AdvisedTable {
  readonly policy: string;
  readonly size: number;
  /** The busiest host's share of the keys relative to its fair share. */
  readonly peak: number;
  readonly bytes: number;
  /** When one host is lost, on average: parts of all keys. */
  readonly moved: number;
  readonly orphaned: number;
  /** What moves by a change from the current table. */
  readonly from_now: number;
}

/**
 * The smallest table that is even enough comes first. @param target how much more than its fair share a host may get, 0–1.
 */
export function adviceReport(
  cluster: string,
  tables: readonly AdvisedTable[],
  target: number,
  layout: ReportLayout,
): string {
  const fitting = tables.filter(({ peak }) => peak <= 1 + target);
  const [best] = [...fitting].sort((a, b) => a.bytes - b.bytes || a.moved - b.moved);
  const wanted = `at most ${percent(target)} above its fair part`;
  const answer =
    best === undefined
      ? `None of these keeps the busiest host of ${printable(cluster)} ${wanted}.`
      : `${best.policy} with ${count(best.size)} entries is the smallest that keeps the busiest host of ${printable(cluster)} ${wanted}.`;
  const { number, text } = columnsOf(tables);
  const columns = [
    text('policy', ({ policy }) => policy),
    number('entries', ({ size }) => count(size)),
    number('busiest', ({ peak }) => `${peak.toFixed(3)} ×`),
    number('memory', (one) => bytes(one.bytes)),
    number('move if a host goes', ({ moved, orphaned }) => `${percent(orphaned)} + ${percent(moved - orphaned)}`),
    number('to get there', ({ from_now: fromNow }) => percent(fromNow)),
  ];
  const lines = [...wrap(answer, layout.width), '', ...table(columns, layout, 2), ''];
  const words =
    'busiest: in units of its fair part. move if a host goes: keys of that host, and of others without need. ' +
    'to get there: keys that move from the table as it is.';
  return `${[...lines, ...wrap(words, layout.width).map(layout.paint.faint)].join('\n')}\n`;
}

/** "64 kB", "1.2 MB". */
function bytes(value: number): string {
  return value >= 1e6 ? `${decimal(value / 1e6, 1)} MB` : `${decimal(value / 1e3, 0)} kB`;
}

/** The difference between two files. */
export function againstReport(cluster: string, other: string, moved: MovedKeysResult, { width }: ReportLayout): string {
  const text =
    moved.moved === 0
      ? `Every key of ${printable(cluster)} has the same host in ${printable(other)}.`
      : `${percent(moved.moved, 2)} of all keys of ${printable(cluster)} have another host in ${printable(other)}; tables with these shares had to move ${percent(moved.minimum, 2)}, and ${percent(moved.orphaned, 2)} belong to hosts that are gone.`;
  return `${wrap(text, width).join('\n')}\n`;
}
