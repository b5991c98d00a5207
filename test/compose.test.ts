import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../dist/compose.js';
import { waitUntil } from './harness/wait-until.js';
import type { HostStage } from './host/host-stage.js';
import { openHostStage } from './host/host-stage.js';
import { openReceiver } from './host/notify/receiver.js';
import { secret } from './host/notify/samples.js';

const asksOnce = new URL('fixtures/exec/asks-once.sh', import.meta.url).pathname;

function start(at: HostStage, more: { readonly port: number; readonly notify?: readonly unknown[] }) {
  const settings = {
    slots: 4,
    retries: 0,
    idleTimeoutMinutes: 15,
    keepSpare: false,
    allowedHosts: [],
    ...more,
  };
  return startWorker({ home: at.home, settings, env: at.stage.env, log: (line) => at.log.push(line) });
}

test('a worker that gets no port has begun no work', { tags: ['full'] }, async () => {
  const at = await openHostStage({ slots: 0 });
  const { id } = await at.work('true', { runtime: 'exec', posture: { command: 'sh -c {prompt}' } });
  await at.leave();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());

  const { port } = other.address() as AddressInfo;
  await expect(start(at, { port })).rejects.toMatchObject({ code: 'unavailable' });
  await at.open();
  expect(await at.host.dispatches.get(id)).toMatchObject({ state: 'queued', attempts: [] });
});

test('a question that waited for the worker is sent out with a link to it', async () => {
  const at = await openHostStage();
  // Whoever closes the stage stops the agents through its host.
  onTestFinished(async () => await at.open());
  const receiver = await openReceiver();
  const QUESTION = JSON.stringify({ question: 'Which port?' });
  const gate = join(at.stage.home, 'gate');
  const path = at.folder();
  await at.work('Ask.', {
    runtime: 'exec',
    workspace: { path },
    posture: { command: asksOnce, env: { QUESTION, THEN: `until test -e ${gate}; do sleep 0.05; done` } },
  });
  await waitUntil('the command has left its question', () =>
    existsSync(join(path, '.agora/needs_input.json')),
  );
  await at.leave();
  mkdirSync(gate);
  await waitUntil('the runner has noted the question', () => {
    const { stdout } = spawnSync('grep', ['-rl', '"type":"needs_input"', at.home], { encoding: 'utf8' });
    return stdout.includes('spool');
  });

  await using worker = await start(at, {
    port: 0,
    notify: [{ type: 'webhook', name: 'hook', url: receiver.url, secret, allowPrivate: true }],
  });
  await waitUntil('the notification has come', () => receiver.calls.length > 0);
  const [{ body } = { body: '' }] = receiver.calls;
  expect(JSON.parse(body)).toMatchObject({
    data: { link: expect.stringMatching(`^${worker.url}/#prompt=`) },
  });
});
