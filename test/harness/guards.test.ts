import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markedProcesses } from './process-guard.js';
import { openStage } from './stage.js';
import { waitUntil } from './wait-until.js';

it('is content when nothing is left behind', async () => {
  await using stage = await openStage('claude');
  expect(await markedProcesses(stage.mark)).toEqual([]);
});

it("catches a file in the user's home", async () => {
  const userHome = await mkdtemp(join(tmpdir(), 'handraise-user-'));
  const stage = await openStage('claude', { userHome });
  await writeFile(join(userHome, '.claude.json'), '{}');

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow(join(userHome, '.claude.json'));
  await rm(userHome, { recursive: true });
});

it('catches a grandchild whose parent is gone', async () => {
  const stage = await openStage('claude');
  const parent = spawn('sh', ['-c', 'sleep 1000 & exit 0'], { env: stage.env, stdio: 'ignore' });
  await once(parent, 'exit');
  // The child is a copy of the shell until it has become the command.
  await waitUntil(async () =>
    (await markedProcesses(stage.mark)).some(({ command }) => command === 'sleep 1000'),
  );

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow('sleep 1000');
  await waitUntil(async () => (await markedProcesses(stage.mark)).length === 0);
});

it('catches a port that stays open', async () => {
  const stage = await openStage('claude');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow(`"ports":[${port}]`);
  server.close();
});
