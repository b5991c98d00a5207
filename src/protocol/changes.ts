// What a thread's agent changed, as one model for the API, the command line and the console.
import * as z from 'zod';
import { DispatchId } from './id.js';

/** A run of lines that differ. */
export const Hunk = z.object({
  oldStart: z.int(),
  oldLines: z.int(),
  newStart: z.int(),
  newLines: z.int(),
  heading: z.string().describe('The function or class that the lines are in, where git found one.'),
  lines: z
    .array(z.string())
    .describe('Each begins with a space (unchanged), + (new), - (gone) or \\ (a remark of git).'),
});
export type Hunk = z.infer<typeof Hunk>;

/** One file that the work changed. */
export const ChangedPath = z.object({
  path: z.string(),
  status: z.enum(['added', 'changed', 'renamed', 'deleted']),
  from: z.string().optional().describe('What a renamed file was called before.'),
  kind: z.enum(['file', 'link', 'submodule']),
  binary: z.boolean(),
  mode: z
    .object({ before: z.string(), after: z.string() })
    .optional()
    .describe('Where it changed: 100644, 100755 (may be executed), 120000 (link), 160000 (submodule).'),
  added: z.int().nullable().describe('New lines; null where lines cannot be counted.'),
  removed: z.int().nullable(),
  hunks: z.array(Hunk).optional().describe('Only where they were asked for, and never for binary files.'),
  cut: z.string().optional().describe('Why lines are missing, as a sentence.'),
});
export type ChangedPath = z.infer<typeof ChangedPath>;

/** A part of what a thread's agent changed. */
export const ChangePage = z.object({
  revision: z.string().describe('Changes with every change of the files; equal revisions are equal changes.'),
  base: z.object({ commit: z.string(), why: z.string() }).describe('What the files are compared with.'),
  branch: z.string().optional().describe('The branch that the agent works on.'),
  isWorktree: z.boolean(),
  files: z.array(ChangedPath),
  totals: z.object({ files: z.int(), added: z.int(), removed: z.int() }).describe('Of all parts together.'),
  notes: z.array(z.string()).describe('What a reader should know: files that are left out, for one.'),
  next: z.string().optional().describe('The `cursor` of the next part.'),
});
export type ChangePage = z.infer<typeof ChangePage>;

/** The most lines of a file that are read at once. */
export const mostLinesAtOnce = 2000;

/** Lines of one version of a file that the work changed. */
export const ChangedFileLines = z.object({
  revision: z.string().describe('The same as that of the changes, as long as no file changed since.'),
  from: z.int().describe('The number of the first line.'),
  lines: z
    .array(z.string())
    .describe(
      'Fewer than were asked for where the file ends or the answer would be too long. A long line is cut.',
    ),
  total: z.int().describe('How many lines the file has.'),
});
export type ChangedFileLines = z.infer<typeof ChangedFileLines>;

/** What became of work that a person has looked at. */
export const WorkSettled = z.object({
  how: z.enum(['merge', 'apply', 'pr', 'discard']),
  into: z.string().optional().describe('The branch or the folder that has the work, or the pull request.'),
  dispatchId: DispatchId.describe(
    'The last piece of work that it holds for; work that is given later is not settled by it.',
  ),
});
export type WorkSettled = z.infer<typeof WorkSettled>;

/** Where the work of a thread began: the repository, what was checked out, and the files as they were. */
export const WorkOrigin = z.object({
  /** The checkout that the work was asked for in. */
  top: z.string(),
  /** The branch that was checked out there; missing where none was. */
  branch: z.string().optional(),
  /** The commit that was checked out; missing where there was none yet. */
  commit: z.string().optional(),
  /** A commit that holds the files as they were, with changes that were not committed; for work in place. */
  snapshot: z.string().optional(),
  /** Where that branch is pushed to. An agent could rewrite the repository's own config. */
  remote: z.object({ name: z.string(), url: z.string() }).optional(),
  /** The last commit of the work that was landed already. */
  landed: z.string().optional(),
  settled: WorkSettled.optional(),
});
export type WorkOrigin = z.infer<typeof WorkOrigin>;
