import { type ChangedLine, changedLines } from '../../domain/review/changed-line.js';
import type { Hunk } from '../../protocol/changes.js';
import { type CodePart, codeParts } from './code-part.js';
import { type Inside, languageOf, type Token, tokensOf } from './highlight.js';
import { type WordSpan, wordChange } from './word-change.js';

/** A line of a hunk, ready to be shown. */
export interface HunkLine extends ChangedLine {
  readonly parts: readonly CodePart[];
}

/** Two versions of a line beside each other; one is missing where a line only came or only went. */
export interface LinePair {
  readonly left?: HunkLine;
  readonly right?: HunkLine;
}

const longestShown = 5000;

/** The lines of a hunk, with their colours and with the words that changed. */
export function hunkLines(hunk: Hunk, path: string): HunkLine[] {
  const lines = changedLines(hunk).map((line) =>
    line.text.length > longestShown
      ? {
          ...line,
          text: `${line.text.slice(0, longestShown)} … ${line.text.length - longestShown} more characters`,
        }
      : line,
  );
  const changes = wordsOf(lines);
  const tokens = colours(lines, path);
  return lines.map((line, index) => ({
    ...line,
    parts: codeParts(line.text, tokens[index] ?? [], changes.get(line) ?? []),
  }));
}

/** The lines of a hunk in two columns. */
export function linePairs(lines: readonly HunkLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  for (const block of blocksOf(lines)) {
    if (!('removed' in block)) pairs.push({ left: block, right: block });
    else
      for (let index = 0; index < Math.max(block.removed.length, block.added.length); index += 1) {
        const [left, right] = [block.removed[index], block.added[index]];
        pairs.push({ ...(left && { left }), ...(right && { right }) });
      }
  }
  return pairs;
}

/** A line that stays, or lines that went and those that came in their place. */
type Block<Line> = Line | { readonly removed: readonly Line[]; readonly added: readonly Line[] };

function blocksOf<Line extends ChangedLine>(lines: readonly Line[]): Block<Line>[] {
  const blocks: Block<Line>[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const close = () => {
    if (removed.length + added.length > 0) blocks.push({ removed, added });
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) close();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      close();
      blocks.push(line);
    }
  }
  close();
  return blocks;
}

function wordsOf(lines: readonly ChangedLine[]): ReadonlyMap<ChangedLine, readonly WordSpan[]> {
  const changes = new Map<ChangedLine, readonly WordSpan[]>();
  for (const block of blocksOf(lines)) {
    if (!('removed' in block)) continue;
    for (const [index, before] of block.removed.entries()) {
      const after = block.added[index];
      const change = after && wordChange(before.text, after.text);
      if (!change) continue;
      changes.set(before, change.removed);
      changes.set(after, change.added);
    }
  }
  return changes;
}

/** Each version of the file is read by itself: a comment that one of them opens colours nothing in the other. */
function colours(lines: readonly ChangedLine[], path: string): (readonly Token[])[] {
  const language = languageOf(path);
  if (!language) return [];
  let before: Inside = null;
  let after: Inside = null;
  return lines.map(({ kind, text }) => {
    if (kind === 'remark') return [];
    const old: ReturnType<typeof tokensOf> | undefined =
      kind === 'added' ? undefined : tokensOf(text, language, before);
    const now: ReturnType<typeof tokensOf> | undefined =
      kind === 'removed' ? undefined : tokensOf(text, language, after);
    if (old) before = old.after;
    if (now) after = now.after;
    return (now ?? old)?.tokens ?? [];
  });
}
