import type { JSX } from 'preact';
import { app } from '../app-state.js';
import { clusterOf } from '../run-at-time.js';
import { useStore } from '../store.js';
import { visible } from '../number-format.js';

/** The selection of a cluster; nothing where there is only one. */
export function ClusterChoice(): JSX.Element | null {
  const run = useStore(app, (state) => state.run);
  const chosen = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  if (run === undefined || run.clusters.length < 2) return null;
  return (
    <label class="cluster-choice">
      Cluster{' '}
      <select
        value={chosen ?? ''}
        onChange={(event) => app.set({ cluster: event.currentTarget.value, host: undefined })}
      >
        {run.clusters.map(({ name }) => (
          <option key={name} value={name}>
            {visible(name, 80)}
          </option>
        ))}
      </select>
    </label>
  );
}
