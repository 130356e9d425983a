import type { JSX } from 'preact';
import { app, useStore } from '../app-state.js';
import type { Example } from '../parts.js';
import type { Session } from '../session.js';
import { Answer } from './answer.js';
import { Decision } from './decision.js';
import { EditorPanel } from './editor-panel.js';
import { ClusterChoice } from './choice.js';
import { EventList, Reasons } from './reasons.js';
import { Header } from './header.js';
import { InspectorPanel } from './inspect/inspector-panel.js';
import { LeverBar } from './lever-bar.js';
import { Pictures } from './pictures.js';
import { Split } from './split.js';
import { Transport } from './transport.js';
import { CompareChoice, Difference } from './versus.js';
import { Zones } from './zones.js';
import { useRef, useState } from 'preact/hooks';

interface Tab {
  readonly name: string;
  readonly body: () => JSX.Element;
}

/** One of several panels; arrow keys go from tab to tab. */
function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): JSX.Element {
  const [chosen, choose] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    const next = (chosen + move + tabs.length) % tabs.length;
    choose(next);
    list.current?.querySelectorAll('button')[next]?.focus();
    event.preventDefault();
  };
  const id = label.replaceAll(/\W/g, '-').toLowerCase();
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} tabIndex={0}>
        {tabs[chosen]?.body()}
      </div>
    </>
  );
}

/** The whole page. */
export function App({
  session,
  examples,
}: {
  readonly session: Session;
  readonly examples: readonly Example[];
}): JSX.Element {
  const message = useStore(app, (state) => state.message);
  const run = useStore(app, (state) => state.run);
  const versus = useStore(app, (state) => state.pinned !== undefined);
  return (
    <div class="page">
      <Header session={session} examples={examples} />
      {message !== '' && (
        <p class="message" role="alert">
          {message}
        </p>
      )}
      <Answer session={session} />
      <Difference session={session} />
      <main class="panels" data-versus={versus}>
        <section class="panel editor-panel" aria-labelledby="editor-title">
          <EditorPanel session={session} />
        </section>
        <section class="panel picture" aria-labelledby="picture-title">
          <div class="picture-head">
            <h2 id="picture-title">Flow</h2>
            <ClusterChoice />
            <CompareChoice session={session} />
          </div>
          <LeverBar session={session} />
          <Pictures session={session} />
        </section>
        <section class="panel details" aria-label="Details">
          <Tabs
            label="Details"
            tabs={[
              { name: 'Split', body: () => <Split /> },
              { name: 'Why', body: () => <Reasons /> },
              { name: 'Inside', body: () => <InspectorPanel session={session} /> },
              { name: 'Decision', body: () => <Decision session={session} /> },
              { name: 'Zones', body: () => <Zones run={run} /> },
              { name: 'Events', body: () => <EventList /> },
            ]}
          />
        </section>
      </main>
      <Transport />
    </div>
  );
}
