/** The longest line that is given whole; as long as in a hunk. */
const longestLine = 10_000;

/** Some lines of a text, as many as fit. */
export function pieceOf(
  text: string,
  { from, count, room }: { readonly from: number; readonly count: number; readonly room: number },
): { readonly from: number; readonly lines: string[]; readonly total: number } {
  const all = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const lines: string[] = [];
  let left = room;
  for (const line of all.slice(from - 1, from - 1 + count)) {
    const shown = line.slice(0, longestLine);
    left -= shown.length + 4;
    // Every piece has a line, or nobody would get past it.
    if (left < 0 && lines.length > 0) break;
    lines.push(shown);
  }
  return { from, lines, total: all.length };
}
