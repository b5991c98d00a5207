import { deepestNesting, isShallow } from '../protocol/nesting.js';
import { askingLimits } from '../protocol/question.js';
import type { AskKind, Asks } from '../runtimes/runtime.js';

// An approval is shown whole, and nobody reads more than this.
const longestAction = 4 * 2 ** 20;

/**
 * Why a person cannot be asked this, as the agent shall hear it; null when one can.
 * What is asked is shown in lists, menus and notifications to everybody, so it is bounded where it enters.
 */
export function whyNotAsked<Kind extends AskKind>(kind: Kind, request: Asks[Kind]['request']): string | null {
  const { questions: mostQuestions } = askingLimits;
  if ('questions' in request) {
    if (request.questions.length > mostQuestions)
      return `There are ${count(request.questions.length)} questions, and a person can be shown ${mostQuestions} at once. Ask fewer.`;
    return request.questions.map(whyNot).find((why) => why !== null) ?? null;
  }
  const why = 'planContent' in request ? null : whyNoAction(request);
  if (why !== null) return why;
  const length = 'planContent' in request ? request.planContent.length : JSON.stringify(request.input).length;
  if (length <= longestAction) return null;
  const what = kind === 'plan' ? 'plan' : 'action';
  return `The ${what} has ${count(length)} characters, and a person can be shown ${count(longestAction)} at most. Do it in smaller steps.`;
}

function whyNoAction({ tool, input, reason = '' }: Asks['permission']['request']): string | null {
  const { toolLength, reasonLength } = askingLimits;
  if (tool.length > toolLength) return tooLong('name of the tool', tool.length, toolLength);
  if (reason.length > reasonLength) return tooLong('reason', reason.length, reasonLength);
  // JSON may hold such a field, and what reads our events leaves it out: it would be carried out and not be shown.
  if (Object.hasOwn(input, '__proto__'))
    return 'The action has a field named __proto__, which a person cannot be shown. Do it without this field.';
  return isShallow(input)
    ? null
    : `The action is nested deeper than ${deepestNesting} levels, and a person can be shown no more. Do it with a flatter input.`;
}

function whyNot({ question, header = '', options }: Asks['question']['request']['questions'][number]) {
  const { questionLength, options: mostOptions, labelLength, descriptionLength } = askingLimits;
  if (question.length > questionLength) return tooLong('question', question.length, questionLength);
  if (header.length > labelLength) return tooLong('header', header.length, labelLength);
  if (options.length > mostOptions)
    return `The question has ${count(options.length)} options, and a person can be shown ${mostOptions} at most. Ask with fewer.`;
  for (const { label, description = '', preview = '' } of options) {
    if (label.length > labelLength) return tooLong('label of an option', label.length, labelLength);
    const longest = Math.max(description.length, preview.length);
    if (longest > descriptionLength) return tooLong('description of an option', longest, descriptionLength);
  }
  return null;
}

function tooLong(what: string, length: number, limit: number): string {
  return `The ${what} has ${count(length)} characters, and a person can be shown ${count(limit)} at most. Ask again, shorter.`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
