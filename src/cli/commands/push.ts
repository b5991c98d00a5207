import type { Command } from 'commander';
import { given } from '../../protocol/given.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise push`: the work of an agent on its branch, where the repository is from. */
export function addPush(program: Command): void {
  program
    .command('push')
    .summary('push the branch of what an agent did')
    .description(
      'Commits what the agent of a worktree has not committed and pushes its branch to where the repository was when the work began. ' +
        'Work that was given with --repo is pushed by itself when it succeeded; this pushes it before that, or again. Nothing is forced, and no hook runs.',
    )
    .argument('<id...>', 'threads or dispatches; last is the newest')
    .option(
      '-m, --message <text>',
      'for the commit of what is not committed (default: the title of the work)',
    )
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', help)
    .action(push);
}

const help = `
Examples:
  $ handraise push last
  $ handraise push thr_01k9w -m "Try the other parser"

Exit codes: 0 pushed, or there was nothing to push; 1 the push was refused; 65 refused, with the reason.
`;

async function push(
  ids: readonly string[],
  { message, json }: { readonly message?: string; readonly json?: true },
): Promise<void> {
  const client = await readyClient();
  for (const text of ids) {
    const id = await findThreadOf(client, text);
    const landing = await client.threads.push(id, given({ message }));
    process.exitCode = tellLanding(landing, { isJson: json === true });
    if (process.exitCode !== 0) return;
  }
}
