import type { JSX } from 'preact';
import { app, useStore } from '../app-state.js';
import { clusterOf } from '../run-at-time.js';
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

/**
 * Opens the list of a menu of actions where a key would choose without a look: arrows and letters choose in a closed
 * list, and a choice acts at once.
 */
export function openByKey(event: KeyboardEvent & { readonly currentTarget: HTMLSelectElement }): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!/^(?:Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|[^ ])$/.test(event.key)) return;
  try {
    event.currentTarget.showPicker();
  } catch {
    // Pages that are part of a page of another origin may not: the key does what it does in any list.
    return;
  }
  event.preventDefault();
}

/** A menu of actions. */
export function Choice({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly (readonly [name: string, act: () => void])[];
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value=""
      disabled={options.length === 0}
      onKeyDown={openByKey}
      onChange={(event) => {
        const place = Number(event.currentTarget.value);
        event.currentTarget.value = '';
        options[place]?.[1]();
      }}
    >
      <option value="" disabled>
        {label} …
      </option>
      {options.map(([name], index) => (
        <option key={name} value={String(index)}>
          {name}
        </option>
      ))}
    </select>
  );
}
