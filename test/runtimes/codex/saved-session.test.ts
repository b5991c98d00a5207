import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rolloutFile } from '../../../src/runtimes/codex/rollout-file.js';
import { readCodexSession } from '../../../src/runtimes/codex/saved-session.js';
import { messageUuid } from '../../../src/runtimes/message-uuid.js';
import { killProcess } from '../../harness/kill-process.js';
import { waitUntil } from '../../harness/wait-until.js';
import type { Driver } from '../../runner/driver.js';
import { tool } from '../../runner/prompting.js';
import { first } from '../../runner/stable.js';
import { asking, driveCodex, openCodexStage } from './codex-driver.js';

const args = ['--permission-mode', 'default'];

describe('a session of Codex', () => {
  const uuids = [randomUUID(), randomUUID(), randomUUID()];

  it('that was saved tells which messages it has and which calls have a result', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage, { args });
    runner.message('[[ask Which? | A | B]] [[next]] [[text Thanks.]]', { uuid: uuids[0] });
    const asked = await answer(runner);
    const { sessionId } = first(await runner.until('turn_complete'), 'turn_complete');
    runner.message(`${asking('touch x')} [[next]] [[text never]]`, { uuid: uuids[1] });
    const open = await runner.next('permission_request');
    const run = await killAgent(runner);
    const saved = await readCodexSession({ sessionId, env: stage.env, run });
    expect(uuids.map((uuid) => saved?.hasMessage(uuid))).toEqual([true, true, false]);
    expect([saved?.hasResult(asked), saved?.hasResult(open.toolUseId)]).toEqual([true, false]);
    expect(await readCodexSession({ sessionId: randomUUID(), env: stage.env, run })).toBeNull();

    // What a kill cut off is nothing to Codex either, and it goes on in a line of its own.
    appendFileSync(
      rolloutFile(stage.env, sessionId) ?? '',
      '{"timestamp":"2026-11-17T06:52:29.910Z","type":"respon',
    );
    await using next = driveCodex(stage, { args: [...args, '--resume', sessionId] });
    next.message('[[ask Still? | A | B]] [[next]] [[text never]]', { uuid: uuids[2] });
    const { toolUseId } = await next.next('user_question_request');
    next.send({ type: 'interrupt' });
    await next.until('turn_complete');
    const later = await killAgent(next);
    const again = await readCodexSession({ sessionId, env: stage.env, run: later });
    // The message is of the later run; and that a question was aborted is no answer to it.
    expect(uuids.map((uuid) => again?.hasMessage(uuid))).toEqual([false, false, true]);
    expect([asked, toolUseId].map((id) => again?.hasResult(id))).toEqual([true, false]);
  });

  it('holds what was said to a refusal once the model was asked again, and not before', async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage, { args });
    const twice = `${asking('touch a')} ${asking('touch b')} [[next]] [[text Fine.]]`;
    const asked = async () => await runner.next('permission_request');
    const deny = ({ requestId, toolUseId }: Awaited<ReturnType<typeof asked>>, message: string) => {
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: false, message });
      return toolUseId;
    };
    runner.message(twice);
    const heard = [deny(await asked(), 'Not one.'), deny(await asked(), 'Not the other.')];
    const { sessionId } = first(await runner.until('turn_complete'), 'turn_complete');
    runner.message(twice);
    // Calls that are made together may ask in any order, and their results are saved in the order of the calls.
    const one = await asked();
    const isFirst = JSON.stringify(one.input).includes('touch a');
    const unheard = deny(isFirst ? one : await asked(), 'Not a again.');
    if (isFirst) await asked();
    // Codex writes some milliseconds after it has spoken.
    await waitUntil('the refusal is saved', async () => {
      const now = await readCodexSession({ sessionId, env: stage.env, run: '' });
      return now?.hasResult(unheard) === true;
    });
    const run = await killAgent(runner);
    const saved = await readCodexSession({ sessionId, env: stage.env, run });
    expect(
      [...heard, unheard].map((id) => [saved?.hasResult(id), saved?.hasWords?.(id, 'Not now.')]),
    ).toEqual([
      [true, true],
      [true, true],
      [true, false],
    ]);
  });

  it('holds what a sub-agent was told once the sub-agent has reported back', { tags: ['full'] }, async () => {
    await using stage = await openCodexStage();
    await using runner = driveCodex(stage, { args });
    const child =
      '<<tool exec_command {"cmd":"true","sandbox_permissions":"require_escalated"}>> <<next>> <<text The child is done.>>';
    runner.message(
      `${tool('multi_agent_v1__spawn_agent', { message: child })} [[next]] [[delay 1500]] [[text The parent is done.]]`,
    );
    const { requestId, toolUseId: asked } = await runner.next('permission_request');
    runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
    const { sessionId } = first(await runner.until('turn_complete'), 'turn_complete');
    const env = stage.env;
    const run = await killAgent(runner);
    expect((await readCodexSession({ sessionId, env, run }))?.hasResult(asked)).toBe(true);
    // The same without the report: cut off where the parent heard of it.
    const file = rolloutFile(env, sessionId) ?? '';
    const lines = readFileSync(file, 'utf8').split('\n');
    const report = lines.findIndex((line) => line.includes('subagent_notification'));
    writeFileSync(file, lines.slice(0, report).join('\n'));
    expect((await readCodexSession({ sessionId, env, run }))?.hasResult(asked)).toBe(false);
  });
});

const event = (payload: object) => ({ type: 'event_msg', payload });
const item = (payload: object) => ({ type: 'response_item', payload });

describe('a rollout', () => {
  const id = '01a1e847-4e6e-7f32-833e-f57b2aeec595';
  const place = () => ({ sessionId: id, env: { CODEX_HOME: home }, run: 'r' });
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'handraise-rollout-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function put(lines: readonly object[], day = '2026/11/17'): string {
    const file = join(home, 'sessions', day, `rollout-2026-11-17T06-52-29-${id}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }
  const started = event({
    type: 'task_started',
    turn_id: 't',
    turn_attribution: { turn_trigger: messageUuid('r', 'u') },
  });
  const told = item({
    type: 'message',
    role: 'user',
    content: [],
    internal_chat_message_metadata_passthrough: { turn_id: 't', content_item_kinds: ['user.text'] },
  });

  it.each([
    ['a turn without its message', [started], null],
    ['a message', [started, told], { message: true, result: false }],
    [
      'a result',
      [started, told, item({ type: 'function_call_output', call_id: 'c', output: '' })],
      { message: true, result: true },
    ],
    [
      'lines of no kind that is known',
      [{ type: 'new', payload: 1 }, started, told, []],
      { message: true, result: false },
    ],
    [
      'turns of an older version, which say nothing of their start',
      [event({ type: 'task_started', turn_id: 't' }), told],
      undefined,
    ],
  ])('with %s', async (_what, lines, wanted) => {
    put(lines);
    const saved = await readCodexSession(place());
    expect(saved && { message: saved.hasMessage('u'), result: saved.hasResult('c') }).toEqual(wanted);
  });

  it('CWE-59 and CWE-400: is no link, and in no folder that is one; a line without end is left out', {
    tags: ['full'],
  }, async () => {
    const file = put([started, told]);
    appendFileSync(file, `${'x'.repeat(64 * 2 ** 20 + 1)}\n`);
    expect((await readCodexSession(place()))?.hasMessage('u')).toBe(true);
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere);
    const sessions = (name: string) => join(elsewhere, name, 'sessions', '2026', '11');
    mkdirSync(join(sessions('a'), '17'), { recursive: true });
    symlinkSync(file, join(sessions('a'), '17', `rollout-x-${id}.jsonl`));
    mkdirSync(sessions('b'), { recursive: true });
    symlinkSync(dirname(file), join(sessions('b'), '17'));
    for (const name of ['a', 'b', 'nothing'])
      expect(rolloutFile({ CODEX_HOME: join(elsewhere, name) }, id)).toBeNull();
    expect(rolloutFile({ CODEX_HOME: home }, '../../x')).toBeNull();
  });
});

/** Answers a question, and gives the call that asked it. */
async function answer(runner: Driver): Promise<string> {
  const { requestId, questions, toolUseId } = await runner.next('user_question_request');
  const answers = Object.fromEntries(questions.map(({ question }) => [question, 'A']));
  runner.send({ type: 'user_question_response', questionRequestId: requestId, answers });
  return toolUseId;
}

/** Kills Codex, and gives the mark of its run. */
async function killAgent(runner: Driver): Promise<string> {
  const [agent] = await runner.processes('codex app-server');
  const run = /HANDRAISE_RUN=([^\0]+)/.exec(readFileSync(`/proc/${agent?.pid}/environ`, 'utf8'))?.[1] ?? '';
  killProcess(agent?.pid);
  await runner.end();
  return run;
}
