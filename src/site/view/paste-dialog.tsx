import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_LENGTH } from '../../config/source/source-limits.js';
import type { SourceFile } from '../engine/protocol.js';
import type { Session } from '../session.js';

/** Browsers take a minute to type in a large text: it is set at once, instead. */
const LONG_TEXT = 10_000;

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
    if (files.some(({ size }) => size > MAX_LENGTH)) {
      setProblem(`A file is larger than ${MAX_LENGTH / 1024 / 1024} MiB.`);
      return;
    }
    open(await Promise.all(files.map(async (file) => ({ file: file.name, text: await file.text() }))));
  };
  // Files may be dropped anywhere: elsewhere the browser would leave the page for them.
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const areFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    const allow = (event: DragEvent): void => {
      if (areFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (event.defaultPrevented || !areFiles(event)) return;
      event.preventDefault();
      void latest.current(event.dataTransfer?.files);
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
