import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, placeOfText, SEEN, useApp, useStore, VERSUS, clock } from '../app-state.js';
import type { Example } from '../parts.js';
import * as session from '../session.js';
import { Difference, factsOf, Happened, Sentence, ClusterChoice, TextDiff } from './answer.js';
import { Flow, type FlowTouch } from './flow.js';
import { Paragraphs } from './controls.js';
import { hostMenu, nodeMenu, compareMenu } from './levers.js';
import { Decision } from './decision.js';
import { Losses } from './losses.js';
import { EditorPanel } from './editor-panel.js';
import { EventList, Reasons, Zones } from './reasons.js';
import { Header } from './header.js';
import { InspectorPanel } from './inspect/inspector-panel.js';
import { Observed } from './observed.js';
import { Menu, type MenuItem, openMenu, MenuButton } from './menu.js';
import { PicturesOf } from './pictures.js';
import { visible, percent } from '../number-format.js';
import { Split } from './split.js';
import { Transport } from './transport.js';
import { hasErrors } from '../../core/problem.js';
import type { ClusterPicture } from '../engine/draw-picture.js';
import { clusterOf, hostNames, phaseAt } from '../instant.js';

/** What was changed, in one line that is always there: nothing moves. Beside it which cluster is shown, and what it is compared with. */
export function ChangeBar() {
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  const known = useStore(app, (state) => state.run !== undefined);
  return (
    <div class="change-bar" data-pair={pinned}>
      <ClusterChoice />
      <Said />
      {pinned ? (
        (['A', 'B'] as const).map((side) => (
          <button key={side} onClick={() => session.unpin(side)}>
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

function Said() {
  const { change } = useApp('change');
  const text = useStore(app, (state) => state.files[placeOfText(state)]?.text ?? '');
  const isScenario = useStore(app, (state) => state.check?.isScenario ?? true);
  const isStale = useStore(app, ({ check, run }) => run !== undefined && hasErrors(check?.problems ?? []));
  if (isStale) return <p class="stale">The text has errors: this is what the last text without them gave.</p>;
  if (!isScenario) {
    return (
      <p class="bar-says">
        <button onClick={() => void session.makeScenario()}>Turn into a scenario</button> to kill hosts, to change
        weights, policy and load.
      </p>
    );
  }
  if (change === undefined)
    return <p class="bar-says empty">Click users, proxy, priority, zone or host to change it.</p>;
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
      <button onClick={() => session.keep()}>Keep</button>
      <button onClick={() => session.undo()}>Undo</button>
    </div>
  );
}

function Forecast() {
  const clusters = useStore(app, (state) => state.check?.clusters);
  const name = useStore(app, (state) => clusterOf(state.run, state.cluster)?.name);
  const predicted = clusters?.find((cluster) => cluster.name === name);
  const place = useStore(clock, ({ t }) => (predicted === undefined ? -1 : phaseAt(predicted, t)));
  if (predicted === undefined) return null;
  return (
    <>
      <p>{forecast(predicted, place)}</p>
      <Paragraphs of={predicted.phases[place]?.reasons ?? []} most={300} class="sum" />
    </>
  );
}

/** More shares are in the split. */
const MAX_SHARES = 6;

function forecast(cluster: ClusterPicture, place: number): string {
  const phase = cluster.phases[place];
  if (phase === undefined || cluster.whyNot !== '') return `No exact prediction: ${visible(cluster.whyNot, 300)}`;
  const shares = hostNames(cluster)
    .map((name, host) => ({ name, share: phase.shares[host] ?? 0, there: phase.health[host] !== 0 }))
    .filter(({ there }) => there)
    .sort((a, b) => b.share - a.share);
  const shown = shares.slice(0, MAX_SHARES).map(({ name, share }) => `${name} ${percent(share)}`);
  const rest = shares.length - shown.length;
  const lost = phase.noHost > 0 ? `; ${percent(phase.noHost)} find no host` : '';
  return `By the rules, now: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${lost}.`;
}

const TABS: Readonly<Record<string, () => JSX.Element>> = {
  [VERSUS]: () => <Difference />,
  [SEEN]: () => <Observed />,
  Split: () => <Split />,
  Why: () => <Reasons />,
  Inside: () => <InspectorPanel />,
  Losses: () => <Losses />,
  Decision: () => <Decision />,
  Zones: () => <Zones />,
  Events: () => <EventList />,
};

/** One of several panels; arrow keys go from tab to tab. */
function Tabs() {
  const versus = useStore(app, (state) => state.pinned !== undefined);
  const observed = useStore(app, ({ seen }) => seen.length > 0);
  const tabs = Object.keys(TABS).filter((name) => (versus || name !== VERSUS) && (observed || name !== SEEN));
  const { tab } = useApp('tab');
  const list = useRef<HTMLDivElement>(null);
  const chosen = Math.max(0, tabs.indexOf(tab));
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    const next = (chosen + move + tabs.length) % tabs.length;
    app.set({ tab: tabs[next] ?? '' });
    list.current?.querySelectorAll('button')[next]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Details" ref={list} onKeyDown={onKeyDown}>
        {tabs.map((name, index) => (
          <button
            key={name}
            role="tab"
            id={`tab-${index}`}
            aria-controls="tab-panel"
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => app.set({ tab: name })}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`} tabIndex={0}>
        {TABS[tabs[chosen] ?? '']?.()}
      </div>
    </>
  );
}

/** The sentence over the picture, or what differs between two; and what it is based on. It keeps its room whatever it says. */
function Answer() {
  const { run, progress, difference, observation } = useApp('run', 'progress', 'difference', 'observation');
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  const alone = observation?.told ?? run?.answer ?? [];
  const told = pinned ? (difference?.sentences ?? ['Comparing A with B, three runs each …']) : alone;
  return (
    <section class="answer" aria-label={pinned ? 'A compared with B' : 'Answer'} aria-busy={progress !== undefined}>
      <Sentence told={told} stopped={!pinned && run?.partial === true ? run.durationS : undefined} />
      <div class="facts-line">
        {run !== undefined && <p class="facts">{factsOf(run)}</p>}
        <Happened sentences={told} />
        {progress !== undefined && (
          <p class="progress">
            <progress value={progress} max={1} aria-label="Progress of the run" />
            <button onClick={() => void session.cancel()}>Stop the run</button>
          </p>
        )}
      </div>
    </section>
  );
}

function Pictures() {
  const { run, ahead } = useApp('run', 'ahead');
  const pinned = useStore(app, (state) => state.pinned?.run);
  const touch = useMemo((): FlowTouch => {
    const open = (label: string, items: readonly MenuItem[], at: Parameters<typeof openMenu>[2]): void => {
      const isScenario = app.now.check?.isScenario !== false;
      const make = { name: 'Turn into a scenario to change it', act: () => void session.makeScenario() };
      if (items.length > 0) openMenu(label, isScenario ? items : [make], at);
    };
    return {
      onHost: (host, at) => open(`Change ${visible(host.address, 60)}`, hostMenu(host), at),
      onNode: (node, at) => open(`Change ${node.title}`, nodeMenu(node), at),
      onWeight: session.weigh,
    };
  }, []);
  const flow = <Flow run={ahead ?? run} isAhead={ahead !== undefined} touch={touch} />;
  return <PicturesOf run={run} beside={pinned} flow={flow} />;
}

export function App({ examples }: Readonly<{ examples: readonly Example[] }>) {
  const { message, editing } = useApp('message', 'editing');
  return (
    <div class="page">
      <Header examples={examples} />
      {message !== '' && (
        <p class="message toast" role="alert">
          {message}{' '}
          <button aria-label="Close this message" onClick={() => app.set({ message: '' })}>
            ✕
          </button>
        </p>
      )}
      <Answer />
      <ChangeBar />
      <main class="panels" data-editing={editing}>
        <section class="panel editor-panel" aria-label="Text of the scenario">
          <EditorPanel />
        </section>
        <section class="panel picture" aria-label="Flow and course">
          <Pictures />
        </section>
        <section class="panel details" aria-label="Details">
          <Tabs />
        </section>
      </main>
      <Transport />
      <Menu />
    </div>
  );
}
