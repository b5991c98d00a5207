// Commands whose exit codes are read, and what becomes of work that failed for good.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHostStage, owner } from '../host-stage.js';

const ending = (code: number) => ({
  runtime: 'exec' as const,
  posture: { command: `sh -c "echo why >&2; exit ${code}"`, exitCodes: true },
});

test('a command that declares it is read by its exit codes; a signal is none, and nobody else is read so', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({ retries: 0 });
  for (const code of [2, 64, 65, 66, 69, 75, 77, 78])
    expect((await at.done('x', ending(code))).outcome).toMatchObject({ exitCode: code });
  expect((await at.done('x', ending(3))).outcome).toMatchObject({ exitCode: 1, reason: 'error' });
  const undeclared = { runtime: 'exec', posture: { command: 'sh -c "exit 2"' } } as const;
  expect((await at.done('x', undeclared)).outcome).toMatchObject({ result: 'failed', exitCode: 1 });
  const killed = { runtime: 'exec', posture: { command: 'sh -c "kill -9 $$"', exitCodes: true } } as const;
  expect((await at.done('x', killed)).outcome).toMatchObject({ exitCode: 1, reason: 'crashed' });
  await expect(at.work('x', { posture: { exitCodes: true } })).rejects.toThrow(
    'The runtime claude cannot do this: have its exit code read.',
  );
});

test('what is blocked is not tried again, and a person is asked at once, with a report', async () => {
  const at = await openHostStage({ retries: 5 });
  const work = await at.done('mend it', { ...ending(2), onFailure: 'escalate' });
  expect([work.attempts.length, work.outcome?.exitCode]).toEqual([1, 2]);
  const prompt = await at.asked(work.threadId);
  expect(prompt.questions[0]).toMatchObject({
    question: '"mend it" is blocked after one try. What becomes of it?',
    byWorker: true,
  });
  expect(prompt.questions[0]?.context).toContain('why');
  await at.host.prompts.answer(prompt.id, { text: 'Leave it' }, owner);
  await at.thread(work.threadId, ({ status }) => status.state !== 'question');
  expect((await at.host.dispatches.list({ threadId: work.threadId })).rows).toHaveLength(1);
});

test('after the last try a person decides; a worker that was gone meanwhile does it once', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({ retries: 1 });
  const work = await at.done('mend it', { ...ending(3), onFailure: 'escalate' });
  expect(work.attempts).toHaveLength(2);
  const prompt = await at.asked(work.threadId);
  await at.leave();
  await at.open();
  expect((await at.asked(work.threadId)).id).toBe(prompt.id);
  await at.host.prompts.answer(prompt.id, { text: 'Try again' }, owner);
  const again = await at.asked(work.threadId, [prompt]);
  expect(again.id).not.toBe(prompt.id);
  const { rows } = await at.host.dispatches.list({ threadId: work.threadId });
  expect(rows.map(({ retryOf, actor }) => [retryOf, actor])).toEqual([
    [undefined, owner],
    [work.id, owner],
  ]);
  await at.leave();
  await at.open();
  expect((await at.host.dispatches.list({ threadId: work.threadId })).rows).toHaveLength(2);
});

/** A project with a skill. */
function project(path: string, script: string): string {
  mkdirSync(join(path, 'skills'), { recursive: true });
  writeFileSync(join(path, 'skills', 'audit'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, 'skills', 'audit'), 0o755);
  return path;
}

test("a project's skill is started once a person has approved skills/ as it is, and not after it changed", async () => {
  const at = await openHostStage({ retries: 0 });
  const path = project(at.folder(), 'echo "heard $(cat)"; exit 66');
  const skill = { runtime: 'exec', workspace: { path }, posture: { skill: 'audit' } } as const;
  await expect(at.work('x', skill)).rejects.toThrow('Nobody has approved skills/ of this project as it is.');
  const { skills } = await at.host.projectCode.inspect(path);
  expect(skills).toMatchObject({ approved: false, files: [{ path: 'skills/audit' }] });
  await at.host.projectCode.approve(path, { digest: skills?.digest ?? '', actor: owner });
  const work = await at.done('look', skill);
  expect(work.outcome).toMatchObject({ exitCode: 66, reason: 'no_input' });
  expect(JSON.stringify(await at.events(work.threadId))).toContain('heard look');

  // Changed between the taking in of work and its start.
  project(path, 'exit 0');
  const later = await at.done('look', { thread: work.threadId });
  expect(later.outcome).toMatchObject({ exitCode: 77, reason: 'no_permission' });
  await expect(at.work('x', skill)).rejects.toThrow('Nobody has approved');
});

test('what is no executable file of skills/ is no skill; one of the settings needs no approval', async () => {
  const at = await openHostStage({ retries: 0, skills: { mine: 'sh -c "exit 75"' } });
  const path = project(at.folder(), 'exit 0');
  writeFileSync(join(path, 'skills', 'notes'), 'not executable');
  symlinkSync('/bin/true', join(path, 'skills', 'linked'));
  const start = async (posture: { skill: string; command?: string }, runtime: 'claude' | 'exec' = 'exec') =>
    await at.work('x', { runtime, workspace: { path }, posture });
  for (const skill of ['notes', 'linked', 'missing'])
    await expect(start({ skill })).rejects.toThrow(`There is no skill ${skill}`);
  await expect(start({ skill: 'audit', command: 'true' })).rejects.toThrow('exclude each other');
  await expect(start({ skill: 'audit' }, 'claude')).rejects.toThrow('needs the runtime exec, not claude');
  expect((await at.ended(await start({ skill: 'mine' }))).outcome).toMatchObject({ exitCode: 75 });
});
