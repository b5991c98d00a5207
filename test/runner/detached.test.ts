import { existsSync, mkdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readJournal } from '../../src/process/files/line-journal.js';
import { openStage, type Stage } from '../harness/stage.js';
import { waitUntil } from '../harness/wait-until.js';
import { Driver } from './driver.js';
import { tool } from './prompting.js';
import { linkSecret, socketArguments, WorkerLink } from './worker-link.js';

let stage: Stage;
let count = 0;

beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** A detached runner, the paths of its socket and spool, and what its spool says. */
function detached(args: readonly string[] = []) {
  count += 1;
  const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
  const socket = join(stage.home, 'sockets', `${count}.sock`);
  const driver = new Driver(stage, { args: [...socketArguments(socket), '--spool', spool, ...args] });
  const journal = () =>
    [...readJournal(spool, 0)].map(({ text }) => JSON.parse(text) as { type: string; runSeq: number });
  return { driver, socket, spool, journal };
}

describe('a worker that goes and comes back', () => {
  test('[arg --socket] [arg --spool] [frame hello] [frame attach] [frame ack] [event answer_delivered] finds the question still open, gets every event once, and its answer arrives', async () => {
    const { driver, socket, journal } = detached();
    const first = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1, live: true });
    expect(first.frames[0]).toEqual({
      type: 'hello',
      protocol: 3,
      runId: 'run_00000000000000000000000001',
      pid: driver.pid,
      startTime: expect.any(String),
      bootId: expect.any(String),
      lastRunSeq: expect.any(Number),
      nonce: expect.any(String),
    });
    first.send({
      type: 'message',
      content: '[[text before]] [[ask Which? | A | B]] [[next]] [[text after]]',
      commandId: 'c1',
    });
    const question = await first.next('user_question_request');
    const seen = Math.max(...first.frames.map((frame) => frame.runSeq ?? 0));
    first.vanish();

    const second = await WorkerLink.attach(socket, { afterRunSeq: seen, epoch: 2 });
    second.send({
      type: 'user_question_response',
      questionRequestId: question['requestId'],
      answers: { 'Which?': 'B' },
      commandId: 'c2',
    });
    await second.next('turn_complete');
    second.send({ type: 'ack', runSeq: seen });
    second.send({ type: 'stop', commandId: 'c3' });
    expect((await driver.exited).code).toBe(0);
    await second.closed();

    const numbers = [...first.frames, ...second.frames].flatMap((frame) => frame.runSeq ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(journal().map(({ runSeq }) => runSeq)).toEqual(numbers);
    expect(journal().map(({ type }) => type)).not.toContain('text_delta');
    expect(first.frames.some(({ type }) => type === 'text_delta')).toBe(true);
    expect(second.frames.some(({ type }) => type === 'text_delta')).toBe(false);
    expect(stage.simulator.toolResults().at(-1)?.text).toContain('"Which?"="B"');
    expect(existsSync(socket)).toBe(false);
  });

  test('[event command_accepted] [frame command_repeated] with a command that it sent before changes nothing and hears so', {
    tags: ['full'],
  }, async () => {
    const { driver, socket, journal } = detached();
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    const message = { type: 'message', content: '[[text once]]', commandId: 'same' };
    link.send(message);
    await link.next('turn_complete');
    link.send(message);
    expect(await link.next('command_repeated')).toEqual({
      type: 'command_repeated',
      commandId: 'same',
      command: 'message',
    });
    link.send({ type: 'message', content: 'no id' });
    expect((await link.next('command_error'))['error']).toBe(
      'A command to a detached runner needs a "commandId".',
    );
    link.send({ type: 'stop', commandId: 'stop' });
    await driver.exited;
    expect(journal().filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(journal().filter(({ type }) => type === 'command_accepted')).toHaveLength(2);
  });

  test('[frame review_comments] [event review_comment_added] tells the comments of the thread, and hears what the agent says about a line', async () => {
    const { driver, socket } = detached();
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    const told = {
      id: '0b1f6a52-9f5b-4b64-8f0e-0a7c2e1d3c4b',
      file: 'a.ts',
      line: 3,
      side: 'new',
      body: 'Why?',
      author: 'user:owner',
      state: 'open',
      createdAt: '2026-01-02T03:04:05.000Z',
    };
    link.send({ type: 'review_comments', comments: [told] });
    const said = { file: 'b.ts', line: 1, body: 'Unsure.' };
    link.send({
      type: 'message',
      content: `${tool('mcp__handraise__add_review_comment', said)} [[next]] ${tool('mcp__handraise__list_review_comments')} [[next]] [[text ok]]`,
      commandId: 'c1',
    });
    expect(await link.next('review_comment_added')).toMatchObject(said);
    await link.next('turn_complete');
    expect(JSON.parse(stage.simulator.toolResults().at(-1)?.text ?? '')).toMatchObject({
      comments: [told, { ...said, author: 'agent', state: 'open' }],
    });
    link.send({ type: 'stop', commandId: 'stop' });
    await driver.exited;
  });

  test('[frame beat] hears every five seconds that the runner works', { tags: ['full'] }, async () => {
    const { driver, socket } = detached();
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    expect(await link.next('beat')).toEqual({ type: 'beat' });
    link.send({ type: 'stop', commandId: 'stop' });
    await driver.exited;
  });

  test('[arg --epoch] [frame evicted] [frame not_attached] is evicted by a newer epoch, and an older one is not let in', async () => {
    const { driver, socket } = detached(['--epoch', '4']);
    const before = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 3 });
    expect(await before.next('evicted')).toEqual({ type: 'evicted', epoch: 4 });
    const old = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 5 });
    await old.next('ready');
    const young = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 6 });
    expect(await old.next('evicted')).toEqual({ type: 'evicted', epoch: 6 });
    await old.closed();
    const stale = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 5 });
    await stale.next('evicted');
    await stale.closed();
    const stranger = await WorkerLink.open(socket);
    stranger.send({ type: 'stop', commandId: 'not mine' });
    await stranger.next('not_attached');
    young.send({ type: 'stop', commandId: 'mine' });
    await young.next('complete');
    expect((await driver.exited).code).toBe(0);
  });
});

// The class is CWE-306, missing authentication of a critical function: whoever drives the runner approves for the person.
describe('somebody who is not the worker', () => {
  test('[arg --secret-file] [frame attached] [frame refused] is not let in without the secret, from far ahead, or in the name of another process', async () => {
    const { driver, socket } = detached();
    const worker = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 5 });
    const tried = async (attach: { epoch: number; secret?: string; pid?: number }) => {
      const link = await WorkerLink.attach(socket, { afterRunSeq: 0, ...attach });
      await link.closed();
      return (await link.next('refused'))['error'];
    };
    expect(await tried({ epoch: 6, secret: 'guessed' })).toBe(
      'The proof is wrong: whoever attaches must know the secret of the run.',
    );
    expect(await tried({ epoch: Number.MAX_SAFE_INTEGER })).toBe(
      `The epoch ${Number.MAX_SAFE_INTEGER} is too far from 5, the last one.`,
    );
    expect(await tried({ epoch: 6, pid: process.ppid })).toBe(
      `The process ${process.ppid} is not the one that attaches.`,
    );
    worker.send({ type: 'stop', commandId: 'mine' });
    await worker.next('complete');
    expect((await driver.exited).code).toBe(0);
  });

  test('but the agent itself is not let in either, not even with the secret', {
    tags: ['full'],
  }, async () => {
    const { driver, socket } = detached();
    const worker = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 5 });
    const program = new URL('attaching-agent.js', import.meta.url).pathname;
    const command = `node ${program} ${socket} '${linkSecret}'`;
    worker.send({
      type: 'message',
      content: `[[tool Bash ${JSON.stringify({ command })}]] [[next]] [[text Done.]]`,
      commandId: 'c1',
    });
    expect((await worker.next('tool_end'))['summary']).toMatch(/The process \d+ belongs to an agent\./);
    worker.send({ type: 'stop', commandId: 'mine' });
    await worker.next('complete');
    expect((await driver.exited).code).toBe(0);
  });
});

describe('the socket', () => {
  test('is private, and comes back when a cleaner unlinks it', { tags: ['full'] }, async () => {
    const { driver, socket } = detached();
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    expect([statSync(socket).mode & 0o777, statSync(dirname(socket)).mode & 0o777]).toEqual([0o600, 0o700]);
    unlinkSync(socket);
    await waitUntil('there is a socket', () => existsSync(socket));
    const again = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 2 });
    await again.next('ready');
    await link.closed();
    again.send({ type: 'stop', commandId: 'stop' });
    await driver.exited;
  });

  test('with a path that the system would cut off, without a spool, or with a used or misnamed one is refused', {
    tags: ['full'],
  }, async () => {
    const spool = join(stage.home, 'runs', `run_${'9'.repeat(26)}`);
    const exits = async (...args: string[]) => (await new Driver(stage, { args }).exited).code;
    const at = (name: string) => socketArguments(join(stage.home, name));
    expect(await exits(...at('x'.repeat(100)), '--spool', spool)).toBe(64);
    expect(await exits(...at('s'))).toBe(64);
    expect(await exits('--socket', join(stage.home, 's'), '--spool', spool)).toBe(64);
    expect(await exits(...at('s'), '--spool', join(stage.home, 'misnamed'))).toBe(64);
    const used = join(stage.home, 'runs', `run_${'1'.padStart(26, '0')}`);
    expect(existsSync(used)).toBe(true);
    expect(await exits(...at('s'), '--spool', used)).toBe(65);
  });
});

test('[arg --run-until] nothing is begun after its time, because another worker may have the work by then', async () => {
  const { driver, journal } = detached(['--run-until', '1']);
  expect((await driver.exited).code).toBe(69);
  expect(driver.stderr).toContain('--run-until has passed');
  // Whoever started it reads there that nothing was tried.
  expect(journal().map((event) => event.type)).toEqual(['warning', 'shutdown']);
  expect(journal().at(-1)).toMatchObject({ reason: 'deadline' });
});

describe('a spare', () => {
  test('[arg --spare] [frame spare] [frame launch] [frame launched] becomes the run that it is told to be', async () => {
    count += 1;
    const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
    const waiting = join(stage.home, 'sockets', 'spare.sock');
    const socket = join(stage.home, 'sockets', `${count}.sock`);
    const driver = new Driver(stage, { args: ['--spare', ...socketArguments(waiting)] });
    const spare = await WorkerLink.open(waiting);
    expect(spare.frames[0]).toMatchObject({ type: 'spare', protocol: 3, pid: driver.pid });
    const args = [
      '--cwd',
      stage.workspace,
      ...socketArguments(socket),
      '--spool',
      spool,
      '--conversation-id',
      'told',
    ];
    const runId = basename(spool);
    spare.launch({ runId, spool, posture: {}, args, env: { TOLD: 'yes' } });
    expect(await spare.next('launched')).toEqual({ type: 'launched', runId });
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    expect(await link.next('ready')).toMatchObject({ conversationId: 'told', cwd: stage.workspace });
    link.send({ type: 'message', content: '[[tool Bash {"command":"echo told $TOLD"}]]', commandId: 'c1' });
    expect(await link.next('tool_end')).toMatchObject({ summary: 'told yes' });
    link.send({ type: 'stop', commandId: 'c2' });
    expect((await driver.exited).code).toBe(0);
  });

  test('is not touched by whoever connects and does not know the secret', { tags: ['full'] }, async () => {
    count += 1;
    const spool = join(stage.home, 'runs', `run_${String(count).padStart(26, '0')}`);
    const waiting = join(stage.home, 'sockets', 'touched.sock');
    const socket = join(stage.home, 'sockets', `${count}.sock`);
    const driver = new Driver(stage, { args: ['--spare', ...socketArguments(waiting)] });
    const runId = basename(spool);
    const args = ['--cwd', stage.workspace, ...socketArguments(socket), '--spool', spool];
    (await WorkerLink.open(waiting)).vanish();
    const liar = await WorkerLink.open(waiting);
    liar.launch({ runId, spool, posture: {}, args }, 'not the secret');
    await liar.closed();
    const garbage = await WorkerLink.open(waiting);
    garbage.send({ type: 'launch' });
    await garbage.closed();

    const worker = await WorkerLink.open(waiting);
    worker.launch({ runId, spool, posture: {}, args });
    await worker.next('launched');
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    link.send({ type: 'stop', commandId: 'c1' });
    expect((await driver.exited).code).toBe(0);
  });

  test('whose worker is gone ends', async () => {
    const args = ['--spare', ...socketArguments(join(stage.home, 'sockets', 'lonely.sock'))];
    const driver = new Driver(stage, { args, env: { HANDRAISE_SPARE_OF: String(process.ppid) } });
    expect((await driver.exited).code).toBe(0);
  });
});

describe('without a worker', () => {
  test('[arg --orphan-limit] a runner works on, and after the orphan limit it shuts down and says so in its spool', {
    tags: ['full'],
  }, async () => {
    const { driver, socket, journal } = detached(['--orphan-limit', '3']);
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    link.send({ type: 'message', content: '[[ask Anyone? | A | B]]', commandId: 'c1' });
    await link.next('user_question_request');
    link.vanish();
    expect((await driver.exited).code).toBe(0);
    expect(journal().at(-1)).toMatchObject({ type: 'shutdown', reason: 'orphaned' });
    expect(journal().some(({ type }) => type === 'agent_exited')).toBe(true);
  });

  test('[arg --idle-limit] a runner that has nothing to do ends much earlier, and one that asks does not', {
    tags: ['full'],
  }, async () => {
    const idle = detached(['--idle-limit', '2']);
    const first = await WorkerLink.attach(idle.socket, { afterRunSeq: 0, epoch: 1 });
    first.send({ type: 'message', content: '[[text Done.]]', commandId: 'c1' });
    await first.next('turn_complete');
    // Started now: one that waits longer for its worker than its idle limit ends.
    const asking = detached(['--idle-limit', '2']);
    const second = await WorkerLink.attach(asking.socket, { afterRunSeq: 0, epoch: 1 });
    second.send({ type: 'message', content: '[[ask Still there? | A | B]]', commandId: 'c1' });
    await second.next('user_question_request');
    second.vanish();
    first.vanish();
    expect((await idle.driver.exited).code).toBe(0);
    expect(idle.journal().at(-1)).toMatchObject({ type: 'shutdown', reason: 'idle without a worker' });
    const again = await WorkerLink.attach(asking.socket, { afterRunSeq: 0, epoch: 2 });
    await again.next('user_question_request');
    asking.driver.signal('SIGTERM');
    await asking.driver.exited;
  });

  test('a runner that was killed leaves a spool that can be read to its end', {
    tags: ['full'],
  }, async () => {
    const { driver, socket, journal } = detached();
    const link = await WorkerLink.attach(socket, { afterRunSeq: 0, epoch: 1 });
    link.send({ type: 'message', content: '[[ask Killed? | A | B]]', commandId: 'c1' });
    const question = await link.next('user_question_request');
    driver.signal('SIGKILL');
    await driver.exited;
    expect(journal().find(({ runSeq }) => runSeq === question.runSeq)).toEqual(question);
    rmSync(socket, { force: true });
    mkdirSync(dirname(socket), { recursive: true });
  });
});
