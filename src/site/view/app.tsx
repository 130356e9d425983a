import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { app, useApp, useStore, VERSUS } from '../app-state.js';
import type { Example } from '../parts.js';
import * as session from '../session.js';
import { Difference, factsOf, Happened, Sentence } from './answer.js';
import { Flow, type FlowTouch } from './flow.js';
import { hostMenu, nodeMenu } from './levers.js';
import { ChangeBar } from './change-bar.js';
import { Decision } from './decision.js';
import { EditorPanel } from './editor-panel.js';
import { EventList, Reasons, Zones } from './reasons.js';
import { Header } from './header.js';
import { InspectorPanel } from './inspect/inspector-panel.js';
import { Menu, type MenuItem, openMenu } from './menu.js';
import { PicturesOf } from './pictures.js';
import { visible } from '../number-format.js';
import { Split } from './split.js';
import { Transport } from './transport.js';

/** By name, what each of the details shows. */
const TABS: Readonly<Record<string, () => JSX.Element>> = {
  [VERSUS]: () => <Difference />,
  Split: () => <Split />,
  Why: () => <Reasons />,
  Inside: () => <InspectorPanel />,
  Decision: () => <Decision />,
  Zones: () => <Zones />,
  Events: () => <EventList />,
};

/** One of several panels; arrow keys go from tab to tab. */
function Tabs(): JSX.Element {
  const versus = useStore(app, (state) => state.pinned !== undefined);
  const tabs = Object.keys(TABS).filter((name) => versus || name !== VERSUS);
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
            type="button"
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
function Answer(): JSX.Element {
  const { run, progress } = useApp('run', 'progress');
  const pinned = useStore(app, (state) => state.pinned !== undefined);
  const { difference } = useApp('difference');
  const told = pinned ? (difference?.sentences ?? ['Comparing A with B, three runs each …']) : (run?.answer ?? []);
  return (
    <section class="answer" aria-label={pinned ? 'A compared with B' : 'Answer'} aria-busy={progress !== undefined}>
      <Sentence told={told} stopped={!pinned && run?.partial === true ? run.durationS : undefined} />
      <div class="facts-line">
        {run !== undefined && <p class="facts">{factsOf(run)}</p>}
        <Happened sentences={told} />
        {progress !== undefined && (
          <p class="progress">
            <progress value={progress} max={1} aria-label="Progress of the run" />
            <button type="button" onClick={() => void session.cancel()}>
              Stop the run
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

/** The pictures of the run, or those of two runs side by side on one clock. */
function Pictures(): JSX.Element {
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

export function App({ examples }: { readonly examples: readonly Example[] }): JSX.Element {
  const { message, editing } = useApp('message', 'editing');
  return (
    <div class="page">
      <Header examples={examples} />
      {message !== '' && (
        <p class="message toast" role="alert">
          {message}{' '}
          <button type="button" aria-label="Close this message" onClick={() => app.set({ message: '' })}>
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
