import { graphemes, widthOf } from './graphemes.js';

/** A line in rows of at most so many columns; every character of it stands in one of them. */
export function brokenRows(line: string, columns: number): string[] {
  const room = Math.max(1, columns);
  if (line.length <= room && widthOf(line) <= room) return [line];
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const part of graphemes(line)) {
    const wide = widthOf(part);
    if (width + wide > room && row !== '') {
      rows.push(row);
      row = '';
      width = 0;
    }
    row += part;
    width += wide;
  }
  return [...rows, row];
}

/** A text in rows of at most so many columns, broken between words where it can be. */
export function wrappedRows(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrappedLine(line.trimEnd(), Math.max(1, columns)));
}

function wrappedLine(line: string, columns: number): string[] {
  if (line.length <= columns && widthOf(line) <= columns) return [line];
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const word of line.match(/\s*\S+/g) ?? []) {
    const wide = widthOf(word);
    if (width + wide <= columns) {
      row += word;
      width += wide;
      continue;
    }
    if (row !== '') rows.push(row);
    const broken = brokenRows(word.trimStart(), columns);
    rows.push(...broken.slice(0, -1));
    row = broken.at(-1) ?? '';
    width = widthOf(row);
  }
  return [...rows, row];
}
