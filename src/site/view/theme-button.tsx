import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Light or dark: the system's setting, or the user's choice. */
type Theme = 'light' | 'dark';

const KEY = 'lbsim-theme';

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A page from a disk may have no storage: the choice lasts until it is closed.
  }
  dispatchEvent(new Event('themechange'));
}

export function restoreTheme(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // As above.
  }
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset['theme'] = stored;
}

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      aria-label={theme === 'dark' ? 'Light' : 'Dark'}
      title={theme === 'dark' ? 'Light' : 'Dark'}
      onClick={() => {
        chooseTheme(other);
        setTheme(other);
      }}
    >
      {theme === 'dark' ? '☀' : '☾'}
    </button>
  );
}
