import type { Command } from 'commander';
import type { Client } from '../client/client.js';
import { readyClient } from './background-worker.js';
import { findNamed, type Named } from './find-id.js';
import { writeJson, writeLine } from './output.js';
import { coloursOf } from './terminal/colours.js';
import { dispatchCard } from './view/dispatch-card.js';
import { promptCard } from './view/prompt-card.js';
import { threadCard } from './view/thread-card.js';

/** `handraise show`: everything about a thread, a dispatch or a prompt. */
export function addShow(program: Command): void {
  program
    .command('show')
    .summary('show a thread, a dispatch or a prompt')
    .description('Shows one thing: a thread (thr_…), a dispatch (dsp_…) or a prompt (prm_…).')
    .argument('<id>', 'the beginning of an id is enough')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise show dsp_01k9x\n  $ handraise show thr_01k9w --json\n')
    .action(show);
}

async function show(text: string, { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const named = await findNamed(client, text, ['thread', 'dispatch', 'prompt']);
  const { value, lines } = await look(client, named);
  if (json) writeJson(value);
  else for (const line of lines) writeLine(line);
}

async function look(client: Client, named: Named): Promise<{ value: object; lines: string[] }> {
  const context = { now: Date.now(), colours: coloursOf(process.stdout) };
  switch (named.kind) {
    case 'thread': {
      const [thread, { dispatches }, prompts] = await Promise.all([
        client.threads.get(named.id),
        client.dispatches.list({ thread: named.id, order: 'newest_first', limit: 10 }),
        client.prompts.open({ thread: named.id }),
      ]);
      const value = { ...thread, dispatches, openPrompts: prompts };
      return { value, lines: threadCard({ thread, dispatches, prompts }, context) };
    }
    case 'dispatch': {
      const dispatch = await client.dispatches.get(named.id);
      return { value: dispatch, lines: dispatchCard(dispatch, context) };
    }
    case 'prompt': {
      const prompt = await client.prompts.get(named.id);
      return { value: prompt, lines: promptCard(prompt, context) };
    }
    default:
      return named satisfies never;
  }
}
