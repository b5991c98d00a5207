import { rm } from 'node:fs/promises';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from 'handraise/simulator';
import { story } from './story.js';

/**
 * The model that the agent talks to, and what the agent is asked to do with it.
 * @typedef {{ name: string, simulated: boolean, task: string, env: Record<string, string | undefined>, close(): Promise<void> }} Model
 */

/**
 * The real model when there is a key for it, else the simulator.
 * @param {import('./workspace.js').Workspace} workspace
 * @returns {Promise<Model>}
 */
export async function openModel({ path, home }) {
  if (process.env.ANTHROPIC_API_KEY) {
    return {
      name: 'the real one, paid by ANTHROPIC_API_KEY (a few cents)',
      simulated: false,
      task: 'Read notes.md. Then ask me with AskUserQuestion which tone an announcement should have, with two options. Then write it to announcement.md, five lines at the most, and stop.',
      env: process.env,
      close: async () => undefined,
    };
  }
  const simulator = await startSimulator({ script: story(path) });
  const environment = runtimeEnvironment('claude', { url: simulator.url, home });
  await writeRuntimeFiles(environment);
  return {
    name: `scripted, at ${simulator.url}`,
    simulated: true,
    task: 'Read notes.md, ask me which tone to take, and write announcement.md.',
    env: { PATH: process.env.PATH, ...environment.env },
    async close() {
      await simulator[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
