import { type Fact, type FollowedEvent } from '../../client/thread-event.js';
import { activityOf } from '../../domain/status/activity.js';
import { PlainStream } from '../../domain/words/plain-stream.js';
import { writeJson, writeMessage } from '../output.js';
import type { LiveScreen } from '../terminal/live-screen.js';
import { LiveText } from '../terminal/live-text.js';
import type { Transcript } from '../view/transcript.js';
import type { Watcher } from './follow-dispatch.js';

/** Prints every event as a JSON line. */
export const jsonWatcher: Watcher = {
  event: (event) => writeJson(event),
  connection: tellConnection,
};

export interface ScreenWatcherOptions {
  readonly screen: LiveScreen;
  readonly transcript: Transcript;
  /** Somebody else puts the agent's questions to the person. */
  readonly isAskedElsewhere: boolean;
}

/** Shows a dispatch as it goes: the agent's words on stdout, everything else on stderr. */
export class ScreenWatcher implements Watcher {
  readonly #screen: LiveScreen;
  readonly #transcript: Transcript;
  readonly #isAskedElsewhere: boolean;
  readonly #text = new LiveText();
  readonly #plain = new PlainStream();

  constructor(options: ScreenWatcherOptions) {
    this.#screen = options.screen;
    this.#transcript = options.transcript;
    this.#isAskedElsewhere = options.isAskedElsewhere;
  }

  event(_event: FollowedEvent, fact: Fact | undefined): void {
    if (!fact) return;
    this.#show(fact);
    const activity = activityOf(fact);
    if (activity !== undefined) this.#screen.work(activity);
  }

  connection(isThere: boolean): void {
    this.#screen.tell(isThere ? '- The worker is back.' : `! ${gone} ${waiting}`);
  }

  #show(fact: Fact): void {
    switch (fact.type) {
      case 'text_delta':
        this.#screen.say(this.#plain.push(this.#text.piece(fact.content)));
        return;
      case 'assistant_text':
        this.#screen.say(this.#plain.push(this.#text.paragraph(fact.content)));
        return;
      // The person who gave the work knows it; and how it ended is told with the whole dispatch.
      case 'dispatch_ended':
        return;
      case 'prompt_asked':
        if (this.#isAskedElsewhere) return;
        break;
      case 'user_message':
        if (fact.dispatchId !== undefined) return;
        break;
      default:
    }
    this.#screen.say(this.#plain.flush());
    for (const { text } of this.#transcript.add(fact)) this.#screen.tell(text);
  }
}

const gone = 'The worker is gone; the agent keeps working.';
const waiting = 'Waiting for a worker. Start one with: handraise up';

/** Tells about the worker where no screen is. */
export function tellConnection(isThere: boolean): void {
  writeMessage(isThere ? 'The worker is back.' : `${gone} ${waiting}`);
}
