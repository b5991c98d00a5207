import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { killProcess } from '../../harness/kill-process.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const asksOnce = new URL('../../fixtures/exec/asks-once.sh', import.meta.url).pathname;
const untaught = { AGORA_DISABLE_NEEDS_INPUT_HELPER: 'true' };

/** Work whose text is a script. */
const script: Partial<DispatchRequest> = {
  runtime: 'exec',
  posture: { command: 'sh -c {prompt}', env: untaught },
};

/** Work for an agent that asks once, with this in its file. */
function asking(file: unknown, more: Record<string, string> = {}): Partial<DispatchRequest> {
  const QUESTION = typeof file === 'string' ? file : JSON.stringify(file);
  return { runtime: 'exec', posture: { command: asksOnce, env: { ...untaught, QUESTION, ...more } } };
}

/** A line of a script that waits for a file. */
function until(name: string): string {
  return `until [ -e ${name} ]; do sleep 0.1; done`;
}

async function killRunner(at: HostStage): Promise<void> {
  const [runner] = (await markedProcesses(at.stage.mark)).filter(({ command }) =>
    command.includes('handraise-runner'),
  );
  killProcess(runner?.pid);
}

/** The JSON that an answer came in. */
function returned(summary = ''): unknown {
  return JSON.parse(summary.slice(summary.indexOf('{'), summary.lastIndexOf('}') + 1));
}

describe('a command as an agent', () => {
  test('does the work; what it does meanwhile nobody knows, and afterwards it is stopped', async () => {
    const at = await openHostStage();
    const ended = await at.done('echo; echo done', script);
    expect(ended.outcome).toMatchObject({
      result: 'succeeded',
      exitCode: 0,
      claim: 'success',
      summary: 'done',
    });
    expect((await at.status(ended.threadId, 'stopped')).why).toContain('its runner is still running');
    const { rows } = await at.host.threads.statusLog(ended.threadId, {});
    expect(rows.map(({ report }) => report.state)).toEqual(['initializing', 'unknown', 'stopped']);
    // The next piece of work goes to the same runner.
    expect((await at.done('echo more', { thread: ended.threadId })).outcome?.summary).toBe('more');
    expect((await at.events(ended.threadId, 'run_started')).length).toBe(1);
  });

  test('that fails is tried again as it was launched first, and that dies by a signal has crashed', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ retries: 1 });
    const failed = await at.done('echo no >&2; exit 3', script);
    expect(failed.outcome).toMatchObject({
      result: 'failed',
      exitCode: 1,
      reason: 'error',
      summary: 'The command ended with exit code 3: no',
    });
    const crashed = await at.done('kill -SEGV $$', script);
    expect(crashed.outcome).toMatchObject({
      result: 'failed',
      reason: 'crashed',
      execution: { kind: 'crashed', exitCode: null, signal: 'SIGSEGV' },
    });
    const { rows } = await at.store.query('runs', { threadId: crashed.threadId });
    expect(rows.map(({ posture }) => posture)).toEqual(
      Array.from({ length: 2 }, () => ({
        command: 'sh -c {prompt}',
        env: untaught,
        permissionMode: 'bypassPermissions',
        settingSources: ['project'],
      })),
    );
    expect(await at.status(crashed.threadId, 'crashed')).toMatchObject({ signal: 'SIGSEGV' });
  });

  test('is watched where that is the rule: what it does is a guess from what it prints', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ observable: true, observableIdleSeconds: 1 });
    const path = at.folder();
    const text = `echo a; ${until('ring')}; printf '\\007'; ${until('on')}; echo b >&2; ${until('end')}`;
    const { id, threadId } = await at.work(text, { ...script, workspace: { path } });
    expect(await at.status(threadId, 'idle')).toMatchObject({ confidence: 'weak', source: 'exec.output' });
    writeFileSync(join(path, 'ring'), '');
    expect(await at.status(threadId, 'question')).toMatchObject({ confidence: 'weak' });
    writeFileSync(join(path, 'on'), '');
    await at.status(threadId, 'idle');
    writeFileSync(join(path, 'end'), '');
    expect((await at.ended({ id })).outcome).toMatchObject({ result: 'succeeded' });
    const { rows } = await at.host.threads.statusLog(threadId, {});
    const guessed = rows.filter(({ report }) => report.source === 'exec.output');
    expect(guessed.map(({ report }) => report.state)).toEqual(['busy', 'idle', 'question', 'busy', 'idle']);
    const wanted = { posture: { observableIdleSeconds: 5 } };
    expect(await refusal(at.work('hello', { runtime: 'claude', ...wanted }))).toMatchObject({
      code: 'unsupported_by_runtime',
    });
  });

  test('is cancelled with everything that it started', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work('touch begun; setsid sleep 3611 & sleep 3612', {
      ...script,
      workspace: { path },
    });
    await waitUntil('the command has begun', () => existsSync(join(path, 'begun')));
    await at.host.dispatches.cancel(dispatch.id, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'cancelled', exitCode: 130 });
    await at.runs('sleep 361', { isThere: false });
  });

  test('has its runner ended when it has had nothing to do for long', { tags: ['full'] }, async () => {
    const at = await openHostStage({ idleTimeoutMinutes: 0.001 });
    const { threadId } = await at.done('echo done', script);
    expect(await at.firstEvent(threadId, 'run_ended')).toMatchObject({ reason: 'it was idle' });
    expect((await at.done('echo more', { thread: threadId })).outcome?.summary).toBe('more');
  });

  test('is not given what nobody would see to, nor is another runtime given a command', async () => {
    const at = await openHostStage();
    const workspace = { path: at.folder() };
    for (const [request, code] of [
      [{ ...script, permissions: 'approval' }, 'unsupported_by_runtime'],
      [{ ...script, posture: { ...script.posture, toolPreset: 'read-only' } }, 'unsupported_by_runtime'],
      [{ runtime: 'exec' }, 'usage'],
      [{ ...script, posture: { command: 'no-such-agent' } }, 'unavailable'],
      [{ ...script, runtime: 'claude' }, 'invalid'],
    ] as const) {
      const act = at.host.dispatches.submit({ text: 'x', workspace, ...request }, { actor: owner });
      expect((await refusal(act)).code).toBe(code);
    }
    const { threadId } = await at.done('echo done', script);
    expect((await refusal(at.host.threads.setModel(threadId, 'm', owner))).code).toBe(
      'unsupported_by_runtime',
    );
  });
});

describe('a question that a command leaves in a file', () => {
  const partial_state = { step: 3, deep: [{ a: null }], long: 'x'.repeat(60_000) };

  test('comes back answered, with the work and the state, to a new process of the same runner', async () => {
    const at = await openHostStage();
    const dispatch = await at.work('Pick a port.', asking({ question: 'Which port?', partial_state }));
    const prompt = await at.asked(dispatch.threadId);
    expect(await at.reached(dispatch, 'waiting')).toMatchObject({ state: 'waiting' });
    expect(await at.status(dispatch.threadId, 'question')).toMatchObject({
      promptId: prompt.id,
      held: false,
    });
    await at.host.prompts.answer(prompt.id, { text: '8080' }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    const said = (await at.events(dispatch.threadId, 'assistant_text'))
      .map(({ content }) => content)
      .join('');
    expect(said.startsWith('Pick a port.\n\nYour question in')).toBe(true);
    expect(returned(said)).toEqual({ question: 'Which port?', answer: '8080', partial_state });
    expect((await at.events(dispatch.threadId, 'run_started')).length).toBe(1);
    await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
  });

  test('outlives its runner and its worker', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('Pick.', asking({ question: 'Which?', options: ['red', 'blue'] }));
    const prompt = await at.asked(dispatch.threadId);
    await at.reached(dispatch, 'waiting');
    await killRunner(at);
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    await at.leave();
    await at.open();
    expect(await at.prompt(prompt)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    const { outcome } = await at.ended(dispatch);
    expect(outcome?.result).toBe('succeeded');
    expect(returned(outcome?.summary)).toEqual({ question: 'Which?', answer: 'blue' });
  });

  test('just before its runner is killed in the same turn is found by the worker', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work('Pick.', {
      ...asking({ question: 'Which?', partial_state: [1] }, { THEN: 'sleep 3613' }),
      workspace: { path },
    });
    await at.runs('sleep 3613');
    await killRunner(at);
    const prompt = await at.asked(dispatch.threadId);
    await at.host.prompts.answer(prompt.id, { text: 'this' }, owner);
    const { outcome, attempts } = await at.ended(dispatch);
    // The question ended the first try, and the answer began the second; neither has failed.
    expect([outcome?.result, ...attempts.map((each) => each.outcome?.reason)]).toEqual([
      'succeeded',
      'needs_input',
      undefined,
    ]);
    expect(returned(outcome?.summary)).toEqual({ question: 'Which?', answer: 'this', partial_state: [1] });
    expect((await at.events(dispatch.threadId, 'needs_input')).length).toBe(1);
  });

  test('badly just before it dies, or its runner does, fails the try as worker-failed', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    for (const THEN of ['kill -9 $$', 'sleep 3614']) {
      const path = at.folder();
      const dispatch = await at.work('Pick.', {
        ...asking('{', { THEN }),
        workspace: { path },
        retries: 0,
      });
      if (THEN.startsWith('sleep')) {
        await at.runs('sleep 3614');
        await killRunner(at);
      }
      expect((await at.ended(dispatch)).outcome).toMatchObject({
        result: 'failed',
        reason: 'worker-failed',
        summary: 'The needs-input file is not valid: it is not valid JSON.',
      });
      expect(readdirSync(join(path, '.agora'))).toEqual(['needs_input.invalid.json']);
      await at.host.threads.stop(dispatch.threadId, owner);
    }
  });

  test('and that nobody answers is told so, also when its process died', async () => {
    const at = await openHostStage();
    const question = { question: 'Which?', partial_state: [1] };
    const dispatch = await at.work('Pick.', asking(question, { THEN: 'kill -9 $$' }));
    const prompt = await at.asked(dispatch.threadId);
    await at.host.prompts.cancel(prompt.id, { actor: owner });
    const { outcome } = await at.ended(dispatch);
    expect(outcome).toMatchObject({ result: 'succeeded', exitCode: 0 });
    expect(outcome?.summary).toContain('Nobody answered your question');
    expect(returned(outcome?.summary)).toEqual({ ...question, answer: null });
  });

  test('twice is answered twice: what was heard in a life that put something out is not said again', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const life = (number: number) => join(path, `life-${number}`);
    const command = join(path, 'agent.sh');
    const lives = [
      '#!/bin/sh',
      'n=$(cat lives 2>/dev/null || echo 0); n=$((n+1)); echo $n > lives',
      'cat > life-$n; mkdir -p .agora',
      'ask() { printf \'{"question":"%s"}\' "$1" > .agora/needs_input.json; }',
      'case $n in 1) ask One ;; 2) echo working; ask Two; kill -9 $$ ;; *) echo done ;; esac',
    ];
    writeFileSync(command, lives.join('\n'), { mode: 0o755 });
    const dispatch = await at.work('The work.', {
      workspace: { path },
      runtime: 'exec',
      posture: { command, env: untaught },
    });
    const first = await at.asked(dispatch.threadId);
    await at.host.prompts.answer(first.id, { text: 'ANSWER ONE' }, owner);
    const second = await at.asked(dispatch.threadId, [first]);
    await at.prompt(first, ({ consumedAt }) => consumedAt !== undefined);
    await at.host.prompts.answer(second.id, { text: 'ANSWER TWO' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'done' });
    const heard = [1, 2, 3].map((number) => readFileSync(life(number), 'utf8'));
    expect(existsSync(life(4))).toBe(false);
    expect(heard.map((text) => text.includes('The work.'))).toEqual([true, true, true]);
    expect(heard.map((text) => text.includes('ANSWER ONE'))).toEqual([false, true, false]);
    expect(heard.map((text) => text.includes('ANSWER TWO'))).toEqual([false, false, true]);
  });
});

test('the workspace of a Claude whose runner was killed holds nothing of ours, before and after', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const path = at.folder();
  execFileSync('git', ['init', '-q'], { cwd: path });
  const { threadId } = await at.done('[[text Done.]]', { workspace: { path } });
  expect(readdirSync(path)).toEqual(['.git']);
  await at.kill('runner');
  await at.firstEvent(threadId, 'run_ended');
  expect(readdirSync(path)).toEqual(['.git']);
});
