import { questionText } from '../../domain/prompt-text.js';
import type { Prompt, PromptKind } from '../../protocol/prompt.js';
import { age, until } from '../terminal/age.js';
import { plainLine, plainText } from '../terminal/plain-text.js';
import { type CardContext, cardLines } from './card.js';
import { settlementWords } from './settlement-words.js';

/** A prompt with its question, how it stands, and how to answer it. */
export function promptCard(
  prompt: Prompt,
  { colours, now }: CardContext,
  names: { readonly id?: string; readonly thread?: string } = {},
): string[] {
  const { id, threadId, deadline } = prompt;
  const isOpen = prompt.state === 'pending' && prompt.acceptedAt === undefined;
  return cardLines(
    [
      ['prompt', names.id ?? id],
      ['thread', names.thread ?? threadId],
      [
        'asked',
        `${age(prompt.createdAt, now)} ago${prompt.active || !isOpen ? '' : ', waits for another one'}`,
      ],
      [
        'deadline',
        deadline === undefined || !isOpen ? '' : `${until(deadline, now)}, then ${prompt.onUnanswered}`,
      ],
      ['question', colours.yellow(plainText(questionText(prompt)))],
      ['answer', isOpen ? howToAnswer(prompt.kind, names.id ?? id) : settledWords(prompt)],
      ['receipts', receipts(prompt)],
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

function receipts({ acceptedAt, deliveredAt, consumedAt }: Prompt): string {
  return [
    ...(acceptedAt === undefined ? [] : [`accepted ${acceptedAt}`]),
    ...(deliveredAt === undefined ? [] : [`delivered ${deliveredAt}`]),
    ...(consumedAt === undefined ? [] : [`consumed ${consumedAt}`]),
  ].join('\n');
}
