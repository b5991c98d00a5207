import type { Client } from '../../client/client.js';
import { type FollowedEvent, factOf } from '../../client/thread-event.js';
import { isOpenPrompt } from '../../live/overview.js';
import { ExitCode } from '../../protocol/exit-code.js';
import type { PromptId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { coloursOf } from '../terminal/colours.js';
import { LiveScreen } from '../terminal/live-screen.js';
import { Transcript } from '../view/transcript.js';
import { Attendant } from './attendant.js';
import { patience, tellingConnection } from './follow-dispatch.js';
import { WorkerReplacement } from './worker-replacement.js';

export interface ThreadFollowing {
  readonly client: Client;
  readonly thread: Thread;
  readonly after: number;
  /** Of all events, those that are wanted. */
  readonly wanted: (events: AsyncIterable<FollowedEvent>) => AsyncIterable<FollowedEvent>;
  /** Told after each event is shown. */
  readonly shown: (event: FollowedEvent) => Promise<void>;
}

/** Shows a thread as it goes on to the person at this terminal, who can answer what it asks; over restarts of the worker. */
export async function followThread({
  client,
  thread,
  after,
  wanted,
  shown,
}: ThreadFollowing): Promise<number> {
  const ending = new AbortController();
  const { signal } = ending;
  using screen = new LiveScreen({
    data: process.stdout,
    messages: process.stderr,
    colours: coloursOf(process.stderr),
    now: Date.now,
  });
  await using attendant = new Attendant({
    client,
    asker: thread,
    screen,
    isReader: true,
    onLeave: () => ending.abort(),
  });
  const replacement = new WorkerReplacement((words) => screen.tell(`- ${words}`));
  const connection = tellingConnection({
    connection: (isThere) =>
      screen.tell(
        isThere
          ? '- The worker is back.'
          : '! The worker is gone; the agent keeps working. Waiting for a worker.',
      ),
    broke: () => replacement.begin(),
  });
  const interrupt = () => attendant.interrupt();
  process.on('SIGINT', interrupt);
  try {
    const events = client.events(thread.id, { after, signal, patience, ...connection });
    const transcript = new Transcript({ asker: thread, colours: coloursOf(process.stdout), now: Date.now });
    for await (const event of wanted(events)) {
      const fact = factOf(event);
      if (fact?.type === 'prompt_settled') attendant.settled(fact.promptId);
      const isAsked = fact?.type === 'prompt_asked' && (await isOpen(client, fact.promptId));
      // What is open is put to the person whole, so it is not told twice.
      if (isAsked) attendant.asked(fact.promptId);
      for (const piece of fact && !isAsked ? transcript.add(fact) : [])
        if (piece.from === 'agent') screen.say(`${piece.text.trimEnd()}\n`);
        else screen.tell(piece.text.trimEnd());
      await shown(event);
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
  return signal.aborted ? ExitCode.interrupted : ExitCode.success;
}

/** Where nobody can tell, it is asked: whoever asks looks again. */
async function isOpen(client: Client, id: PromptId): Promise<boolean> {
  try {
    return isOpenPrompt(await client.prompts.get(id));
  } catch {
    return true;
  }
}
