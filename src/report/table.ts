import { largest } from '../core/values.js';
import { decimal } from './format.js';
import { type ReportLayout, bar, displayWidth, shorten } from './layout.js';

export interface Column {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly align?: 'left' | 'right';
  /** A name: may be shortened as a last resort. Numbers never are. */
  readonly name?: true;
  /** Stays in the same block as the column before it. */
  readonly sharesHeading?: true;
  /** Applied after the widths are settled. */
  readonly paint?: (text: string, row: number) => string;
}

/** Makes columns of what each says of a row: `number` to the right, `name` to be shortened. @param rows undefined: empty cells. */
export function columnsOf<Row>(rows: readonly (Row | undefined)[]) {
  const kind =
    (of: Partial<Column>) =>
    (heading: string, cell: (row: Row) => string, own: Partial<Column> = {}): Column => ({
      heading,
      cells: rows.map((row) => (row === undefined ? '' : cell(row))),
      ...of,
      ...own,
    });
  return { text: kind({}), name: kind({ name: true }), number: kind({ align: 'right' }) };
}

export interface Bar {
  /** 0–1 */
  readonly share: number;
  /** The part of it, 0–1, that failed, shown at the end of the bar. */
  readonly failed: number;
}

const MAX_BAR = 24;
/** Minimum width for the heading with the scale. */
const MIN_BAR = 10;

/**
 * Aligned columns in `width`. To save room, in this order: bars get shorter and disappear; gaps halve; columns move into a
 * second table below, with the first column repeated; names are shortened in their middle. A number is never lost.
 *
 * @param some false: a column that is left out.
 * @param bars one per row.
 */
export function table(
  some: readonly (Column | false)[],
  layout: TableLayout,
  indent: number,
  bars?: readonly Bar[],
): string[] {
  const columns = some.flatMap((column) => (column === false ? [] : [measured(column)]));
  const room = layout.width - indent;
  const wide = tableWidth(columns, 2);
  const barWidth = Math.min(MAX_BAR, room - wide - 2);
  const lines = (shown: readonly Measured[], gap: number): string[] => render(shown, gap, indent, layout);
  if (layout.bars && bars !== undefined && barWidth >= MIN_BAR && wide + 2 + barWidth <= room)
    return lines([...columns, measured(barColumn(bars, barWidth, layout))], 2);
  if (wide <= room) return lines(columns, 2);
  if (tableWidth(columns, 1) <= room) return lines(columns, 1);
  return split(columns, room).flatMap((part) => lines(part, 1));
}

type TableLayout = Pick<ReportLayout, 'width' | 'paint' | 'bars' | 'barScale'>;

type Measured = ReturnType<typeof measured>;

/** A column with its width, and those of its heading and of each cell. */
function measured(column: Column) {
  const headingWidth = displayWidth(column.heading);
  const widths = column.cells.map(displayWidth);
  return { ...column, headingWidth, widths, width: largest(widths, headingWidth) };
}

/** Bars below a heading with the scale; failed parts are hatched, and red where there are colours. */
function barColumn(bars: readonly Bar[], width: number, { barScale = 1, paint }: TableLayout): Column {
  const fails = bars.some(({ share, failed }) => share > 0 && failed > 0);
  const scale = `0 to ${decimal(100 * barScale, 1)} %`;
  const legend = `${scale}, ${FAILED} failed`;
  const parts = bars.map(({ share, failed }) => {
    const whole = width * Math.min(1, share / barScale);
    const lost = share > 0 && failed > 0 ? Math.max(1, Math.round(whole * Math.min(1, failed))) : 0;
    const good = bar(Math.min(1, share / barScale) * (1 - Math.min(1, failed)), width);
    return { good: good.slice(0, width - lost), lost: FAILED.repeat(lost) };
  });
  return {
    heading: fails && displayWidth(legend) <= width ? legend : scale,
    cells: parts.map(({ good, lost }) => good + lost),
    paint: (_, row) => paint.bar(parts[row]?.good ?? '') + paint.bad(parts[row]?.lost ?? ''),
  };
}

const FAILED = '▒';

/** Blocks that each fit, led by the first column; columns that belong together move together where they can. */
function split(columns: readonly Measured[], room: number): Measured[][] {
  const [key, ...rest] = columns;
  if (key === undefined) return [];
  const widest = Math.max(0, ...rest.map(({ width }) => width));
  const first = narrow(key, Math.max(12, room - widest - 1));
  const fitting = rest.map((column) => narrow(column, Math.max(8, room - first.width - 1)));
  const parts: Measured[][] = [];
  let part: Measured[] = [first];
  fitting.forEach((column, index) => {
    const following = fitting.slice(index + 1);
    const end = following.findIndex((next) => next.sharesHeading !== true);
    const together = column.sharesHeading === true ? [] : following.slice(0, end < 0 ? following.length : end);
    if (part.length > 1 && tableWidth([...part, column, ...together], 1) > room) {
      parts.push(part);
      part = [first];
    }
    part.push(column);
  });
  parts.push(part);
  return parts;
}

function narrow(column: Measured, width: number): Measured {
  if (column.name !== true || column.width <= width) return column;
  return measured({ ...column, cells: column.cells.map((cell) => shorten(cell, width)) });
}

const tableWidth = (columns: readonly Measured[], gap: number): number =>
  columns.reduce((sum, { width }) => sum + width, gap * (columns.length - 1));

function render(columns: readonly Measured[], gap: number, indent: number, { paint }: TableLayout): string[] {
  const lineOf = (cellOf: (column: Measured) => string): string =>
    (' '.repeat(indent) + columns.map(cellOf).join(' '.repeat(gap))).trimEnd();
  const headings = lineOf((column) => {
    const { heading, headingWidth } = column;
    return padded(column, heading === '' ? '' : paint.faint(heading), headingWidth);
  });
  const rows = Array.from(
    {
      length: largest(
        columns.map(({ cells }) => cells.length),
        0,
      ),
    },
    (_, row) =>
      lineOf((column) => {
        const cell = column.cells[row] ?? '';
        const painted = cell === '' ? '' : (column.paint?.(cell, row) ?? cell);
        return padded(column, painted, column.widths[row] ?? 0);
      }),
  );
  return [headings, ...rows];
}

/** @param own columns that the text takes. */
function padded({ align, width }: Measured, text: string, own: number): string {
  const padding = ' '.repeat(width - own);
  return align === 'right' ? padding + text : text + padding;
}
