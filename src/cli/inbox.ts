import type { Command } from 'commander';
import type { Client } from '../client/client.js';
import { readyClient } from './background-worker.js';
import { writeLine, writeMessage } from './output.js';
import { shortIds } from './short-id.js';
import { coloursOf } from './terminal/colours.js';
import { plainLine } from './terminal/plain-text.js';
import { promptCard } from './view/prompt-card.js';
import { watch } from './watch.js';

/** `handraise inbox`: what agents ask, the oldest first. */
export function addInbox(program: Command): void {
  program
    .command('inbox')
    .summary('show what agents ask')
    .description('Shows every question that waits for an answer, the oldest first, and how to answer it.')
    .option('-w, --watch', 'draw it again whenever it changes')
    .option('-q, --quiet', 'print ids only, whole')
    .option('--json', 'print a JSON array; with -w one per change')
    .addHelpText('after', examples)
    .action(inbox);
}

const examples = `
Examples:
  $ handraise inbox
  $ handraise answer prm_01k9y 2
  $ handraise approve $(handraise inbox -q | head -1)
`;

interface InboxOptions {
  readonly watch?: true;
  readonly quiet?: true;
  readonly json?: true;
}

async function inbox(options: InboxOptions): Promise<void> {
  const client = await readyClient();
  if (options.watch) return watch(() => inboxLines(client, options));
  const lines = await inboxLines(client, options);
  for (const line of lines) writeLine(line);
  if (lines.length === 0) writeMessage('nobody asks anything');
}

async function inboxLines(client: Client, { quiet, json }: InboxOptions): Promise<string[]> {
  const prompts = await client.prompts.open();
  if (json) return [JSON.stringify(prompts)];
  if (quiet) return prompts.map(({ id }) => id);
  const short = shortIds([...prompts.map(({ id }) => id), ...prompts.map(({ threadId }) => threadId)]);
  const titles = await titlesOf(client, new Set(prompts.map(({ threadId }) => threadId)));
  const context = { now: Date.now(), colours: coloursOf(process.stdout) };
  return prompts.flatMap((prompt, index) => {
    const thread = `${short(prompt.threadId)} ${titles.get(prompt.threadId) ?? ''}`.trimEnd();
    return [...(index === 0 ? [] : ['']), ...promptCard(prompt, context, { id: short(prompt.id), thread })];
  });
}

async function titlesOf(client: Client, ids: ReadonlySet<Parameters<Client['threads']['get']>[0]>) {
  const threads = await Promise.all([...ids].map((id) => client.threads.get(id)));
  return new Map(threads.map(({ id, title }) => [id, plainLine(title)]));
}
