import { z } from 'zod';
import { workspacePath } from '../../process/files/workspace-path.js';
import { targetBase } from '../../process/git/diff-base.js';
import { fitPatches } from '../../process/git/patch.js';
import { requireRepository } from '../../process/git/repository.js';
import { takeDiff } from '../../process/git/workspace-diff.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

// About 20,000 tokens, which runtimes still pass on whole.
const MAX_DIFF = 80_000;
const MAX_FILES = 500;

const input = {
  mode: z.enum(['summary', 'full']).default('summary').describe('file list with counts, or the diff itself'),
  file: z.string().max(4096).optional().describe('only this file, relative to the workspace'),
};

/** Shows what changed since the target branch, uncommitted and untracked files included. */
export function getWorkspaceDiff(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'get_workspace_diff',
    description:
      'Changes against the merge base with the target branch (or HEAD), including uncommitted and untracked files.',
    access: 'read',
    input,
    async answer({ mode, file }) {
      const path = file === undefined ? undefined : await workspacePath(workspace.cwd, file);
      const repository = await requireRepository(workspace);
      const { note, ...base } = await targetBase(repository, workspace.targetBranch);
      const diff = await takeDiff(repository, { base, mode, file: path });
      const notes = [...diff.notes, ...(note === undefined ? [] : [note])];
      const listed = diff.files.slice(0, MAX_FILES);
      if (listed.length < diff.files.length) notes.push(`The list is cut at ${MAX_FILES} files.`);
      const fitted = fitPatches(diff.patches, MAX_DIFF);
      notes.push(...whatWasCut(fitted));
      return {
        against: base,
        totals: {
          files: diff.files.length,
          added: sum(diff.files.map(({ added }) => added)),
          removed: sum(diff.files.map(({ removed }) => removed)),
        },
        files: listed,
        ...(mode === 'full' ? { diff: fitted.text } : {}),
        notes,
      };
    },
  });
}

function whatWasCut({ cut, omitted }: { cut: readonly string[]; omitted: readonly string[] }): string[] {
  if (cut.length === 0) return [];
  const names = omitted.slice(0, MAX_FILES).join(', ');
  const left = omitted.length === 0 ? '' : ` Left out (${omitted.length}): ${names}.`;
  return [
    `The diff is cut at ${MAX_DIFF} characters, in ${cut.join(', ')}.${left} Ask for one file at a time.`,
  ];
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}
