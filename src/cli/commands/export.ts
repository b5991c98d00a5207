import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { threadFileLines } from '../../domain/thread/thread-file-lines.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import type { FileEvent } from '../../protocol/thread-file.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';

/** `handraise export`: a thread as one file. */
export function addExport(program: Command): void {
  program
    .command('export')
    .summary('write a thread into a file')
    .description(
      'Writes everything of a thread into one compressed file: its work, events, items, changes, and a transcript. handraise import reads it ' +
        'on any machine.',
    )
    .argument('<id>', 'the thread: its id, first or last letters of it, or its name')
    .option('-o, --output <file>', 'the file (default: the id of the thread, and .jsonl.gz)')
    .option('--force', 'write over a file that is there')
    .option('--json', 'print the id and the file as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise export fix-login\n  $ zcat thr_01k9w….jsonl.gz | jq -r "select(.kind == \\"transcript\\").text"\n',
    )
    .action(exportThread);
}

interface ExportOptions {
  readonly output?: string;
  readonly force?: true;
  readonly json?: true;
}

async function exportThread(text: string, { output, force, json }: ExportOptions): Promise<void> {
  const client = await readyClient();
  const id = await findThreadOf(client, text);
  const thread = await client.threads.get(id);
  if (thread.eventsIn !== undefined)
    throw new Failure('conflict', `The events of ${id} are in ${thread.eventsIn} already. Take that file.`);
  const file = output ?? `${id}.jsonl.gz`;
  const to = createWriteStream(file, { flags: force ? 'w' : 'wx', mode: 0o600 });
  await pipeline(Readable.from(jsonLines(client, thread)), createGzip(), to);
  if (json) writeJson({ id, file });
  else writeLine(file);
}

async function* jsonLines(client: Client, thread: Thread): AsyncGenerator<string> {
  const { id, lastSeq } = thread;
  const lines = threadFileLines({
    thread,
    exportedAt: new Date().toISOString(),
    dispatches: client.dispatches.all({ thread: id }),
    events: eventsOf(client, id, lastSeq),
    items: itemsOf(client, id),
    diff: async () => await diffOf(client, id),
  });
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function* eventsOf(client: Client, id: ThreadId, upTo: number): AsyncGenerator<FileEvent> {
  for await (const { seq, ...event } of client.threads.storedEvents(id, { upTo }))
    if (seq !== null) yield { seq, ...event };
}

async function* itemsOf(client: Client, id: ThreadId): AsyncGenerator<ThreadItem> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const part: Awaited<ReturnType<typeof client.threads.items>> = await client.threads.items(id, { after });
    yield* part.items;
    after = part.next;
  }
}

/** What it changed; null where there is no repository, or the worktree is gone. */
async function diffOf(client: Client, id: ThreadId) {
  try {
    return await client.threads.diff(id);
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
