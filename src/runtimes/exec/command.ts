import { isAbsolute } from 'node:path';
import { findExecutable } from '../../process/executable.js';
import { Failure } from '../../protocol/failure.js';
import type { Launch } from '../runtime.js';
import { wordsOf } from './command-words.js';

// Linux takes no argument of 128 KiB or more, whatever the limit on all of them is (measured: E2BIG).
const longestArgument = 100_000;

/** One turn's process; its prompt is among the arguments, or on stdin, which else is empty. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin: string | null;
}

/** Puts the prompt where the command wants it. It is never split or read as anything but text. */
export function invocationOf({ command = '', model = '' }: Launch, prompt: string): Invocation {
  const words = wordsOf(command);
  const takesArgument = words.some((word) => word.includes('{prompt}'));
  const isLong = Buffer.byteLength(prompt) > longestArgument;
  const values: Record<string, string> = {
    '{prompt}': isLong ? 'What to do is on standard input, because it is long: read all of it.' : prompt,
    '{model}': model,
  };
  const [file = '', ...args] = words.map((word) =>
    word.replaceAll(/\{(?:prompt|model)\}/g, (name) => values[name] ?? name),
  );
  return { file, args, stdin: takesArgument && !isLong ? null : prompt };
}

/** The environment of a turn's process: ours without what is ours alone, and where a question may be left. */
export function execEnv(launch: Launch, more: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([name]) => !name.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(inherited), ...more };
}

/** What of a launch, or of a posture, an agent must be able to honour. */
export type Wanted = Partial<
  Pick<
    Launch,
    'command' | 'permissionMode' | 'toolPreset' | 'model' | 'resume' | 'fork' | 'checkpointing' | 'limits'
  > &
    Record<'structuredOutput' | 'mcpServers' | 'maxTurns' | 'maxThinkingTokens', unknown>
>;

/** Refuses a launch without a command that can be started, and whatever nobody would see to. */
export function checkLaunch(
  wanted: { readonly [Name in keyof Wanted]: Wanted[Name] | undefined },
  path?: string,
): void {
  const { command } = wanted;
  if (command === undefined)
    throw new Failure('usage', 'The runtime exec needs a command: --command "my-agent {prompt}".');
  const [file = ''] = wordsOf(command);
  // One that is given relative to the workspace is looked for there, when it starts.
  if (!file.includes('/') || isAbsolute(file)) findProgram(file, path);
  for (const [name, isWanted] of unseenTo(wanted)) {
    if (isWanted)
      throw new Failure(
        'unsupported_by_runtime',
        `The runtime exec cannot see to ${name}; its command has to.`,
      );
  }
}

function unseenTo(wanted: Parameters<typeof checkLaunch>[0]): (readonly [string, boolean])[] {
  const { permissionMode = 'bypassPermissions', toolPreset = 'full', limits = {}, mcpServers } = wanted;
  return [
    [`the permission mode ${permissionMode}`, permissionMode !== 'bypassPermissions'],
    [`the tool preset ${toolPreset}`, toolPreset !== 'full'],
    [
      'a model, unless its command has a {model}',
      wanted.model !== undefined && !wanted.command?.includes('{model}'),
    ],
    ['the resume of a session', wanted.resume !== undefined || wanted.fork === true],
    ['checkpoints', wanted.checkpointing === true],
    ['structured output', wanted.structuredOutput !== undefined],
    ['MCP servers', Object.keys(Object(mcpServers)).length > 0],
    [
      'limits on turns, thinking and cost',
      Object.keys(limits).length > 0 ||
        wanted.maxTurns !== undefined ||
        wanted.maxThinkingTokens !== undefined,
    ],
  ];
}

function findProgram(file: string, path: string | undefined): void {
  try {
    findExecutable(file, { path, cwd: '/' });
  } catch (error) {
    throw new Failure(
      'unavailable',
      `The command of exec cannot be started: ${error instanceof Error ? error.message : file}.`,
    );
  }
}
