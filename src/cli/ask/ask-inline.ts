import type { Prompt } from '../../protocol/prompt.js';
import { type Abilities, type MenuStep, menuLines, menuStep, openMenu } from './approval-menu.js';
import { editedInput } from './edited-input.js';
import { type Dialog, type DialogPlace, showDialog } from './inline-dialog.js';
import { type FormStep, openForm, step } from './question-form.js';
import { formLines } from './question-view.js';
import type { Said } from './said.js';

/** Asks with lists that are steered with keys; what is asked stands on the screen already. */
export function askInline(prompt: Prompt, can: Abilities, place: DialogPlace): Promise<Said> {
  return prompt.kind === 'approval' ? askApproval(prompt, can, place) : askQuestions(prompt, place);
}

async function askQuestions({ questions }: Prompt, place: DialogPlace): Promise<Said> {
  const said = await showDialog(formDialog(questions), place);
  if (said === 'called_off') return { kind: 'called_off' };
  if (said.kind === 'leave') return { kind: 'interrupted' };
  return { kind: 'answer', answer: { answers: [...said.answers] } };
}

function formDialog(questions: Prompt['questions']): Dialog<Exclude<FormStep, { kind: 'form' }>> {
  let form = openForm(questions);
  return {
    lines: (space) => formLines(form, space),
    press: (key) => {
      const next = step(form, key);
      if (next.kind !== 'form') return next;
      form = next.form;
      return undefined;
    },
  };
}

async function askApproval(prompt: Prompt, can: Abilities, place: DialogPlace): Promise<Said> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until something is decided
    const said = await showDialog(menuDialog(prompt, can), place);
    if (said === 'called_off') return { kind: 'called_off' };
    if (said.kind === 'leave') return { kind: 'interrupted' };
    if (said.kind === 'decision') return { kind: 'answer', answer: { decision: said.decision } };
    // oxlint-disable-next-line no-await-in-loop -- one edit after the other
    const edited = await editedInput(prompt.action?.input ?? {});
    if (edited.kind === 'edited')
      return { kind: 'answer', answer: { decision: { approved: true, updatedInput: edited.input } } };
    const why = edited.kind === 'unchanged' ? 'nothing was changed' : edited.why;
    place.screen.tell(`! ${why}; nothing is decided yet`);
  }
}

function menuDialog(prompt: Prompt, can: Abilities): Dialog<Exclude<MenuStep, { kind: 'menu' }>> {
  let menu = openMenu(prompt, can);
  return {
    lines: (space) => menuLines(menu, space),
    press: (key) => {
      const next = menuStep(menu, key);
      if (next.kind !== 'menu') return next;
      menu = next.menu;
      return undefined;
    },
  };
}
