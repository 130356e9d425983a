import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useRunCluster } from '../app-state.js';
import { shownS } from '../drawn-host.js';
import type { LossesAnswer } from '../engine/engine.js';
import { visible } from '../number-format.js';
import * as session from '../session.js';
import { Paragraphs } from './controls.js';
import { DataTable } from './data-table.js';

/** Lines for more hosts than that are nothing to read. */
const MOST_KILLED = 200;

/** What can I lose: the smallest loss for each harm; a click kills it in the picture. */
export function Losses(): JSX.Element {
  const cluster = useRunCluster();
  const [answer, tell] = useState<LossesAnswer & { readonly of?: string }>();
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const { name } = cluster;
  const ask = async (): Promise<void> => {
    tell({ rows: [], notes: ['…'] });
    try {
      tell({ ...(await session.losses(name)), of: name });
    } catch (error) {
      tell({ rows: [], notes: [error instanceof Error ? error.message : String(error)] });
    }
  };
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
      <Paragraphs of={answer?.notes ?? []} class="sum" />
    </div>
  );
}

function Kill({ addresses }: { readonly addresses: readonly string[] }): JSX.Element | null {
  if (addresses.length === 0 || addresses.length > MOST_KILLED) return null;
  return <button onClick={() => void session.pull({ kind: 'kill', atS: shownS(), hosts: { addresses } })}>Kill</button>;
}
