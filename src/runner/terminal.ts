import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { ownIdentity } from '../process/families/own-identity.js';
import { runMarker } from '../process/families/run-marker.js';
import { AgentContainer } from '../runtimes/agent-container.js';
import type { Launch } from '../runtimes/runtime.js';

/** The runtime's own program, in a container and in the terminal of this process; gives its exit code. */
export async function runInTerminal(launch: Launch, command: readonly string[]): Promise<number> {
  const [file = '', ...args] = command;
  const marker = runMarker(ownIdentity());
  // The screen is the program's; a line of ours would stand in the middle of it.
  const toSay: string[] = [];
  const container = new AgentContainer({
    launch,
    host: {
      marker,
      log: (line) => toSay.push(line),
      emit: (fact) => {
        if (fact.type === 'warning') toSay.push(`handraise: ${fact.message}`);
      },
    },
    isTerminal: true,
  });
  const inside = container.command({ file, args, cwd: launch.cwd, env: launch.env });
  const child = spawn(inside.file, inside.args, { cwd: inside.cwd, env: inside.env, stdio: 'inherit' });
  // The keys of a terminal are the program's, and whoever ends this ends it.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  container.watch(null);
  const ended = await once(child, 'exit').catch(() => [127, null]);
  const exit = await container.ended({
    exitCode: typeof ended[0] === 'number' ? ended[0] : null,
    signal: null,
  });
  for (const line of toSay) process.stderr.write(`${line}\n`);
  const signal = Object.entries(constants.signals).find(([name]) => name === exit.signal)?.[1];
  return exit.exitCode ?? 128 + (signal ?? constants.signals.SIGKILL);
}
