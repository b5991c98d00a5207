import { Failure } from '../../protocol/failure.js';
import type { Rule, RuleAnswer, RuleMatch, RuleReach } from '../../protocol/rule.js';
import { plainLine } from '../words/plain-text.js';
import { pathShape } from './path-shape.js';
import { type AnsweredPrompt, isAnsweredByPerson, sameAnswer } from './precedent.js';
import { precedentKeys } from './precedent-keys.js';
import { ruledAction } from './ruled-action.js';
import { askingServer, decisionIn, type ThreadPrompt } from './thread-prompt.js';

/** An answered prompt, and where it was asked. */
export interface RuleSource {
  readonly prompt: ThreadPrompt;
  readonly project: string;
  /** The folder of the thread by the name that its agent has for it. */
  readonly cwd: string;
}

interface Making {
  readonly reach: RuleReach | undefined;
  readonly sha256: (text: string) => string;
}

const longestLine = 500;

/** What answers of a person amount to as a rule; refuses what rules may not be about, and answers that differ. */
export function ruleFrom(
  sources: readonly RuleSource[],
  making: Making,
): Pick<Rule, 'project' | 'match' | 'answer' | 'words'> {
  const [first, ...more] = sources.map((source) => ({ project: source.project, ...partOf(source, making) }));
  if (!first) throw new Failure('invalid', 'A rule is made from at least one answer.');
  for (const other of more)
    if (JSON.stringify(other) !== JSON.stringify(first))
      throw new Failure(
        'invalid',
        'These answers make different rules: they are not about the same thing in the same project, or do not say the same. Make a rule from each.',
      );
  return { ...first, words: ruleWords(first) };
}

function partOf({ prompt, project, cwd }: RuleSource, making: Making): Pick<Rule, 'match' | 'answer'> {
  const { id } = prompt;
  if (!isAnsweredByPerson(prompt))
    throw new Failure(
      'invalid',
      `${id} has no answer of a person. Rules are made from what a person answered.`,
    );
  if (askingServer(prompt) !== undefined || prompt.questions.some(({ byWorker }) => byWorker))
    throw new Failure('invalid', `${id} was not asked by an agent. Rules answer only agents.`);
  const match =
    prompt.kind === 'approval'
      ? actionMatch(prompt, cwd, making)
      : questionMatch(prompt, { project, cwd }, making);
  return { match, answer: answerOf(prompt) };
}

function questionMatch(
  prompt: AnsweredPrompt,
  place: Pick<RuleSource, 'project' | 'cwd'>,
  { reach, sha256 }: Making,
): RuleMatch {
  if (reach !== undefined)
    throw new Failure('invalid', 'A rule about a question has no reach: the wording is exact.');
  const keys = precedentKeys(prompt, { ...place, sha256 });
  if (!keys) throw new Failure('invalid', `${prompt.id} asks for a secret, which no rule gives.`);
  const question = prompt.questions.map((each) => each.question).join(' · ');
  return { what: 'question', same: keys.same, question: plainLine(question, { maxLength: longestLine }) };
}

function actionMatch(prompt: AnsweredPrompt, cwd: string, { reach, sha256 }: Making): RuleMatch {
  const action = prompt.action && ruledAction(prompt.action, cwd);
  if (!action)
    throw new Failure(
      'invalid',
      `${prompt.id} is about something that no rule decides. Rules are for questions, for reading and editing files of the workspace that are not hidden, and for commands that you have approved to the letter.`,
    );
  if (action.what === 'command') {
    if (reach !== undefined)
      throw new Failure('invalid', 'A rule about a command has no reach: its text is exact.');
    const command = plainLine(action.command, { maxLength: longestLine });
    return { what: 'command', same: sha256(action.text), command };
  }
  const { what, paths } = action;
  const [path, ...others] = paths;
  if (reach === 'workspace') return { what, reach, path: '**' };
  const covered = reach === 'kind' ? pathShape(path) : path;
  if (others.some((other) => (reach === 'kind' ? pathShape(other) : other) !== covered))
    throw new Failure(
      'invalid',
      `${prompt.id} is about several files. Use the reach workspace, or another answer.`,
    );
  return { what, reach: reach ?? 'file', path: covered };
}

/** What was approved in place of the proposed action says nothing about the next one. */
function answerOf(prompt: AnsweredPrompt): RuleAnswer {
  if (decisionIn(prompt)?.updatedInput)
    throw new Failure(
      'invalid',
      `${prompt.id} was approved with changes, which is no answer to what comes next.`,
    );
  const answer = sameAnswer(prompt, prompt);
  if (!answer || 'text' in answer)
    throw new Failure('invalid', `The answer to ${prompt.id} cannot be given again.`);
  if ('answers' in answer) return { answers: answer.answers };
  const { approved, message } = answer.decision;
  return { decision: { approved, ...(message !== undefined && { message }) } };
}

/** What a rule does, as a sentence. */
function ruleWords({ project, match, answer }: Pick<Rule, 'project' | 'match' | 'answer'>): string {
  const does =
    'answers' in answer
      ? `answers “${plainLine(answer.answers.map((each) => each.answer.join(', ')).join(' · '), { maxLength: longestLine })}” to`
      : answer.decision.approved
        ? 'approves'
        : 'denies';
  return `In ${plainLine(project)} it ${does} ${matchWords(match)}.`;
}

function matchWords(match: RuleMatch): string {
  switch (match.what) {
    case 'question':
      return `the question “${match.question}” with the same options`;
    case 'command':
      return `exactly this command: ${match.command}`;
    case 'read':
    case 'edit': {
      const doing = match.what === 'read' ? 'reading' : 'editing';
      return match.reach === 'workspace'
        ? `${doing} any file of the workspace that is not hidden`
        : `${doing} ${match.path}`;
    }
    default:
      return match satisfies never;
  }
}
