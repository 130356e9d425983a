import type { JSX } from 'preact';
import { app, useCluster, useStore } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { visible } from '../number-format.js';
import type { Session } from '../session.js';
import { Flow } from './flow.js';
import { Lanes } from './lanes.js';
import { useMemo } from 'preact/hooks';
import { Chart } from './chart.js';
import { chartsOf } from './series.js';

/** Quantities over time, below each other on one axis. */
function Charts({
  run,
  beside,
}: {
  readonly run: RunPicture | undefined;
  /** The other run of a comparison: scales are those of both. */
  readonly beside?: RunPicture | undefined;
}): JSX.Element | null {
  const cluster = useCluster(run);
  const other = useCluster(beside);
  const zoom = useStore(app, (state) => state.zoom);
  const charts = useMemo(() => (cluster === undefined ? [] : chartsOf(cluster, other)), [cluster, other]);
  return (
    <div class="charts">
      {zoom !== undefined && (
        <button type="button" class="unzoom" onClick={() => app.set({ zoom: undefined })}>
          Show the whole run
        </button>
      )}
      {charts.map((data) => (
        <Chart key={data.title} data={data} />
      ))}
    </div>
  );
}

/** The pictures of the run, or those of two runs side by side on one clock. */
export function Pictures({ session }: { readonly session: Session }): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const ahead = useStore(app, (state) => state.ahead);
  const current = { run: ahead ?? run, isAhead: ahead !== undefined, onWeight: session.weigh };
  const pinned = useStore(app, (state) => state.pinned?.run);
  return <PicturesOf run={run} beside={pinned} flow={<Flow {...current} />} />;
}

/** Of a run, and of another one on its left on the same clock. */
export function PicturesOf({
  run,
  beside,
  flow = <Flow run={run} />,
}: {
  readonly run: RunPicture | undefined;
  readonly beside: RunPicture | undefined;
  readonly flow?: JSX.Element;
}): JSX.Element {
  if (beside === undefined) {
    return (
      <>
        {flow}
        <Lanes run={run} />
        <Charts run={run} />
      </>
    );
  }
  return (
    <div class="sides">
      <SideHead side="A" run={beside} />
      <SideHead side="B" run={run} />
      <Flow run={beside} />
      {flow}
      <Lanes run={beside} />
      <Lanes run={run} />
      <Charts run={beside} beside={run} />
      <Charts run={run} beside={beside} />
    </div>
  );
}

function SideHead({ side, run }: { readonly side: 'A' | 'B'; readonly run: RunPicture | undefined }): JSX.Element {
  const cluster = useCluster(run);
  return (
    <h3 class="side-head">
      <span class="letter">{side}</span> {cluster?.policy} · proxy {run?.versions.join(', ')}{' '}
      <span class="sum">{visible(run?.answer[0] ?? '', 160)}</span>
    </h3>
  );
}
