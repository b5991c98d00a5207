import { basename } from 'node:path';
import type { ThreadId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { PromptKind } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Operation } from '../../store/operation.js';
import type { ChannelConfig } from './channel-config.js';
import { eventIdOf, type Notification } from './notification.js';
import { plainLine, plainText } from './plain-text.js';

const titleLimit = 100;
// ntfy makes an attachment of more than 4096 bytes, and a character takes up to three.
const textLimit = 1000;

const secretWords = 'A secret is asked for; open the link to give it.';

export interface NotifiedThread {
  readonly id: ThreadId;
  readonly title: string;
  readonly workspace: Workspace;
}

export interface NotificationsOutside {
  readonly channels: readonly ChannelConfig[];
  /** Where the console is found from wherever a notification is read. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}

/** A notification that is not yet meant for a channel. */
type News<Each = Notification> = Each extends Notification
  ? Omit<Each, 'channel' | 'at' | 'link' | 'thread'> & { readonly place: string }
  : never;

/** Decides who is told what: of a question once, of work once when it has ended, and of a single try never. */
export class Notifications {
  readonly #outside: NotificationsOutside;

  constructor(outside: NotificationsOutside) {
    this.#outside = outside;
  }

  /** What is put into the outbox together with what is said in a thread: an entry per channel that wants it. */
  operationsFor(thread: NotifiedThread, says: readonly ThreadEventBody[]): Operation<'putOutbox'>[] {
    const { channels, publicUrl, now } = this.#outside;
    const at = new Date(now()).toISOString();
    return newsOf(thread, says).flatMap(({ place, ...news }) =>
      channels
        .filter(({ on }) => on.includes(news.occasion))
        .map(({ name }) => {
          const notification: Notification = {
            ...news,
            channel: name,
            at,
            link: `${publicUrl().replace(/\/+$/, '')}/#${place}`,
            thread: {
              id: thread.id,
              title: plainLine(thread.title, titleLimit),
              workspace: thread.workspace.path,
            },
          };
          const id = `${eventIdOf(notification)}-${name}`;
          return { do: 'putOutbox', entry: { id, kind: 'notification', payload: notification, dueAt: at } };
        }),
    );
  }
}

function newsOf(thread: NotifiedThread, says: readonly ThreadEventBody[]): News[] {
  // A policy or a recorded answer may settle a prompt as it is asked; that is no question to anybody.
  const settled = new Set(says.flatMap((said) => (said.type === 'prompt_settled' ? [said.promptId] : [])));
  return says.flatMap((said) => {
    if (said.type === 'prompt_asked' && !settled.has(said.promptId)) return [askedNews(thread, said)];
    if (said.type === 'dispatch_ended') return endedNews(thread, said);
    return [];
  });
}

function askedNews(thread: NotifiedThread, said: ThreadEventBody<'prompt_asked'>): News {
  const { kind, questions } = said.item.metadata.prompt;
  return {
    occasion: 'asked',
    place: `prompt=${said.promptId}`,
    title: titleOf(kind === 'approval' ? 'Approval' : 'Question', thread),
    text: plainText(questions.map((question) => questionWords(question, kind)).join('\n\n'), textLimit),
    promptId: said.promptId,
    kind,
  };
}

function endedNews(thread: NotifiedThread, said: ThreadEventBody<'dispatch_ended'>): News[] {
  const { dispatchId, outcome } = said;
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
      ...(reason === undefined ? {} : { reason: plainLine(reason, titleLimit) }),
    },
  ];
}

const resultWord = { succeeded: 'Finished', failed: 'Failed', blocked: 'Blocked' } as const;

function titleOf(what: string, { title, workspace }: NotifiedThread): string {
  return plainLine(`${what}: ${title || basename(workspace.path)}`, titleLimit);
}

/** The question and its choices; the input of an action stays here, because it may hold anything. */
function questionWords({ question, options, isSecret }: Question, kind: PromptKind): string {
  if (isSecret) return secretWords;
  const choices = kind === 'approval' ? [] : options.map(({ label }, index) => `${index + 1}. ${label}`);
  return [question, ...choices].join('\n');
}

function outcomeWords({ result, reason, summary }: Outcome): string {
  const because = result === 'succeeded' || reason === undefined ? '' : `Reason: ${reason}`;
  return plainText([because, summary ?? ''].filter((part) => part !== '').join('\n\n'), textLimit);
}
