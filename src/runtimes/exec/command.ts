import { isAbsolute } from 'node:path';
import { findExecutable } from '../../process/children/executable.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { wordsOf } from '../command-words.js';
import type { CheckedLaunch, Launch } from '../runtime.js';

// Linux takes no argument of 128 KiB or more, whatever the limit on all of them is (measured: E2BIG).
const longestArgument = 100_000;

/** One turn's process; its prompt is among the arguments, or on stdin, which else is empty. */
export interface ExecInvocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly stdin: string | null;
}

/** Puts the prompt where the command wants it. It is never split or read as anything but text. */
export function invocationOf({ command = '', model = '' }: Launch, prompt: string): ExecInvocation {
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

/** Refuses a launch without a command that can be started, and whatever only the command could see to. */
export function checkExecLaunch(wanted: CheckedLaunch): void {
  const { command, model, mcpServers, env, container } = wanted;
  if (command === undefined)
    throw new Failure('usage', 'The runtime exec needs a command: --command "my-agent {prompt}".');
  const [file = ''] = wordsOf(command);
  // One that is given relative to the workspace is looked for there, when it starts.
  // In a container it is the image's.
  if (!container && (!file.includes('/') || isAbsolute(file))) findProgram(file, env['PATH']);
  if (model !== undefined && !command.includes('{model}'))
    throw unseen('a model unless its command contains {model}');
  if (Object.keys(mcpServers).length > 0) throw unseen('MCP servers');
}

function unseen(what: string): Failure {
  return new Failure('unsupported_by_runtime', `The runtime exec cannot enforce ${what}; the command must.`);
}

function findProgram(file: string, path: string | undefined): void {
  try {
    findExecutable(file, { path, cwd: '/' });
  } catch (error) {
    throw new Failure('unavailable', `The command of exec cannot be started: ${errorSentence(error)}.`);
  }
}
