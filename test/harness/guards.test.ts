import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { markedProcesses } from './process-guard.js';
import { openStage } from './stage.js';
import { waitUntil } from './wait-until.js';

it('is content when nothing is left behind', async () => {
  await using stage = await openStage('claude');
  expect(await markedProcesses(stage.mark)).toEqual([]);
});

it('guards a home and a temporary folder that nobody else has', () => {
  expect(homedir()).not.toBe(userInfo().homedir);
  expect(homedir()).toBe(join(tmpdir(), 'home'));
});

it("catches a file in the test's home", async () => {
  const stage = await openStage('claude');
  const strays = [join(homedir(), '.cache'), join(homedir(), '.cache/opencode')];
  await mkdir(join(homedir(), '.cache/opencode'), { recursive: true });

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow(`"files":${JSON.stringify(strays)}`);
  await rm(join(homedir(), '.cache'), { recursive: true });
});

it('catches what bears its name in a folder that others share, and nothing of the others', async () => {
  const shared = await mkdtemp(join(tmpdir(), 'shared-'));
  await mkdir(join(shared, '-home-ada-before'));
  const stage = await openStage('claude', { shared: [shared] });
  await mkdir(join(shared, '-home-ada-meanwhile'));
  await writeFile(join(shared, '4711.sock'), '');
  const ours = join(shared, `-tmp-${basename(stage.home)}-workspace`);
  await mkdir(ours);

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow(`"files":${JSON.stringify([ours])}`);
});

it('catches a grandchild whose parent is gone', async () => {
  const stage = await openStage('claude', { graceMs: 100 });
  const parent = spawn('sh', ['-c', 'sleep 1000 & exit 0'], { env: stage.env, stdio: 'ignore' });
  await once(parent, 'exit');
  // The child is a copy of the shell until it has become the command.
  await waitUntil('the grandchild runs its command', async () =>
    (await markedProcesses(stage.mark)).some(({ command }) => command === 'sleep 1000'),
  );

  await expect(stage[Symbol.asyncDispose]()).rejects.toThrow('sleep 1000');
  await waitUntil('the grandchild was killed', async () => (await markedProcesses(stage.mark)).length === 0);
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
