import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { app, useStore, VERSUS } from '../app-state.js';
import type { Example } from '../parts.js';
import type { Session } from '../session.js';
import { Answer } from './answer.js';
import { ChangeBar } from './change-bar.js';
import { Decision } from './decision.js';
import { EditorPanel } from './editor-panel.js';
import { EventList, Reasons } from './reasons.js';
import { Header } from './header.js';
import { InspectorPanel } from './inspect/inspector-panel.js';
import { Menu } from './menu.js';
import { Pictures } from './pictures.js';
import { Split } from './split.js';
import { Transport } from './transport.js';
import { Difference } from './versus.js';
import { Zones } from './zones.js';

interface Tab {
  readonly name: string;
  readonly body: () => JSX.Element;
}

/** One of several panels; arrow keys go from tab to tab. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): JSX.Element {
  const tab = useStore(app, (state) => state.tab);
  const list = useRef<HTMLDivElement>(null);
  const chosen = Math.max(
    0,
    tabs.findIndex(({ name }) => name === tab),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    const next = (chosen + move + tabs.length) % tabs.length;
    app.set({ tab: tabs[next]?.name ?? '' });
    list.current?.querySelectorAll('button')[next]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ name }, index) => (
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
  const editing = useStore(app, (state) => state.editing);
  return (
    <div class="page">
      <Header session={session} examples={examples} />
      {message !== '' && (
        <p class="message toast" role="alert">
          {message}{' '}
          <button type="button" aria-label="Close this message" onClick={() => app.set({ message: '' })}>
            ✕
          </button>
        </p>
      )}
      <Answer session={session} />
      <ChangeBar session={session} />
      <main class="panels" data-editing={editing}>
        <section class="panel editor-panel" aria-label="Text of the scenario">
          <EditorPanel session={session} />
        </section>
        <section class="panel picture" aria-label="Flow and course">
          <Pictures session={session} />
        </section>
        <section class="panel details" aria-label="Details">
          <Tabs
            label="Details"
            tabs={[
              ...(versus ? [{ name: VERSUS, body: () => <Difference /> }] : []),
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
      <Menu />
    </div>
  );
}
