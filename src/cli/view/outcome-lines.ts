import { duration } from '../../domain/age.js';
import { money } from '../../domain/money.js';
import { reasonWords } from '../../domain/outcome-words.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Colours } from '../terminal/colours.js';
import { workCell } from './result-mark.js';

/** How a dispatch ended, in one line: result, why, how long, how much. */
export function outcomeLine(outcome: Outcome, colours: Colours, took?: number): string {
  const { text, paint = String } = workCell({ state: 'ended', result: outcome.result }, colours);
  const facts = [
    outcome.result === 'succeeded' ? '' : reasonWords(outcome),
    // A failed verification is told as the reason.
    outcome.verification === 'passed' ? 'verified' : '',
    ...(took === undefined ? [] : [duration(took)]),
    ...(outcome.costUsd === undefined ? [] : [money(outcome.costUsd)]),
  ].filter((fact) => fact !== '');
  return [paint(text), ...facts].join(colours.dim(' · '));
}
