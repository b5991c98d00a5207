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

function codeOf(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Whether a terminal shows more than ASCII, by the locale that it was started with. */
export function showsUnicode(env: NodeJS.ProcessEnv): boolean {
  if (env['TERM'] === 'dumb') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return /utf-?8/i.test(locale);
}
