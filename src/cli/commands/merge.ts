import type { Command } from 'commander';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { MergeMethod } from '../../protocol/landing.js';
import { readyClient } from '../background-worker.js';
import { findEach, findThreadOf } from '../find-id.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise merge`: the work of an agent into a branch. */
export function addMerge(program: Command): void {
  program
    .command('merge')
    .summary('merge what an agent did into a branch')
    .description(
      'Commits what the agent of a worktree has not committed, and merges its branch into the one that it came from. If that branch ' +
        'is checked out somewhere, the files there follow. On a conflict everything stays as it was.',
    )
    .argument(
      '<id...>',
      'threads or dispatches, merged in this order: ids, their first or last letters, names; last is the newest',
    )
    .option('--squash', 'one commit with all of it')
    .option('--rebase', 'every commit again, on top of the branch')
    .option('--no-ff', 'a merge commit, even where the branch could simply move on')
    .option('--into <branch>', 'another branch than the one that the work came from')
    .option('-m, --message <text>', 'message of the commits that are made (default: the title of the work)')
    .option(
      '--verify <command>',
      'run this in a fresh checkout of the merged tree; if it fails, nothing is merged',
    )
    .option(
      '--hooks [digest]',
      'run the hooks of your repository; hooks that you have not approved are shown first, with a digest that approves them',
    )
    .option('--resolve-with-agent', 'give conflicts to the agent, as work')
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', examples)
    .action(merge);
}

const examples = `
Examples:
  $ handraise merge last
  $ handraise merge thr_01k9w --squash -m "Fix the login"
  $ handraise merge last --into develop --verify "npm ci && npm test"
  $ handraise merge last --hooks
  $ handraise merge last --resolve-with-agent

Exit codes: 0 merged, or there was nothing to merge; 1 conflicts, or verification failed; 65 refused, with the reason.
`;

interface MergeOptions {
  readonly squash?: true;
  readonly rebase?: true;
  readonly ff: boolean;
  readonly into?: string;
  readonly message?: string;
  readonly verify?: string;
  readonly hooks?: true | string;
  readonly resolveWithAgent?: true;
  readonly json?: true;
}

async function merge(ids: readonly string[], options: MergeOptions): Promise<void> {
  const method = methodOf(options);
  const { into, message, verify, hooks, resolveWithAgent } = options;
  const client = await readyClient();
  for (const id of await findEach(client, ids, findThreadOf)) {
    const landing = await client.threads.merge(id, {
      method,
      ...given({ into, message, verify, hooks, resolveWithAgent }),
    });
    process.exitCode = tellLanding(landing, { isJson: options.json === true });
    // What comes next may build on what was not merged.
    if (process.exitCode !== 0) return;
  }
}

function methodOf({ squash, rebase, ff }: MergeOptions): MergeMethod {
  const wanted: MergeMethod[] = [
    ...(squash ? (['squash'] as const) : []),
    ...(rebase ? (['rebase'] as const) : []),
    ...(ff ? [] : (['no-ff'] as const)),
  ];
  if (wanted.length > 1) throw new Failure('usage', 'Choose one of --squash, --rebase and --no-ff.');
  return wanted[0] ?? 'merge';
}
