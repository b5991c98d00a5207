import type { Command } from 'commander';
import type { Client } from '../../client/client.js';
import { readyClient } from '../background-worker.js';
import { findEach, findNamed, type Named } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';
import { coloursOf } from '../terminal/colours.js';
import { dispatchCard } from '../view/dispatch-card.js';
import { promptCard } from '../view/prompt-card.js';
import { threadCard } from '../view/thread-card.js';

/** `handraise show`: everything about a thread, a dispatch or a prompt. */
export function addShow(program: Command): void {
  program
    .command('show')
    .summary('show a thread, a dispatch or a question')
    .description('Shows everything about a thread (thr_…), a dispatch (dsp_…) or a question (prm_…).')
    .argument('<id...>', 'ids, their first or last letters, or names of threads')
    .option('--json', 'print each as JSON, one per line')
    .addHelpText('after', '\nExamples:\n  $ handraise show dsp_01k9x\n  $ handraise show fix-login --json\n')
    .action(show);
}

async function show(texts: readonly string[], { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const found = await findEach(client, texts, (_client, text) =>
    findNamed(client, text, ['thread', 'dispatch', 'prompt']),
  );
  for (const [index, named] of found.entries()) {
    const { value, lines } = await look(client, named);
    if (json) writeJson(value);
    else for (const line of index === 0 ? lines : ['', ...lines]) writeLine(line);
  }
}

async function look(client: Client, named: Named): Promise<{ value: object; lines: string[] }> {
  const context = { now: Date.now(), colours: coloursOf(process.stdout) };
  switch (named.kind) {
    case 'thread': {
      const [thread, { dispatches }, prompts, grants] = await Promise.all([
        client.threads.get(named.id),
        client.dispatches.list({ thread: named.id, order: 'newest_first', limit: 10 }),
        client.prompts.open({ thread: named.id }),
        client.threads.grants(named.id),
      ]);
      const value = { ...thread, dispatches, openPrompts: prompts, grants };
      return { value, lines: threadCard({ thread, dispatches, prompts, grants }, context) };
    }
    case 'dispatch': {
      const dispatch = await client.dispatches.get(named.id);
      return { value: dispatch, lines: dispatchCard(dispatch, context) };
    }
    case 'prompt': {
      const prompt = await client.prompts.get(named.id);
      const asker = await client.threads.get(prompt.threadId);
      return { value: prompt, lines: promptCard(prompt, context, { asker }) };
    }
    default:
      return named satisfies never;
  }
}
