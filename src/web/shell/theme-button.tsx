import { type ReactNode, useState } from 'react';
import { applyTheme, storedTheme, type Theme, themeAfter } from './theme.js';

const symbols = { system: '◐', light: '☀', dark: '☾', classic: '◆' } as const satisfies Record<Theme, string>;

/** Goes round: as the system, light, dark, classic, which has the old colours of statuses. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(storedTheme);
  const change = () => {
    const next = themeAfter(theme);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <button
      type="button"
      className="icon-button"
      onClick={change}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      <span aria-hidden="true">{symbols[theme]}</span>
    </button>
  );
}
