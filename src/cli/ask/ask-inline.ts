import type { Answer, Prompt } from '../../protocol/prompt.js';
import type { Key } from '../terminal/key.js';
import { sameKey } from '../view/precedent-lines.js';
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
import { formLines, hintLine } from './question-view.js';

/** Asks with lists that are steered with keys; what is asked stands on the screen already. */
export function askInline(prompt: Prompt, can: ApprovalAbilities, place: AskingPlace): Promise<PersonReply> {
  return prompt.kind === 'approval' ? askApproval(prompt, can, place) : askQuestions(prompt, place);
}

/** Where it is asked, and what one key answers: the same as before. */
type AskingPlace = DialogPlace & { readonly printed: string; readonly same?: Answer };

async function askQuestions({ questions }: Prompt, place: AskingPlace): Promise<PersonReply> {
  const result = await showDialog(withSame(formDialog(questions), place), place);
  if (result === 'called_off') return { kind: 'called_off' };
  if (result.kind === 'put_off' || result.kind === 'interrupted') return result;
  if (result.kind === 'answer') return result;
  return { kind: 'answer', answer: { answers: [...result.answers] } };
}

type Same = Extract<PersonReply, { kind: 'answer' }>;

/** The same dialog with one more key; while words are typed, the key is a letter of theirs. */
function withSame<Result>(dialog: Dialog<Result>, { same }: AskingPlace): Dialog<Result | Same> {
  if (!same) return dialog;
  return {
    isTyping: () => dialog.isTyping(),
    lines: (space) => [...dialog.lines(space), hintLine(`${sameKey} answers the same as before`, space)],
    press: (key) =>
      key.kind === 'text' && key.text === sameKey && !dialog.isTyping()
        ? { kind: 'answer', answer: same }
        : dialog.press(key),
  };
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

async function askApproval(prompt: Prompt, can: ApprovalAbilities, place: AskingPlace): Promise<PersonReply> {
  const unread = aboveWords(printedRows(place.printed, screenSize()));
  for (;;) {
    // Yes to what was not on the screen is no answer that one key gives.
    const isOffered = unread === '' || !isApproval(place.same);
    const menu = menuDialog(openMenu(prompt, can, unread));
    const result = await showDialog(isOffered ? withSame(menu, place) : menu, place);
    if (result === 'called_off') return { kind: 'called_off' };
    if (result.kind === 'put_off' || result.kind === 'interrupted') return result;
    if (result.kind === 'answer') return result;
    if (result.kind === 'decision') return { kind: 'answer', answer: { decision: result.decision } };
    const edited = await editedInput(prompt.action?.input ?? {});
    if (edited.kind === 'edited')
      return { kind: 'answer', answer: { decision: { approved: true, updatedInput: edited.input } } };
    const why = edited.kind === 'unchanged' ? 'You changed nothing' : edited.why;
    place.screen.tell(`! ${why}. The approval is still open.`);
  }
}

function isApproval(answer: Answer | undefined): boolean {
  return answer !== undefined && 'decision' in answer && answer.decision.approved;
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
