import { usualContainer } from '../../domain/container/usual-container.js';
import { readBudget } from '../../domain/dispatch/budget.js';
import { modeWords } from '../../domain/words/mode-words.js';
import { typedPlace } from '../../domain/worktree/typed-place.js';
import type { Budget } from '../../protocol/budget.js';
import { ImageName, type UsualContainer } from '../../protocol/container.js';
import type { DispatchRequest } from '../../protocol/dispatch.js';
import { given } from '../../protocol/given.js';
import { RuntimeName, SkillName } from '../../protocol/posture.js';
import { isContained, noUsual, type WorkForm } from './work-words.js';

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
  never: { words: modeWords.dontAsk, permissions: 'autonomous', permissionMode: 'dontAsk' },
} as const;
export type Freedom = keyof typeof freedoms;

export const budgetMissing = 'A budget is an amount, such as 5 (dollars) or 200k tokens, or none.';

/** A budget as it was typed; undefined for none, null for what is no amount. */
export function typedBudget(text: string): Budget | undefined | null {
  return ['', 'none'].includes(text.trim()) ? undefined : readBudget(text);
}

/** The work as the API takes it, or what is missing. */
export function requestOf(
  form: WorkForm,
  usual: UsualContainer = noUsual,
): DispatchRequest | { readonly missing: string } {
  const { text, folder, worktree, model, attachments } = form;
  const skill = form.skill.trim();
  const { permissions, permissionMode } = freedoms[form.freedom];
  const runtime = RuntimeName.safeParse(form.runtime).data;
  if (text.trim() === '') return { missing: 'Describe the work first.' };
  const place = typedPlace(folder);
  if (place === null)
    return {
      missing:
        'Enter the folder to work in as an absolute path, such as /home/me/project, or the address of a git repository, such as https://git.example/shop.git#main.',
    };
  if (skill !== '' && !SkillName.safeParse(skill).success)
    return { missing: 'A skill is named by its file in skills/, without the folder.' };
  if (runtime === undefined) return { missing: 'Choose a runtime.' };
  const budget = typedBudget(form.budget);
  if (budget === null) return { missing: budgetMissing };
  const command = form.command.trim();
  if (runtime === 'exec' && skill === '' && command === '')
    return { missing: 'Enter the command to start, such as my-agent --print {prompt}, or choose a skill.' };
  const image = form.image.trim();
  if (image !== '' && !ImageName.safeParse(image).success)
    return { missing: 'An image is a name such as handraise-claude or registry.example/agent:1.' };
  const container = isContained(form, usual)
    ? usualContainer({ ...usual, ...(image !== '' && { image }) }, skill === '' ? runtime : 'exec')
    : undefined;
  const workspace = 'path' in place ? { ...place, ...(worktree && { worktree: true }) } : place;
  // A skill is a command: it has no model, and whoever approved it has said what it may do.
  if (skill !== '')
    return {
      text,
      runtime: 'exec',
      workspace,
      ...given({ budget }),
      posture: { skill, ...given({ container }) },
      ...(attachments.length > 0 && { attachments: [...attachments] }),
    };
  return {
    text,
    runtime,
    workspace,
    permissions,
    ...given({ budget }),
    posture: {
      permissionMode,
      ...(model.trim() !== '' && { model: model.trim() }),
      ...(form.tools !== 'full' && { toolPreset: form.tools }),
      ...(runtime === 'exec' && { command }),
      ...given({ container }),
    },
    ...(attachments.length > 0 && { attachments: [...attachments] }),
  };
}
