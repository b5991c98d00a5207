import type { Attachment } from '../../protocol/attachment.js';
import type { DispatchRequest } from '../../protocol/dispatch.js';
import { RuntimeName } from '../../protocol/posture.js';

/** How much an agent may do without asking, as a person chooses it. */
export const freedoms = {
  ask: { words: 'asks before it acts', permissions: 'approval', permissionMode: 'default' },
  edit: { words: 'edits freely, asks for the rest', permissions: 'approval', permissionMode: 'acceptEdits' },
  plan: { words: 'plans first', permissions: 'approval', permissionMode: 'plan' },
  all: {
    words: 'does everything on its own',
    permissions: 'autonomous',
    permissionMode: 'bypassPermissions',
  },
} as const;
export type Freedom = keyof typeof freedoms;

/** The box for new work as it is filled in. */
export interface WorkForm {
  readonly text: string;
  readonly runtime: string;
  readonly folder: string;
  readonly worktree: boolean;
  readonly freedom: Freedom;
  readonly model: string;
  readonly attachments: readonly Attachment[];
}

export const emptyWork: WorkForm = {
  text: '',
  runtime: 'claude',
  folder: '',
  worktree: false,
  freedom: 'ask',
  model: '',
  attachments: [],
};

/** The work as the API takes it, or what is missing. */
export function requestOf(form: WorkForm): DispatchRequest | { readonly missing: string } {
  const { text, folder, worktree, model, attachments } = form;
  const { permissions, permissionMode } = freedoms[form.freedom];
  const runtime = RuntimeName.safeParse(form.runtime).data;
  if (text.trim() === '') return { missing: 'Say what is to be done.' };
  if (!folder.startsWith('/')) return { missing: 'Name the folder to work in, from / on.' };
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
