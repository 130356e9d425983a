import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { app, useStore } from '../app-state.js';
import type { ExportForm } from '../engine/protocol.js';
import type { Example } from '../parts.js';
import { KEYS } from '../key-bindings.js';
import { visible } from '../number-format.js';
import { save, saveCharts, saveFilm, saveGif, savePng, saveSvg } from '../save-picture.js';
import type { Session } from '../session.js';
import { MenuButton, type MenuItem } from './menu.js';
import { PasteDialog } from './paste-dialog.js';
import { ThemeButton } from './theme-button.js';

/** Name, questions, paste, share. */
export function Header({
  session,
  examples,
}: {
  readonly session: Session;
  readonly examples: readonly Example[];
}): JSX.Element {
  const paste = useRef<HTMLDialogElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const [said, say] = useState('');
  const known = useStore(app, (state) => state.run !== undefined);
  const open = useStore(app, (state) => state.run?.description || (state.files[state.active]?.file ?? ''));
  // A site with a gallery says where it is.
  const gallery = document.querySelector('meta[name="lbsim-gallery"]')?.getAttribute('content') ?? null;
  return (
    <header class="top">
      <h1>lbsim</h1>
      {examples.length === 0 && <p class="question">{visible(open, 200)}</p>}
      {examples.length > 0 && (
        <MenuButton label="Questions" class="questions" items={() => questionItems(session, examples)}>
          <span class="hidden">Questions: </span>
          <span class="question">{visible(open, 200)}</span>
        </MenuButton>
      )}
      {gallery !== null && (
        <a class="to-gallery" href={gallery}>
          Gallery
        </a>
      )}
      <button type="button" class="primary" onClick={() => paste.current?.showModal()}>
        Paste yours
      </button>
      <MenuButton label="Share" disabled={!known} items={() => shareItems(session, say)}>
        Share
      </MenuButton>
      <ThemeButton />
      <button type="button" aria-label="Keys" title="Keys" onClick={() => help.current?.showModal()}>
        ⌨
      </button>
      <p class="said toast" role="status">
        {said}
      </p>
      <PasteDialog dialog={paste} session={session} />
      <dialog ref={help} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="keys">
          {KEYS.map(([key, action]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => help.current?.close()}>
          Close
        </button>
      </dialog>
    </header>
  );
}

function questionItems(session: Session, examples: readonly Example[]): readonly MenuItem[] {
  return [...new Set(examples.map(({ topic }) => topic))].flatMap((heading) => [
    { heading },
    ...examples
      .filter(({ topic }) => topic === heading)
      .map((example) => ({ name: example.question, act: () => void session.openExample(example) })),
  ]);
}

const EXTENSIONS: Readonly<Record<ExportForm, string>> = { json: 'json', csv: 'csv', text: 'txt' };

function shareItems(session: Session, say: (text: string) => void): readonly MenuItem[] {
  const { files, active } = app.now;
  const { file = 'scenario', text = '' } = files[active] ?? {};
  const name = file.replace(/\.(ya?ml|json)$/, '');
  const item = (label: string, act: () => Promise<void> | void): MenuItem => ({
    name: label,
    act: () => {
      say('');
      Promise.resolve()
        .then(act)
        .catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
    },
  });
  const result = (label: string, form: ExportForm): MenuItem =>
    item(label, async () => save(`${name}.${EXTENSIONS[form]}`, await session.exported(form), 'text/plain'));
  return [
    item('Copy a link', () => copyLink(session, say)),
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

async function copyLink(session: Session, say: (text: string) => void): Promise<void> {
  const made = await session.link();
  if (made === undefined) {
    say('Too long for a link: download the file instead.');
    return;
  }
  const { link, holds } = made;
  history.replaceState(null, '', link.slice(link.indexOf('#')));
  // Pages that come without encryption have no clipboard.
  const copied = await Promise.resolve(link)
    .then((text) => navigator.clipboard.writeText(text))
    .then(
      () => true,
      () => false,
    );
  const where = copied ? 'The link is copied.' : 'The link is in the address bar now.';
  // Whoever gets it has no such file.
  const whose =
    location.protocol === 'file:'
      ? 'It leads to a file on this machine: nobody else can open it. Send the scenario, or put the folder on a server.'
      : HOLDS[holds];
  say(`${where} ${whose}`);
}
