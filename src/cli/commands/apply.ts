import type { Command } from 'commander';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise apply`: the changes of an agent into one's own files. */
export function addApply(program: Command): void {
  program
    .command('apply')
    .summary('put what an agent changed into your own files, staged')
    .description(
      'Puts the changes of a worktree into the folder that the work came from, staged and not committed. What you changed there stays; ' +
        'if you changed the same, nothing happens.',
    )
    .argument('<id...>', 'threads or dispatches; last is the newest')
    .option('--undo', 'take back what was applied last')
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', '\nExamples:\n  $ handraise apply last\n  $ handraise apply last --undo\n')
    .action(apply);
}

async function apply(ids: readonly string[], { undo, json }: { undo?: true; json?: true }): Promise<void> {
  const client = await readyClient();
  for (const text of ids) {
    const landing = await client.threads.apply(await findThreadOf(client, text), { undo: undo === true });
    process.exitCode = tellLanding(landing, { isJson: json === true });
    if (process.exitCode !== 0) return;
  }
}
