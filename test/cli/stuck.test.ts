// What leaves somebody stuck: a setting that is wrong, a worker that hangs, agents without a worker, a port that is taken.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { userFile } from '../../src/cli/settings/settings-file.js';
import { markedProcesses } from '../harness/process-guard.js';
import { waitUntil } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

const noSecret = [{ type: 'webhook', name: 'ops', url: 'https://hooks.example.com/x' }];

async function open(): Promise<CliStage> {
  const cli = await openCliStage();
  onTestFinished(async () => await cli[Symbol.asyncDispose]());
  return cli;
}

test('a setting that the worker could not start with is refused when it is set, and says where it is wrong', async () => {
  const cli = await open();
  const { code, stderr } = await cli.run('config', 'set', 'notify', JSON.stringify(noSecret));
  expect(code).toBe(65);
  expect(stderr).toContain('notify must be a list of channels');
  expect(stderr).toContain('In notify.0.secret: ');
});

test('a worker that cannot start with its settings ends, says so to whoever started it, and leaves nothing locked', async () => {
  const cli = await open();
  const file = userFile(cli.stage.env);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ notify: noSecret }));
  expect(await cli.run('up')).toMatchObject({ code: 78, stderr: expect.stringContaining('notify.0.secret') });
  const { code, stderr } = await cli.run('up', '-d');
  expect(code).not.toBe(0);
  expect(stderr).toContain('notify.0.secret');
  writeFileSync(file, '{}');
  expect((await cli.run('up', '-d')).code).toBe(0);
});

test('a host name that is none is refused when it is set, and by a worker that finds it in its settings', async () => {
  const cli = await open();
  const { code, stderr } = await cli.run('config', 'set', 'allowedHosts', 'http://x/y');
  expect([code, stderr]).toEqual([65, expect.stringContaining('allowedHosts must be a list of host names')]);
  const file = userFile(cli.stage.env);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ allowedHosts: ['http://x/y'] }));
  expect((await cli.run('run', 'x')).code).toBe(78);
  expect(await cli.run('up')).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('allowedHosts must be a list of host names'),
  });
});

test('a runtime that does not work yet is not set', async () => {
  const cli = await open();
  for (const name of ['hal', 'acp:', 'npm:'])
    expect((await cli.run('config', 'set', 'runtime', name)).code).toBe(65);
  expect((await cli.run('config', 'set', 'runtime', 'codex')).code).toBe(0);
});

test('what is told of a worker that did not start is of this start', async () => {
  const cli = await open();
  const file = userFile(cli.stage.env);
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(join(cli.home, 'worker.log'), 'handraise: an earlier start failed\n');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ slots: 0 }));
  const { code, stderr } = await cli.run('up', '-d');
  expect(code).toBe(69);
  expect(stderr).toContain('slots must be a whole number');
  expect(stderr).not.toContain('an earlier start');
});

test('a worker whose home is deleted ends, and says so', { tags: ['full'] }, async () => {
  const cli = await open();
  const worker = cli.start(['up']);
  await worker.saying('The worker is ready.');
  rmSync(cli.home, { recursive: true });
  expect(await worker.finished).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The home ${cli.home} was deleted. This worker and its agents end.`),
  });
});

test('an agent that is not installed is told as such, and is no reason to try again', async () => {
  const cli = await open();
  const env = { HANDRAISE_CODEX: '/nowhere/codex' };
  const { code, stderr } = await cli.start(['run', '--runtime', 'codex', 'Do it.'], { env }).finished;
  expect(code).toBe(69);
  expect(stderr).toContain('Codex is not installed where HANDRAISE_CODEX says: /nowhere/codex was not found');
  expect(await cli.json('ls')).toEqual([]);
});

test('a worker that a command starts has the usual port when it is free', { tags: ['full'] }, async () => {
  const cli = await open();
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const env = { HANDRAISE_PORT: String(port) };
  const { code } = await cli.start(['run', '--permissions', 'autonomous', '[[text Here.]]'], { env })
    .finished;
  expect(code).toBe(0);
  expect(await cli.json('up', '-d')).toMatchObject({ url: `http://127.0.0.1:${port}`, isNew: false });
});

test('a worker that is busy for some seconds is waited for, and nobody starts another', {
  tags: ['full'],
}, async () => {
  const cli = await open();
  expect((await cli.run('run', '[[text Here.]]', '--permissions', 'autonomous')).code).toBe(0);
  const pid = cli.workerPid();
  process.kill(pid, 'SIGSTOP');
  const listing = cli.run('ls');
  await delay(4000);
  process.kill(pid, 'SIGCONT');
  expect(await listing).toMatchObject({ code: 0, stderr: '' });
  expect(cli.workerPid()).toBe(pid);
});

test('a worker that hangs is named, and down ends it without its agents', { tags: ['full'] }, async () => {
  const cli = await open();
  expect((await cli.run('run', '[[text Here.]]', '--permissions', 'autonomous')).code).toBe(0);
  const pid = cli.workerPid();
  process.kill(pid, 'SIGSTOP');
  const { code, stderr } = await cli.run('ls');
  expect([code, stderr]).toEqual([75, expect.stringContaining(`Process ${pid} holds`)]);
  const down = await cli.run('down');
  expect(down).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`The worker (process ${pid}) does not answer. Ending it.`),
  });
  const agents = (await markedProcesses(cli.stage.mark)).filter(({ command }) => command.includes('claude'));
  expect(agents.length).toBeGreaterThan(0);
  expect((await cli.run('ls')).code).toBe(0);
});

test('agents can be stopped when no worker is there', { tags: ['full'] }, async () => {
  const cli = await open();
  expect((await cli.run('run', '[[text Here.]]', '--permissions', 'autonomous')).code).toBe(0);
  expect((await cli.run('down')).code).toBe(0);
  expect((await markedProcesses(cli.stage.mark)).length).toBeGreaterThan(0);
  expect(await cli.run('down', '--stop-agents')).toMatchObject({ code: 0 });
  await waitUntil('no agent is left', async () => (await markedProcesses(cli.stage.mark)).length === 0);
});

test('a port that is taken is no reason not to start, unless it was asked for', async () => {
  const cli = await open();
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const env = { HANDRAISE_PORT: String(port) };
  expect(await cli.start(['up'], { env }).finished).toMatchObject({
    code: 69,
    stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
  });
  expect((await cli.start(['up', '-d', '--any-port'], { env }).finished).code).toBe(0);
  expect((await cli.run('ls')).code).toBe(0);
});

test('an address that is none is said to be none', async () => {
  const cli = await open();
  expect(await cli.start(['ls'], { env: { HANDRAISE_URL: 'nonsense' } }).finished).toMatchObject({
    code: 64,
    stderr: 'handraise: HANDRAISE_URL must be an address such as http://127.0.0.1:7411, not "nonsense".\n',
  });
});

test('a Node that is too old is told so', () => {
  const file = new URL('../../bin/require-node.js', import.meta.url).pathname;
  const script = `Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } }); import(${JSON.stringify(file)});`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    78,
    expect.stringContaining('Node 18.20.4 is too old. Install Node 20.19'),
  ]);
  expect(spawnSync(process.execPath, [join(dirname(file), 'handraise.js'), '--version']).status).toBe(0);
});
