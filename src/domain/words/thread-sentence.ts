import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { actorWords } from './actor-words.js';
import { plainLine } from './plain-text.js';
import { promptWords } from './prompt-words.js';
import { queuedWords } from './queued-words.js';
import { statusWords } from './status-words.js';

/** What a thread is about now: what it asks, what its agent does, or why its work ended as it did. */
export function threadSentence(thread: Thread, prompt: Prompt | undefined, now: number): string {
  const { status, activity, lastDispatch, terminal } = thread;
  if (terminal) return `Open in a terminal of ${actorWords(terminal.openedBy)}`;
  switch (status.state) {
    case 'question':
      return prompt ? promptWords(prompt, thread) : plainLine(status.prompt ?? status.why);
    case 'busy':
    case 'initializing':
      return plainLine(activity ?? status.why);
    default:
      return (
        (lastDispatch && queuedWords(lastDispatch, now)) ||
        plainLine(lastDispatch?.said ?? '') ||
        statusWords(status)
      );
  }
}
