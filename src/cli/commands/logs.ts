import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { type FollowedEvent, factOf } from '../../client/thread-event.js';
import { plainText } from '../../domain/words/plain-text.js';
import { isOpenPrompt } from '../../live/overview.js';
import { type DispatchId, ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { isAttended } from '../ask/answer-here.js';
import { readyClient } from '../background-worker.js';
import { findNamed } from '../find-id.js';
import { patience, tellingConnection } from '../follow/follow-dispatch.js';
import { followThread } from '../follow/follow-thread.js';
import { tellConnection } from '../follow/watchers.js';
import { toCount } from '../number-option.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { howToAnswer } from '../view/prompt-card.js';
import { Transcript } from '../view/transcript.js';

/** `handraise logs`: what happened in a thread. */
export function addLogs(program: Command): void {
  program
    .command('logs')
    .summary('print what happened in a thread')
    .description(
      'Prints what happened in a thread, or from the start to the end of one dispatch. With -f on a terminal you can answer ' +
        'what the agent asks; Esc or Ctrl-C leaves, and the question stays open.',
    )
    .argument('<id>', 'thread or dispatch id, or its first letters')
    .option('-f, --follow', 'keep printing new events; for a dispatch, until it ends')
    .option('--after <seq>', 'print only events after this number', toCount)
    .option('--tail <number>', 'print only the last NUMBER events', toCount)
    .option('--full-output', 'print below each tool call everything that is kept of its output')
    .option('--json', 'print every event as a JSON line')
    .addHelpText('after', examples)
    .action(logs);
}

const examples = `
Examples:
  $ handraise logs -f dsp_01k9x
  $ handraise logs thr_01k9w --json --tail 100 | jq .type
  $ handraise logs dsp_01k9x --full-output | less
`;

interface LogsOptions {
  readonly follow?: true;
  readonly after?: number;
  readonly tail?: number;
  readonly json?: true;
  readonly fullOutput?: true;
}

async function logs(text: string, options: LogsOptions): Promise<void> {
  const client = await readyClient();
  const named = await findNamed(client, text, ['dispatch', 'thread']);
  const dispatch = named.kind === 'dispatch' ? await client.dispatches.get(named.id) : undefined;
  const threadId = dispatch?.threadId ?? ThreadId.parse(named.id);
  const thread = await client.threads.get(threadId);
  const after = Math.max(options.after ?? 0, options.tail === undefined ? 0 : thread.lastSeq - options.tail);
  const wanted = (events: AsyncIterable<FollowedEvent>) => (dispatch ? during(events, dispatch.id) : events);
  if (options.follow && !options.json && isAttended()) {
    const shown = async (event: FollowedEvent) => {
      if (options.fullOutput) await printOutput(client, threadId, event);
    };
    process.exitCode = await followThread({ client, thread, after, wanted, shown });
    return;
  }
  const events = options.follow
    ? followed(client, threadId, after)
    : client.threads.storedEvents(threadId, { after });
  const print = options.json ? writeJson : printer(thread);
  for await (const event of wanted(events)) {
    print(event);
    if (options.follow && !options.json) await tellHowToAnswer(client, event);
    if (options.fullOutput && !options.json) await printOutput(client, threadId, event);
  }
}

/** Names what is open by its id, for whoever reads this elsewhere than at a terminal. */
async function tellHowToAnswer(client: Client, event: FollowedEvent): Promise<void> {
  const fact = factOf(event);
  if (fact?.type !== 'prompt_asked') return;
  const prompt = await client.prompts.get(fact.promptId).catch(() => undefined);
  if (prompt && isOpenPrompt(prompt)) writeMessage(`Answer it with: ${howToAnswer(prompt, prompt.id)}`);
}

/** What the tool of a call said, with nothing in it that a terminal would obey. */
async function printOutput(client: Client, threadId: ThreadId, event: FollowedEvent): Promise<void> {
  const fact = factOf(event);
  if (fact?.type !== 'tool_end') return;
  const { id, summary, outputLength, outputKept } = fact;
  const text =
    outputKept === undefined ? summary : (await allOf(client.threads.toolOutputParts(threadId, id))).join('');
  const plain = withoutLastBreaks(plainText(text));
  if (plain !== '') writeLine(plain);
  if (outputLength !== undefined && outputLength > (outputKept ?? 0))
    writeLine(`(${outputLength} characters in all; the rest was not kept)`);
}

async function allOf<Each>(given: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = [];
  for await (const each of given) all.push(each);
  return all;
}

function printer(asker: Thread): (event: FollowedEvent) => void {
  const transcript = new Transcript({ asker, colours: coloursOf(process.stdout), now: Date.now });
  return (event) => {
    const fact = factOf(event);
    if (!fact) return;
    for (const piece of transcript.add(fact)) writeLine(withoutLastBreaks(piece.text));
  };
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function followed(client: Client, id: ThreadId, after: number): AsyncGenerator<FollowedEvent> {
  return client.events(id, { after, patience, ...tellingConnection({ connection: tellConnection }) });
}

/** The events from the begin of a dispatch to its end. */
async function* during(events: AsyncIterable<FollowedEvent>, id: DispatchId): AsyncGenerator<FollowedEvent> {
  let hasBegun = false;
  for await (const event of events) {
    const isOurs = event.dispatchId === id;
    if (isOurs && (event.type === 'dispatch_started' || event.type === 'user_message')) hasBegun = true;
    if (hasBegun || isOurs) yield event;
    if (isOurs && event.type === 'dispatch_ended') return;
  }
}
