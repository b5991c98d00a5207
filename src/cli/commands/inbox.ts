import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { readyClient } from '../background-worker.js';
import { seenJson, writeLine, writeMessage } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { inboxView } from '../view/inbox-view.js';
import { watch } from '../watch.js';

/** `handraise inbox`: what agents ask, the oldest first. */
export function addInbox(program: Command): void {
  program
    .command('inbox')
    .summary('show the questions of agents')
    .description(
      'Shows every question and approval that waits for you, and the command that answers it. Approvals come first, ' +
        'oldest first. Questions that are the same are grouped; answer them all at once with --all-like.',
    )
    .option('-w, --watch', 'keep showing it, updated whenever it changes')
    .option('-q, --quiet', 'print only the full ids')
    .option('--json', 'print a JSON array; with -w one per change')
    .addHelpText('after', examples)
    .action(inbox);
}

const examples = `
Examples:
  $ handraise inbox
  $ handraise answer prm_01k9y 2
  $ handraise approve $(handraise inbox -q | head -1)
  $ handraise answer prm_01k9y 2 --all-like
`;

const nobody = 'No agent is waiting for you.';

interface InboxOptions {
  readonly watch?: true;
  readonly quiet?: true;
  readonly json?: true;
}

async function inbox(options: InboxOptions): Promise<void> {
  const client = await readyClient();
  if (options.watch)
    return watch(() => watchedLines(client, options), { changes: (signal) => client.statuses({ signal }) });
  const lines = await inboxLines(client, options);
  for (const line of lines) writeLine(line);
  if (lines.length === 0) writeMessage(nobody);
}

// A person who watches an empty screen would not know whether anything is watched at all.
async function watchedLines(client: Client, options: InboxOptions): Promise<string[]> {
  const lines = await inboxLines(client, options);
  return lines.length === 0 && process.stdout.isTTY ? [nobody] : lines;
}

async function inboxLines(client: Client, { quiet, json }: InboxOptions): Promise<string[]> {
  const prompts = await client.prompts.open();
  if (json) return [seenJson(prompts)];
  if (quiet) return prompts.map(({ id }) => id);
  const ids = new Set(prompts.map(({ threadId }) => threadId));
  const threads = await Promise.all([...ids].map((id) => client.threads.get(id)));
  const inbox = { prompts, threads: new Map(threads.map((thread) => [thread.id, thread])) };
  return inboxView(inbox, { now: Date.now(), colours: coloursOf(process.stdout) });
}
