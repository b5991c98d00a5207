import { basename } from 'node:path';
import { askWords } from '../../domain/words/ask-words.js';
import { outcomeSentence } from '../../domain/words/outcome-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { RuntimeName } from '../../protocol/posture.js';
import { PromptAction } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Operation } from '../../store/operation.js';
import { type Clock, instant } from '../clock.js';
import { noticeText } from './notice-text.js';
import { eventIdOf, type Notification } from './notification.js';

const titleLimit = 100;
// ntfy makes an attachment of more than 4096 bytes, and a character takes up to three.
const textLimit = 1000;

const secretWords = 'The agent asks for a secret. Open the link to enter it.';

export interface NotifiedThread {
  readonly id: ThreadId;
  readonly title: string;
  readonly workspace: Workspace;
  readonly runtime: RuntimeName;
}

export interface NotificationsParts {
  readonly channels: readonly ChannelConfig[];
  /** Where the console is found from wherever a notification is read. */
  readonly publicUrl: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Devices that are told, as they are now. */
  readonly devices?: () => readonly { readonly name: string; readonly on: readonly string[] }[];
}

/** A notification that is not yet meant for a channel. */
type News<Each = Exclude<Notification, { occasion: 'test' }>> = Each extends Notification
  ? Omit<Each, 'channel' | 'at' | 'link' | 'thread'> & { readonly place: string }
  : never;

/** Decides who is told what: of a question once, of work once when it has ended, and of a single try never. */
export class Notifications {
  readonly #parts: NotificationsParts;

  constructor(parts: NotificationsParts) {
    this.#parts = parts;
  }

  /** What is put into the outbox together with events of a thread: an entry per channel that wants it. */
  operationsFor(thread: NotifiedThread, events: readonly ThreadEventBody[]): Operation<'putOutbox'>[] {
    const { channels, publicUrl, clock, devices = () => [] } = this.#parts;
    const at = instant(clock);
    return newsOf(thread, events).flatMap(({ place, ...news }) =>
      [...channels, ...devices()]
        .filter(({ on }: { readonly on: readonly string[] }) => on.includes(news.occasion))
        .map(({ name }) => {
          const notification: Notification = {
            ...news,
            channel: name,
            at,
            link: `${publicUrl.replace(/\/+$/, '')}/#${place}`,
            thread: {
              id: thread.id,
              title: plainLine(thread.title, { maxLength: titleLimit }),
              workspace: thread.workspace.path,
            },
          };
          const id = `${eventIdOf(notification)}-${name}`;
          return { do: 'putOutbox', entry: { id, kind: `notify ${name}`, payload: notification, dueAt: at } };
        }),
    );
  }
}

function newsOf(thread: NotifiedThread, says: readonly ThreadEventBody[]): News[] {
  // A policy or a recorded answer may settle a prompt as it is asked; that is no question to anybody.
  const settled = new Set(says.flatMap((event) => (event.type === 'prompt_settled' ? [event.promptId] : [])));
  return says.flatMap((event) => {
    if (event.type === 'prompt_asked' && !settled.has(event.promptId)) return [askedNews(thread, event)];
    if (event.type === 'dispatch_ended') return endedNews(thread, event);
    return [];
  });
}

function askedNews(thread: NotifiedThread, event: ThreadEventBody<'prompt_asked'>): News {
  const { kind, questions, ...prompt } = event.item.metadata.prompt;
  const action = PromptAction.safeParse(prompt['action']).data;
  return {
    occasion: 'asked',
    place: `prompt=${event.promptId}`,
    title: titleOf(kind === 'approval' ? 'Approval' : 'Question', thread),
    text: noticeText(
      kind === 'approval'
        ? askWords({ kind, questions, ...given({ action: action && withoutInput(action) }) }, thread)
        : questions.map(questionWords).join('\n\n'),
      textLimit,
    ),
    promptId: event.promptId,
    kind,
  };
}

function endedNews(thread: NotifiedThread, event: ThreadEventBody<'dispatch_ended'>): News[] {
  const { dispatchId, outcome } = event;
  const { result, exitCode, reason } = outcome;
  if (result === 'cancelled') return [];
  return [
    {
      occasion: result === 'succeeded' ? 'finished' : 'failed',
      place: `thread=${thread.id}`,
      title: titleOf(resultWord[result], thread),
      text: outcomeWords(outcome),
      dispatchId,
      result,
      exitCode,
      ...(reason === undefined ? {} : { reason: plainLine(reason, { maxLength: titleLimit }) }),
    },
  ];
}

const resultWord = { succeeded: 'Finished', failed: 'Failed', blocked: 'Blocked' } as const;

function titleOf(what: string, { title, workspace }: NotifiedThread): string {
  return plainLine(`${what}: ${title || basename(workspace.path)}`, { maxLength: titleLimit });
}

/** The input of an action stays here, because it may hold anything. */
function withoutInput(action: PromptAction): PromptAction {
  return { ...action, input: {} };
}

/** The question and its choices. */
function questionWords({ question, options, isSecret }: Question): string {
  if (isSecret) return secretWords;
  return [question, ...options.map(({ label }, index) => `${index + 1}. ${label}`)].join('\n');
}

function outcomeWords(outcome: Outcome): string {
  const { execution, summary = '' } = outcome;
  const why = outcomeSentence(outcome);
  // What the agent said about its work; of a failure the sentence tells all there is.
  const parts = [why === '' ? '' : `Reason: ${why}`, execution.kind === 'completed' ? summary : ''];
  return noticeText(parts.filter((part) => part !== '').join('\n\n'), textLimit);
}
