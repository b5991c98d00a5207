import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { ownIdentity } from '../../src/process/families/own-identity.js';
import { processIdentity } from '../../src/process/families/process-table.js';
import { runMarker, terminalMarker } from '../../src/process/families/run-marker.js';
import { sweepDeadRuns } from '../../src/runner/stray-processes.js';
import { waitUntil } from '../harness/wait-until.js';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

test('what a dead runner has left is ended; what a person has open in a terminal is not, nor what belongs to the living', async () => {
  const opener = await sleeper({});
  const dead = processIdentity(opener.pid ?? 0) ?? ownIdentity();
  opener.kill('SIGKILL');
  await once(opener, 'close');
  const [left, ownTerminal, living] = await Promise.all(
    [runMarker(dead), terminalMarker(dead), runMarker(ownIdentity())].map(
      async ({ name, value }) => await sleeper({ [name]: value }),
    ),
  );

  await sweepDeadRuns();
  await waitUntil('the command of the dead runner has ended', () => left?.signalCode !== null);
  expect([ownTerminal, living].map((child) => child?.signalCode)).toEqual([null, null]);
});

async function sleeper(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn('sleep', ['600'], { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
  started.push(child);
  await once(child, 'spawn');
  return child;
}
