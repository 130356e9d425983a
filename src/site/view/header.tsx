import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { app, useStore } from '../app-state.js';
import type { ExportForm, SourceFile } from '../engine/engine.js';
import type { Example } from '../parts.js';
import { messageOf, visible } from '../number-format.js';
import { save, saveCharts, saveFilm, saveGif, savePng, saveSvg } from '../save-picture.js';
import * as session from '../session.js';
import { MenuButton, type MenuItem } from './menu.js';
import { ThemeButton } from './theme-button.js';
import { MAX_LENGTH } from '../../config/source/source-limits.js';

export function Header({ examples }: Readonly<{ examples: readonly Example[] }>) {
  const paste = useRef<HTMLDialogElement>(null);
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
      <button class="primary" onClick={() => paste.current?.showModal()}>
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
      <PasteDialog dialog={paste} />
    </header>
  );
}

function questionItems(examples: readonly Example[]): readonly MenuItem[] {
  return [...new Set(examples.map(({ topic }) => topic))].flatMap((heading) => [
    { heading },
    ...examples
      .filter(({ topic }) => topic === heading)
      .map((example) => ({ name: example.question, act: () => void session.openExample(example) })),
  ]);
}

const EXTENSIONS: Readonly<Record<ExportForm, string>> = { json: 'json', csv: 'csv', text: 'txt' };

function shareItems(say: (text: string) => void): readonly MenuItem[] {
  const { files, active } = app.now;
  const { file = 'scenario', text = '' } = files[active] ?? {};
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
    item(label, async () => save(`${name}.${EXTENSIONS[form]}`, await session.exported(form), 'text/plain'));
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

/** Browsers take a minute to type in a large text: it is set at once, instead. */
const LONG_TEXT = 10_000;

/** Any input: a scenario, a bootstrap, clusters, a dump; pasted, chosen or dropped. */
function PasteDialog({ dialog }: Readonly<{ dialog: RefObject<HTMLDialogElement | null> }>) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState('');
  const open = (files: readonly SourceFile[]): void => {
    session.open(files);
    setProblem('');
    dialog.current?.close();
  };
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    if (files.some(({ size }) => size > MAX_LENGTH)) {
      setProblem(`A file is larger than ${MAX_LENGTH / 1024 / 1024} MiB.`);
      return;
    }
    open(await Promise.all(files.map(async (file) => ({ file: file.name, text: await file.text() }))));
  };
  // Files may be dropped anywhere: elsewhere the browser would leave the page for them.
  useEffect(() => {
    const areFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    const allow = (event: DragEvent): void => {
      if (areFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (event.defaultPrevented || !areFiles(event)) return;
      event.preventDefault();
      void take(event.dataTransfer?.files);
    };
    const listening = new AbortController();
    addEventListener('dragover', allow, { signal: listening.signal });
    addEventListener('drop', drop, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return (
    <dialog ref={dialog} class="paste" aria-labelledby="paste-title">
      <h2 id="paste-title">Paste yours</h2>
      <p>
        A scenario, or what your proxy is configured with: a bootstrap, clusters, endpoints, a configuration dump, v2 or
        v3, YAML or JSON. It stays on this machine. Files may be dropped anywhere on the page, too.
      </p>
      <label>
        Text
        <textarea
          ref={text}
          rows={12}
          spellcheck={false}
          wrap="off"
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text/plain') ?? '';
            if (pasted.length < LONG_TEXT) return;
            event.preventDefault();
            const { selectionStart, selectionEnd } = event.currentTarget;
            event.currentTarget.setRangeText(pasted, selectionStart, selectionEnd, 'end');
          }}
        />
      </label>
      <label>
        or files{' '}
        <input
          type="file"
          multiple
          accept=".yaml,.yml,.json,.txt"
          onChange={(event) => void take(event.currentTarget.files)}
        />
      </label>
      {problem !== '' && <p role="alert">{problem}</p>}
      <p class="buttons">
        <button
          class="primary"
          onClick={() => {
            const value = text.current?.value ?? '';
            if (value.trim() === '') setProblem('There is nothing to read yet.');
            else open([{ file: 'pasted.yaml', text: value }]);
          }}
        >
          Look at it
        </button>
        <button onClick={() => dialog.current?.close()}>Cancel</button>
      </p>
    </dialog>
  );
}
