import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findEach, findThreadOf } from '../find-id.js';
import { writeJson, writeLine } from '../output.js';

/** `handraise rm`: removes threads. */
export function addRm(program: Command): void {
  program
    .command('rm')
    .summary('remove threads for good')
    .description(
      'Removes threads with everything that was said in them, and their worktrees. A thread whose work has not ended is refused, and one ' +
        'whose work is neither landed nor discarded, unless you use --force. What they cost stays in the usage.',
    )
    .argument('<id...>', 'threads or dispatches: ids, their first or last letters, names')
    .option('--force', 'also where work that is not committed is lost; branches with commits stay')
    .option('--json', 'print each thread as it was as JSON, one per line')
    .addHelpText(
      'after',
      '\nExamples:\n  $ handraise rm fix-login\n  $ handraise rm $(handraise ls -q --archived)\n',
    )
    .action(rm);
}

async function rm(texts: readonly string[], options: { force?: true; json?: true }): Promise<void> {
  const client = await readyClient();
  await doEach(await findEach(client, texts, findThreadOf), async (id) => {
    const thread = await client.threads.remove(id, { force: options.force === true });
    if (options.json) writeJson(thread);
    else writeLine(thread.id);
  });
}
