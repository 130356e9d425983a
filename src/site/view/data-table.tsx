import type { ComponentChildren, JSX } from 'preact';
import { HEALTH_NAMES } from '../engine/picture.js';

/** Each has its own shape: colour alone is not enough for all readers. */
const SHAPES = ['·', '●', '◐', '✕'] as const;

export function Health({ code }: { readonly code: number }): JSX.Element {
  const name = HEALTH_NAMES[code] ?? 'absent';
  return (
    <span class="health" data-health={name}>
      <span aria-hidden="true">{SHAPES[code] ?? '·'}</span> <span>{name}</span>
    </span>
  );
}

/** A table with a row for each of `rows`; those after `most` are counted only. */
export function DataTable<Row>({
  heads = [],
  rows,
  most = Infinity,
  caption,
  children: row,
  ...rest
}: {
  /** Of the columns; false: this column is left out. */
  readonly heads?: readonly (string | false)[];
  readonly rows: readonly Row[];
  readonly most?: number;
  readonly caption?: JSX.Element | string;
  /** Its `<tr>`. */
  readonly children: (row: Row, index: number) => JSX.Element | null;
  readonly class?: string;
}): JSX.Element {
  const shown = heads.filter((head) => head !== false);
  return (
    <>
      <table {...rest}>
        {typeof caption === 'string' ? <caption>{caption}</caption> : caption}
        {shown.length > 0 && (
          <thead>
            <tr>
              {shown.map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{rows.slice(0, most).map(row)}</tbody>
      </table>
      {rows.length > most && <p class="empty">and {rows.length - most} more</p>}
    </>
  );
}

/** A cell that shows a part of something, 0–1, as a bar. */
export function BarCell({
  part,
  children,
}: {
  readonly part: number;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <td>
      <div class="share">
        <span class="bar" style={{ width: `${part * 100}%` }} />
        <span class="figure">{children}</span>
      </div>
    </td>
  );
}
