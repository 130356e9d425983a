import { render } from 'preact';
import { app } from './app-state.js';
import { provideEngine } from './engine/client.js';
import { carried, unpack } from './packed.js';
import { type Example, SHOWCASE } from './parts.js';
import { bindKeys } from './player.js';
import { exampleIn, fromFragment } from './link.js';
import { messageOf, visible } from './number-format.js';
import { unpackReport } from './report.js';
import * as session from './session.js';
import { openShared } from './view/link-code.js';
import { restoreTheme } from './view/theme-button.js';
import { App } from './view/app.js';

async function start(): Promise<void> {
  restoreTheme();
  const root = document.getElementById('app');
  if (root === null) return;
  const packed = carried('report');
  // The scenario that came with the page.
  const given = packed === '' ? undefined : (await unpackReport(packed)).shared;
  root.textContent = '';
  const examples = JSON.parse(carried('examples')) as readonly Example[];
  await provideEngine(await unpack(carried('engine')));
  const heavier = (): void => session.weighChosen(1);
  const lighter = (): void => session.weighChosen(-1);
  const slow = (): void => void session.slowChosen();
  bindKeys({ k: session.killChosen, s: slow, w: heavier, '+': heavier, W: lighter, '-': lighter });
  render(<App examples={examples} />, root);
  const openFirst = async (): Promise<void> => {
    if (given !== undefined) {
      openShared(given);
      return;
    }
    const showcase = examples.find(({ name }) => name === SHOWCASE) ?? examples[0];
    if (showcase !== undefined) await session.openExample(showcase);
  };
  const openLink = async (): Promise<boolean> => {
    const asked = exampleIn(location.hash);
    if (asked !== undefined) {
      const example = examples.find(({ name }) => name === asked.name);
      if (example === undefined) await openFirst();
      else await session.openExample(example, asked.at);
      if (example === undefined) app.set({ message: `No scenario ${visible(asked.name, 60)} is shipped.` });
      return true;
    }
    try {
      const shared = await fromFragment(location.hash);
      if (shared === undefined) return false;
      openShared(shared);
    } catch (error) {
      await openFirst();
      app.set({ message: messageOf(error) });
    }
    return true;
  };
  addEventListener('hashchange', () => void openLink());
  if (!(await openLink())) await openFirst();
}

void start();
