import { age, until } from '../../domain/age.js';
import { plainLine, plainText } from '../../domain/plain-text.js';
import { questionText } from '../../domain/prompt-text.js';
import { receiptLines } from '../../domain/receipts.js';
import { settlementWords } from '../../domain/settlement-words.js';
import type { Prompt, PromptKind } from '../../protocol/prompt.js';
import { type CardContext, cardLines } from './card.js';

/** What is known about a prompt besides itself, in words. */
export interface AboutPrompt {
  readonly id?: string;
  readonly thread?: string;
  /** What its agent does meanwhile. */
  readonly agent?: string;
  /** Other open prompts that are the same. */
  readonly alike?: readonly string[];
}

/** A prompt with its question, how it stands, and how to answer it. */
export function promptCard(prompt: Prompt, { colours, now }: CardContext, about: AboutPrompt = {}): string[] {
  const { id, threadId, deadline } = prompt;
  const isOpen = prompt.state === 'pending' && prompt.acceptedAt === undefined;
  return cardLines(
    [
      ['prompt', about.id ?? id],
      ['thread', about.thread ?? threadId],
      [
        'asked',
        `${age(prompt.createdAt, now)} ago${prompt.active || !isOpen ? '' : ', waits for another one'}`,
      ],
      [
        'deadline',
        deadline === undefined || !isOpen ? '' : `${until(deadline, now)}, then ${prompt.onUnanswered}`,
      ],
      ['agent', about.agent],
      ['question', colours.yellow(plainText(questionText(prompt)))],
      ['answer', isOpen ? howToAnswer(prompt.kind, about.id ?? id) : settledWords(prompt)],
      ['the same', alikeWords(about)],
      ['receipts', receiptLines(prompt).join('\n')],
    ],
    colours,
  );
}

/** The command that answers a prompt. */
export function howToAnswer(kind: PromptKind, id: string): string {
  return kind === 'approval'
    ? `handraise approve ${id}   or   handraise deny ${id} -m "why"`
    : `handraise answer ${id} TEXT`;
}

function settledWords(prompt: Prompt): string {
  return `${settlementWords(prompt)}${prompt.actor === undefined ? '' : ` by ${plainLine(prompt.actor)}`}`;
}

function alikeWords({ alike = [] }: AboutPrompt): string {
  if (alike.length === 0) return '';
  return [...alike, `answer all ${alike.length + 1} together with --all-like`].join('\n');
}
