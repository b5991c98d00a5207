import { text as readAll } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../../client/client.js';
import { homeFolder } from '../../compose.js';
import { type Dispatch, OnSuccess } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { PermissionMode, ToolPreset } from '../../protocol/posture.js';
import { ensureWorker, leavingArgs } from '../background-worker.js';
import { findThread } from '../find-id.js';
import { attend } from '../follow/attend.js';
import { toCount, toInteger, toSeconds } from '../number-option.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';
import type { Settings } from '../settings/settings.js';
import { toUnanswered } from '../unanswered-option.js';
import { type WorkOptions, workRequest } from '../work-request.js';
import { isElsewhere, openClient } from '../worker-address.js';

/** `handraise run`: one piece of work, attached to this terminal. */
export function addRun(program: Command): void {
  program
    .command('run')
    .summary('give work to an agent and follow it')
    .description(
      'Gives one piece of work to an agent and shows its text, tools, questions and outcome as they come. Exits with the ' +
        'exit code of the outcome. If no worker is running, one is started in the background.',
    )
    .argument('[text]', 'what to do; without it, or with -, the text is read from stdin')
    .option('-C, --workspace <folder>', 'folder the agent works in (default: the current folder)')
    .option('--worktree', 'work in a new git worktree, on a branch of its own')
    .option('--include-changes', 'with --worktree: begin with what is not committed in the folder')
    .option('--thread <id>', 'continue in this thread')
    .option('--runtime <name>', 'which agent: claude, codex, opencode, amp, exec, acp:NAME or npm:NAME')
    .option(
      '--command <text>',
      'command line for the runtime exec; {prompt} is replaced by the work; if it is missing, the work is passed on stdin',
    )
    .option('--model <name>', 'model, as the runtime names it')
    .addOption(
      new Option('--permissions <who>', 'who approves sensitive actions: you, or nobody').choices([
        'approval',
        'autonomous',
      ]),
    )
    .addOption(
      new Option('--permission-mode <mode>', "the runtime's own permission mode").choices(
        PermissionMode.options,
      ),
    )
    .addOption(new Option('--tool-preset <name>', 'which tools the agent has').choices(ToolPreset.options))
    .option('--name <name>', 'name of the new thread, to be used wherever an id can')
    .option('--title <text>', 'title of the work')
    .option('--priority <number>', 'higher numbers start first (default: 0)', toInteger)
    .option('--retries <number>', 'how often to try again when it fails', toCount)
    .option('--timeout <seconds>', 'time limit; time spent waiting for a person does not count', toSeconds)
    .option(
      '--verify <command>',
      'run this command in the workspace when the agent is done; if it fails, the work has failed',
    )
    .addOption(
      new Option(
        '--on-success <what>',
        'with --worktree: merge the work when it succeeded, open a pull request (pr), or keep it',
      ).choices(OnSuccess.options),
    )
    .option(
      '--verify-merged <command>',
      'with --on-success merge: run this command in a fresh checkout of the merged tree first; if it fails, nothing is merged',
    )
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
    .option('--label <key=value>', 'label for the work (repeatable)', toLabel)
    .option('--attach <file>', 'attach a text file or an image (repeatable)', collect)
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

interface RunOptions extends WorkOptions {
  readonly runtime?: string;
  readonly command?: string;
  readonly model?: string;
  readonly permissions?: string;
  readonly permissionMode?: string;
  readonly toolPreset?: string;
  readonly onSuccess?: string;
  readonly retries?: number;
  readonly timeout?: number;
  readonly thread?: string;
  readonly idempotencyKey?: string;
  readonly exitOnQuestion?: true;
  readonly hint?: boolean;
  readonly detach?: true;
  readonly json?: true;
}

async function run(given: string | undefined, options: RunOptions): Promise<void> {
  const { values: settings, notes } = effectiveSettings({
    env: process.env,
    folder: options.workspace ?? '.',
    flags: flagSettings(options),
  });
  for (const note of notes) writeMessage(note);
  if (options.command !== undefined && settings.runtime !== 'exec')
    throw new Failure('usage', `--command works only with --runtime exec, not with ${settings.runtime}.`);
  if (options.includeChanges && !options.worktree)
    throw new Failure(
      'usage',
      '--include-changes needs --worktree. Without it the agent works on your files themselves.',
    );
  if (options.onSuccess !== undefined && options.onSuccess !== 'keep' && !options.worktree && !options.thread)
    throw new Failure(
      'usage',
      '--on-success needs --worktree. Without it the agent works on your files themselves.',
    );
  if (options.verifyMerged !== undefined && settings.onSuccess !== 'merge')
    throw new Failure('usage', '--verify-merged needs --on-success merge: it judges the merged tree.');
  const text = await workText(given);
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  const { dispatch, after } = await submit(client, { text, options, settings });
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

function flagSettings(options: RunOptions) {
  const { runtime, command, model, permissions, permissionMode, toolPreset, retries, timeout, onSuccess } =
    options;
  return {
    // Naming a command is choosing the runtime that starts commands.
    runtime: runtime ?? (command === undefined ? undefined : 'exec'),
    execCommand: command,
    model,
    permissions,
    permissionMode,
    toolPreset,
    retries,
    timeoutSeconds: timeout,
    onSuccess,
  };
}

async function submit(
  client: Client,
  work: { readonly text: string; readonly options: RunOptions; readonly settings: Settings },
): Promise<{ dispatch: Dispatch; after: number }> {
  const { text, options, settings } = work;
  const thread = options.thread === undefined ? undefined : await findThread(client, options.thread);
  const flags = flagSettings(options);
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

function toLabel(text: string, before: readonly (readonly [string, string])[] = []) {
  const place = text.indexOf('=');
  if (place < 1) throw new InvalidArgumentError('Write a label as key=value.');
  return [...before, [text.slice(0, place), text.slice(place + 1)] as const];
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
