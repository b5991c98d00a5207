/** How our own signs are written where only ASCII can be shown. */
const signs: Readonly<Record<string, string>> = {
  '▸': '>',
  '›': '>',
  '‹': '<',
  '✓': 'ok',
  '✗': 'x',
  '≡': '=',
  '●': '*',
  '○': 'o',
  '◌': '.',
  '◉': 'o',
  '◆': '#',
  '■': '#',
  '×': 'x',
  '−': '-',
  '–': '-',
  '—': '-',
  '…': '...',
  '─': '-',
  '│': '|',
  '├': '|',
  '└': '`',
  '▏': '_',
  '⏎': '\\n',
  '•': '*',
  '·': '|',
  '↑': 'Up ',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
  '⎇': 'on',
  '↳': '`-',
  '↪': '>',
  '⟨': '<',
  '⟩': '>',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};

/** A text in ASCII: our signs by their likeness, every other character by its code, so that two texts never look the same. */
export function asciiText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what is not ASCII
  return text.replace(/[^\u0000-\u007f]/gu, (character) => signs[character] ?? codeOf(character));
}

/* oxlint-disable no-control-regex -- a colour begins with an escape, and is not ASCII otherwise */
const coloursAndSigns = /\u001B\[[0-9;]*m|[^]/g;
/* oxlint-enable no-control-regex */

/** A line of the screen in ASCII, with its colours; signs of several letters must not make it wider than the screen. */
export function asciiLine(line: string, columns: number): string {
  const parts = asciiText(line).match(coloursAndSigns) ?? [];
  const width = parts.filter((part) => !isColour(part)).length;
  if (width <= columns) return parts.join('');
  let room = Math.max(0, columns - 3);
  const kept = parts.filter((part) => isColour(part) || (room -= 1) >= 0);
  return `${kept.join('')}...`;
}

function isColour(part: string): boolean {
  return part.length > 1;
}

function codeOf(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Whether a terminal shows more than ASCII, by the locale that it was started with. */
export function showsUnicode(env: NodeJS.ProcessEnv): boolean {
  if (env['TERM'] === 'dumb') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}
