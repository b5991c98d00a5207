import { amountWords } from '../../domain/dispatch/budget.js';
import { age, duration, until } from '../../domain/words/age.js';
import { outcomeAxes, timeTaken } from '../../domain/words/outcome-words.js';
import { plainLine, plainText } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import type { Attempt, Dispatch } from '../../protocol/dispatch.js';
import { type CardContext, cardLines } from './card.js';
import { outcomeLine } from './outcome-lines.js';
import { workCell } from './result-mark.js';

/** Everything about a dispatch. */
export function dispatchCard(dispatch: Dispatch, { colours, now }: CardContext): string[] {
  const { outcome, notBefore } = dispatch;
  const { text, paint = String } = workCell({ state: dispatch.state }, colours);
  const labels = Object.entries(dispatch.labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return cardLines(
    [
      ['dispatch', dispatch.id],
      ['thread', dispatch.threadId],
      ['title', plainLine(dispatch.title ?? '')],
      ['text', plainText(dispatch.text).trimEnd()],
      ['status', outcome ? outcomeLine(outcome, colours, timeTaken(dispatch)) : paint(text)],
      ['why', queuedWords(dispatch, now)],
      ['not before', notBefore === undefined || outcome ? '' : `${notBefore} (${until(notBefore, now)})`],
      ['budget', dispatch.budget && amountWords(dispatch.budget)],
      ['outcome', outcome && outcomeAxes(outcome)],
      ['exit code', outcome && `${outcome.exitCode}${outcome.retriable ? ', a retry may help' : ''}`],
      ['summary', plainText(outcome?.summary ?? '').trimEnd()],
      ['retry of', dispatch.retryOf],
      ['asked for by', dispatch.parent],
      ['labels', plainLine(labels.join(', '))],
      ['created', `${age(dispatch.createdAt, now)} ago`],
      ['attempts', dispatch.attempts.map((attempt, index) => attemptLine(attempt, index)).join('\n')],
    ],
    colours,
  );

  function attemptLine(attempt: Attempt, index: number): string {
    const took = Date.parse(attempt.endedAt ?? new Date(now).toISOString()) - Date.parse(attempt.startedAt);
    const how = attempt.outcome ? outcomeLine(attempt.outcome, colours) : 'in progress';
    return `${index + 1}. ${how} ${colours.dim(duration(took))}`;
  }
}
