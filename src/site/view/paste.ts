import { MAX_LENGTH } from '../../config/source/source-limits.js';
import { app } from '../app-state.js';
import type { SourceFile } from '../link.js';
import * as session from '../session.js';

/** Browsers take a minute to type in a large text: it is set at once, instead. */
const LONG_TEXT = 10_000;

/** Any input: a scenario, a bootstrap, clusters, a dump; pasted or chosen in the dialog that index.html has, or dropped anywhere. */
export function bindPaste(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#paste');
  const [text, file] = [dialog?.querySelector('textarea'), dialog?.querySelector('input')];
  const [problem, look] = [dialog?.querySelector<HTMLElement>('[role="alert"]'), dialog?.querySelector('button')];
  const compare = dialog?.querySelector<HTMLElement>('button.compare');
  if (!dialog || !text || !file || !problem || !look || !compare) return;
  const tell = (words: string): void => {
    problem.textContent = words;
    problem.hidden = words === '';
  };
  const open = (files: readonly SourceFile[]): void => {
    void session.take(files);
    tell('');
    dialog.close();
  };
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const files = [...(list ?? [])];
    if (files.some(({ size }) => size > MAX_LENGTH)) tell(`A file is larger than ${MAX_LENGTH / 1024 / 1024} MiB.`);
    else if (files.length > 0)
      open(await Promise.all(files.map(async (one) => ({ file: one.name, text: await one.text() }))));
  };
  text.addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (pasted.length < LONG_TEXT) return;
    event.preventDefault();
    text.setRangeText(pasted, text.selectionStart, text.selectionEnd, 'end');
  });
  file.addEventListener('change', () => void take(file.files));
  const taken = (act: () => void) => (): void => {
    if (text.value.trim() === '') tell('There is nothing to read yet.');
    else act();
  };
  look.addEventListener(
    'click',
    taken(() => open([session.pasted(text.value)])),
  );
  compare.addEventListener(
    'click',
    taken(() => {
      session.see([{ file: `pasted ${app.now.seen.length + 1}`, text: text.value }]);
      text.value = '';
      dialog.close();
    }),
  );
  // Files may be dropped anywhere: elsewhere the browser would leave the page for them.
  for (const name of ['dragover', 'drop'] as const) {
    addEventListener(name, (event) => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      if (name === 'drop') void take(event.dataTransfer.files);
    });
  }
}
