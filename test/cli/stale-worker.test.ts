import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownIdentity } from '../../src/process/families/own-identity.js';
import { WorkerFile } from '../../src/protocol/api.js';
import { canChoosePid, startWithPid } from '../harness/chosen-pid.js';
import { type CliStage, openCliStage } from './cli-stage.js';
import { openRecordingListener } from './recording-listener.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

const file = () => join(cli.home, 'worker.json');
const worker = () => WorkerFile.parse(JSON.parse(readFileSync(file(), 'utf8')));
const portOf = ({ url }: WorkerFile) => Number(new URL(url).port);

/** Starts a worker and kills it, so that its file stays. */
async function killedWorker(): Promise<WorkerFile> {
  const up = cli.start(['up', '--port', '0', '--json']);
  await up.saying('"url"');
  const gone = once(up.process, 'exit');
  up.process.kill('SIGKILL');
  await gone;
  return worker();
}

it('the port of a killed worker is not trusted: a new worker is started, and the listener hears nothing', async () => {
  const stale = await killedWorker();
  await using listener = await openRecordingListener({
    port: portOf(stale),
    answer: (_, socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n{"ok":true,"version":"1.0"}'),
  });
  const { code, stderr } = await cli.run('inbox');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Starting a worker in the background.')]);
  expect(listener.heard()).toBe('');
  expect(worker().pid).not.toBe(stale.pid);
  expect(worker().secret).not.toBe(stale.secret);
  await cli.run('down');
});

it('a file that names a living process proves nothing: the listener gets a challenge and no token', {
  tags: ['full'],
}, async () => {
  const stale = await killedWorker();
  writeFileSync(file(), JSON.stringify({ ...stale, ...ownIdentity() }));
  await using listener = await openRecordingListener({
    port: portOf(stale),
    answer: (_, socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n{"ok":true,"version":"1.0"}'),
  });
  const { code, stderr } = await cli.run('token', 'link');
  expect([code, stderr]).toEqual([69, expect.stringContaining('is not the worker of this home')]);
  const { stdout } = await cli.run('ls');
  expect(stdout).not.toContain('ok');
  expect(listener.heard()).toMatch(
    /^(GET \/api\/v1\/proof\?challenge=[\w-]{43} HTTP\/1.1\r\nHost: [\d.:]+\r\n\r\n)+$/,
  );
  await cli.run('down');
});

it('a running worker without a secret is not spoken to, and the sentence says what to do', {
  tags: ['full'],
}, async () => {
  const { secret: _, ...old } = await killedWorker();
  writeFileSync(file(), JSON.stringify({ ...old, ...ownIdentity() }));
  await using listener = await openRecordingListener({ port: portOf(old) });
  const { code, stderr } = await cli.run('ls');
  expect([code, stderr]).toEqual([69, expect.stringContaining(`kill ${process.pid}`)]);
  expect(listener.heard()).toBe('');
  writeFileSync(file(), JSON.stringify(old));
});

it.runIf(canChoosePid)(
  'CWE-367: a stranger that got the pid of a killed worker is not taken for it, and not ended',
  { tags: ['full'] },
  async () => {
    const { pid } = await killedWorker();
    const stranger = await startWithPid(pid);
    const { code, stderr } = await cli.run('ls');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Starting a worker in the background.')]);
    const next = worker();
    expect(next.pid).not.toBe(pid);
    await cli.run('down');
    writeFileSync(file(), JSON.stringify({ ...next, pid }));
    expect((await cli.run('down')).stderr).toContain('No worker is running');
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
  },
);
