import { type ChatSaid, chatAnswer } from '../../domain/prompts/chat-question.js';
import { asksForSecret, isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ChatChannel } from '../../protocol/channel-config.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { PromptId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { Prompts } from '../host.js';
import { promptInChat } from '../notify/asked-in-chat.js';
import { isMarkOf } from '../notify/chat-code.js';

const longestShown = 100;

export interface ChatAnswersParts {
  readonly store: Pick<Store, 'query'>;
  readonly prompts: Pick<Prompts, 'answer'>;
  readonly log: (line: string) => void;
}

/** What somebody said in a chat about a question that was sent there. */
export interface ChatReply {
  /** Their id in the chat. */
  readonly personId: string;
  readonly promptId: PromptId;
  /** Which question exactly they saw. */
  readonly mark: string;
  readonly said: ChatSaid;
}

/** What they are told; `isSettled` once nothing can be answered there any more. */
export interface ChatReceipt {
  readonly words: string;
  readonly isSettled: boolean;
}

/** Takes answers from chats: from people that the settings name, to what they saw, once. */
export class ChatAnswers {
  readonly #parts: ChatAnswersParts;

  constructor(parts: ChatAnswersParts) {
    this.#parts = parts;
  }

  /** The name of somebody who may answer; null for a stranger, which is written down. */
  nameOf(channel: ChatChannel, personId: string): string | null {
    const name = Object.hasOwn(channel.people, personId) ? channel.people[personId] : undefined;
    if (name !== undefined) return name;
    this.#parts.log(
      `${channel.name}: refused what ${plainLine(personId, { maxLength: 40 })} said there, who is not among the people of this channel`,
    );
    return null;
  }

  async take(channel: ChatChannel, { personId, promptId, mark, said }: ChatReply): Promise<ChatReceipt> {
    const name = this.nameOf(channel, personId);
    if (name === null) return open('You may not answer here.');
    const { store, prompts, log } = this.#parts;
    const prompt = await store.query('prompt', { id: promptId });
    if (!prompt) return settled('This question is gone.');
    if (!isOpen(prompt)) return settled(settledWords(prompt));
    if (!isMarkOf(mark, prompt.fingerprint)) return open('Something else is asked by now. Open it.');
    const read = chatAnswer(prompt, await promptInChat(store, channel.type, prompt), said);
    if (!read.ok) return open(read.why);
    try {
      await prompts.answer(promptId, read.answer, `user:${name}`);
      return settled(`${saidWords(prompt, said)}, by ${name}`);
    } catch (error) {
      if (!(error instanceof Failure)) log(`${channel.name}: ${errorSentence(error)}`);
      const now = await store.query('prompt', { id: promptId });
      return now && !isOpen(now) ? settled(settledWords(now)) : open(errorSentence(error));
    }
  }
}

function open(words: string): ChatReceipt {
  return { words, isSettled: false };
}

function settled(words: string): ChatReceipt {
  return { words, isSettled: true };
}

function saidWords({ questions }: ThreadPrompt, said: ChatSaid): string {
  if ('text' in said) return `Answered: ${plainLine(said.text, { maxLength: longestShown })}`;
  if (said.choice === 'approve') return 'Approved';
  if (said.choice === 'deny') return 'Denied';
  const label = questions[0]?.options[Number(said.choice.slice('option'.length))]?.label ?? '';
  return `Answered: ${plainLine(label, { maxLength: longestShown })}`;
}

/** They take the place of what was asked, and so say what was answered, whoever presses something later. */
function settledWords(prompt: ThreadPrompt): string {
  const { state, acceptedAt, actor, answers = [] } = prompt;
  if (acceptedAt === undefined && state !== 'answered') return 'This question was closed.';
  const by = actor === undefined ? '' : ` by ${actorWords(actor)}`;
  const labels = asksForSecret(prompt) ? [] : answers.flatMap(({ answer }) => answer);
  const said = labels.length === 0 ? '' : `: ${plainLine(labels.join(', '), { maxLength: longestShown })}`;
  return `This was answered already${by}${said}`;
}
