import type { PromptId, RuleId, RunId } from '../../protocol/id.js';
import type { Answer, PromptActor, QuestionAnswer } from '../../protocol/prompt.js';
import type { NewPrompt } from './thread-prompt.js';

/** What is changed of a prompt without settling it. */
export interface PromptPatch {
  readonly active?: boolean;
  readonly runId?: RunId;
  readonly requestId?: string;
  readonly toolUseId?: string;
  readonly work?: string;
  readonly askedSeq?: number;
  readonly fingerprint?: string;
}

/** An answer as it is accepted; a secret one is accepted without its text. */
export interface AcceptedAnswer {
  readonly actor: PromptActor;
  readonly at: string;
  readonly answers?: readonly QuestionAnswer[];
  readonly answer?: Answer;
}

/** An answer that is kept until it can no longer be undone. */
export interface HeldAnswer {
  readonly actor: PromptActor;
  readonly undoUntil: string;
  readonly answers: readonly QuestionAnswer[];
  readonly answer: Answer;
}

/** How a prompt is settled without an answer. */
export interface PromptSettlement {
  readonly state: 'cancelled' | 'failed';
  readonly reason: string;
  readonly actor?: PromptActor;
  /** The agent is still to hear that nobody answers. */
  readonly isUntold?: boolean;
}

interface OfPrompt<Name extends string> {
  readonly do: Name;
  readonly promptId: PromptId;
}

/** One step in the life of a prompt, as the store takes it. */
export type PromptChange =
  | { readonly do: 'openPrompt'; readonly prompt: NewPrompt }
  | (OfPrompt<'patchPrompt'> & { readonly patch: PromptPatch })
  | (OfPrompt<'holdAnswer'> & HeldAnswer)
  | OfPrompt<'undoAnswer'>
  | (OfPrompt<'acceptAnswer'> & AcceptedAnswer)
  | (OfPrompt<'markDelivered'> & { readonly at: string })
  | (OfPrompt<'markConsumed'> & { readonly at: string })
  | OfPrompt<'unmarkConsumed'>
  | OfPrompt<'markTold'>
  | OfPrompt<'dropAnswer'>
  /** A rule answers; refused unless it is on. */
  | { readonly do: 'useRule'; readonly ruleId: RuleId; readonly at: string }
  | (OfPrompt<'settlePrompt'> & PromptSettlement);
