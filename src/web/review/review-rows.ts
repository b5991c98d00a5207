import { fileParts, type HiddenLines } from '../../domain/review/hidden-lines.js';
import { changeRemarks } from '../../domain/words/change-words.js';
import type { ChangedPath, Hunk } from '../../protocol/changes.js';
import type { CommentSide, ReviewComment } from '../../protocol/review-comment.js';
import type { HunkLine, LinePair } from './hunk-lines.js';

/** A line that can be commented on. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
  readonly side: CommentSide;
}

/** What stands in one row of the review; `file` is the place of the file in the list of changes. */
export type ReviewRow = { readonly key: string; readonly file: number } & (
  | { readonly kind: 'file' }
  | { readonly kind: 'note'; readonly text: string; readonly isBad?: boolean }
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'hidden'; readonly hidden: HiddenLines }
  | { readonly kind: 'line'; readonly line: HunkLine }
  | { readonly kind: 'pair'; readonly pair: LinePair }
  | { readonly kind: 'comments'; readonly place: LinePlace; readonly comments: readonly ReviewComment[] }
);

/** Lines around the changes of a file that somebody wanted to see. */
export interface ShownContext {
  readonly hunks: readonly Hunk[];
  /** How many lines the file has, once some were read. */
  readonly total?: number;
  readonly failure?: string;
}

/** Lines that somebody wants to see. */
export interface WantedLines {
  readonly path: string;
  readonly from: number;
  readonly count: number;
  /** What their numbers in the old version are less than those in the new one. */
  readonly shift: number;
}

/** A file as the review has it: its lines, where they are read, or why they are not. */
export interface ReviewFile {
  readonly file: ChangedPath;
  readonly isFolded: boolean;
  readonly lines: readonly Hunk[] | 'unread' | { readonly failure: string };
  /** What was read of the lines around the changes. */
  readonly context?: ShownContext | undefined;
  readonly comments: readonly ReviewComment[];
  /** Where somebody is writing. */
  readonly writingAt: readonly LinePlace[];
}

/** How a hunk is shown; kept by whoever calls, because a hunk is drawn again and again. */
export interface HunkView {
  lines(hunk: Hunk, path: string): readonly HunkLine[];
  pairs(hunk: Hunk, path: string): readonly LinePair[];
}

/** Every row of the review, in order. */
export function reviewRows(
  files: readonly ReviewFile[],
  { isSplit, view }: { readonly isSplit: boolean; readonly view: HunkView },
): ReviewRow[] {
  return files.flatMap((each, file): ReviewRow[] => {
    const { path } = each.file;
    const head: ReviewRow = { key: `f ${path}`, file, kind: 'file' };
    if (each.isFolded) return [head];
    return [head, ...bodyRows(each, { file, isSplit, view })];
  });
}

function bodyRows(
  { file: changed, lines, context, comments, writingAt }: ReviewFile,
  { file, isSplit, view }: { readonly file: number; readonly isSplit: boolean; readonly view: HunkView },
): ReviewRow[] {
  const { path, binary, cut } = changed;
  const note = (text: string, isBad = false): ReviewRow => ({
    key: `n ${path} ${text}`,
    file,
    kind: 'note',
    text,
    isBad,
  });
  const places = new CommentPlaces(path, comments, writingAt);
  const rows: ReviewRow[] = [];
  if (binary) rows.push(note('A binary file: it has no lines to show.'));
  else if (lines === 'unread') return [note('Loading…')];
  else if ('failure' in lines) rows.push(note(lines.failure, true));
  else {
    if (lines.length === 0 && cut === undefined) rows.push(note(emptyWords(changed)));
    const isWhole =
      cut === undefined && changed.kind === 'file' && !['added', 'deleted'].includes(changed.status);
    const more = { context: context?.hunks ?? [], total: context?.total, isWhole };
    for (const part of fileParts(lines, more)) {
      if (part.kind === 'hidden') {
        rows.push({ key: `g ${path} ${part.hidden.from}`, file, kind: 'hidden', hidden: part.hidden });
        continue;
      }
      const { hunk } = part;
      const index = lines.indexOf(hunk);
      // Lines that were only wanted are known by their numbers.
      const at = index < 0 ? (place: number) => `x ${path} ${hunk.newStart + place}` : undefined;
      if (!at) rows.push({ key: `h ${path} ${index}`, file, kind: 'hunk', text: hunkWords(hunk) });
      if (isSplit)
        for (const [place, pair] of view.pairs(hunk, path).entries()) {
          rows.push({ key: at?.(place) ?? `p ${path} ${index} ${place}`, file, kind: 'pair', pair });
          rows.push(...places.after(file, { old: pair.left?.old, new: pair.right?.new }));
        }
      else
        for (const [place, line] of view.lines(hunk, path).entries()) {
          rows.push({ key: at?.(place) ?? `l ${path} ${index} ${place}`, file, kind: 'line', line });
          rows.push(...places.after(file, line));
        }
    }
    if (cut !== undefined) rows.push(note(cut));
    if (context?.failure !== undefined) rows.push(note(context.failure, true));
  }
  return [...rows, ...places.rest(file)];
}

function hunkWords({ oldStart, oldLines, newStart, newLines, heading }: Hunk): string {
  return `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@ ${heading}`.trim();
}

function emptyWords(file: ChangedPath): string {
  const remarks = changeRemarks(file);
  return remarks.length === 0 ? 'No line of it changed.' : `No line of it changed (${remarks.join(', ')}).`;
}

/** The comments of a file by their places; those whose line is not shown come last. */
class CommentPlaces {
  readonly #places = new Map<string, { readonly place: LinePlace; readonly comments: ReviewComment[] }>();

  constructor(file: string, comments: readonly ReviewComment[], writingAt: readonly LinePlace[]) {
    for (const comment of comments) this.#at({ file, line: comment.line, side: comment.side }).push(comment);
    for (const place of writingAt) this.#at(place);
  }

  after(
    file: number,
    { old, new: now }: { readonly old?: number | undefined; readonly new?: number | undefined },
  ): ReviewRow[] {
    return [...this.#take(file, `old ${old}`), ...this.#take(file, `new ${now}`)];
  }

  rest(file: number): ReviewRow[] {
    return [...this.#places.keys()].flatMap((key) => this.#take(file, key));
  }

  #at(place: LinePlace): ReviewComment[] {
    const key = `${place.side} ${place.line}`;
    const found = this.#places.get(key) ?? { place, comments: [] };
    this.#places.set(key, found);
    return found.comments;
  }

  #take(file: number, key: string): ReviewRow[] {
    const found = this.#places.get(key);
    if (!found) return [];
    this.#places.delete(key);
    return [{ key: `c ${found.place.file} ${key}`, file, kind: 'comments', ...found }];
  }
}
