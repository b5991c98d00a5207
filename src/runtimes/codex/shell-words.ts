/**
 * The command line inside of `/bin/bash -lc '…'`, which is how Codex shows every command; the whole as it is when it
 * has another form. A person reads and approves what the agent wrote, not its wrapping.
 */
export function unwrapped(command: string): string {
  const wrapping = /^\/\S*\/(?:ba|z|da)?sh -l?c (?<word>[^]+)$/.exec(command);
  return (wrapping?.groups?.['word'] && oneWord(wrapping.groups['word'])) ?? command;
}

/** What a shell makes of one word with its quotes; null when it is more than one word. */
function oneWord(text: string): string | null {
  const piece =
    /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[^])*)"|\\(?<escaped>[^])|(?<plain>[\w@%+=:,./-]+)/y;
  let word = '';
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const found = piece.exec(text)?.groups;
    if (!found) return null;
    const { single, double, escaped, plain } = found;
    word += single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? '';
  }
  return word;
}
