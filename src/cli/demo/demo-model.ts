import { rm } from 'node:fs/promises';
import { loadSimulator } from '../../compose.js';
import type { DemoWorkspace } from './demo-workspace.js';
import { story } from './story.js';

/** The model that the agent talks to, and what the agent is asked to do with it. */
export interface DemoModel extends AsyncDisposable {
  readonly name: string;
  readonly task: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The real model, with the login that the agent has here. */
export function realModel(env: NodeJS.ProcessEnv): DemoModel {
  return {
    name: 'the real one, with your own login (a few cents)',
    task: 'Read notes.md. Then ask me with AskUserQuestion which tone an announcement should have, with two options. Then write it to announcement.md, five lines at the most, and stop.',
    env,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What of the environment makes a terminal what it is; nothing else of it reaches the scripted agent. */
const kept = ['PATH', 'TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LC_ALL', 'LC_CTYPE', 'IS_SANDBOX'];

/** A scripted model in this process: it costs nothing, whatever keys are set. */
export async function scriptedModel(
  { path, home }: DemoWorkspace,
  env: NodeJS.ProcessEnv,
): Promise<DemoModel> {
  const { runtimeEnvironment, startSimulator, writeRuntimeFiles } = await loadSimulator();
  const simulator = await startSimulator({ script: story(path) });
  const environment = runtimeEnvironment('claude', { url: simulator.url, home });
  await writeRuntimeFiles(environment);
  return {
    name: `scripted, at ${simulator.url}; it costs nothing`,
    task: 'Read notes.md, ask me which tone to take, and write announcement.md.',
    env: { ...Object.fromEntries(kept.map((name) => [name, env[name]])), ...environment.env },
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
