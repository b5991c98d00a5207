import { isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { receiptLines } from '../../domain/prompts/receipts.js';
import { askingServer, isHeldBack } from '../../domain/prompts/thread-prompt.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { age } from '../../domain/words/age.js';
import { askText } from '../../domain/words/ask-text.js';
import type { Asker } from '../../domain/words/ask-words.js';
import { settlementWords, undoWords } from '../../domain/words/settlement-words.js';
import { deadlineWords } from '../../domain/words/silence-words.js';
import type { Precedent } from '../../protocol/precedent.js';
import type { Prompt } from '../../protocol/prompt.js';
import { type CardContext, cardLines } from './card.js';
import { precedentLines } from './precedent-lines.js';

/** What is known about a prompt besides itself, in words. */
export interface AboutPrompt {
  readonly id?: string;
  readonly thread?: string;
  /** What its agent does meanwhile. */
  readonly agent?: string;
  /** Whose agent asks. */
  readonly asker?: Asker | undefined;
  /** Other open prompts that are the same. */
  readonly alike?: readonly string[];
  /** What was answered before to a prompt like it. */
  readonly before?: readonly Precedent[];
}

/** A prompt with its question, how it stands, and how to answer it. */
export function promptCard(prompt: Prompt, { colours, now }: CardContext, about: AboutPrompt = {}): string[] {
  const { id, threadId } = prompt;
  const isOpen = prompt.state === 'pending' && prompt.acceptedAt === undefined;
  return cardLines(
    [
      ['prompt', about.id ?? id],
      ['thread', about.thread ?? threadId],
      [
        'asked',
        `${age(prompt.createdAt, now)} ago${prompt.active || !isOpen ? '' : ', after another question of the same thread'}`,
      ],
      ['deadline', isOpen ? deadlineWords(prompt, now) : ''],
      ['agent', about.agent],
      ['question', colours.yellow(askText(prompt, about.asker))],
      [
        'answer',
        isOpen && !isHeldBack(prompt) && prompt.secretFrom === undefined
          ? howToAnswer(prompt, about.id ?? id)
          : settledWords(prompt, now),
      ],
      ['before', beforeWords(prompt, about, now)],
      ['same as', alikeWords(about)],
      ['receipts', receiptLines(prompt).join('\n')],
    ],
    colours,
  );
}

/** The command that answers a prompt; an empty plan can only be denied. */
export function howToAnswer(prompt: Pick<Prompt, 'kind' | 'action' | 'questions'>, id: string): string {
  const { kind, action } = prompt;
  if (isEmptyPlan(action)) return `handraise deny ${id} -m "why"`;
  const isOfServer = askingServer(prompt) !== undefined;
  if (kind === 'approval')
    return `handraise approve ${id}   or   handraise deny ${id}${isOfServer ? '' : ' -m "why"'}`;
  const answer = `handraise answer ${id} ${kind === 'text' ? 'TEXT' : 'NUMBER or TEXT'}`;
  return isOfServer ? `${answer}   or   handraise deny ${id}` : answer;
}

function settledWords(prompt: Prompt, now: number): string {
  const by = prompt.actor === undefined ? '' : ` · by ${actorWords(prompt.actor)}`;
  const undo = undoWords(prompt, now);
  return `${settlementWords(prompt)}${by}${undo === '' ? '' : `, ${undo}`}`;
}

function beforeWords({ id }: Prompt, { before = [], id: short }: AboutPrompt, now: number): string {
  const take = before.some(({ likeness, answer }) => likeness === 'same' && answer)
    ? [`The same again: handraise answer ${short ?? id} --same`]
    : [];
  return [...precedentLines(before, now), ...take].join('\n');
}

function alikeWords({ alike = [] }: AboutPrompt): string {
  if (alike.length === 0) return '';
  return [...alike, `Answer ${alike.length + 1} that are the same with --all-like`].join('\n');
}
