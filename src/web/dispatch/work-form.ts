import * as z from 'zod';
import { modeWords } from '../../domain/words/mode-words.js';
import type { Attachment } from '../../protocol/attachment.js';
import type { DispatchRequest } from '../../protocol/dispatch.js';
import { RuntimeName } from '../../protocol/posture.js';

/** How much an agent may do without asking, as a person chooses it. */
export const freedoms = {
  ask: { words: modeWords.default, permissions: 'approval', permissionMode: 'default' },
  edit: { words: modeWords.acceptEdits, permissions: 'approval', permissionMode: 'acceptEdits' },
  plan: { words: modeWords.plan, permissions: 'approval', permissionMode: 'plan' },
  all: {
    words: modeWords.bypassPermissions,
    permissions: 'autonomous',
    permissionMode: 'bypassPermissions',
  },
} as const;
export type Freedom = keyof typeof freedoms;

/** What is typed into the box for new work. */
export const WorkWords = z.object({ text: z.string(), folder: z.string() });
export type WorkWords = z.infer<typeof WorkWords>;

export const noWords: WorkWords = { text: '', folder: '' };

/** What is chosen beside it. */
export interface WorkChoices {
  readonly runtime: string;
  readonly worktree: boolean;
  readonly freedom: Freedom;
  readonly model: string;
  readonly attachments: readonly Attachment[];
}

export const usualChoices: WorkChoices = {
  runtime: 'claude',
  worktree: false,
  freedom: 'ask',
  model: '',
  attachments: [],
};

/** The box for new work as it is filled in. */
export type WorkForm = WorkWords & WorkChoices;

/** The work as the API takes it, or what is missing. */
export function requestOf(form: WorkForm): DispatchRequest | { readonly missing: string } {
  const { text, folder, worktree, model, attachments } = form;
  const { permissions, permissionMode } = freedoms[form.freedom];
  const runtime = RuntimeName.safeParse(form.runtime).data;
  if (text.trim() === '') return { missing: 'Describe the work first.' };
  if (!folder.startsWith('/'))
    return { missing: 'Enter the folder to work in as an absolute path, such as /home/me/project.' };
  if (runtime === undefined) return { missing: 'Choose a runtime.' };
  return {
    text,
    runtime,
    workspace: { path: folder, ...(worktree && { worktree: true }) },
    permissions,
    posture: { permissionMode, ...(model.trim() !== '' && { model: model.trim() }) },
    ...(attachments.length > 0 && { attachments: [...attachments] }),
  };
}
