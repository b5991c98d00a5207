import type { PromptActor } from '../../protocol/prompt.js';
import type { Rule, RuleMatch } from '../../protocol/rule.js';
import { pathShape } from './path-shape.js';
import { precedentKeys } from './precedent-keys.js';
import type { AcceptedAnswer } from './prompt-change.js';
import { ruledAction } from './ruled-action.js';
import { askingServer, asksForSecret, type ThreadPrompt } from './thread-prompt.js';

/** A rule as far as it decides. */
export type StandingRule = Pick<Rule, 'id' | 'name' | 'version' | 'project' | 'match' | 'answer'>;

/** Where a prompt is asked. */
export interface RulePlace {
  readonly project: string;
  /** The folder of the thread by the name that its agent has for it. */
  readonly cwd: string;
  readonly sha256: (text: string) => string;
  /** Whether the file that a path below the folder leads to, over all links, is below it too. */
  readonly isReallyInside: (path: string) => boolean;
}

type Asked = Pick<ThreadPrompt, 'kind' | 'questions' | 'action'>;

/** Whether a rule is about a prompt. What is not named here no rule answers: secrets, what servers and the worker itself ask, plans. */
export function isRuled(
  rule: Pick<StandingRule, 'project' | 'match'>,
  asked: Asked,
  place: RulePlace,
): boolean {
  const { project, match } = rule;
  if (project !== place.project || asksForSecret(asked) || askingServer(asked) !== undefined) return false;
  if (asked.questions.some(({ byWorker }) => byWorker)) return false;
  if (match.what === 'question') return isSameQuestion(match, asked, place);
  if (asked.kind !== 'approval' || !asked.action) return false;
  const action = ruledAction(asked.action, place.cwd);
  if (!action || action.what !== match.what) return false;
  if (action.what === 'command') return match.what === 'command' && place.sha256(action.text) === match.same;
  return action.paths.every((path) => covers(match, path) && place.isReallyInside(path));
}

function isSameQuestion(match: RuleMatch & { what: 'question' }, asked: Asked, place: RulePlace): boolean {
  return asked.kind !== 'approval' && precedentKeys(asked, place)?.same === match.same;
}

function covers(match: RuleMatch, path: string): boolean {
  if (match.what !== 'read' && match.what !== 'edit') return false;
  if (match.reach === 'workspace') return true;
  return match.path === (match.reach === 'file' ? path : pathShape(path));
}

/** The rule that answers a prompt; where several do and say different things, a person is asked. */
export function rulingOn(
  rules: readonly StandingRule[],
  asked: Asked,
  place: RulePlace,
): StandingRule | null {
  const fitting = rules.filter((rule) => isRuled(rule, asked, place));
  const [first] = fitting;
  const said = JSON.stringify(first?.answer);
  return first && fitting.every(({ answer }) => JSON.stringify(answer) === said) ? first : null;
}

/** What a rule says to a prompt, in its own name. */
export function ruledAnswer(
  { name, version, answer }: StandingRule,
  { questions }: Pick<ThreadPrompt, 'questions'>,
): Required<Omit<AcceptedAnswer, 'at'>> {
  const actor: PromptActor = `policy:${name}@${version}`;
  if ('answers' in answer) return { actor, answer, answers: answer.answers };
  const verdict = answer.decision.approved ? 'Approve' : 'Deny';
  return { actor, answer, answers: questions.map(({ question }) => ({ question, answer: [verdict] })) };
}
