import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { RunId } from '../../protocol/id.js';
import { Answer, type ApprovalDecision, Prompt, type SettledReason } from '../../protocol/prompt.js';
import { PrecedentKeys } from './precedent-keys.js';

/** A prompt with the request of the run that waits for it, and the answer's body as it was accepted. */
export const ThreadPrompt = Prompt.omit({ decision: true, secretFrom: true }).extend({
  runId: RunId.optional(),
  requestId: z.string().optional(),
  toolUseId: z.string().optional(),
  /** The piece of work that it was asked in; those of older versions do not say. */
  work: z.string().optional(),
  /** The place in the thread where it was asked, once it was. */
  askedSeq: z.int().positive().optional(),
  /** What the agent left to be given back with the answer. */
  carry: z.unknown().optional(),
  answer: Answer.optional(),
  /** It was withdrawn, and its agent is still to hear that nobody answers. */
  isUntold: z.boolean().optional(),
  /** By what later ones of its project find it. */
  keys: PrecedentKeys.optional(),
});
export type ThreadPrompt = z.infer<typeof ThreadPrompt>;

/** A prompt as it is opened: pending, and nobody has answered. */
export type NewPrompt = Omit<
  ThreadPrompt,
  | 'state'
  | 'answers'
  | 'answer'
  | 'actor'
  | 'reason'
  | 'undoUntil'
  | 'acceptedAt'
  | 'deliveredAt'
  | 'consumedAt'
  | 'isUntold'
>;

/** Whether a prompt still waits for an answer. */
export function isOpen({ state, acceptedAt }: Pick<Prompt, 'state' | 'acceptedAt'>): boolean {
  return state === 'pending' && acceptedAt === undefined;
}

/** Whether a prompt has an answer that can still be undone; nobody else can answer it meanwhile. */
export function isHeldBack(prompt: Pick<Prompt, 'state' | 'acceptedAt' | 'undoUntil'>): boolean {
  return isOpen(prompt) && prompt.undoUntil !== undefined;
}

/** Whether a prompt has an answer that its agent has not taken yet. */
export function isOnItsWay({ state, acceptedAt }: Pick<Prompt, 'state' | 'acceptedAt'>): boolean {
  return state === 'pending' && acceptedAt !== undefined;
}

/** Whether the answer allows an action. */
export function isConsent({ kind, answers = [] }: Pick<Prompt, 'kind' | 'answers'>): boolean {
  return kind === 'approval' && answers.some(({ answer }) => answer.includes('Approve'));
}

/** The prompt as it was before anybody answered. */
export function unanswered(prompt: ThreadPrompt): ThreadPrompt {
  const { answers: _answers, answer: _answer, actor: _actor, undoUntil: _until, ...open } = prompt;
  return open;
}

/** Reasons for which the work ends with its prompt, or its turn was cut off: nobody goes on who could be told. */
const endingReasons: ReadonlySet<string> = new Set<SettledReason>([
  'worker_shutdown',
  'turn_cancelled',
  'dispatch_cancelled',
  'timeout',
  'superseded',
  'runtime_gone',
  'server_gave_up',
]);

/** Whether the agent goes on after its prompt was cancelled, and has to hear that nobody answers. */
export function isToBeTold({ state, reason }: Pick<Prompt, 'reason'> & { readonly state: string }): boolean {
  return state === 'cancelled' && !endingReasons.has(reason ?? '');
}

/** The tool that the answer denies, where it denies one; silence is no consent. */
export function deniedTool(
  prompt: Pick<ThreadPrompt, 'kind' | 'answers' | 'action' | 'acceptedAt' | 'isUntold'>,
): string | undefined {
  const isDecided = prompt.acceptedAt !== undefined || prompt.isUntold === true;
  return prompt.kind === 'approval' && isDecided && !isConsent(prompt) ? prompt.action?.tool : undefined;
}

/** The MCP server that asks inside a call of one of its tools; undefined where the agent itself asks. */
export function askingServer({ questions }: Pick<Prompt, 'questions'>): string | undefined {
  return questions.find(({ server }) => server !== undefined)?.server;
}

/** Whether the answer may be seen by nobody but the agent. */
export function asksForSecret({ questions }: Pick<Prompt, 'questions'>): boolean {
  return questions.some((question) => question.isSecret);
}

/** Whether its answer was a secret that its agent was given, and that nobody has any more. */
export function isSecretGone(prompt: Pick<Prompt, 'questions' | 'acceptedAt' | 'answers'>): boolean {
  return asksForSecret(prompt) && prompt.acceptedAt !== undefined && prompt.answers === undefined;
}

/** A prompt as everybody may see it, with what was decided. */
export function shownPrompt(prompt: ThreadPrompt): Prompt {
  return Prompt.parse({ ...prompt, ...given({ decision: decisionIn(prompt) }) });
}

/** What was decided about the action, where the answer was a decision. */
export function decisionIn({ answer }: Pick<ThreadPrompt, 'answer'>): ApprovalDecision | undefined {
  return answer && 'decision' in answer ? answer.decision : undefined;
}
