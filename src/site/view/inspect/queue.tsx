import type { JSX } from 'preact';
import { type InspectedList, type Inspection, localityName, localityParts } from '../../../index.js';
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

/** More hosts than this are counted only. */
const LISTED = 12;
/** More lists than this are counted only: subsets and localities have one each. */
const LISTS = 8;

/** Whose turn it is: the queue of the earliest deadline, or the rotation. */
export function Queue({
  lists,
  policy,
  chosen,
  hashes,
}: {
  readonly lists: readonly InspectedList[];
  readonly policy: string;
  readonly chosen: string | undefined;
  readonly hashes: boolean;
}): JSX.Element | null {
  if (hashes) return null;
  const parts = localityParts(lists.flatMap(({ locality }) => locality ?? []));
  return (
    <section>
      <h3>Whose turn it is</h3>
      {lists.length === 0 && <p class="empty">Nobody’s: {policy} draws hosts, or looks at their load.</p>}
      {lists.slice(0, LISTS).map((list, index) => {
        const { subset, priority, health, locality, kind, queue } = list;
        const last = queue[Math.min(queue.length, LISTED) - 1]?.due ?? 1;
        return (
          <div class="fact" key={index}>
            <p>
              {subset !== null && `${visible(subset, 40)}, `}priority {priority}, {health === 'any' ? 'all' : health}{' '}
              hosts
              {locality !== null && ` of ${localityName(locality, parts)}`}:{' '}
              {kind === 'schedule' ? 'earliest deadline first' : 'one after the other'}
            </p>
            <ol class="queue">
              {queue.slice(0, LISTED).map(({ address, weight, active, due }) => (
                <li key={address} data-chosen={address === chosen}>
                  <span class="bar" style={{ width: `${last <= 0 ? 0 : (Math.max(0, due) / last) * 100}%` }} />
                  <span class="figure">
                    {visible(address, 40)}
                    {kind === 'schedule' &&
                      ` weight ${weight}${active > 0 ? `, ${active} active` : ''}, due in ${Number(due.toPrecision(3))}`}
                  </span>
                </li>
              ))}
            </ol>
            {queue.length > LISTED && <p class="empty">and {queue.length - LISTED} more</p>}
          </div>
        );
      })}
      {lists.length > LISTS && <p class="empty">and {lists.length - LISTS} more lists</p>}
    </section>
  );
}
