import type { Backtest } from '../../protocol/rule.js';
import { isAnsweredByPerson, precedentOf } from './precedent.js';
import type { RuleSource } from './rule-making.js';
import { isRuled, type StandingRule } from './rule-match.js';
import { isConsent, type ThreadPrompt } from './thread-prompt.js';

const mostDifferences = 20;

/** A back-test that has looked at nothing yet. */
export function newBacktest(at: string): Backtest {
  return { at, looked: 0, isWhole: false, agreed: 0, differed: 0, differences: [] };
}

/** What a rule would have said to more recorded prompts, the newest first, beside what persons have said. */
export function continuedBacktest(
  before: Backtest,
  rule: Pick<StandingRule, 'project' | 'match' | 'answer'>,
  {
    recorded,
    sha256,
  }: { readonly recorded: readonly RuleSource[]; readonly sha256: (text: string) => string },
): Backtest {
  const now = { ...before, looked: before.looked + recorded.length, differences: [...before.differences] };
  for (const { prompt, project, cwd } of recorded) {
    // The disk is not what it was; where a link led then nobody knows now.
    const place = { project, cwd, sha256, isReallyInside: () => true };
    if (!isAnsweredByPerson(prompt) || !isRuled(rule, prompt, place)) continue;
    if (saysTheSame(rule, prompt)) {
      now.agreed += 1;
      continue;
    }
    now.differed += 1;
    const { promptId, threadId, asked, answered } = precedentOf(prompt, prompt);
    if (now.differences.length < mostDifferences)
      now.differences.push({ promptId, threadId, asked, answered });
  }
  return now;
}

function saysTheSame({ answer }: Pick<StandingRule, 'answer'>, prompt: ThreadPrompt): boolean {
  if ('decision' in answer) return answer.decision.approved === isConsent(prompt);
  return JSON.stringify(answer.answers) === JSON.stringify(prompt.answers);
}
