export type Theme = 'system' | 'light' | 'dark' | 'classic';

const key = 'handraise-theme';
export const themes: readonly Theme[] = ['system', 'light', 'dark', 'classic'];

/** What this browser was told before; a browser that keeps nothing follows the system. */
export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Shows a theme, and keeps it for the next time. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Kept for as long as the page is open, then.
  }
}

export function themeAfter(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}
