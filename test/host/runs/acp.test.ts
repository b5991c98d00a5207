// @module-tag full
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostSettings } from '../../../dist/compose.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openAcpStage, steeringOf } from '../../runtimes/acp/acp-driver.js';
import { HostStage, owner, refusal } from '../host-stage.js';

const scripted = new URL('../../fixtures/acp/scripted-agent.js', import.meta.url).pathname;
const command = `'${process.execPath}' '${scripted}'`;

async function open(stage: Stage, settings: Partial<HostSettings> = {}): Promise<HostStage> {
  const usual = { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false };
  const at = new HostStage(stage, { ...usual, ...settings });
  onTestFinished(async () => await at.close());
  await at.open();
  return at;
}

describe('work that is given to Gemini', () => {
  const runtime = 'acp:gemini';

  test('asks before it acts, and is answered elsewhere', async () => {
    const at = await open(await openAcpStage('gemini'));
    const path = at.folder();
    const text = `${steeringOf('gemini').asking('touch made')} [[next]] [[text Done.]]`;
    const dispatch = await at.work(text, { runtime, workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    expect([prompt.kind, existsSync(join(path, 'made'))]).toEqual(['approval', false]);
    await at.host.prompts.answer(prompt.id, { decision: { approved: true, scope: 'once' } }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Done.' });
    expect(existsSync(join(path, 'made'))).toBe(true);
    const [report] = (await at.host.runtimes()).filter(({ name }) => name === runtime);
    expect(report).toMatchObject({ found: true, capabilities: { resume: false, approvals: true } });
  });

  test('begins anew after a kill -9, and the thread says so', async () => {
    const at = await open(await openAcpStage('gemini'));
    const first = await at.done('[[text The word is heliotrope.]]', { runtime });
    for (const { pid, command: line } of await markedProcesses(at.stage.mark))
      if (line.includes('handraise-runner')) process.kill(pid, 'SIGKILL');
    await waitUntil('nothing of it is left', async () => (await markedProcesses(at.stage.mark)).length === 0);
    const second = await at.done('[[text Hello again.]]', { thread: first.threadId });
    expect(second.outcome).toMatchObject({ result: 'succeeded', summary: 'Hello again.' });
    expect((await at.events(first.threadId, 'notice')).map(({ message }) => message)).toContainEqual(
      'The agent starts a new session and does not remember what was said before.',
    );
    expect(JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.conversation)).not.toContain(
      'heliotrope',
    );
  });
});

describe('an agent of the user’s settings', () => {
  test('does the work by its name, and its command is not the work’s to say', async () => {
    const at = await open(await openStage('claude'), {
      acpAgents: { mine: { command, loadsProjectCode: true } },
    });
    const ended = await at.done('HEARD', { runtime: 'acp:mine' });
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: expect.stringContaining('HEARD') });
    const posture = { command: 'touch elsewhere' };
    expect(await refusal(at.work('HEARD', { runtime: 'acp:mine', posture }))).toMatchObject({
      code: 'invalid',
    });
  });

  test('ends its turn whatever figures it tells, and they can be added up', async () => {
    const at = await open(await openStage('claude'), {
      acpAgents: { mine: { command, loadsProjectCode: true } },
    });
    const first = await at.done('FIGURES', { runtime: 'acp:mine' });
    const { outcome } = await at.done('FIGURES', { thread: first.threadId });
    expect(outcome).toMatchObject({ result: 'succeeded' });
    expect((await at.host.threads.get(first.threadId)).usage).toMatchObject({
      inputTokens: 2e12,
      outputTokens: 0,
    });
  });

  test('is refused where nobody has said that it may load code of the project, and where nobody knows it', async () => {
    const at = await open(await openStage('claude'), { acpAgents: { mine: { command } } });
    expect(await refusal(at.work('HEARD', { runtime: 'acp:mine' }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('"loadsProjectCode":true'),
    });
    expect(await refusal(at.work('HEARD', { runtime: 'acp:other' }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('The worker knows no agent acp:other.'),
    });
  });
});
