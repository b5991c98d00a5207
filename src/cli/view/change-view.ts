import { changeRemarks, changeTotals } from '../../domain/words/change-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import type { ChangedPath, ChangePage, Hunk } from '../../protocol/changes.js';
import type { Colours } from '../terminal/colours.js';
import { fitEnd } from '../terminal/fit.js';
import { widthOf } from '../terminal/graphemes.js';

const widestBar = 30;

/** One file of a change, as lines for a person. */
export function fileLines(file: ChangedPath, colours: Colours): string[] {
  const remarks = changeRemarks(file).map((remark) => plainLine(remark));
  const counts = file.added === null ? [] : [`+${file.added} −${file.removed}`];
  const about = [...remarks, ...counts].join(', ');
  return [
    `${colours.bold(plainLine(file.path))}${about === '' ? '' : colours.dim(`  ${about}`)}`,
    ...(file.hunks ?? []).flatMap((hunk) => hunkLines(hunk, colours)),
    ...(file.cut === undefined ? [] : [colours.yellow(`  ${plainLine(file.cut)}`)]),
    '',
  ];
}

function hunkLines(
  { oldStart, oldLines, newStart, newLines, heading, lines }: Hunk,
  colours: Colours,
): string[] {
  const place = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
  return [
    `${colours.cyan(place)}${heading === '' ? '' : ` ${plainLine(heading)}`}`,
    ...lines.map((line) => {
      // A line of a file can hold what moves the cursor; it is shown without.
      const shown = plainText(line).replaceAll('\n', ' ');
      if (line.startsWith('+')) return colours.green(shown);
      if (line.startsWith('-')) return colours.red(shown);
      return line.startsWith('\\') ? colours.dim(shown) : shown;
    }),
  ];
}

/** The files of a change with how much changed in each, aligned, in at most so many columns. */
export function statLines(
  files: readonly ChangedPath[],
  { colours, columns }: { readonly colours: Colours; readonly columns: number },
): string[] {
  const names = files.map(({ path, from }) => plainLine(from === undefined ? path : `${from} → ${path}`));
  const counts = files.map(({ added, removed, binary }) =>
    binary ? 'binary' : String((added ?? 0) + (removed ?? 0)),
  );
  const countWidth = Math.max(0, ...counts.map((count) => count.length));
  const room = Number.isFinite(columns) ? Math.max(20, columns - countWidth - widestBar - 6) : columns;
  const shown = names.map((name) => fitEnd(name, Math.min(room, 10_000)));
  const nameWidth = Math.max(0, ...shown.map((name) => widthOf(name)));
  const most = Math.max(1, ...files.map(({ added, removed }) => (added ?? 0) + (removed ?? 0)));
  return files.map((file, index) => {
    const name = shown[index] ?? '';
    const pad = ' '.repeat(nameWidth - widthOf(name));
    return ` ${name}${pad} | ${(counts[index] ?? '').padStart(countWidth)} ${bar(file, most, colours)}`.trimEnd();
  });
}

function bar({ added, removed, binary }: ChangedPath, most: number, colours: Colours): string {
  if (binary) return '';
  const scale = Math.min(1, widestBar / most);
  const marks = (count: number | null, mark: string) =>
    count === null || count === 0 ? '' : mark.repeat(Math.max(1, Math.floor(count * scale)));
  return `${colours.green(marks(added, '+'))}${colours.red(marks(removed, '-'))}`;
}

/** What a change amounts to, where it is, and what it is compared with. */
export function changeSummary({ totals, branch, base, isWorktree }: ChangePage): string {
  if (totals.files === 0) return `Nothing changed since ${plainLine(base.why)}.`;
  const where = isWorktree && branch !== undefined ? ` on ${plainLine(branch)}` : '';
  return `${changeTotals(totals)}${where}, against ${plainLine(base.why)}`;
}
