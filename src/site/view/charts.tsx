import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { app } from '../app-state.js';
import type { RunPicture } from '../engine/picture.js';
import { useStore } from '../store.js';
import { Chart } from './chart.js';
import { chartsOf } from './series.js';
import { useCluster } from './use-run.js';

/** Quantities over time, below each other on one axis. */
export function Charts({
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
