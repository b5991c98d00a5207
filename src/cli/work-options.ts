import { type Command, InvalidArgumentError, Option } from 'commander';
import { noBudget, readBudget } from '../domain/dispatch/budget.js';
import type { Budget } from '../protocol/budget.js';
import { ImageName } from '../protocol/container.js';
import { OnFailure, OnSuccess } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import { PlacedFailure } from '../protocol/placed-failure.js';
import { PermissionMode, ToolPreset } from '../protocol/posture.js';
import { toCount, toInteger, toSeconds } from './number-option.js';
import { writeMessage } from './output.js';
import { effectiveSettings } from './settings/effective-settings.js';
import type { Settings } from './settings/settings.js';
import type { WorkOptions } from './work-request.js';

/** What a command line says about work and how it is done, beside its text. */
export interface WorkFlags extends WorkOptions {
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
  readonly container?: string | boolean;
}

/** Adds the options of every command that gives work. */
export function addWorkOptions(command: Command): Command {
  return command
    .option('-C, --workspace <folder>', 'folder the agent works in (default: the current folder)')
    .option(
      '--repo <address>',
      'work in a git repository that the worker fetches, on a branch of its own, which is pushed (docs/repositories.md)',
    )
    .option(
      '--ref <name>',
      'with --repo: the branch, tag or commit to begin at (default: its default branch)',
    )
    .option('--worktree', 'work in a new git worktree, on a branch of its own')
    .option('--include-changes', 'with --worktree: begin with what is not committed in the folder')
    .option('--thread <id>', 'continue in this thread')
    .option(
      '--on <worker>',
      'worker or label that a new thread goes to, where several workers share a database',
    )
    .option('--runtime <name>', 'which agent: claude, codex, opencode, amp, exec, acp:NAME or npm:NAME')
    .option(
      '--command <text>',
      'command line for the runtime exec; {prompt} is replaced by the work; if it is missing, the work is passed on stdin',
    )
    .option('--skill <name>', 'start this skill of the project or of your settings (docs/skills.md)')
    .option(
      '--exit-codes',
      'with --runtime exec: the exit code of the command says how it ended (docs/exit-codes.md)',
    )
    .option(
      '--observable',
      'with --runtime exec: guess from the output of the command whether it works or is idle (docs/status.md)',
    )
    .option(
      '--memory-limit <size>',
      'memory of the agent and all that it starts, such as 512M or 2G; beyond it the system ends processes',
    )
    .option('--model <name>', 'model, as the runtime names it')
    .option(
      '--env <name=value>',
      'variable for the agent of a new thread, such as CODEX_HOME=/home/me/.codex-work; NAME alone takes it from your environment (repeatable)',
      toVariable,
    )
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
    .option(
      '--container [image]',
      'let the agent work in a container: of this image, or of the one that handraise container build has made (docs/containers.md); write the work before it, or --container=IMAGE',
    )
    .option('--no-container', 'let the agent work as a plain process, whatever your settings say')
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
        'with --worktree: merge the work when it succeeded, push its branch (push, usual with --repo), open a pull request (pr), or keep it',
      ).choices(OnSuccess.options),
    )
    .addOption(
      new Option(
        '--on-failure <what>',
        'when the last try has failed or the work is blocked: end, or ask you in the inbox with a report (escalate)',
      ).choices(OnFailure.options),
    )
    .option(
      '--verify-merged <command>',
      'with --on-success merge: run this command in a fresh checkout of the merged tree first; if it fails, nothing is merged',
    )
    .option(
      '--budget <amount>',
      'what it may spend, such as 5 (dollars) or "200k tokens"; then you are asked',
      toBudget,
    )
    .option('--thread-budget <amount>', 'what the new thread may spend over all of its work', toBudget)
    .option('--label <key=value>', 'label for the work (repeatable)', toLabel)
    .option('--attach <file>', 'attach a text file or an image (repeatable)', collect);
}

/** The settings that work is given with; what does not fit together is refused. */
export function workSettings(options: WorkFlags): {
  readonly settings: Settings;
  readonly flags: SettingFlags;
} {
  const flags = settingFlags(options);
  const { values: settings, notes } = effectiveSettings({
    env: process.env,
    folder: options.repo ?? options.workspace ?? '.',
    flags,
  });
  expectPlace(options, settings);
  for (const note of notes) writeMessage(note);
  if (options.command !== undefined && settings.runtime !== 'exec')
    throw new Failure('usage', `--command works only with --runtime exec, not with ${settings.runtime}.`);
  if (options.skill !== undefined && (settings.runtime !== 'exec' || options.command !== undefined))
    throw new Failure('usage', '--skill is a command of its own: leave --command and --runtime out.');
  if (options.exitCodes && settings.runtime !== 'exec')
    throw new Failure('usage', `--exit-codes works only with --runtime exec, not with ${settings.runtime}.`);
  if (options.observable && settings.runtime !== 'exec')
    throw new Failure(
      'usage',
      `--observable works only with --runtime exec: ${settings.runtime} tells by itself what it does.`,
    );
  if (options.includeChanges && !options.worktree)
    throw new Failure(
      'usage',
      '--include-changes needs --worktree. Without it the agent works on your files themselves.',
    );
  const isSeparate = options.worktree === true || options.repo !== undefined;
  if (options.onSuccess !== undefined && options.onSuccess !== 'keep' && !isSeparate && !options.thread)
    throw new Failure(
      'usage',
      '--on-success needs --worktree. Without it the agent works on your files themselves.',
    );
  if (options.verifyMerged !== undefined && settings.onSuccess !== 'merge')
    throw new Failure('usage', '--verify-merged needs --on-success merge: it judges the merged tree.');
  return { settings, flags };
}

/** Work is in a folder or in a repository. */
function expectPlace({ repo, ref, ...options }: WorkFlags, { onSuccess }: Settings): void {
  if (repo === undefined) {
    if (ref !== undefined) throw new Failure('usage', '--ref needs --repo: it names what to begin at there.');
    return;
  }
  const other = (['workspace', 'worktree', 'includeChanges', 'thread', 'skill'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (other !== undefined)
    throw new Failure(
      'usage',
      `--repo and --${other === 'includeChanges' ? 'include-changes' : other} exclude each other: the agent works in a worktree of what the worker fetches.`,
    );
  if (options.onSuccess === 'merge' || (options.onSuccess !== undefined && onSuccess === 'merge'))
    throw new Failure('usage', '--on-success merge is for folders. With --repo, say push, pr or keep.');
}

/** What a command line itself says of the settings. */
export type SettingFlags = ReturnType<typeof settingFlags>;

function settingFlags(options: WorkFlags) {
  const {
    runtime,
    command,
    skill,
    model,
    permissions,
    permissionMode,
    toolPreset,
    retries,
    timeout,
    onSuccess,
    container,
  } = options;
  if (typeof container === 'string' && !ImageName.safeParse(container).success)
    throw new Failure(
      'usage',
      `--container: "${container}" is not the name of an image. If it is the work, write it before --container.`,
    );
  return {
    // Naming a command or a skill is choosing the runtime that starts commands.
    runtime: runtime ?? (command === undefined && skill === undefined ? undefined : 'exec'),
    execCommand: command,
    model,
    permissions,
    permissionMode,
    toolPreset,
    retries,
    timeoutSeconds: timeout,
    onSuccess,
    container: container === undefined ? undefined : container !== false,
    containerImage: typeof container === 'string' ? container : undefined,
  };
}

export function toBudget(text: string): Budget {
  const budget = readBudget(text);
  if (budget) return budget;
  const place = { text, line: 1, column: 1, length: text.length };
  throw new PlacedFailure('invalid', { where: 'The budget', sentence: noBudget(text) }, { place });
}

function toLabel(text: string, before: readonly (readonly [string, string])[] = []) {
  const place = text.indexOf('=');
  if (place < 1) throw new InvalidArgumentError('Write a label as key=value.');
  return [...before, [text.slice(0, place), text.slice(place + 1)] as const];
}

function toVariable(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [name = ''] = text.split('=', 1);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new InvalidArgumentError(
      'Write a variable as NAME=VALUE, or NAME to take it from your environment.',
    );
  const value = text.length > name.length ? text.slice(name.length + 1) : process.env[name];
  if (value === undefined)
    throw new InvalidArgumentError(`${name} is not set in your environment; write ${name}=VALUE.`);
  return { ...before, [name]: value };
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
