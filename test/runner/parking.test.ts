import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readJournal } from '../../src/process/files/line-journal.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { type Frame, socketArguments, WorkerLink } from './worker-link.js';

let stage: Stage;
let count = 0;

beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** A detached runner with a worker attached to it. */
async function attached(args: readonly string[] = []) {
  count += 1;
  const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
  const socket = join(stage.home, 'sockets', `${count}.sock`);
  const driver = new Driver(stage, { args: [...socketArguments(socket), '--spool', spool, ...args] });
  const worker = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
  const journal = () => [...readJournal(spool, 0)].map(({ text }) => JSON.parse(text) as Frame);
  return { driver, worker, journal };
}

const types = (frames: readonly Frame[]) => frames.map(({ type }) => type);

describe('[command park] [event parked]', () => {
  test('a question is deferred: the process goes, and the next life asks again and goes on with the answer', {
    tags: ['full'],
  }, async () => {
    const first = await attached();
    const content = '[[text Hm.]] [[ask Which? | A | B]] [[next]] [[text Then B.]]';
    first.worker.send({ type: 'message', content, commandId: 'c1' });
    const asked = await first.worker.next('user_question_request');
    first.worker.send({ type: 'park', requestId: asked['requestId'], commandId: 'c2' });
    expect(await first.driver.exited).toMatchObject({ code: 0 });
    const said = first.journal();
    expect(said.find(({ type }) => type === 'parked')).toMatchObject({
      requestId: asked['requestId'],
      toolUseId: asked['toolUseId'],
      how: 'deferred',
    });
    expect(said.find(({ type }) => type === 'result')).toMatchObject({ success: false });
    expect(types(said)).not.toContain('interrupted');
    expect(types(said)).not.toContain('turn_complete');
    expect(types(said)).not.toContain('tool_end');

    const sessionId = said.find(({ type }) => type === 'session_id_update')?.['sessionId'];
    const second = await attached(['--resume', String(sessionId)]);
    const again = await second.worker.next('user_question_request');
    expect(again).toMatchObject({ toolUseId: asked['toolUseId'], questions: asked['questions'] });
    second.worker.send({
      type: 'user_question_response',
      questionRequestId: again['requestId'],
      answers: { 'Which?': 'B' },
      commandId: 'c3',
    });
    expect(await second.worker.next('result')).toMatchObject({ success: true, text: 'Then B.' });
    second.worker.send({ type: 'stop', commandId: 'c4' });
    expect(await second.driver.exited).toMatchObject({ code: 0 });
  });

  test('an approval cannot be deferred: its turn is interrupted, and that is no interrupt', async () => {
    const { driver, worker, journal } = await attached(['--permission-mode', 'default']);
    const content = '[[tool Bash {"command":"touch it","description":"x"}]] [[next]] [[text Done.]]';
    worker.send({ type: 'message', content, commandId: 'c1' });
    const asked = await worker.next('permission_request');
    worker.send({ type: 'park', requestId: asked['requestId'], commandId: 'c2' });
    expect(await driver.exited).toMatchObject({ code: 0 });
    expect(journal().find(({ type }) => type === 'parked')).toMatchObject({ how: 'interrupted' });
    expect(types(journal())).not.toContain('interrupted');
  });

  test('what is not open cannot be parked, and a message that comes too late is for the next runner', {
    tags: ['full'],
  }, async () => {
    const { driver, worker } = await attached();
    worker.send({ type: 'park', requestId: 'req_unknown', commandId: 'c1' });
    expect(await worker.next('command_error')).toMatchObject({ command: 'park', requestId: 'req_unknown' });
    worker.send({ type: 'message', content: '[[ask Which? | A | B]]', commandId: 'c2' });
    const asked = await worker.next('user_question_request');
    worker.send({ type: 'park', requestId: asked['requestId'], commandId: 'c3' });
    worker.send({ type: 'message', content: 'late', commandId: 'c4' });
    expect(await worker.next('command_error', ({ commandId }) => commandId === 'c4')).toMatchObject({
      command: 'message',
      later: true,
    });
    expect(await driver.exited).toMatchObject({ code: 0 });
  });
});
