import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { app, useStore } from '../app-state.js';
import type { ExportForm } from '../engine/protocol.js';
import type { Example } from '../parts.js';
import { KEYS } from '../key-bindings.js';
import { save, saveCharts, saveFilm, savePng, saveSvg } from '../save-picture.js';
import type { Session } from '../session.js';
import { openByKey } from './choice.js';
import { PasteDialog } from './paste-dialog.js';
import { ThemeButton } from './theme-button.js';

/** Name, examples, paste, share, downloads. */
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
  const file = useStore(app, ({ files, active }) => files[active]?.file);
  const known = useStore(app, (state) => state.run !== undefined);
  // A site with a gallery says where it is.
  const gallery = document.querySelector('meta[name="lbsim-gallery"]')?.getAttribute('content') ?? null;
  const topics = [...new Set(examples.map(({ topic }) => topic))];
  const share = async (): Promise<void> => {
    const link = await session.link();
    if (link === undefined) {
      say('Too long for a link: download the file instead.');
      return;
    }
    history.replaceState(null, '', link.slice(link.indexOf('#')));
    const copied = await navigator.clipboard.writeText(link).then(
      () => true,
      () => false,
    );
    say(copied ? 'The link is copied. It holds the whole scenario.' : 'The link is in the address bar now.');
  };
  const download = async (form: Download): Promise<void> => {
    const name = (file ?? 'scenario').replace(/\.(ya?ml|json)$/, '');
    say('');
    if (form === 'charts-png') await saveCharts(name);
    else if (form === 'film') await saveFilm(name, say);
    else if (form === 'flow-png' || form === 'lanes-png') await savePng(form === 'flow-png' ? 'flow' : 'lanes', name);
    else if (form === 'flow-svg' || form === 'lanes-svg') saveSvg(form === 'flow-svg' ? 'flow' : 'lanes', name);
    else if (form === 'yaml') save(`${name}.yaml`, [app.now.files[app.now.active]?.text ?? ''], 'text/yaml');
    else save(`${name}.${EXTENSIONS[form]}`, await session.exported(form), 'text/plain');
  };
  return (
    <header class="top">
      <h1>
        lbsim <span>playground</span>
      </h1>
      {examples.length > 0 && (
        <label class="examples">
          <span class="hidden">Examples</span>
          <select
            value={examples.find((example) => example.file === file)?.name ?? ''}
            onKeyDown={openByKey}
            onChange={(event) => {
              const example = examples.find(({ name }) => name === event.currentTarget.value);
              if (example !== undefined) void session.openExample(example, { play: true });
            }}
          >
            <option value="" disabled>
              Examples …
            </option>
            {topics.map((topic) => (
              <optgroup key={topic} label={topic}>
                {examples
                  .filter((example) => example.topic === topic)
                  .map(({ name, question }) => (
                    <option key={name} value={name} title={question}>
                      {question.length > 90 ? `${question.slice(0, 89)}…` : question}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
      )}
      {gallery !== null && (
        <a class="to-gallery" href={gallery}>
          Gallery
        </a>
      )}
      <button type="button" class="primary" onClick={() => paste.current?.showModal()}>
        Paste yours
      </button>
      <button type="button" onClick={() => void share()}>
        Share
      </button>
      <label class="download">
        <span class="hidden">Download</span>
        <select
          value=""
          disabled={!known}
          onKeyDown={openByKey}
          onChange={(event) => {
            const { value } = event.currentTarget;
            event.currentTarget.value = '';
            download(value as Download).catch((error: unknown) =>
              say(error instanceof Error ? error.message : String(error)),
            );
          }}
        >
          <option value="" disabled>
            Download …
          </option>
          <option value="yaml">Scenario (YAML)</option>
          <option value="json">Result (JSON)</option>
          <option value="csv">Result (CSV)</option>
          <option value="text">Report (text)</option>
          <option value="flow-svg">Flow (SVG)</option>
          <option value="flow-png">Flow (PNG)</option>
          <option value="lanes-svg">Health over time (SVG)</option>
          <option value="lanes-png">Health over time (PNG)</option>
          <option value="charts-png">Charts (PNG)</option>
          <option value="film">Film of the run (WebM)</option>
        </select>
      </label>
      <ThemeButton />
      <button type="button" onClick={() => help.current?.showModal()}>
        Keys
      </button>
      <p class="said" role="status">
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

type Download = ExportForm | 'yaml' | 'film' | 'flow-svg' | 'flow-png' | 'lanes-svg' | 'lanes-png' | 'charts-png';

const EXTENSIONS: Readonly<Record<ExportForm, string>> = { json: 'json', csv: 'csv', text: 'txt' };
