import { modulesOf, type Shared, textsOf } from '../link.js';
import { visibleLines } from '../number-format.js';
import * as session from '../session.js';

/** What a stranger made: its modules are shown in the dialog that index.html has, and run only where the reader says so. */
export function openShared(shared: Shared): void {
  const { files, overrides, beside } = shared;
  const safely = beside && { beside: { ...beside, files: textsOf(beside.files) } };
  session.open(textsOf(files), overrides, { ...shared, ...safely });
  const dialog = document.querySelector<HTMLDialogElement>('#link-code');
  const text = dialog?.querySelector('pre');
  const modules = modulesOf([...files, ...(beside?.files ?? [])]);
  if (!dialog || !text || modules.length === 0) return;
  // A and B mostly have the same.
  const shown = new Set(modules.map((one) => `// ${one.file}\n\n${one.text}`));
  text.textContent = visibleLines([...shown].join('\n'), Infinity);
  dialog.returnValue = '';
  dialog.onclose = () => {
    if (dialog.returnValue === 'run') session.open(files, overrides, shared);
  };
  dialog.showModal();
}
