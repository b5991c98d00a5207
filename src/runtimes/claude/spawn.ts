import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { AgentProcess } from '../agent-process.js';

type Spawn = NonNullable<Options['spawnClaudeCodeProcess']>;

/** Starts Claude Code for the SDK as this process, which ends when the SDK gives it up. */
export function spawnAs(process: AgentProcess): Spawn {
  return ({ command, args, cwd = '/', env, signal }) => {
    const child = process.start({ file: command, args, cwd, env });
    signal.addEventListener('abort', () => child.process.kill('SIGTERM'), { once: true });
    return child.process;
  };
}
