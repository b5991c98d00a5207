// @module-tag full
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { testedAgents } from '../../../src/runtimes/acp/agents.js';
import { readAcpSession } from '../../../src/runtimes/acp/saved-session.js';
import { markedProcesses } from '../../harness/process-guard.js';
import type { Stage } from '../../harness/stage.js';
import { waitUntil } from '../../harness/wait-until.js';
import { first } from '../../runner/stable.js';
import { driveAcp, openAcpStage, steeringOf, type TestedAgent } from './acp-driver.js';

const args = ['--permission-mode', 'default'];
const late = '[[next]] [[delay 60000]] [[text never]]';

/** Everything at once, as when the machine dies. */
async function killAll(stage: Stage): Promise<void> {
  const all = await markedProcesses(stage.mark);
  for (const { pid } of all) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It went with another one.
    }
  }
  await waitUntil('everything is gone', async () => (await markedProcesses(stage.mark)).length === 0);
}

const agents: readonly TestedAgent[] = ['claude-agent-acp', 'codex-acp', 'opencode'];

describe('a session of an agent that loads', () => {
  it.each(agents)('tells which messages it has, and which calls have a result: %s', async (name) => {
    await using stage = await openAcpStage(name);
    const sent = ['one', 'two', 'three', 'four'].map((uuid) => ({ uuid, text: '' }));
    const told = (index: number, text: string) => {
      const uuid = randomUUID();
      sent[index] = { uuid, text };
      return uuid;
    };
    const read = async (sessionId: string) =>
      await readAcpSession(name, {
        sessionId,
        cwd: stage.workspace,
        env: stage.env,
        run: 'a run that is gone',
        messages: async () => sent,
        command: testedAgents[name]?.command,
      });

    let sessionId = '';
    let done: unknown;
    {
      await using runner = driveAcp(name, stage, { args });
      const text = `${steeringOf(name).asking('touch done')} [[next]] [[text Did it.]]`;
      runner.message(text, { uuid: told(0, text) });
      const { requestId, toolUseId } = await runner.next('permission_request');
      done = toolUseId;
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
      sessionId = first(await runner.until('turn_complete'), 'turn_complete').sessionId;
      const again = `${steeringOf(name).asking('touch open')} ${late}`;
      runner.message(again, { uuid: told(1, again) });
      const open = await runner.next('permission_request');
      // An agent writes a moment later than it asks; what was not written was never heard.
      if (name !== 'opencode')
        await waitUntil('the second message is in its session file', () =>
          isWritten(stage.home, 'touch open'),
        );
      await killAll(stage);
      const saved = await read(sessionId);
      expect(sent.map(({ uuid }) => saved?.hasMessage(uuid))).toEqual([true, true, false, false]);
      expect([saved?.hasResult(String(done)), saved?.hasResult(open.toolUseId)]).toEqual([true, false]);
    }
    // What is said about a refusal comes as words of its own, which a kill can take away.
    await using next = driveAcp(name, stage, { args: [...args, '--resume', sessionId] });
    const words = `${steeringOf(name).asking('touch never')} [[next]] [[text Left it.]] ${late}`;
    next.message(words, { uuid: told(2, words) });
    const { requestId, toolUseId } = await next.next('permission_request');
    const requests = stage.simulator.modelRequests().length;
    next.send({
      type: 'permission_response',
      permissionRequestId: requestId,
      approved: false,
      message: 'Not on a Tuesday.',
    });
    await waitUntil('the model was told', () =>
      JSON.stringify(stage.simulator.modelRequests().slice(requests)).includes('Not on a Tuesday.'),
    );
    await delay(500);
    await killAll(stage);
    const saved = await read(sessionId);
    expect(sent.map(({ uuid }) => saved?.hasMessage(uuid))).toEqual([true, true, true, false]);
    const said = ['Not on a Tuesday.', 'Not on a Friday.'].map((each) => saved?.hasWords?.(toolUseId, each));
    expect([saved?.hasResult(toolUseId), ...said]).toEqual([true, true, false]);
    expect(await read(randomUUID())).toBeFalsy();
  });

  it.each(['claude-agent-acp', 'codex-acp'] as const)(
    'tells whether a question has its answer: %s',
    async (name) => {
      await using stage = await openAcpStage(name);
      const read = async (sessionId: string) =>
        await readAcpSession(name, {
          sessionId,
          cwd: stage.workspace,
          env: stage.env,
          run: 'a run that is gone',
          messages: async () => [],
          command: testedAgents[name]?.command,
        });
      await using runner = driveAcp(name, stage);
      runner.message(`[[ask Which? | A | B]] ${late}`);
      const { requestId, toolUseId, questions } = await runner.next('user_question_request');
      const { sessionId } = first(runner.events, 'session_id_update');
      const question = String(questions[0]?.question);
      const requests = stage.simulator.modelRequests().length;
      runner.send({
        type: 'user_question_response',
        questionRequestId: requestId,
        answers: { [question]: 'A' },
      });
      await waitUntil('the model has the answer', () => stage.simulator.modelRequests().length > requests);
      await delay(500);
      await killAll(stage);
      expect((await read(sessionId))?.hasResult(toolUseId)).toBe(true);

      await using next = driveAcp(name, stage, { args: ['--resume', sessionId] });
      next.message(`[[ask Still? | A | B]] ${late}`);
      const open = await next.next('user_question_request');
      await killAll(stage);
      expect((await read(sessionId))?.hasResult(open.toolUseId)).toBe(false);
    },
  );
});

/** Whether one of the session files under a home holds some words. */
function isWritten(home: string, words: string): boolean {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).some(
    (name) => name.endsWith('.jsonl') && readFileSync(join(home, name), 'utf8').includes(words),
  );
}
