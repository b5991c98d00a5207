import type { RuntimeName } from '../../protocol/posture.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { actionSheet, type SheetLine, type SheetOptions } from '../prompts/action-sheet.js';
import { askedPlan, emptyPlanWords, isEmptyPlan } from '../prompts/asked-plan.js';
import { planTool } from '../prompts/plan-action.js';
import { askingServer } from '../prompts/thread-prompt.js';
import { actionWords } from './action-words.js';
import { agentName } from './agent-name.js';
import { hiddenCharacters, hiddenWords, markedText } from './marked-text.js';
import { plainLine, plainText } from './plain-text.js';

/** What is asked, as far as words need it. */
export type PromptContent = Pick<Prompt, 'kind' | 'questions' | 'action'>;

/** Who asks: the thread of the prompt, or less where less is known. */
export interface Asker {
  readonly runtime?: RuntimeName | undefined;
  readonly workspace?: { readonly path: string } | undefined;
}

/** What an agent asks, on one line: "Claude asks to edit src/cart.js", "Claude asks: Which tone?". */
export function askWords(asked: PromptContent, asker: Asker | undefined): string {
  const { kind, questions, action } = asked;
  const server = askingServer(asked);
  const isOwn = questions.some(({ byWorker }) => byWorker);
  const itself = isOwn ? 'Handraise' : agentName(asker?.runtime);
  const agent = server === undefined ? itself : `The MCP server ${plainLine(server)}`;
  if (kind === 'approval' && action) {
    if (action.tool === planTool) return `${agent} asks you to approve its plan`;
    return `${agent} asks to ${actionWords(action, asker?.workspace?.path).words}`;
  }
  const [first, ...more] = questions;
  if (more.length > 0) return `${agent} asks ${questions.length} questions`;
  return `${agent} asks: ${plainLine(first?.question ?? '')}`;
}

/** The same with everything that a person has to know to decide: the options, the plan, every field of the action. */
export function askText(asked: PromptContent, asker: Asker | undefined): string {
  return [askWords(asked, asker), ...detailLines(asked, asker)].join('\n');
}

function detailLines({ kind, questions, action }: PromptContent, asker: Asker | undefined): string[] {
  if (kind === 'approval' && action) {
    const plan = askedPlan(action);
    if (plan !== undefined) return isEmptyPlan(action) ? [emptyPlanWords] : planLines(plan);
    const folder = asker?.workspace?.path;
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
