import { render } from 'preact';
import { app } from './app-state.js';
import { readExamples, SHOWCASE } from './examples.js';
import { bindKeys } from './key-bindings.js';
import { fromFragment } from './link.js';
import { Session } from './session.js';
import { restoreTheme } from './theme.js';
import { App } from './view/app.js';

/** A block of text embedded in the page. */
function carried(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}

async function start(): Promise<void> {
  restoreTheme();
  const examples = readExamples(carried('examples'));
  const session = new Session(carried('engine'));
  const root = document.getElementById('app');
  if (root === null) return;
  root.textContent = '';
  render(<App session={session} examples={examples} />, root);
  bindKeys();
  const openShowcase = (): void => {
    const showcase = examples.find(({ name }) => name === SHOWCASE) ?? examples[0];
    if (showcase !== undefined) void session.openExample(showcase, !prefersStill());
  };
  const openLink = async (): Promise<boolean> => {
    try {
      const shared = await fromFragment(location.hash);
      if (shared === undefined) return false;
      session.open(shared.files, shared.overrides, { at: shared.at });
    } catch (error) {
      openShowcase();
      app.set({ message: error instanceof Error ? error.message : String(error) });
    }
    return true;
  };
  addEventListener('hashchange', () => void openLink());
  if (!(await openLink())) openShowcase();
}

/** The system's setting for reduced motion. */
function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

void start();
