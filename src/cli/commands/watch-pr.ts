import type { Command } from 'commander';
import { ExitCode } from '../../protocol/exit-code.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { readyClient } from '../background-worker.js';
import { findThreadOf } from '../find-id.js';
import { toPositive } from '../number-option.js';
import { tellLanding } from '../view/landing-view.js';

/** `handraise watch-pr`: what is said about a pull request comes back to its agent. */
export function addWatchPr(program: Command): void {
  program
    .command('watch-pr')
    .summary('bring failing checks and review comments back to the agent')
    .description(
      'Watches the pull request of a thread through gh. Failing checks and review comments of people who may write to the repository ' +
        'go to the agent as one piece of work, and what it commits is pushed. After some rounds you are asked whether to go on.',
    )
    .argument('<id...>', 'threads or dispatches; last is the newest')
    .option(
      '--rounds <number>',
      'how often the agent is told before you are asked, 1 to 20 (default: 3)',
      toPositive,
    )
    .option('--stop', 'watch it no more')
    .option('--json', 'print the watch as JSON')
    .addHelpText('after', examples)
    .action(watchPr);
}

const examples = `
Examples:
  $ handraise watch-pr last
  $ handraise watch-pr thr_01k9w --rounds 5
  $ handraise watch-pr last --stop

Work that was given with --on-success pr is watched without this. The worker has to run; one that was started in the background stays
for as long as it watches. Exit codes: 0 it is watched, or not any more; 65 refused, with the reason; 69 gh cannot be asked.
`;

interface WatchOptions {
  readonly rounds?: number;
  readonly stop?: true;
  readonly json?: true;
}

async function watchPr(ids: readonly string[], { rounds, stop, json }: WatchOptions): Promise<void> {
  if (stop && rounds !== undefined)
    throw new Failure('usage', '--rounds is for watching, and --stop ends it. Leave one of them out.');
  const client = await readyClient();
  for (const text of ids) {
    const id = await findThreadOf(client, text);
    const landing = stop
      ? await client.threads.unwatchPullRequest(id)
      : await client.threads.watchPullRequest(id, given({ rounds }));
    tellLanding(landing, { isJson: json === true });
    process.exitCode = ExitCode.success;
  }
}
