// @module-tag full
import { expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { eventually } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const works = '[[tool Bash {"command":"touch made; tail -f made"}]] [[next]] [[text Done.]]';
const unasked = { permissions: 'autonomous', retries: 0 } as const;

async function runnerOf(at: HostStage, threadId: ThreadId): Promise<number> {
  const { rows } = await at.store.query('runs', { threadId });
  return rows[0]?.process?.pid ?? 0;
}

async function tails(at: HostStage): Promise<readonly { readonly command: string }[]> {
  return (await markedProcesses(at.stage.mark)).filter(({ command }) => command.includes('tail -f made'));
}

test('a runner that hangs shows in the status, comes back when it goes on, and can be stopped while it hangs', async () => {
  const at = await openHostStage();
  const { threadId, id } = await at.work(works, unasked);
  await eventually(
    'the command runs',
    async () => await tails(at),
    (found) => found.length > 0,
  );
  const pid = await runnerOf(at, threadId);
  expect((await at.status(threadId, 'busy')).confidence).not.toBe('weak');

  process.kill(pid, 'SIGSTOP');
  expect((await at.status(threadId, 'unknown')).why).toBe('the runner of the agent does not answer');
  process.kill(pid, 'SIGCONT');
  await at.status(threadId, 'busy');

  process.kill(pid, 'SIGSTOP');
  await at.status(threadId, 'unknown');
  await at.host.threads.stop(threadId, owner);
  expect((await markedProcesses(at.stage.mark)).map((each) => each.pid)).not.toContain(pid);
  expect(await tails(at)).toEqual([]);
  expect((await at.ended({ id })).outcome).toMatchObject({ result: 'cancelled' });
  expect((await at.status(threadId, 'stopped')).why).toBe('stopped by owner');
});

test('a runner of Codex that hangs shows in the status, comes back when it goes on, and can be stopped while it hangs', async () => {
  const at = await openHostStage({}, 'codex');
  const { threadId, id } = await at.work('[[hang]]', unasked);
  await at.modelAsked('[[hang]]');
  const pid = await runnerOf(at, threadId);
  for (const comesBack of [true, false]) {
    process.kill(pid, 'SIGSTOP');
    expect((await at.status(threadId, 'unknown')).why).toBe('the runner of the agent does not answer');
    if (!comesBack) break;
    process.kill(pid, 'SIGCONT');
    await at.status(threadId, 'busy');
  }
  await at.host.threads.stop(threadId, owner);
  await at.gone();
  expect((await at.ended({ id })).outcome).toMatchObject({ result: 'cancelled' });
  expect((await at.status(threadId, 'stopped')).why).toBe('stopped by owner');
});

test('an interrupt of a runner that hangs ends it at once', async () => {
  const at = await openHostStage();
  const { threadId } = await at.work(works, unasked);
  await eventually(
    'the command runs',
    async () => await tails(at),
    (found) => found.length > 0,
  );
  const pid = await runnerOf(at, threadId);
  process.kill(pid, 'SIGSTOP');
  await at.status(threadId, 'unknown');
  const began = performance.now();
  await at.host.threads.interrupt(threadId, owner);
  expect((await markedProcesses(at.stage.mark)).map((each) => each.pid)).not.toContain(pid);
  expect(await tails(at)).toEqual([]);
  // It took 15 seconds of waiting alone, 10 for an agent that might stop and 5 for a runner that might end.
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('the time limit of work ends a runner that hangs', async () => {
  const at = await openHostStage();
  // Long enough for the command to begin on a busy machine.
  const work = await at.work(works, { ...unasked, timeoutSeconds: 30, retries: 0 });
  await eventually(
    'the command runs',
    async () => await tails(at),
    (found) => found.length > 0,
  );
  process.kill(await runnerOf(at, work.threadId), 'SIGSTOP');
  expect((await at.ended(work)).outcome).toMatchObject({ result: 'failed', reason: 'timeout' });
  expect(await tails(at)).toEqual([]);
});

test('a worker can be ended while it waits for the greeting of a runner that hangs', async () => {
  const at = await openHostStage();
  const { threadId } = await at.work('[[ask Which? | A | B]] [[next]] [[text Done.]]', { retries: 0 });
  await at.asked(threadId);
  const pid = await runnerOf(at, threadId);
  await at.leave();
  process.kill(pid, 'SIGSTOP');
  await at.open();
  const left = at.leave();
  process.kill(pid, 'SIGCONT');
  await left;
  await at.open();
  expect(await at.status(threadId, 'question')).toMatchObject({ held: true });
});
