import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openHostStage } from '../host-stage.js';

test('threads that come one after another take an agent that waited, and the record says so', async () => {
  const at = await openHostStage({ keepSpare: true });
  const sockets = join(at.home, 's');
  /** The spare with this number listens, and its agent waits. */
  const ready = async (name: string) =>
    await waitUntil(`${name} is ready`, () => existsSync(sockets) && readdirSync(sockets).includes(name));
  await ready('spare-1-1');
  const first = await at.done('[[text one]]');
  // Nobody knew a posture before the first one.
  const started = async ({ threadId }: Dispatch) => (await at.events(threadId, 'session_started'))[0];
  expect(await started(first)).toMatchObject({ cwd: expect.any(String) });
  expect(await started(first)).not.toHaveProperty('prewarmed');
  await ready('spare-1-2');
  const second = await at.done('[[text two]]');
  expect(second.outcome).toMatchObject({ result: 'succeeded' });
  expect(await started(second)).toMatchObject({ prewarmed: true });
});
