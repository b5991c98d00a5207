import { type LucideIcon, Moon, Palette, Sun, SunMoon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { applyTheme, storedTheme, type Theme, themeAfter } from './theme.js';

const icons = { system: SunMoon, light: Sun, dark: Moon, classic: Palette } as const satisfies Record<
  Theme,
  LucideIcon
>;

/** Goes round: as the system, light, dark, classic, which has the old colours of statuses. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(storedTheme);
  const Icon = icons[theme];
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
      <Icon size={17} />
    </button>
  );
}
