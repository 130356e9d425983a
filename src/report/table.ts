import { largest } from '../core/lists.js';
import { bar, displayWidth, shorten } from './layout.js';
import type { Paint } from './paint.js';

/** One column: a heading and a cell per row. */
export interface Column {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
  /** A name: may be shortened where all else fails. Numbers never are. */
  readonly name?: true;
  /** Stays in the same block as the column before it. */
  readonly beside?: true;
  /** Applied after the widths are settled. */
  readonly paint?: (text: string, row: number) => string;
}

export interface TableOptions {
  readonly width: number;
  readonly indent: number;
  readonly paint: Paint;
  /** 0–1 of the longest bar, a row each; undefined: no bars. */
  readonly bars?: readonly number[] | undefined;
}

const MAX_BAR = 24;
const MIN_BAR = 6;

/**
 * Aligned columns in `width`. What gives way, in this order: the bars get shorter and go; the gaps halve; columns move
 * into a second table under the first, with the first column repeated; names are cut in their middle. A number is never
 * lost.
 */
export function table(columns: readonly Column[], options: TableOptions): string[] {
  const room = options.width - options.indent;
  const wide = tableWidth(columns, 2);
  const barWidth = Math.min(MAX_BAR, room - wide - 2);
  if (options.bars !== undefined && barWidth >= MIN_BAR && wide + 2 + barWidth <= room) {
    const cells = options.bars.map((share) => bar(share, barWidth));
    return render([...columns, { heading: '', cells, paint: options.paint.bar }], 2, options);
  }
  if (wide <= room) return render(columns, 2, options);
  if (tableWidth(columns, 1) <= room) return render(columns, 1, options);
  return split(columns, room).flatMap((part) => render(part, 1, options));
}

/** Blocks that each fit, led by the first column; columns that belong together move together where they can. */
function split(columns: readonly Column[], room: number): Column[][] {
  const [key, ...rest] = columns;
  if (key === undefined) return [];
  const widest = largest(rest.map(columnWidth), 0);
  const first = narrow(key, Math.max(12, room - widest - 1));
  const fitting = rest.map((column) => narrow(column, Math.max(8, room - columnWidth(first) - 1)));
  const parts: Column[][] = [];
  let part: Column[] = [first];
  fitting.forEach((column, index) => {
    const following = fitting.slice(index + 1);
    const end = following.findIndex((next) => next.beside !== true);
    const together = column.beside === true ? [] : following.slice(0, end < 0 ? following.length : end);
    if (part.length > 1 && tableWidth([...part, column, ...together], 1) > room) {
      parts.push(part);
      part = [first];
    }
    part.push(column);
  });
  parts.push(part);
  return parts;
}

function narrow(column: Column, width: number): Column {
  if (column.name !== true || columnWidth(column) <= width) return column;
  return { ...column, cells: column.cells.map((cell) => shorten(cell, width)) };
}

function columnWidth(column: Column): number {
  return column.cells.reduce((width, cell) => Math.max(width, displayWidth(cell)), displayWidth(column.heading));
}

function tableWidth(columns: readonly Column[], gap: number): number {
  return columns.reduce((width, column) => width + columnWidth(column), gap * (columns.length - 1));
}

function render(columns: readonly Column[], gap: number, { indent, paint }: TableOptions): string[] {
  const widths = columns.map(columnWidth);
  const line = (cellOf: (column: Column) => string, paintOf: (column: Column, cell: string) => string): string => {
    let text = ' '.repeat(indent);
    for (const [index, column] of columns.entries()) {
      const cell = cellOf(column);
      const padding = ' '.repeat((widths[index] as number) - displayWidth(cell));
      const painted = cell === '' ? '' : paintOf(column, cell);
      text += (column.align === 'right' ? padding + painted : painted + padding) + ' '.repeat(gap);
    }
    return text.trimEnd();
  };
  const rows = columns.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return [
    line(
      ({ heading }) => heading,
      (_, heading) => paint.faint(heading),
    ),
    ...Array.from({ length: rows }, (_, row) =>
      line(
        ({ cells }) => cells[row] ?? '',
        (column, cell) => column.paint?.(cell, row) ?? cell,
      ),
    ),
  ];
}
