import type { Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { seenFolder } from '../container/seen-folder.js';
import { actionSheet, type SheetOptions } from '../prompts/action-sheet.js';
import { askedPlan, emptyPlanWords, isEmptyPlan } from '../prompts/asked-plan.js';
import type { SheetLine } from '../prompts/text-sheet.js';
import { actionWords } from './action-words.js';
import { type Asker, askWords, type PromptContent } from './ask-words.js';
import { hiddenCharacters, hiddenWords, markedText } from './marked-text.js';
import { plainLine, plainText } from './plain-text.js';

/** What an agent asks, with everything that a person has to know to decide: the options, the plan, every field of the action. */
export function askText(asked: PromptContent, asker: Asker | undefined): string {
  return [askWords(asked, asker), ...detailLines(asked, asker)].join('\n');
}

function detailLines({ kind, questions, action }: PromptContent, asker: Asker | undefined): string[] {
  if (kind === 'approval' && action) {
    const plan = askedPlan(action);
    if (plan !== undefined) return isEmptyPlan(action) ? [emptyPlanWords] : planLines(plan);
    const folder = seenFolder(asker);
    return actionLines(action, { folder, told: actionWords(action, folder).shownField });
  }
  const isOne = questions.length === 1;
  return questions.flatMap((question, index) => [
    ...(isOne ? restOf(question) : [`${index + 1}) ${plainText(question.question)}`]),
    ...(question.context === undefined ? [] : [plainText(question.context)]),
    ...optionLines(question),
  ]);
}

function planLines(plan: string): string[] {
  const hidden = hiddenWords(hiddenCharacters(plan));
  return [...(hidden === '' ? [] : [`  ! It ${hidden}`]), '', markedText(plan).trim()];
}

/** A question of several lines stands whole under its own head. */
function restOf({ question }: Question): string[] {
  return plainText(question).trim() === plainLine(question) ? [] : [plainText(question)];
}

function optionLines({ options }: Question): string[] {
  return options.map(({ label, description }, index) => {
    const about = description && description !== label ? ` — ${plainLine(description)}` : '';
    return `  ${index + 1}. ${plainLine(label)}${about}`;
  });
}

/** Everything of an action, with what shows nothing marked: a person decides about what stands here and nothing else. */
function actionLines(action: NonNullable<Prompt['action']>, options: SheetOptions): string[] {
  const hidden = hiddenWords(hiddenCharacters(action));
  const lines = hidden === '' ? [] : [`  ! It ${hidden}`];
  for (const line of actionSheet(action, options)) {
    // A terminal wraps lines itself.
    if (line.isContinued) lines.push(`${lines.pop() ?? ''}${line.text}`);
    else lines.push(lineText(line).trimEnd());
  }
  return lines;
}

function lineText({ kind, name, text }: SheetLine): string {
  switch (kind) {
    case 'field':
      return `  ${name}: ${text}`;
    case 'file':
    case 'remark':
      return `  ${text}`;
    case 'added':
      return `  + ${text}`;
    case 'removed':
      return `  - ${text}`;
    case 'text':
    case 'same':
      return `    ${text}`;
    default:
      return kind satisfies never;
  }
}
