import { cutText } from '../../protocol/cut-text.js';
import type { OnFailure } from '../../protocol/dispatch.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Question } from '../../protocol/question.js';
import { outcomeSentence, outputWords } from '../words/outcome-words.js';
import { plainLine } from '../words/plain-text.js';

/** The answers to the question what becomes of work that failed. */
export const tryAgain = 'Try again';
export const leaveIt = 'Leave it';

const longestSummary = 500;
const longestOutput = 8000;
const mostTries = 20;

/** Whether a person is asked what becomes of work that ended so. */
export function isEscalated({ result, reason }: Outcome, onFailure: OnFailure | undefined): boolean {
  // About that, somebody has decided already.
  if (reason === 'budget') return false;
  return onFailure === 'escalate' && (result === 'failed' || result === 'blocked');
}

/** The question, with a report: every try with its exit code, and the last output. */
export function escalationQuestion(
  work: { readonly title?: string | undefined; readonly text: string },
  outcomes: readonly Outcome[],
): Question {
  const last = outcomes.at(-1);
  const tries = outcomes.length === 1 ? 'one try' : `${outcomes.length} tries`;
  const name = cutText(plainLine(work.title ?? work.text), 200);
  const ended = last?.result === 'blocked' ? 'is blocked' : 'failed';
  return {
    question: `"${name}" ${ended} after ${tries}. What becomes of it?`,
    header: 'Escalation',
    multiSelect: false,
    context: reportOf(outcomes),
    options: [
      { label: tryAgain, description: 'As new work in the same thread.' },
      { label: leaveIt, description: 'It stays as it ended.' },
    ],
  };
}

function reportOf(outcomes: readonly Outcome[]): string {
  const first = Math.max(0, outcomes.length - mostTries);
  const lines = outcomes.slice(first).map((outcome, index) => {
    const words = outcomeSentence(outcome) || outcome.result;
    return `Try ${first + index + 1}: exit code ${outcome.exitCode}, ${cutText(plainLine(words), longestSummary)}`;
  });
  const last = outcomes.at(-1);
  const output = outputWords(last);
  return [
    ...(first > 0 ? [`${first} earlier tries are left out.`] : []),
    ...lines,
    ...(output === '' ? [] : ['', 'The end of the last output:', output.slice(-longestOutput)]),
  ].join('\n');
}
