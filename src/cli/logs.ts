import type { Command } from 'commander';
import type { Client } from '../client/client.js';
import { factOf, type ThreadEvent } from '../client/thread-event.js';
import { type DispatchId, ThreadId } from '../protocol/id.js';
import { readyClient } from './background-worker.js';
import { findNamed } from './find-id.js';
import { patience, tellingConnection } from './follow/follow-dispatch.js';
import { tellConnection } from './follow/watchers.js';
import { toCount } from './number-option.js';
import { writeJson, writeLine } from './output.js';
import { coloursOf } from './terminal/colours.js';
import { Transcript } from './view/transcript.js';

const pageSize = 1000;

/** `handraise logs`: what happened in a thread. */
export function addLogs(program: Command): void {
  program
    .command('logs')
    .summary('print what happened in a thread')
    .description('Prints what happened in a thread, or while a dispatch was worked on.')
    .argument('<id>', 'a thread or a dispatch; the beginning of its id is enough')
    .option('-f, --follow', 'go on with what happens; a dispatch is followed to its end')
    .option('--after <seq>', 'only what follows this event', toCount)
    .option('--tail <number>', 'only the last so many events', toCount)
    .option('--json', 'print every event as a JSON line')
    .addHelpText('after', examples)
    .action(logs);
}

const examples = `
Examples:
  $ handraise logs -f dsp_01k9x
  $ handraise logs thr_01k9w --json --tail 100 | jq .type
`;

interface LogsOptions {
  readonly follow?: true;
  readonly after?: number;
  readonly tail?: number;
  readonly json?: true;
}

async function logs(text: string, options: LogsOptions): Promise<void> {
  const client = await readyClient();
  const named = await findNamed(client, text, ['dispatch', 'thread']);
  const dispatch = named.kind === 'dispatch' ? await client.dispatches.get(named.id) : undefined;
  const threadId = dispatch?.threadId ?? ThreadId.parse(named.id);
  const { lastSeq } = await client.threads.get(threadId);
  const after = Math.max(options.after ?? 0, options.tail === undefined ? 0 : lastSeq - options.tail);
  const events = options.follow ? followed(client, threadId, after) : stored(client, threadId, after);
  const print = options.json ? writeJson : printer();
  for await (const event of dispatch ? during(events, dispatch.id) : events) print(event);
}

function printer(): (event: ThreadEvent) => void {
  const transcript = new Transcript({ colours: coloursOf(process.stdout), now: Date.now });
  return (event) => {
    const fact = factOf(event);
    if (!fact) return;
    for (const piece of transcript.add(fact)) writeLine(piece.text.replace(/\n+$/, ''));
  };
}

async function* stored(client: Client, id: ThreadId, after: number): AsyncGenerator<ThreadEvent> {
  let last = after;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page after the other
    const page = await client.threads.events(id, { after: last, limit: pageSize });
    yield* page;
    last = page.at(-1)?.seq ?? last;
    if (page.length < pageSize) return;
  }
}

function followed(client: Client, id: ThreadId, after: number): AsyncGenerator<ThreadEvent> {
  return client.events(id, { after, patience, ...tellingConnection({ connection: tellConnection }) });
}

/** The events from the begin of a dispatch to its end. */
async function* during(events: AsyncIterable<ThreadEvent>, id: DispatchId): AsyncGenerator<ThreadEvent> {
  let hasBegun = false;
  for await (const event of events) {
    const isOurs = event.dispatchId === id;
    if (isOurs && (event.type === 'dispatch_started' || event.type === 'user_message')) hasBegun = true;
    if (hasBegun || isOurs) yield event;
    if (isOurs && event.type === 'dispatch_ended') return;
  }
}
