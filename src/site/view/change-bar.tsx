import type { JSX } from 'preact';
import { hasErrors } from '../../core/problem.js';
import { app, clock, useApp, useStore } from '../app-state.js';
import type { ClusterPicture } from '../engine/draw-picture.js';
import { clusterOf, hostNames, phaseAt } from '../instant.js';
import * as session from '../session.js';
import { percent, visible } from '../number-format.js';
import { ClusterChoice, TextDiff } from './answer.js';
import { compareMenu } from './levers.js';
import { MenuButton } from './menu.js';

/** What was changed, in one line that is always there: nothing moves. Beside it which cluster is shown, and what it is compared with. */
export function ChangeBar(): JSX.Element {
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  const known = useStore(app, (state) => state.run !== undefined);
  return (
    <div class="change-bar" data-pair={pinned}>
      <ClusterChoice />
      <Said />
      {pinned ? (
        (['A', 'B'] as const).map((side) => (
          <button key={side} type="button" onClick={() => session.unpin(side)}>
            Go on with {side}
          </button>
        ))
      ) : (
        <MenuButton label="Compare" items={() => compareMenu()} disabled={!known}>
          Compare
        </MenuButton>
      )}
    </div>
  );
}

function Said(): JSX.Element {
  const { change } = useApp('change');
  const text = useStore(app, ({ files, active }) => files[active]?.text ?? '');
  const isScenario = useStore(app, (state) => state.check?.isScenario ?? true);
  const isStale = useStore(app, ({ check, run }) => run !== undefined && hasErrors(check?.problems ?? []));
  if (isStale) return <p class="stale">The text has errors: this is what the last text without them gave.</p>;
  if (!isScenario) {
    return (
      <p class="bar-says">
        <button type="button" onClick={() => void session.makeScenario()}>
          Turn into a scenario
        </button>{' '}
        to kill hosts, to change weights, policy and load.
      </p>
    );
  }
  if (change === undefined) {
    return <p class="bar-says empty">Click users, proxy, priority, zone or host to change it.</p>;
  }
  const { says, tookMs } = change;
  return (
    <div class="change bar-says" role="status">
      <strong>{visible(says[says.length - 1] ?? '', 120)}</strong>
      {says.length > 1 && <span class="sum"> and {says.length - 1} more</span>}
      <details class="over">
        <summary>lines</summary>
        <div>
          <TextDiff before={change.before} after={text} />
          <Forecast />
          {tookMs !== undefined && <p class="sum">Worked out in {Math.max(1, Math.round(tookMs))} ms.</p>}
        </div>
      </details>
      <button type="button" onClick={() => session.keep()}>
        Keep
      </button>
      <button type="button" onClick={() => session.undo()}>
        Undo
      </button>
    </div>
  );
}

/** The prediction for the time shown, before the run. */
function Forecast(): JSX.Element | null {
  const clusters = useStore(app, (state) => state.check?.clusters);
  const name = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  const predicted = clusters?.find((cluster) => cluster.name === name);
  const place = useStore(clock, ({ t }) => (predicted === undefined ? -1 : phaseAt(predicted, t)));
  if (predicted === undefined) return null;
  return (
    <>
      <p>{forecast(predicted, place)}</p>
      {predicted.phases[place]?.reasons.map((reason) => (
        <p key={reason} class="sum">
          {visible(reason, 300)}
        </p>
      ))}
    </>
  );
}

/** More shares are in the split. */
const MAX_SHARES = 6;

function forecast(cluster: ClusterPicture, place: number): string {
  const phase = cluster.phases[place];
  if (phase === undefined || cluster.whyNot !== '') return `No exact prediction: ${visible(cluster.whyNot, 300)}`;
  const names = hostNames(cluster);
  const shares = names
    .map((name, host) => ({ name, share: phase.shares[host] ?? 0, there: phase.health[host] !== 0 }))
    .filter(({ there }) => there)
    .sort((a, b) => b.share - a.share);
  const shown = shares.slice(0, MAX_SHARES).map(({ name, share }) => `${name} ${percent(share)}`);
  const rest = shares.length - shown.length;
  const lost = phase.noHost > 0 ? `; ${percent(phase.noHost)} find no host` : '';
  return `By the rules, now: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${lost}.`;
}
