import { useEffect, useState } from 'preact/hooks';
import { app, placeOfText, useStore } from '../app-state.js';
import type { ExportForm } from '../engine/engine.js';
import type { Example } from '../parts.js';
import { groupBy } from '../../core/values.js';
import { messageOf, visible } from '../number-format.js';
import { save, saveCharts, saveFilm, saveGif, savePng, saveSvg } from '../save-picture.js';
import * as session from '../session.js';
import { MenuButton, type MenuItem } from './menu.js';
import { bindPaste } from './paste.js';
import { ThemeButton } from './theme-button.js';

export function Header({ examples }: Readonly<{ examples: readonly Example[] }>) {
  const [said, say] = useState('');
  useEffect(bindPaste, []);
  const known = useStore(app, (state) => state.run !== undefined);
  const open = useStore(app, (state) => state.run?.description || (state.files[state.active]?.file ?? ''));
  // A site with a gallery says where it is.
  const gallery = document.querySelector('meta[name="lbsim-gallery"]')?.getAttribute('content') ?? null;
  return (
    <header class="top">
      <h1>lbsim</h1>
      {examples.length === 0 && <p class="question">{visible(open, 200)}</p>}
      {examples.length > 0 && (
        <MenuButton label="Questions" class="questions" items={() => questionItems(examples)}>
          <span class="hidden">Questions: </span>
          <span class="question">{visible(open, 200)}</span>
        </MenuButton>
      )}
      {gallery !== null && (
        <a class="to-gallery" href={gallery}>
          Gallery
        </a>
      )}
      <button class="primary" onClick={() => document.querySelector<HTMLDialogElement>('#paste')?.showModal()}>
        Paste yours
      </button>
      <MenuButton label="Share" disabled={!known} items={() => shareItems(say)}>
        Share
      </MenuButton>
      <ThemeButton />
      <button
        aria-label="Keys"
        title="Keys"
        onClick={() => document.querySelector<HTMLDialogElement>('#keys')?.showModal()}
      >
        ⌨
      </button>
      <p class="said toast" role="status">
        {said}
      </p>
    </header>
  );
}

const questionItems = (examples: readonly Example[]): readonly MenuItem[] =>
  [...groupBy(examples, ({ topic }) => topic)].flatMap(([heading, some]) => [
    { heading },
    ...some.map((example) => ({ name: example.question, act: () => void session.openExample(example) })),
  ]);

const EXTENSIONS: Readonly<Record<ExportForm, string>> = { json: 'json', csv: 'csv', text: 'txt' };

function shareItems(say: (text: string) => void): readonly MenuItem[] {
  const { file = 'scenario', text = '' } = app.now.files[placeOfText(app.now)] ?? {};
  const name = file.replace(/\.(ya?ml|json)$/, '');
  const item = (label: string, act: () => Promise<void> | void): MenuItem => ({
    name: label,
    act: () => {
      say('');
      Promise.resolve()
        .then(act)
        .catch((error: unknown) => say(messageOf(error)));
    },
  });
  const result = (label: string, form: ExportForm): MenuItem =>
    item(label, async () =>
      save(`${name}.${EXTENSIONS[form]}`, await session.runner.ask('export', form), 'text/plain'),
    );
  return [
    item('Copy a link', () => copyLink(say)),
    { heading: 'Picture of this instant' },
    item('PNG', () => savePng(name)),
    item('SVG', () => saveSvg(name)),
    item('Charts (PNG)', () => saveCharts(name)),
    { heading: 'The run in motion' },
    item('GIF', () => saveGif(name, say)),
    item('Film', () => saveFilm(name, say)),
    { heading: 'Files' },
    item('Scenario (YAML)', () => save(`${name}.yaml`, [text], 'text/yaml')),
    result('Result (JSON)', 'json'),
    result('Result (CSV)', 'csv'),
    result('Report (text)', 'text'),
  ];
}

const HOLDS = {
  text: 'It holds the whole scenario.',
  name: 'It names a question of this page, and the time.',
} as const;

async function copyLink(say: (text: string) => void): Promise<void> {
  const made = await session.link();
  if (made === undefined) {
    say('Too long for a link: download the file instead.');
    return;
  }
  const { link, holds } = made;
  history.replaceState(null, '', link.slice(link.indexOf('#')));
  // Pages that come without encryption have no clipboard.
  let where = 'The link is copied.';
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    where = 'The link is in the address bar now.';
  }
  // Whoever gets it has no such file.
  const whose =
    location.protocol === 'file:'
      ? 'It leads to a file on this machine: nobody else can open it. Send the scenario, or put the folder on a server.'
      : HOLDS[holds];
  say(`${where} ${whose}`);
}
