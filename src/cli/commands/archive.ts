import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findEach, findThreadOf } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';

/** `handraise archive`: puts threads aside. */
export function addArchive(program: Command): void {
  program
    .command('archive')
    .summary('put threads aside')
    .description(
      'Ends the agents of threads and puts the threads aside: lists leave them out, they can only be read, and their names are free again. ' +
        'Worktrees stay.',
    )
    .argument('<id...>', 'threads or dispatches: ids, their first or last letters, names; last is the newest')
    .option('--undo', 'take them back')
    .option('--json', 'print each thread as JSON, one per line')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise archive last\n  $ handraise ls --archived\n  $ handraise archive --undo thr_01k9w\n',
    )
    .action(archive);
}

async function archive(texts: readonly string[], options: { undo?: true; json?: true }): Promise<void> {
  const client = await readyClient();
  await doEach(await findEach(client, texts, findThreadOf), async (id) => {
    const thread = await client.threads.archive(id, { undo: options.undo === true });
    if (options.json) writeJson(thread);
    else writeLine(thread.id);
  });
}
