import { hostname } from 'node:os';
import { isRunnerAlive } from '../families/dead-runs.js';
import { ownIdentity } from '../families/own-identity.js';
import { ContainerEngine, type EngineClient } from './engine.js';
import { removeLinkFolders } from './link-folder.js';

const runLabel = 'handraise.run';
const homeLabel = 'handraise.home';
const bootLabel = 'handraise.boot';

/** What containers of a home carry; an engine may serve others, too. */
export function containerLabels(home: string, run: string): Record<string, string> {
  return { [runLabel]: run, [homeLabel]: labelOf(home), [bootLabel]: ownIdentity().bootId };
}

/** Removes the containers of runs whose runner is gone, whoever killed it, and what joined them to it. */
export async function sweepContainers(client: EngineClient, home: string): Promise<void> {
  const engine = new ContainerEngine(client);
  const { bootId } = ownIdentity();
  for (const { name, values } of await engine.labelled(`${homeLabel}=${labelOf(home)}`, [
    runLabel,
    bootLabel,
  ])) {
    const [run = '', boot] = values;
    if (boot === bootId && isRunnerAlive(run)) continue;
    await engine.remove(name);
  }
  removeLinkFolders(home, isRunnerAlive);
}

function labelOf(home: string): string {
  return `${hostname()}:${home}`;
}
