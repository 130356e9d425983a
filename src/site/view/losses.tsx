import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRunCluster } from '../app-state.js';
import { shownS } from '../drawn-host.js';
import type { LossCurve, LossesAnswer } from '../engine/engine.js';
import * as session from '../session.js';
import { counted, messageOf, percent, visible } from '../number-format.js';
import { DataTable, Paragraphs } from './controls.js';

/** Lines for more hosts than that are nothing to read. */
const MOST_KILLED = 200;

/** What can I lose: the smallest loss for each harm; a click kills it in the picture. */
export function Losses(): JSX.Element {
  const cluster = useRunCluster();
  const [answer, tell] = useState<LossesAnswer & { readonly of?: string; readonly curve?: LossCurve }>();
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const { name } = cluster;
  const note = (text: string): void => tell({ rows: [], notes: [text] });
  const ask = (): Promise<void> => {
    note('…');
    return session.losses(name).then(
      (found) => tell({ ...found, of: name }),
      (error: unknown) => note(messageOf(error)),
    );
  };
  const draw = (): Promise<void> =>
    session.lossCurve(name).then(
      (curve) => answer && tell({ ...answer, curve }),
      (error: unknown) => note(messageOf(error)),
    );
  return (
    <div class="losses">
      <button onClick={() => void ask()}>What can {visible(name, 60)} lose?</button>
      {answer?.of === name && (
        <DataTable
          caption="The smallest loss that brings each harm"
          rows={answer.rows}
          columns={[
            ['Harm', ({ harm }) => harm],
            ['Loss', ({ loss }) => visible(loss, 300)],
            ['', ({ proven }) => (proven ? 'proven' : 'at most')],
            ['', ({ addresses }) => <Kill addresses={addresses} />],
          ]}
        />
      )}
      {answer?.of === name && answer.curve === undefined && (
        <button onClick={() => void draw()}>Draw the loss of one host after the other</button>
      )}
      {answer?.curve && <Curve curve={answer.curve} />}
      <Paragraphs of={answer?.notes ?? []} class="sum" />
    </div>
  );
}

function Kill({ addresses }: Readonly<{ addresses: readonly string[] }>): JSX.Element | null {
  if (addresses.length === 0 || addresses.length > MOST_KILLED) return null;
  return <button onClick={() => void session.pull({ kind: 'kill', atS: shownS(), hosts: { addresses } })}>Kill</button>;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 170, 44, 14, 12, 24];

/** What fails, and how full a host is, by how many are lost: in the order of the cluster. */
function Curve({ curve: { failed, fullest, edges } }: Readonly<{ curve: LossCurve }>): JSX.Element {
  const last = failed.length - 1;
  const top = fullest.reduce((most, value) => Math.max(most, value), 1);
  const x = (lost: number): number => LEFT + (lost / last) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const lines = [failed, fullest].filter((line) => line.length > 0);
  return (
    <figure class="chart sweep">
      <figcaption class="legend">
        {['requests that fail', 'load of the fullest host'].slice(0, lines.length).map((name, index) => (
          <span key={name} class={`line-of-${index}`}>
            — {name}{' '}
          </span>
        ))}
      </figcaption>
      <svg
        class="sweep-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Loss of one host after the other"
      >
        {[0, 0.5, 1, ...(top > 1.2 ? [top] : [])].map((value) => (
          <g key={value} class="tick">
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value)} dy="0.35em" text-anchor="end">
              {percent(value, 0)}
            </text>
          </g>
        ))}
        {[0, Math.round(last / 2), last].map((lost) => (
          <text key={lost} class="tick" x={x(lost)} y={HEIGHT - 8} text-anchor="middle">
            {lost}
          </text>
        ))}
        {lines.map((line, index) => (
          <g key={index} class={`line-of-${index}`}>
            <polyline points={line.map((value, lost) => `${x(lost)},${y(value)}`).join(' ')} />
          </g>
        ))}
        {edges.map(({ lost, what }) => (
          <line key={`${lost} ${what}`} class="edge" x1={x(lost)} x2={x(lost)} y1={TOP} y2={y(0)}>
            <title>{`${lost} lost: ${what}`}</title>
          </line>
        ))}
      </svg>
      <Paragraphs of={edges.map(({ lost, what }) => `${counted(lost, 'host')} lost of ${last}: ${what}`)} class="sum" />
    </figure>
  );
}
