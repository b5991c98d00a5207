import type { Command } from 'commander';
import { given } from '../../protocol/given.js';
import { readyClient } from '../background-worker.js';
import { findPrompt } from '../find-id.js';
import { sendAnswer } from '../send-answer.js';

/** `handraise deny`: no to an action. */
export function addDeny(program: Command): void {
  program
    .command('deny')
    .summary('deny an action')
    .description('Denies an action. With -m the agent is told why, or what to do instead.')
    .argument('<prompt>', 'approval id, or its first letters')
    .option('-m, --message <text>', 'why, or what to do instead; the agent reads it')
    .option('--all-like', 'deny every open approval that is the same, in all threads')
    .option('--json', 'print the approval as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise deny prm_01k9y -m "use the test database"\n')
    .action(deny);
}

interface DenyOptions {
  readonly message?: string;
  readonly allLike?: true;
  readonly json?: true;
}

async function deny(prompt: string, { message, ...options }: DenyOptions): Promise<void> {
  const client = await readyClient();
  const decision = { approved: false, ...given({ message }) };
  await sendAnswer(client, { id: await findPrompt(client, prompt), answer: { decision }, ...options });
}
