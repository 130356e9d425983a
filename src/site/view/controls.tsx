import type { ComponentChildren, JSX } from 'preact';
import { HEALTH_NAMES } from '../engine/picture.js';
import { visible } from '../number-format.js';

type Named<Value> = readonly (readonly [value: Value, name: string])[];
type ChoiceProps<Value> = Readonly<{ value: Value; of: Named<Value>; choose: (value: Value) => void }>;

/** One of several values, by their names. */
export function Choice<Value extends string | number>({ value, of, choose }: ChoiceProps<Value>) {
  const chosen = (place: number): void => of.slice(place, place + 1).forEach(([one]) => choose(one));
  return (
    <select value={value} onChange={(event) => chosen(event.currentTarget.selectedIndex)}>
      {of.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** That of a line, or of a host, by its number. */
export const colourOf = (index: number): Readonly<{ color: string }> => ({ color: `var(--line-${index})` });

type ParagraphsProps = Readonly<{ of: readonly string[]; most?: number; class?: string }>;

/** Sentences below each other, each of `most` characters. */
export const Paragraphs = ({ of, most = 1000, ...rest }: ParagraphsProps) => (
  <>
    {of.map((text) => (
      <p key={text} {...rest}>
        {visible(text, most)}
      </p>
    ))}
  </>
);

/** Each has its own shape: colour alone is not enough for all readers. */
const SHAPES = ['·', '●', '◐', '✕'] as const;

export function Health({ code }: Readonly<{ code: number }>) {
  const name = HEALTH_NAMES[code] ?? 'absent';
  return (
    <span class="health" data-health={name}>
      <span aria-hidden="true">{SHAPES[code] ?? '·'}</span> <span>{name}</span>
    </span>
  );
}

/** A column: its head, and what a row has in it; false: it is left out. */
export type Column<Row> =
  | readonly [
      head: ComponentChildren,
      cell: (row: Row, index: number) => ComponentChildren,
      kind?: 'number' | 'zone' | 'latency' | 'hosts',
    ]
  | false;

/** A table with a row for each of `rows`; those after `most` are counted only. The first column names a row. */
export function DataTable<Row>({
  columns,
  rows,
  most = Infinity,
  caption,
  isChosen,
  bare = false,
  ...rest
}: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly most?: number;
  readonly caption?: JSX.Element | string;
  readonly isChosen?: (row: Row, index: number) => boolean;
  /** Without heads. */
  readonly bare?: boolean;
  readonly class?: string;
}) {
  const shown = columns.filter((column) => column !== false);
  return (
    <>
      <table {...rest}>
        {typeof caption === 'string' ? <caption>{caption}</caption> : caption}
        {!bare && (
          <thead>
            <tr>
              {shown.map(([head], column) => (
                <th scope="col" key={column}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.slice(0, most).map((row, index) => (
            <tr key={index} data-chosen={isChosen?.(row, index)}>
              {shown.map(([head, cell, kind], column) =>
                column === 0 ? (
                  <th scope="row" key={column}>
                    {cell(row, index)}
                  </th>
                ) : (
                  <td key={column} class={kind} data-head={head}>
                    {cell(row, index)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p class="empty">and {rows.length - most} more</p>}
    </>
  );
}

type BarProps = Readonly<{
  part: number;
  from?: number | undefined;
  to?: number | undefined;
  children: ComponentChildren;
}>;

/** A part of something, 0–1, as a bar behind its figure, and where it may end. */
export const Bar = ({ part, from, to, children }: BarProps) => (
  <div class="share">
    <span class="bar" style={{ width: `${part * 100}%` }} />
    {from !== undefined && to !== undefined && (
      <span class="allowed" style={{ left: `${from * 100}%`, right: `${100 - to * 100}%` }} />
    )}
    <span class="figure">{children}</span>
  </div>
);
