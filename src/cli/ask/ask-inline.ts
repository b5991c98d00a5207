import type { Prompt } from '../../protocol/prompt.js';
import type { Key } from '../terminal/key.js';
import {
  type ApprovalAbilities,
  type ApprovalMenu,
  type MenuStep,
  menuLines,
  menuStep,
  openMenu,
} from './approval-menu.js';
import { editedInput } from './edited-input.js';
import { type Dialog, type DialogPlace, screenSize, showDialog } from './inline-dialog.js';
import type { PersonReply } from './person-reply.js';
import { aboveWords, printedRows } from './printed-rows.js';
import { type FormStep, openForm, step } from './question-form.js';
import { formLines } from './question-view.js';

/** Asks with lists that are steered with keys; what is asked stands on the screen already. */
export function askInline(
  prompt: Prompt,
  can: ApprovalAbilities,
  place: DialogPlace & { readonly printed: string },
): Promise<PersonReply> {
  return prompt.kind === 'approval' ? askApproval(prompt, can, place) : askQuestions(prompt, place);
}

async function askQuestions({ questions }: Prompt, place: DialogPlace): Promise<PersonReply> {
  const result = await showDialog(formDialog(questions), place);
  if (result === 'called_off') return { kind: 'called_off' };
  if (result.kind === 'put_off' || result.kind === 'interrupted') return result;
  return { kind: 'answer', answer: { answers: [...result.answers] } };
}

function formDialog(
  questions: Prompt['questions'],
): Dialog<Exclude<FormStep, { kind: 'form' | 'leave' }> | Left> {
  let form = openForm(questions);
  return {
    lines: (space) => formLines(form, space),
    isTyping: () => form.lists[form.place]?.isTyping ?? false,
    press: (key) => {
      const next = step(form, key);
      if (next.kind === 'leave') return leftBy(key);
      if (next.kind !== 'form') return next;
      form = next.form;
      return undefined;
    },
  };
}

type Left = Extract<PersonReply, { kind: 'put_off' | 'interrupted' }>;

/** Escape decides later; Ctrl-C wants to leave whatever is going on. */
function leftBy({ kind }: Key): Left {
  return { kind: kind === 'escape' ? 'put_off' : 'interrupted' };
}

async function askApproval(
  prompt: Prompt,
  can: ApprovalAbilities,
  place: DialogPlace & { readonly printed: string },
): Promise<PersonReply> {
  const unread = aboveWords(printedRows(place.printed, screenSize()));
  for (;;) {
    const result = await showDialog(menuDialog(openMenu(prompt, can, unread)), place);
    if (result === 'called_off') return { kind: 'called_off' };
    if (result.kind === 'put_off' || result.kind === 'interrupted') return result;
    if (result.kind === 'decision') return { kind: 'answer', answer: { decision: result.decision } };
    const edited = await editedInput(prompt.action?.input ?? {});
    if (edited.kind === 'edited')
      return { kind: 'answer', answer: { decision: { approved: true, updatedInput: edited.input } } };
    const why = edited.kind === 'unchanged' ? 'You changed nothing' : edited.why;
    place.screen.tell(`! ${why}. The approval is still open.`);
  }
}

function menuDialog(opened: ApprovalMenu): Dialog<Exclude<MenuStep, { kind: 'menu' | 'leave' }> | Left> {
  let menu = opened;
  return {
    lines: (space) => menuLines(menu, space),
    isTyping: () => menu.message !== undefined,
    press: (key) => {
      const next = menuStep(menu, key);
      if (next.kind === 'leave') return leftBy(key);
      if (next.kind !== 'menu') return next;
      menu = next.menu;
      return undefined;
    },
  };
}
