import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { doEach } from '../do-each.js';
import { findEach, findThreadOf } from '../find-id.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise discard`: throws the work of an agent away. */
export function addDiscard(program: Command): void {
  program
    .command('discard')
    .summary('throw away what an agent did')
    .description(
      'Ends the agent and removes its worktree and its branch. The work is kept under refs/handraise/discarded/, from which git brings ' +
        'it back; the thread stays.',
    )
    .argument('<id...>', 'threads or dispatches: ids, their first or last letters, names; last is the newest')
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise discard last\n')
    .action(discard);
}

async function discard(ids: readonly string[], { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  await doEach(await findEach(client, ids, findThreadOf), async (id) => {
    const code = tellLanding(await client.threads.discard(id), { isJson: json === true });
    process.exitCode = process.exitCode || code;
  });
}
