import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { app } from '../app-state.js';
import { clusterOf } from '../run-at-time.js';
import type { Session } from '../session.js';
import { useStore } from '../store.js';
import { visible } from '../number-format.js';

/** One decision step by step, and the reasons for the share of the chosen host. */
export function Decision({ session }: { readonly session: Session }): JSX.Element {
  const cluster = useStore(app, (state) => clusterOf(state.run, state.cluster));
  const address = useStore(app, (state) => cluster?.hosts[state.host ?? -1]?.address);
  const [story, tell] = useState('');
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const ask = async (host: string | undefined): Promise<void> => {
    tell('…');
    try {
      tell(await session.explain(cluster.name, host));
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <p class="buttons">
        <button type="button" onClick={() => void ask(undefined)}>
          Tell the next decision
        </button>
        {address !== undefined && (
          <button type="button" onClick={() => void ask(address)}>
            Why does {visible(address, 40)} get what it gets?
          </button>
        )}
      </p>
      {address === undefined && <p class="empty">Choose a host in the flow or the split to ask about it.</p>}
      {story !== '' && (
        <pre class="story" tabIndex={0} aria-label="Explanation" role="region">
          {story}
        </pre>
      )}
    </>
  );
}
