import { useMemo } from 'preact/hooks';
import type { InspectedKey, InspectedTable } from '../../../index.js';
import { count, percent, visible } from '../../number-format.js';
import { colourOf, DataTable } from '../controls.js';
import { arcPath, arcsOf, pointAt } from './ring-geometry.js';

const SIZE = 250;
const OUTER = 108;
const INNER = 78;
/** More hosts have no colour of their own. */
const COLOURS = 8;
/** More hosts than this are counted only. */
const LISTED = 60;
/** More tables than this are counted only: each subset and priority has one. */
const TABLES = 6;

interface TableProps {
  readonly tables: readonly InspectedTable[];
  readonly found: InspectedKey | null;
  readonly chosen: string | undefined;
  readonly keyTyped: string;
  readonly onKey: (key: string) => void;
}

export const Table = ({ tables, found, chosen, keyTyped, onKey }: TableProps) => (
  <section>
    <h3>{tables[0]?.noun === 'ring' ? 'Ring' : 'Maglev table'}</h3>
    <label class="key-field">
      Where does a key fall?{' '}
      <input
        value={keyTyped}
        placeholder="user-17"
        spellcheck={false}
        onInput={(event) => onKey(event.currentTarget.value)}
      />
    </label>
    {found !== null && (
      <p class="found" role="status">
        <strong>{visible(found.key, 60)}</strong> → {found.host === null ? '✕ nobody' : visible(found.host, 60)}{' '}
        <span class="sum">{found.steps.map((step) => visible(step, 200)).join(' · ')}</span>
      </p>
    )}
    {tables.slice(0, TABLES).map((table) => (
      <Circle
        key={`${table.subset ?? ''} ${table.priority}`}
        table={table}
        found={found}
        chosen={chosen}
        alone={tables.length === 1}
      />
    ))}
    {tables.length > TABLES && <p class="empty">and {tables.length - TABLES} more</p>}
  </section>
);

type CircleProps = Pick<TableProps, 'found' | 'chosen'> & Readonly<{ table: InspectedTable; alone: boolean }>;

function Circle({ table, found, chosen, alone }: CircleProps) {
  const arcs = useMemo(() => arcsOf(table), [table]);
  const { hosts, noun, priority, subset } = table;
  const shown = found !== null && found.priority === priority ? found : null;
  const marked = shown?.host ?? chosen;
  const place = hosts.findIndex(({ address }) => address === marked);
  const name = `${subset === null ? '' : `${visible(subset, 40)}, `}priority ${priority}`;
  return (
    <figure class="circle">
      <svg
        viewBox={`${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`The ${noun} of ${name}: who owns which hashes; the table below says the same`}
      >
        {hosts.map(({ address }, host) => (
          <path
            key={address}
            class="arc"
            style={colourOf(host % COLOURS)}
            data-dim={place >= 0 && place !== host}
            d={arcs
              .filter((arc) => arc.host === host)
              .map((arc) => arcPath(arc, place === host ? INNER - 8 : INNER, OUTER))
              .join('')}
          >
            <title>{visible(address, 80)}</title>
          </path>
        ))}
        {shown !== null && (
          <path class="needle" d={`M${pointAt(shown.position, INNER - 26)}L${pointAt(shown.position, OUTER + 10)}`} />
        )}
        <text y={-4}>{count(table.owners.length)}</text>
        <text y={14} class="says">
          {noun === 'ring' ? 'entries' : 'slots'}
        </text>
      </svg>
      <figcaption>
        {!alone && <p>{name}</p>}
        <DataTable
          rows={hosts}
          most={LISTED}
          isChosen={(_, host) => host === place}
          columns={[
            [
              'Host',
              ({ address }, host) => (
                <>
                  <span class="swatch" style={colourOf(host % COLOURS)} aria-hidden="true" /> {visible(address, 40)}
                </>
              ),
            ],
            ['Entries', ({ entries }) => count(entries)],
            ['Hashes', ({ key_share: share }) => percent(share)],
          ]}
        />
      </figcaption>
    </figure>
  );
}
