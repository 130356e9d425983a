import { attempt } from '../../core/values.js';
import { app, type AppState, useApp } from '../app-state.js';

/** Light or dark: the system's setting, or the user's choice. */

const KEY = 'lbsim-theme';

/** A page from a disk may have no storage: a choice lasts until it is closed. */
const inStorage = (use: (storage: Storage) => unknown): unknown => attempt(() => use(localStorage), undefined);

function show(theme: AppState['theme'], isChosen: boolean): void {
  if (isChosen) document.documentElement.dataset['theme'] = theme;
  app.set({ theme });
}

export function restoreTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const stored = inStorage((storage) => storage.getItem(KEY));
  const isChosen = stored === 'light' || stored === 'dark';
  const follow = (): void => show(system.matches ? 'dark' : 'light', false);
  if (isChosen) show(stored, true);
  else follow();
  system.addEventListener('change', () => document.documentElement.dataset['theme'] === undefined && follow());
}

export function ThemeButton() {
  const { theme } = useApp('theme');
  const [other, name, sign] = theme === 'dark' ? (['light', 'Light', '☀'] as const) : (['dark', 'Dark', '☾'] as const);
  const choose = (): void => {
    show(other, true);
    inStorage((storage) => storage.setItem(KEY, other));
  };
  return (
    <button aria-label={name} title={name} onClick={choose}>
      {sign}
    </button>
  );
}
