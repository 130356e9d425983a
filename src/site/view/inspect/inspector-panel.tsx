import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { app } from '../../app-state.js';
import { plainSeconds, visible } from '../../number-format.js';
import { clusterOf } from '../../run-at-time.js';
import type { Session } from '../../session.js';
import { useStore } from '../../store.js';
import { Breakers, Outliers } from './outliers.js';
import { MergeWindow, Queue } from './queue.js';
import { PriorityLoads, ZoneRouting } from './priority-loads.js';
import { Subsets } from './subsets.js';
import { Table } from './table.js';
import { useInspection } from './use-inspection.js';

/** What the first worker of the first proxy holds at the time shown: each part that the cluster has. */
export function InspectorPanel({ session }: { readonly session: Session }): JSX.Element {
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const chosen = useStore(app, (state) => cluster?.hosts[state.host ?? -1]?.address);
  const [key, setKey] = useState('');
  const state = useInspection(session, cluster?.name, key === '' ? undefined : key);
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  if (state === undefined) return <p class="empty">Running until the time shown …</p>;
  if ('problem' in state) return <p class="empty">{visible(state.problem, 500)}</p>;
  if (!state.present) return <p class="empty">The cluster has been removed by then.</p>;
  return (
    <div class="inspector">
      <p class="note">
        At {plainSeconds(Number(state.at_s.toFixed(3)))}, as worker {state.worker} of {visible(state.proxy, 40)} holds
        it.
      </p>
      {state.tables.length > 0 && (
        <Table tables={state.tables} found={state.key} chosen={chosen} keyTyped={key} onKey={setKey} />
      )}
      <PriorityLoads state={state} />
      <Queue lists={state.lists} policy={state.policy} chosen={chosen} hashes={state.tables.length > 0} />
      {state.zone !== null && <ZoneRouting zone={state.zone} />}
      {state.subsets.length > 0 && <Subsets subsets={state.subsets} taken={cluster.subsets} />}
      <MergeWindow merge={state.merge_window} nowS={state.at_s} />
      <Outliers outliers={state.outliers} />
      <Breakers breakers={state.breakers} />
    </div>
  );
}
