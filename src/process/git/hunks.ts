/** A run of lines that differ, with some around them; each line begins with ' ', '+', '-' or '\\', as in a patch. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** What git found the lines to be in: a function, a class. */
  readonly heading: string;
  readonly lines: readonly string[];
}

/** The hunks of a patch as far as they fit, and whether that is all of them. */
export interface FittedHunks {
  readonly hunks: readonly PatchHunk[];
  readonly isWhole: boolean;
}

/** The longest line that is given whole. */
const LONGEST_LINE = 10_000;

const HEADER = /^@@ -(\d{1,12})(?:,(\d{1,12}))? \+(\d{1,12})(?:,(\d{1,12}))? @@ ?/;

/** Reads the hunks of one file's patch, up to so many characters; what comes before the first is not looked at. */
export function readHunks(patch: string, room: number): FittedHunks {
  const hunks: PatchHunk[] = [];
  let lines: string[] = [];
  let left = room;
  let isWhole = true;
  let at = patch.startsWith('@@ ') ? 0 : patch.indexOf('\n@@ ') + 1;
  if (at === 0 && !patch.startsWith('@@ ')) return { hunks, isWhole };
  while (at < patch.length) {
    const found = patch.indexOf('\n', at);
    const end = found < 0 ? patch.length : found;
    const header = patch.startsWith('@@ ', at) ? HEADER.exec(patch.slice(at, Math.min(end, at + 400))) : null;
    if (header) {
      const [all, oldStart, oldLines = '1', newStart, newLines = '1'] = header;
      lines = [];
      hunks.push({
        oldStart: Number(oldStart),
        oldLines: Number(oldLines),
        newStart: Number(newStart),
        newLines: Number(newLines),
        heading: patch.slice(at + all.length, Math.min(end, at + all.length + 200)),
        lines,
      });
      left -= 40;
    } else if (/[ +\-\\]/.test(patch[at] ?? '') && !isHeaderLine(patch, at, hunks.at(-1), lines)) {
      const line = patch.slice(at, Math.min(end, at + LONGEST_LINE));
      if (end - at > LONGEST_LINE) isWhole = false;
      left -= line.length + 4;
      if (left < 0) return { hunks: hunks.filter((hunk) => hunk.lines.length > 0), isWhole: false };
      lines.push(line);
    }
    at = end + 1;
  }
  return { hunks, isWhole };
}

// A file that became a link has two patches; the header of the second follows the lines of the first.
function isHeaderLine(
  patch: string,
  at: number,
  hunk: PatchHunk | undefined,
  lines: readonly string[],
): boolean {
  if (!hunk || !(patch.startsWith('--- ', at) || patch.startsWith('+++ ', at))) return false;
  return lines.length >= hunk.oldLines + hunk.newLines;
}
