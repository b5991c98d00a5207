import { given } from '../../protocol/given.js';
import type { Prompt, PromptKind, QuestionAnswer, UnansweredRules } from '../../protocol/prompt.js';

/** Until when a prompt waits, and what happens then; without a rule it waits for ever. */
export function patienceFor(
  kind: PromptKind,
  asked: {
    readonly rules: UnansweredRules;
    readonly askedAt: string;
    /** When whoever asks gives up by itself; a rule that comes later has nothing to decide. */
    readonly waitsUntil?: string;
  },
): Pick<Prompt, 'deadline' | 'onUnanswered'> {
  const { rules, askedAt, waitsUntil } = asked;
  const rule = rules[kind];
  const none = { onUnanswered: 'wait', ...given({ deadline: waitsUntil }) } as const;
  if (!rule) return none;
  const deadline = new Date(Date.parse(askedAt) + rule.afterSeconds * 1000).toISOString();
  if (waitsUntil !== undefined && waitsUntil <= deadline) return none;
  return { deadline, onUnanswered: rule.policy };
}

/** What becomes of a prompt that nobody answered in time. */
export type Silence =
  | { readonly do: 'wait' }
  | { readonly do: 'cancel' }
  | { readonly do: 'answer'; readonly answers: readonly QuestionAnswer[] }
  | { readonly do: 'fail' };

/** Silence is never consent: an approval is denied, and a question without options has no default. */
export function afterSilence({ kind, onUnanswered, questions }: Prompt): Silence {
  switch (onUnanswered) {
    case 'wait':
      return { do: 'wait' };
    case 'fail':
      return { do: 'fail' };
    case 'deny':
      return { do: 'cancel' };
    case 'default_option': {
      const answers = questions.flatMap(({ question, options }) =>
        options[0] ? [{ question, answer: [options[0].label] }] : [],
      );
      if (kind === 'approval' || answers.length < questions.length) return { do: 'cancel' };
      return { do: 'answer', answers };
    }
    default:
      return onUnanswered satisfies never;
  }
}
