import type { JSX, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SourceFile } from '../engine/protocol.js';
import type { Session } from '../session.js';

/** The largest input of the engine. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Any input: a scenario, a bootstrap, clusters, a dump; pasted, chosen or dropped. */
export function PasteDialog({
  dialog,
  session,
}: {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly session: Session;
}): JSX.Element {
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
    if (files.some(({ size }) => size > MAX_BYTES)) {
      setProblem(`A file is larger than ${MAX_BYTES / 1024 / 1024} MiB.`);
      return;
    }
    open(await Promise.all(files.map(async (file) => ({ file: file.name, text: await file.text() }))));
  };
  return (
    <dialog
      ref={dialog}
      class="paste"
      aria-labelledby="paste-title"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer?.files);
      }}
    >
      <h2 id="paste-title">Paste yours</h2>
      <p>
        A scenario, or what your proxy is configured with: a bootstrap, clusters, endpoints, a configuration dump, v2 or
        v3, YAML or JSON. It stays on this machine.
      </p>
      <label>
        Text
        <textarea ref={text} rows={12} spellcheck={false} />
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
          type="button"
          class="primary"
          onClick={() => {
            const value = text.current?.value ?? '';
            if (value.trim() === '') setProblem('There is nothing to read yet.');
            else open([{ file: 'pasted.yaml', text: value }]);
          }}
        >
          Look at it
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}
