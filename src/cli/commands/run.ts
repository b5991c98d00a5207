import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.js';
import { homeFolder } from '../../compose.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { findThread } from '../find-id.js';
import { attend } from '../follow/attend.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import type { Settings } from '../settings/settings.js';
import { toUnanswered } from '../unanswered-option.js';
import { addWorkOptions, type SettingFlags, type WorkFlags, workSettings } from '../work-options.js';
import { workRequest } from '../work-request.js';
import { isElsewhere, openClient } from '../worker-address.js';

/** `handraise run`: one piece of work, attached to this terminal. */
export function addRun(program: Command): void {
  addWorkOptions(
    program
      .command('run')
      .summary('give work to an agent and follow it')
      .description(
        'Gives one piece of work to an agent and shows its text, tools, questions and outcome as they come. Exits with the ' +
          'exit code of the outcome. If no worker is running, one is started in the background.',
      )
      .argument('[text]', 'what to do; without it, or with -, the text is read from stdin'),
  )
    .option('--name <name>', 'name of the new thread, to be used wherever an id can')
    .option(
      '--unanswered <kind=policy:seconds>',
      'what to do when nobody answers in time; KIND is text, approval or ask_user_question, POLICY is deny, fail or default_option (repeatable)',
      toUnanswered,
    )
    .option('--no-input', 'never wait for an answer: a question ends the work as blocked (exit 2)')
    .option(
      '--exit-on-question',
      'exit 2 when the agent asks something; the work keeps waiting for the answer',
    )
    .option('--idempotency-key <key>', 'a repeated request with the same key does not start the work twice')
    .option('-d, --detach', 'queue the work, print its id and exit')
    .option('--json', 'print events as JSON lines; the last line is the dispatch')
    .addOption(new Option('--no-hint', 'do not say how to go on').hideHelp())
    .addHelpText('after', help)
    .action(run);
}

const help = `
Examples:
  $ handraise run "make the tests of src/parser pass" --verify "npm test"
  $ git diff | handraise run "review this" --permission-mode plan
  $ handraise run -d --worktree "update the dependencies"     # its questions: handraise inbox
  $ handraise run -d --unanswered approval=deny:3600 "tidy up"    # no answer in 1 h: the agent is told that nobody answered
  $ handraise run --command 'my-agent --yes {prompt}' "fix the build"   # any command-line agent
  $ handraise run --thread thr_01k "now add a changelog entry"

Ctrl-C asks whether to detach, cancel or stay; a second Ctrl-C detaches (exit 130).
Without a terminal, SIGINT cancels (exit 130) and SIGTERM detaches (exit 143).
Exit codes: 0 succeeded, 1 failed, 2 blocked, 64 usage, 69 unavailable, 75 try later, 77 login missing, 130 cancelled.
`;

interface RunOptions extends WorkFlags {
  readonly idempotencyKey?: string;
  readonly exitOnQuestion?: true;
  readonly hint?: boolean;
  readonly detach?: true;
  readonly json?: true;
}

async function run(given: string | undefined, options: RunOptions): Promise<void> {
  const { settings, flags } = workSettings(options);
  const text = await workText(given);
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  const { dispatch, after } = await submit(client, { text, options, settings, flags });
  if (options.detach) {
    if (options.json) writeJson(dispatch);
    else writeLine(dispatch.id);
    writeMessage(`Queued as ${dispatch.id}. Follow it with: handraise logs -f ${dispatch.id}`);
    return;
  }
  process.exitCode = await attend({
    client,
    dispatch,
    asker: await client.threads.get(dispatch.threadId),
    after,
    exitsOnQuestion: options.exitOnQuestion === true,
    isRefusing: options.input === false,
    isJson: options.json === true,
    hasHint: options.hint !== false,
  });
}

async function submit(
  client: Client,
  work: {
    readonly text: string;
    readonly options: RunOptions;
    readonly settings: Settings;
    readonly flags: SettingFlags;
  },
): Promise<{ dispatch: Dispatch; after: number }> {
  const { text, options, settings, flags } = work;
  const thread = options.thread === undefined ? undefined : await findThread(client, options.thread);
  const request = await workRequest(text, options, { settings, flags, ...(thread && { thread }) });
  const after = thread ? (await client.threads.get(thread)).lastSeq : 0;
  const { idempotencyKey } = options;
  const dispatch = await client.dispatches.submit(request, given({ idempotencyKey }));
  return { dispatch, after };
}

/** Words on the command line, followed by what is piped in. */
async function workText(given: string | undefined): Promise<string> {
  const isPiped = !process.stdin.isTTY && given === undefined;
  const text = given === '-' || isPiped ? await readAll(process.stdin) : (given ?? '');
  if (text.trim() !== '') return text;
  throw new Failure('usage', 'Say what to do: handraise run "TEXT", or pipe the text to stdin.');
}
