import { readBudget } from '../domain/dispatch/budget.js';
import type { Budget } from '../protocol/budget.js';
import { Failure } from '../protocol/failure.js';
import type { ScheduleQuestions } from '../protocol/schedule.js';
import { isAttended } from './ask/answer-here.js';
import { writeMessage } from './output.js';
import { readTypedLine, type Typed } from './terminal/keyboard.js';

const deniedAfter = { policy: 'deny', afterSeconds: 3600 } as const;

/** What a person can choose for questions that nobody answers, in the order in which it is offered. */
const choices = [
  { words: 'They wait in the inbox.', questions: 'wait' },
  {
    words: 'After an hour they count as denied.',
    questions: { text: deniedAfter, approval: deniedAfter, ask_user_question: deniedAfter },
  },
  { words: 'They end the work as blocked.', questions: 'refuse' },
] as const satisfies readonly { words: string; questions: ScheduleQuestions }[];

/** What is decided when a schedule is made. */
export interface ScheduleDecisions {
  readonly questions: ScheduleQuestions;
  /** False: each time may spend what it needs. */
  readonly budget: Budget | false;
}

/**
 * Nobody may be there when a schedule runs, so what becomes of questions, and what each time may spend, is decided now: on a terminal it
 * is asked for, elsewhere the options have to say it. Null: the person has left.
 */
export async function decideSchedule(given: {
  readonly questions: ScheduleQuestions | undefined;
  readonly budget: Budget | false | undefined;
}): Promise<ScheduleDecisions | null> {
  const { signal } = new AbortController();
  const canAsk = isAttended();
  if (given.questions === undefined && !canAsk) throw new Failure('usage', sayQuestions);
  if (given.budget === undefined && !canAsk) throw new Failure('usage', sayBudget);
  const questions = given.questions ?? (await askQuestions(signal));
  if (questions === null) return null;
  const budget = given.budget ?? (await askBudget(signal));
  return budget === null ? null : { questions, budget };
}

const sayQuestions =
  'Say what becomes of questions that nobody answers: --unanswered wait (they wait in the inbox), --unanswered approval=deny:3600 ' +
  '(a rule by kind), or --no-input (the work ends as blocked).';

const sayBudget =
  'Say what each time may spend: --budget 5 (dollars), --budget "200k tokens", or --no-budget.';

async function askQuestions(signal: AbortSignal): Promise<ScheduleQuestions | null> {
  writeMessage('You may be away when it runs. What becomes of questions that nobody answers?');
  for (const [place, { words }] of choices.entries()) process.stderr.write(`  ${place + 1}. ${words}\n`);
  return await asked(`[1-${choices.length}] `, signal, (text) => {
    const chosen = /^[1-9]$/.test(text) ? choices[Number(text) - 1] : undefined;
    if (!chosen) writeMessage(`Type a number from 1 to ${choices.length}.`);
    return chosen?.questions;
  });
}

async function askBudget(signal: AbortSignal): Promise<Budget | false | null> {
  writeMessage('What may each time spend? Type dollars, such as 5, or tokens, such as 200k tokens, or none.');
  return await asked('Budget: ', signal, (text) => {
    if (text.toLowerCase() === 'none') return false;
    const budget = readBudget(text);
    if (!budget) writeMessage('Type an amount greater than 0, such as 2.50 or 200k tokens, or none.');
    return budget ?? undefined;
  });
}

/** Asks until what was typed can be read; null when the person leaves. */
async function asked<Value extends object | string | false>(
  ask: string,
  signal: AbortSignal,
  read: (text: string) => Value | undefined,
): Promise<Value | null> {
  for (;;) {
    const typed: Typed = await readTypedLine({ ask, signal });
    if (typed.kind !== 'line') return null;
    const value = read(typed.text.trim());
    if (value !== undefined) return value;
  }
}
