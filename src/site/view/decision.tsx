import { useRef, useState } from 'preact/hooks';
import { useChosenHost, useRunCluster } from '../app-state.js';
import type { Question } from '../engine/engine.js';
import * as session from '../session.js';
import { messageOf, visible } from '../number-format.js';

/** Questions that the engine answers in words. */

export function Decision() {
  const cluster = useRunCluster();
  const chosen = useChosenHost(cluster);
  const address = cluster?.hosts[chosen]?.address;
  const [story, tell] = useState('');
  const [key, setKey] = useState('');
  const [number, setNumber] = useState('0');
  const panel = useRef<HTMLDivElement>(null);
  if (cluster === undefined) return <p class="empty">No run yet.</p>;
  const ask = async (about: Question): Promise<void> => {
    tell('…');
    const width = Math.max(34, Math.floor(((panel.current?.clientWidth ?? 0) - 4) / CHARACTER_PX));
    tell(await session.reader.ask('explain', { ...session.about(cluster.name), about, width }).catch(messageOf));
  };
  const submitting =
    (about: () => Question) =>
    (event: Event): void => {
      event.preventDefault();
      void ask(about());
    };
  return (
    <div class="decision" ref={panel}>
      <form class="ask" onSubmit={submitting(() => ({ kind: 'decision', hashKey: key === '' ? undefined : key }))}>
        <label>
          Hash key{' '}
          <input value={key} placeholder="as the workload" onInput={(event) => setKey(event.currentTarget.value)} />
        </label>
        <button type="submit">Tell the next decision</button>
      </form>
      <form class="ask" onSubmit={submitting(() => ({ kind: 'request', number: Number(number) }))}>
        <label>
          Request{' '}
          <input
            type="number"
            min={0}
            step={1}
            required
            value={number}
            onInput={(event) => setNumber(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Tell its path</button>
      </form>
      {address !== undefined && (
        <button onClick={() => void ask({ kind: 'host', address })}>
          Why does {visible(address, 40)} get what it gets?
        </button>
      )}
      {address === undefined && <p class="empty">Choose a host in the flow or the split to ask about it.</p>}
      {story !== '' && (
        <pre class="story" tabIndex={0} aria-label="Explanation" role="region">
          {story}
        </pre>
      )}
    </div>
  );
}

/** Width of a character of a story, in pixels. */
const CHARACTER_PX = 7.3;
