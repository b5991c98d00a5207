import { type ChangedLine, changedLines } from '../../domain/review/changed-line.js';
import { changeRemarks, changeTotals } from '../../domain/words/change-words.js';
import { commentAuthor, commentState } from '../../domain/words/comment-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import type { ChangedPath, ChangePage, Hunk } from '../../protocol/changes.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import { wrappedRows } from '../terminal/wrap.js';

/** A line of what an agent changed, or of what somebody says about it. */
export interface ChangeRow {
  readonly kind: 'file' | 'place' | 'added' | 'removed' | 'same' | 'remark' | 'comment';
  /** As the worker told it; it is made safe when it is drawn, because few of many lines are. */
  readonly text: string;
  /** The file that it belongs to; what is said about all of them belongs to none. */
  readonly path?: string | undefined;
  /** Its numbers in the two versions of the file. */
  readonly line?: Pick<ChangedLine, 'old' | 'new'>;
  readonly comment?: ReviewComment;
}

/** What is read of the changes of a thread so far. */
export interface ChangeRows {
  readonly threadId: ThreadId;
  readonly revision: string;
  readonly summary: string;
  readonly rows: readonly ChangeRow[];
  /** Where each file begins. */
  readonly files: readonly number[];
  readonly comments: readonly ReviewComment[];
  readonly isWhole: boolean;
  readonly failure: string | undefined;
}

// A comment is read like a letter, however wide the screen is.
const commentColumns = 72;

export function noChanges(threadId: ThreadId): ChangeRows {
  return {
    threadId,
    revision: '',
    summary: '',
    rows: [],
    files: [],
    comments: [],
    isWhole: false,
    failure: undefined,
  };
}

/** The changes with one more part of them. */
export function withPage(changes: ChangeRows, page: ChangePage): ChangeRows {
  const rows = [...changes.rows];
  const files = [...changes.files];
  if (rows.length === 0) for (const note of page.notes) rows.push({ kind: 'remark', text: note });
  for (const file of page.files) {
    files.push(rows.length);
    rows.push(...fileRows(file));
  }
  const { totals, base, revision } = page;
  const summary =
    totals.files === 0
      ? `Nothing changed since ${plainLine(base.why)}.`
      : `${changeTotals(totals)}, against ${plainLine(base.why)}`;
  return { ...changes, revision, rows, files, summary, isWhole: page.next === undefined };
}

function fileRows(file: ChangedPath): ChangeRow[] {
  const { path } = file;
  const counts = file.added === null ? [] : [`+${file.added} −${file.removed}`];
  const about = [...counts, ...changeRemarks(file)].join(', ');
  return [
    { kind: 'file', text: `${path}  ${about}`, path },
    ...(file.hunks ?? []).flatMap((hunk): ChangeRow[] => [
      {
        kind: 'place',
        text: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@ ${hunk.heading}`,
        path,
      },
      ...hunkRows(hunk, path),
    ]),
    ...(file.cut === undefined ? [] : [{ kind: 'remark', text: file.cut, path } as const]),
    { kind: 'remark', text: '', path },
  ];
}

function hunkRows(hunk: Hunk, path: string): ChangeRow[] {
  return changedLines(hunk).map(({ kind, old, new: now }, place): ChangeRow => {
    const text = hunk.lines[place] ?? '';
    if (kind === 'remark') return { kind, text, path };
    const line = { ...(old !== undefined && { old }), ...(now !== undefined && { new: now }) };
    return { kind, text, path, line };
  });
}

/** The changes with these comments, each below its line; those of lines that are not shown stand at their file, or before everything. */
export function withComments(changes: ChangeRows, comments: readonly ReviewComment[]): ChangeRows {
  const waiting = new Map<string, ReviewComment[]>();
  for (const comment of comments) {
    const key = placeKey(comment.file, comment.side, comment.line);
    waiting.set(key, [...(waiting.get(key) ?? []), comment]);
  }
  const bare = changes.rows.filter(({ kind }) => kind !== 'comment');
  const shown = new Set(bare.flatMap(placesOf));
  const elsewhere = new Map<string, ReviewComment[]>();
  for (const comment of comments) {
    if (shown.has(placeKey(comment.file, comment.side, comment.line))) continue;
    elsewhere.set(comment.file, [...(elsewhere.get(comment.file) ?? []), comment]);
  }
  const named = new Set(
    bare.flatMap(({ kind, path }) => (kind === 'file' && path !== undefined ? [path] : [])),
  );
  const nowhere = [...elsewhere].filter(([file]) => !named.has(file)).flatMap(([, of]) => of);

  const rows: ChangeRow[] = nowhere.flatMap((comment) => commentRows(comment, 'with its file'));
  const files: number[] = [];
  for (const row of bare) {
    if (row.kind === 'file') files.push(rows.length);
    rows.push(row);
    const here = placesOf(row).flatMap((key) => waiting.get(key) ?? []);
    for (const comment of here) rows.push(...commentRows(comment, 'below its line'));
    if (row.kind === 'file')
      for (const comment of elsewhere.get(row.path ?? '') ?? [])
        rows.push(...commentRows(comment, 'with its line'));
  }
  return { ...changes, rows, files, comments };
}

/** What a comment can name a row by. */
function placesOf({ path, line }: ChangeRow): string[] {
  if (path === undefined || !line) return [];
  return [
    ...(line.old === undefined ? [] : [placeKey(path, 'old', line.old)]),
    ...(line.new === undefined ? [] : [placeKey(path, 'new', line.new)]),
  ];
}

function placeKey(file: string, side: ReviewComment['side'], line: number): string {
  return `${side} ${line} ${file}`;
}

function commentRows(
  comment: ReviewComment,
  place: 'below its line' | 'with its line' | 'with its file',
): ChangeRow[] {
  const { file, line, body, severity } = comment;
  const where = {
    'below its line': '',
    'with its line': `line ${line}: `,
    'with its file': `${file}:${line}: `,
  };
  const weight = severity === undefined ? '' : ` · ${severity}`;
  const head = `${where[place]}${commentAuthor(comment)}, ${commentState(comment).toLowerCase()}${weight}`;
  return [head, ...wrappedRows(plainText(body), commentColumns)].map((text) => ({
    kind: 'comment',
    text,
    path: file,
    comment,
  }));
}

/** The comments of people that wait to be sent to the agent. */
export function unsentComments({ comments }: Pick<ChangeRows, 'comments'>): readonly ReviewComment[] {
  return comments.filter((comment) => commentState(comment) === 'Not sent');
}
