import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { alike } from '../../domain/prompts/alike.js';
import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { ExitCode } from '../../protocol/exit-code.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { AnswerPlace, isAttended } from '../ask/answer-here.js';
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
      'On a terminal, asks you every question and approval that waits, one after the other, the oldest first. ' +
        'Anywhere else, and with --list, shows them with the command that answers each: approvals first, oldest first. ' +
        'Questions that are the same are grouped; answer them all at once with --all-like.',
    )
    .option('-l, --list', 'only show them, also on a terminal')
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
  readonly list?: true;
  readonly watch?: true;
  readonly quiet?: true;
  readonly json?: true;
}

async function inbox(options: InboxOptions): Promise<void> {
  const client = await readyClient();
  if (options.watch)
    return watch(() => watchedLines(client, options), { changes: (signal) => client.statuses({ signal }) });
  const isAsked = !options.list && !options.quiet && !options.json && isAttended();
  if (isAsked) return await answerAll(client);
  const lines = await inboxLines(client, options);
  for (const line of lines) writeLine(line);
  if (lines.length === 0) writeMessage(nobody);
}

/** Each that is open, also one that comes meanwhile; what is put off is not asked twice. */
async function answerAll(client: Client): Promise<void> {
  using place = new AnswerPlace(client);
  const putOff = new Set<PromptId>();
  for (;;) {
    const open = await client.prompts.open();
    const next = open.find(({ id }) => !putOff.has(id));
    if (!next) {
      writeMessage(
        open.length === 0 ? nobody : `${open.length} still ${open.length === 1 ? 'waits' : 'wait'} for you.`,
      );
      return;
    }
    const left = open.filter(({ id }) => !putOff.has(id)).length;
    const { title } = await client.threads.get(next.threadId);
    const about = `${plainLine(title, { maxLength: 100 })}, asked ${age(next.createdAt, Date.now())} ago`;
    writeMessage(left === 1 ? about : `1 of ${left}: ${about}`);
    const became = await place.ask(next);
    if (became === 'left') {
      process.exitCode = ExitCode.interrupted;
      return;
    }
    if (became === 'put_off') putOff.add(next.id);
  }
}

// More are not read on one screen either.
const mostLookedUp = 50;

/** What was answered before; one that cannot be told, because it is gone by now, has none. */
async function precedentsOf(client: Client, prompts: readonly Prompt[]) {
  const found = await Promise.all(
    alike(prompts)
      .slice(0, mostLookedUp)
      .map(async ([{ id }]) => [id, await client.prompts.precedents(id).catch(() => [])] as const),
  );
  return new Map(found);
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
  const inbox = {
    prompts,
    threads: new Map(threads.map((thread) => [thread.id, thread])),
    precedents: await precedentsOf(client, prompts),
  };
  return inboxView(inbox, { now: Date.now(), colours: coloursOf(process.stdout) });
}
