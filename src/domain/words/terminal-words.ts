import type { ThreadEventBody } from '../../protocol/thread-event.js';
import { actorWords } from './actor-words.js';

/** That a thread was opened in a terminal, as a sentence. */
export function openedWords({ actor }: Pick<ThreadEventBody<'terminal_opened'>, 'actor'>): string {
  return `Opened in a terminal by ${actorWords(actor)}.`;
}

/** That a thread was taken back from a terminal, and how much was said there. */
export function closedWords({
  messages,
  isCut,
}: Pick<ThreadEventBody<'terminal_closed'>, 'messages' | 'isCut'>): string {
  const many = messages === 1 ? 'One message was' : `${messages} messages were`;
  const said = messages === 0 ? 'Nothing was said there' : `${many} said there`;
  const more = isCut ? ' The session holds more of it than this thread shows.' : '';
  return `Taken back from the terminal. ${said}.${more}`;
}
