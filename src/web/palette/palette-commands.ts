import type { Navigation } from '../navigation.js';
import { applyTheme, themes } from '../shell/theme.js';

/** Something that the palette does. */
export interface PaletteCommand {
  readonly id: string;
  readonly words: string;
  /** The keys that do the same. */
  readonly keys?: string;
  /** Offered for whatever was typed: it does something with the words. */
  readonly isAlways?: boolean;
  readonly run: () => void;
}

export interface CommandParts {
  readonly navigation: Navigation;
  readonly typed: string;
  readonly onHelp: () => void;
  /** Missing for whoever may give none. */
  readonly onNewWork: (() => void) | undefined;
}

const pages = [
  ['home', 'Go to home', 'g h'],
  ['inbox', 'Go to the inbox', 'g i'],
  ['schedules', 'Go to schedules', 'g s'],
  ['pipelines', 'Go to pipelines', 'g p'],
  ['fleet', 'Go to the fleet', 'g f'],
] as const;

/** Every command, for what was typed. */
export function paletteCommands({ navigation, typed, onHelp, onNewWork }: CommandParts): PaletteCommand[] {
  const text = typed.trim();
  const search = `/?search=${encodeURIComponent(text)}`;
  return [
    ...(onNewWork ? [{ id: 'new', words: 'New work', keys: 'n', run: onNewWork }] : []),
    ...pages.map(([page, words, keys]) => ({ id: page, words, keys, run: () => navigation.go({ page }) })),
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      words: `Theme: ${theme}`,
      run: () => applyTheme(theme),
    })),
    { id: 'help', words: 'Keyboard shortcuts', keys: '?', run: onHelp },
    // Last, so that what was meant by name comes first; who asks for commands alone does not search.
    ...(text === '' || typed.startsWith('>')
      ? []
      : [
          {
            id: 'filter',
            words: `Filter home by “${text.slice(0, 80)}”`,
            isAlways: true,
            run: () => navigation.goTo(search),
          },
        ]),
  ];
}
