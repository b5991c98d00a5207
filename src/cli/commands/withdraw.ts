import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { findPrompt } from '../find-id.js';
import { writeJson, writeMessage } from '../output.js';

/** `handraise withdraw`: takes back an approval for a whole thread. */
export function addWithdraw(program: Command): void {
  program
    .command('withdraw')
    .summary('take back an approval for a thread')
    .description(
      'Takes back an approval that was given for a whole thread, so that the agent has to ask again. ' +
        '`handraise show <thread>` lists them.',
    )
    .argument('<prompt>', 'id of the approval, or its first letters')
    .option('--json', 'print the approvals that are left as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise withdraw prm_01k9y\n')
    .action(withdraw);
}

async function withdraw(text: string, { json }: { json?: true }): Promise<void> {
  const client = await readyClient();
  const { id, threadId } = await client.prompts.get(await findPrompt(client, text));
  const grants = await client.threads.withdrawGrant(threadId, id);
  if (json) writeJson({ grants });
  else writeMessage('Withdrawn. The agent has to ask again.');
}
