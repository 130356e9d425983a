import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { app } from '../app-state.js';
import { clusterOf } from '../run-at-time.js';
import { useStore } from '../store.js';
import { Chart } from './chart.js';
import { courseCharts, shareChart } from './series.js';

/** Quantities over time, below each other on one axis. */
export function Charts(): JSX.Element | null {
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const zoom = useStore(app, (state) => state.zoom);
  const charts = useMemo(
    () => (cluster === undefined ? [] : [shareChart(cluster), ...courseCharts(cluster)]),
    [cluster],
  );
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
