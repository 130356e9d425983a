/** Eighths of a line, from almost nothing to full. */
const LEVELS = '▁▂▃▄▅▆▇█';

/** A column for each value, with a height relative to `most`; 0 is a dot, and an unknown value a gap. */
export function sparkline(values: readonly (number | null)[], most: number): string {
  return values
    .map((value) => {
      if (value === null) return ' ';
      if (value <= 0) return '·';
      const level = most <= 0 ? 0 : Math.ceil((value / most) * LEVELS.length) - 1;
      return LEVELS.charAt(Math.min(LEVELS.length - 1, Math.max(0, level)));
    })
    .join('');
}

/** How many values a column stands for, where there is room for `columns`. */
export function columnWidth(values: number, columns: number): number {
  return Math.max(1, Math.ceil(values / columns));
}

/** As many columns as fit: neighbours are combined by `of`. */
export function inColumns<Value, Column>(
  values: readonly Value[],
  columns: number,
  of: (values: readonly Value[]) => Column,
): Column[] {
  const each = columnWidth(values.length, columns);
  return Array.from({ length: Math.ceil(values.length / each) }, (_, at) =>
    of(values.slice(at * each, (at + 1) * each)),
  );
}
