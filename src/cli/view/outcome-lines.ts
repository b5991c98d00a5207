import { duration } from '../../domain/words/age.js';
import { money } from '../../domain/words/money.js';
import { outcomeSentence } from '../../domain/words/outcome-words.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Colours } from '../terminal/colours.js';
import { workCell } from './result-mark.js';

/** How a dispatch ended, in one line: result, why, how long, how much. */
export function outcomeLine(outcome: Outcome, colours: Colours, took?: number): string {
  const { text, paint = String } = workCell({ state: 'ended', result: outcome.result }, colours);
  const facts = [
    outcomeSentence(outcome),
    // A failed verification is told as the reason.
    outcome.verification === 'passed' ? 'verified' : '',
    ...(took === undefined ? [] : [duration(took)]),
    ...(outcome.costUsd === undefined ? [] : [money(outcome.costUsd)]),
  ].filter((fact) => fact !== '');
  return [paint(text), ...facts].join(colours.dim(' · '));
}
