import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chooseTheme, currentTheme } from '../theme.js';

export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      onClick={() => {
        chooseTheme(other);
        setTheme(other);
      }}
    >
      {theme === 'dark' ? 'Light' : 'Dark'}
    </button>
  );
}
