import type { Command } from 'commander';
import { given } from '../../protocol/given.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise pr`: the work of an agent as a pull request. */
export function addPr(program: Command): void {
  program
    .command('pr')
    .summary('push what an agent did and open a pull request')
    .description(
      'Commits what the agent of a worktree has not committed, pushes its branch, and opens a pull request with gh or glab. Where ' +
        'neither is installed and signed in, it prints the page on which you can open one. Nothing is forced, and no hook runs.',
    )
    .argument('<id...>', 'threads or dispatches; last is the newest')
    .option('--into <branch>', 'the branch to merge into (default: the one that the work came from)')
    .option(
      '--remote <name>',
      'push to this remote, as the repository names it now (default: the address noted when the work began)',
    )
    .option('--title <text>', 'title (default: the title of the work)')
    .option('--body <text>', 'description')
    .option('--draft', 'open it as a draft')
    .option('--json', 'print what became of it as JSON')
    .addHelpText('after', examples)
    .action(pr);
}

const examples = `
Examples:
  $ handraise pr last
  $ handraise pr thr_01k9w --draft --title "Fix the login" --body "Closes #12"
  $ handraise pr last --remote fork --into develop

Exit codes: 0 pushed, and the pull request is open or its page was printed; 1 the push or the pull request was refused; 65 refused, with
the reason.
`;

interface PrOptions {
  readonly into?: string;
  readonly remote?: string;
  readonly title?: string;
  readonly body?: string;
  readonly draft?: true;
  readonly json?: true;
}

async function pr(ids: readonly string[], { json, ...wanted }: PrOptions): Promise<void> {
  const { into, remote, title, body, draft } = wanted;
  const client = await readyClient();
  for (const text of ids) {
    const id = await findThreadOf(client, text);
    const landing = await client.threads.openPullRequest(id, given({ into, remote, title, body, draft }));
    process.exitCode = tellLanding(landing, { isJson: json === true });
    if (process.exitCode !== 0) return;
  }
}
