import type { JSX } from 'preact';
import type { Inspection } from '../../../index.js';
import { plainSeconds, visible } from '../../number-format.js';

/** Updates that the proxy knows of and its balancers do not yet. */
export function MergeWindow({
  merge,
  nowS,
}: {
  readonly merge: Inspection['merge_window'];
  readonly nowS: number;
}): JSX.Element {
  const { window_s: windowS, waiting } = merge;
  return (
    <section>
      <h3>Merge window</h3>
      {waiting.length === 0 && (
        <p class="empty">
          {windowS === 0 ? 'It is 0: nothing waits.' : `No update waits; the window is ${plainSeconds(windowS)}.`}
        </p>
      )}
      {waiting.map(({ priority, due_s: dueS, causes }) => (
        <div class="fact" key={priority} data-bad="true">
          <p>
            priority {priority}: balancers hear in {plainSeconds(Number((dueS - nowS).toFixed(3)))}, at{' '}
            {plainSeconds(dueS)}
          </p>
          <meter
            min={0}
            max={windowS}
            value={windowS - (dueS - nowS)}
            aria-label={`priority ${priority}: part of the window that is over`}
          />
          <ul>
            {causes.map((cause) => (
              <li key={cause}>{visible(cause, 200)}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
