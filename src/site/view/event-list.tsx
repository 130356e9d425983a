import type { JSX } from 'preact';
import { app, clock } from '../app-state.js';
import { seek } from '../player.js';
import { useStore } from '../store.js';
import { plainSeconds, visible } from '../number-format.js';

/** More events are only counted: a longer list is of no use and slow. */
const LISTED = 400;

/** Events besides requests; a click goes to the time of one. */
export function EventList(): JSX.Element {
  const run = useStore(app, (state) => state.run);
  const past = useStore(clock, ({ t }) => run?.events.findLastIndex(({ t_s: at }) => at <= t + 1e-9) ?? -1);
  if (run === undefined || run.events.length === 0) return <p class="empty">Nothing happens but requests.</p>;
  const left = run.events.length - LISTED + run.eventsOmitted;
  return (
    <>
      <ol class="events">
        {run.events.slice(0, LISTED).map((event, index) => (
          <li key={index} data-past={index <= past} aria-current={index === past ? 'step' : undefined}>
            <button type="button" onClick={() => seek(event.t_s)}>
              <span class="at">{plainSeconds(Number(event.t_s.toFixed(3)))}</span>
              <span class="kind" data-kind={event.kind}>
                {event.kind.replaceAll('_', ' ')}
              </span>
              <span class="text">
                {visible(event.text)}
                {event.times !== undefined && ` (${event.times} times)`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {left > 0 && <p class="empty">and {left} more; the report as JSON has them.</p>}
    </>
  );
}
