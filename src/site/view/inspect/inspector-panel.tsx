import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { app, clock, useStore } from '../../app-state.js';
import { newest } from '../../newest.js';
import { count, percent, plainSeconds, visible } from '../../number-format.js';
import { clusterOf } from '../../run-at-time.js';
import type { Session } from '../../session.js';
import { Breakers, Outliers } from './outliers.js';
import { MergeWindow, Queue } from './queue.js';
import { PriorityLoads, ZoneRouting } from './priority-loads.js';
import { Table } from './table.js';
import type { ClusterResult, InspectedSubset } from '../../../index.js';
import { Bar, DataTable } from '../data-table.js';
import type { InspectAnswer } from '../../engine/protocol.js';

/** Between two questions while time goes on. */
const LEAST_MS = 200;

/**
 * The state of a cluster at the time shown. It follows the time: one question at a time, and the next as soon as it is
 * answered if the time is another one by then.
 */
function useInspection(session: Session, cluster: string | undefined, hashKey: string | undefined): InspectAnswer {
  const [answer, setAnswer] = useState<InspectAnswer>();
  useEffect(() => {
    if (cluster === undefined) return undefined;
    let over = false;
    let asked: unknown[] = [];
    let timer: number | undefined;
    const ask = newest(async () => {
      timer = undefined;
      // A new run is of a new text.
      const now = [clock.now.t, app.now.run];
      if (over || now.every((value, index) => value === asked[index])) return;
      asked = now;
      const found = await session
        .inspect(cluster, hashKey)
        .catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }));
      if (!isOver() && found !== undefined) setAnswer(found);
      later();
    });
    const isOver = (): boolean => over;
    const later = (): void => {
      timer ??= setTimeout(() => void ask(), LEAST_MS);
    };
    void ask();
    const leave = [clock.subscribe(later), app.subscribe(later)];
    return () => {
      over = true;
      clearTimeout(timer);
      for (const one of leave) one();
    };
  }, [session, cluster, hashKey]);
  return answer;
}

/** More subsets than this are counted only. */
const LISTED = 100;

/** The subsets that exist now, and through which of them, or which fallback, the requests of the run went. */
function Subsets({
  subsets,
  taken,
}: {
  readonly subsets: readonly InspectedSubset[];
  readonly taken: ClusterResult['subsets'];
}): JSX.Element {
  return (
    <section>
      <h3>Subsets</h3>
      <DataTable
        rows={subsets}
        most={LISTED}
        columns={[
          ['Now', ({ subset }) => visible(subset, 60)],
          ['Hosts', ({ hosts, single_host: single }) => `${hosts}${single ? ' (the first takes all)' : ''}`],
          ['Healthy', ({ healthy }) => healthy],
          ['Panic', ({ panic }) => (panic ? <strong class="bad">▲ panic</strong> : 'no')],
        ]}
      />
      {taken.length > 0 && (
        <DataTable
          bare
          caption="What the requests of the whole run took"
          rows={taken.slice(0, LISTED)}
          columns={[
            ['Subset', ({ subset }) => visible(subset, 80)],
            ['Requests', ({ requests }) => count(requests)],
            ['Share', ({ share }) => <Bar part={share}>{percent(share)}</Bar>],
          ]}
        />
      )}
    </section>
  );
}

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
