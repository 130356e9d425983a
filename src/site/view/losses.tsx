import { useState } from 'preact/hooks';
import { shownS, useRunCluster } from '../app-state.js';
import type { LossCurve, LossesAnswer } from '../engine/engine.js';
import * as session from '../session.js';
import { counted, messageOf, visible } from '../number-format.js';
import { ChartFigure } from './chart-figure.js';
import { DataTable, Paragraphs } from './controls.js';

/** Lines for more hosts than that are nothing to read. */
const MOST_KILLED = 200;

/** What can I lose: the smallest loss for each harm; a click kills it in the picture. */
export function Losses() {
  const cluster = useRunCluster();
  const [answer, tell] = useState<LossesAnswer & { readonly of?: string; readonly curve?: LossCurve }>();
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const { name } = cluster;
  const note = (text: string): void => tell({ rows: [], notes: [text] });
  const ask = (): Promise<void> => {
    note('…');
    return session.reader.ask('losses', session.about(name)).then(
      (found) => tell({ ...found, of: name }),
      (error: unknown) => note(messageOf(error)),
    );
  };
  const draw = (): Promise<void> =>
    session.reader.ask('lossCurve', session.about(name)).then(
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

function Kill({ addresses }: Readonly<{ addresses: readonly string[] }>) {
  if (addresses.length === 0 || addresses.length > MOST_KILLED) return null;
  return <button onClick={() => void session.pull({ kind: 'kill', atS: shownS(), hosts: { addresses } })}>Kill</button>;
}

/** In the order of the cluster. */
function Curve({ curve: { failed, fullest, edges } }: Readonly<{ curve: LossCurve }>) {
  const last = failed.length - 1;
  const edgeAt = (at: number): string => edges.flatMap(({ lost, what }) => (lost === at ? [what] : [])).join('; ');
  const line = (name: string, values: readonly number[]) => ({
    name,
    dots: values.map((mean, lost) => ({ x: lost / last, mean, low: mean, high: mean, label: edgeAt(lost) })),
  });
  const chart = {
    lines: [
      line('requests that fail', failed),
      ...(fullest.length > 0 ? [line('load of the fullest host', fullest)] : []),
    ],
    left: 0,
    joined: true,
    ticks: [0, last].map((lost) => ({ x: lost / last, text: String(lost) })),
    top: fullest.reduce((most, value) => Math.max(most, value), 1),
  };
  return (
    <>
      <ChartFigure
        measure={{ name: 'One host after the other', unit: '%' }}
        field="hosts lost"
        chart={chart}
        width={360}
      />
      <Paragraphs of={edges.map(({ lost, what }) => `${counted(lost, 'host')} lost of ${last}: ${what}`)} class="sum" />
    </>
  );
}
