import { text as readAll } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Client } from '../client/client.js';
import { homeFolder } from '../compose.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import { PermissionMode, ToolPreset } from '../protocol/posture.js';
import { ensureWorker, leavingArgs } from './background-worker.js';
import { findThread } from './find-id.js';
import { attend } from './follow/attend.js';
import { toCount, toInteger, toSeconds } from './number-option.js';
import { writeJson, writeLine, writeMessage } from './output.js';
import { effectiveSettings } from './settings/effective-settings.js';
import type { Settings } from './settings/settings.js';
import { toUnanswered } from './unanswered-option.js';
import { type WorkOptions, workRequest } from './work-request.js';
import { isElsewhere, openClient } from './worker-address.js';

/** `handraise run`: one piece of work, attached to this terminal. */
export function addRun(program: Command): void {
  program
    .command('run')
    .summary('give an agent work and follow it')
    .description(
      'Gives an agent one piece of work and follows it: its words, its tools, its questions, its outcome.\n' +
        'Exits with the exit code of the outcome. Without a worker, one is started in the background.',
    )
    .argument('[text]', 'what to do; - or nothing reads it from stdin')
    .option('-C, --workspace <folder>', 'where the agent works; the current folder unless given')
    .option('--worktree', 'in a git worktree of its own')
    .option('--thread <id>', 'go on in a thread')
    .option('--runtime <name>', 'which agent: claude, codex, opencode, amp, acp:NAME, exec')
    .option(
      '--command <text>',
      'what the runtime exec starts; {prompt} is the work, which else comes on stdin',
    )
    .option('--model <name>', "the model, in the runtime's words")
    .addOption(new Option('--permissions <who>', 'who decides').choices(['approval', 'autonomous']))
    .addOption(
      new Option('--permission-mode <mode>', "the runtime's own mode").choices(PermissionMode.options),
    )
    .addOption(new Option('--tool-preset <name>', 'which tools there are').choices(ToolPreset.options))
    .option('--title <text>', 'a name for it')
    .option('--priority <number>', 'more goes first', toInteger)
    .option('--retries <number>', 'further tries when it fails', toCount)
    .option('--timeout <seconds>', 'time limit; waiting for a person does not count', toSeconds)
    .option('--budget <usd>', 'ask when it costs more than this', toSeconds)
    .option(
      '--verify <command>',
      'run this in the workspace when the agent is done; its failure is a failure',
    )
    .option(
      '--unanswered <kind=policy:seconds>',
      'what happens when nobody answers: text=, approval= or ask_user_question=, deny, fail or default_option; may be repeated',
      toUnanswered,
    )
    .option('--no-input', 'a question ends the work as blocked (exit 2)')
    .option('--exit-on-question', 'exit 2 when the agent asks; the work goes on waiting')
    .option('--label <key=value>', 'a label; may be repeated', toLabel)
    .option('--attach <file>', 'a file or an image; may be repeated', collect)
    .option('--idempotency-key <key>', 'the same key with the same work is the same dispatch')
    .option('-d, --detach', 'only queue it, and print its id')
    .option('--json', 'events as JSON lines; the last line is the dispatch')
    .addHelpText('after', help)
    .action(run);
}

const help = `
Examples:
  $ handraise run "make the tests of src/parser pass" --verify "npm test"
  $ git diff | handraise run "review this" --permission-mode plan
  $ handraise run -d --worktree "update the dependencies"     # handraise inbox shows what it asks
  $ handraise run -d --unanswered approval=deny:3600 "tidy up"    # silence is never consent
  $ handraise run --command 'my-agent --yes {prompt}' "fix the build"   # any command-line agent
  $ handraise run --thread thr_01k "now add a changelog entry"

Ctrl-C asks whether to detach, to cancel or to stay; a second one detaches (exit 130).
Off a terminal SIGINT cancels (exit 130) and SIGTERM detaches (exit 143).
Exit codes: 0 succeeded, 1 failed, 2 blocked, 64 usage, 69 unavailable, 75 try later, 77 login missing, 130 cancelled.
`;

interface RunOptions extends WorkOptions {
  readonly runtime?: string;
  readonly command?: string;
  readonly model?: string;
  readonly permissions?: string;
  readonly permissionMode?: string;
  readonly toolPreset?: string;
  readonly retries?: number;
  readonly timeout?: number;
  readonly thread?: string;
  readonly idempotencyKey?: string;
  readonly exitOnQuestion?: true;
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
    throw new Failure('usage', `--command is for the runtime exec, not for ${settings.runtime}`);
  const text = await workText(given);
  if (!isElsewhere()) await ensureWorker(homeFolder(process.env), { args: leavingArgs });
  const client = openClient();
  const { dispatch, after } = await submit(client, { text, options, settings });
  if (options.detach) {
    if (options.json) writeJson(dispatch);
    else writeLine(dispatch.id);
    writeMessage(`queued; handraise wait ${dispatch.id} waits for it, handraise inbox shows what it asks`);
    return;
  }
  process.exitCode = await attend({
    client,
    dispatch,
    after,
    exitsOnQuestion: options.exitOnQuestion === true,
    isRefusing: options.input === false,
    isJson: options.json === true,
  });
}

function flagSettings(options: RunOptions) {
  const { runtime, command, model, permissions, permissionMode, toolPreset, retries, timeout } = options;
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
  const dispatch = await client.dispatches.submit(request, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  return { dispatch, after };
}

/** Words on the command line, followed by what is piped in. */
async function workText(given: string | undefined): Promise<string> {
  const isPiped = !process.stdin.isTTY && given === undefined;
  const text = given === '-' || isPiped ? await readAll(process.stdin) : (given ?? '');
  if (text.trim() !== '') return text;
  throw new Failure('usage', 'Say what to do: handraise run "TEXT", or pipe the text in');
}

function toLabel(text: string, before: readonly (readonly [string, string])[] = []) {
  const place = text.indexOf('=');
  if (place < 1) throw new InvalidArgumentError('A label is written key=value.');
  return [...before, [text.slice(0, place), text.slice(place + 1)] as const];
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
