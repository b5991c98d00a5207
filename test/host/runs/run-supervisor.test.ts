import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/protocol/id.js';
import { openStage, type Stage } from '../../harness/stage.js';
import { waitUntil } from '../../harness/wait-until.js';
import { runnerFile } from '../../runner/driver.js';
import { type Word, WorkerHandle, type WorkerStart } from '../worker-handle.js';

let stage: Stage;
let count = 0;
const source = { now: Date.now, randomBytes: (length: number) => randomBytes(length) };

beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** A home with a thread, and a way to start one worker after another on it. */
function place() {
  count += 1;
  const home = join(stage.home, `w${count}`);
  mkdirSync(home, { mode: 0o700 });
  const start: WorkerStart = {
    home,
    workerId: newId('worker', source),
    runner: { file: process.execPath, args: [runnerFile] },
    env: stage.env,
  };
  const workspace = join(stage.home, `workspace-${count}`);
  mkdirSync(workspace);
  const threadId = newId('thread', source);
  const at = new Date().toISOString();
  const thread = {
    id: threadId,
    title: 'test',
    runtime: 'claude',
    workspace: { path: workspace },
    status: { state: 'stopped', why: 'new', source: 'test', confidence: 'authoritative' },
    createdAt: at,
    launch: { permissions: 'approval', posture: {} },
  };
  return {
    start,
    workspace,
    thread,
    threadId,
    worker: (killAt?: WorkerStart['killAt']) => new WorkerHandle(killAt ? { ...start, killAt } : start),
  };
}

async function begin(
  worker: WorkerHandle,
  at: ReturnType<typeof place>,
  posture: object = {},
): Promise<string> {
  await worker.hears((word) => 'opened' in word);
  worker.tell({ do: 'thread', thread: at.thread });
  await worker.hears((word) => word['thread'] === at.threadId);
  worker.tell({
    do: 'start',
    request: { threadId: at.threadId, runtime: 'claude', cwd: at.workspace, posture },
  });
  const started = await worker.hears((word) => word['threadId'] === at.threadId && 'started' in word);
  return started?.['started'] as string;
}

/** What the store holds of a thread; undefined when the worker was killed before it could say. */
async function stored(worker: WorkerHandle, threadId: string): Promise<Word[] | undefined> {
  const before = worker.words.length;
  worker.tell({ do: 'events', threadId });
  await worker.hears((word) => 'events' in word && worker.words.indexOf(word) >= before);
  const found = worker.words.slice(before).find((word) => 'events' in word)?.['events'] as Word[] | undefined;
  // What the worker itself says in the thread is not the run's.
  return found?.filter((event) => event['runSeq'] !== null);
}

/** Sends a command until the store holds its receipt; after a restart the same one again. */
async function send(
  worker: WorkerHandle,
  at: { threadId: string },
  command: Word,
  runId: string,
): Promise<boolean> {
  let isReceived = false;
  await waitUntil('the command is received', async () => {
    const events = await stored(worker, at.threadId);
    isReceived = events?.some((line) => line['commandId'] === command['commandId']) ?? false;
    if (isReceived || worker.exit !== null) return true;
    worker.tell({ do: 'send', runId, command });
    return false;
  });
  return isReceived;
}

const event = (runId: string, type: string) => (word: Word) =>
  word['recorded'] === runId && (word['lines'] as Word[]).some((line) => line['type'] === type);

describe('a run', () => {
  test('outlives its worker: killed while the agent asks, twice, and answered after', async () => {
    const at = place();
    const first = at.worker();
    const runId = await begin(first, at);
    await send(
      first,
      at,
      {
        type: 'message',
        content: '[[ask Which? | A | B]] [[next]] [[text done]]',
        commandId: 'c1',
      },
      runId,
    );
    await first.hears(event(runId, 'user_question_request'));
    const question = first.recorded(runId).find((line) => line['type'] === 'user_question_request');
    first.kill();
    await first.gone();

    const second = at.worker();
    expect(await second.hears((word) => 'opened' in word)).toEqual({ opened: 2, runs: [runId] });
    second.kill();
    await second.gone();

    const third = at.worker();
    await third.hears((word) => 'opened' in word);
    const answer = {
      type: 'user_question_response',
      questionRequestId: question?.['requestId'],
      answers: { 'Which?': 'B' },
      commandId: 'c2',
    };
    await send(third, at, answer, runId);
    await third.hears(event(runId, 'turn_complete'));
    expect(stage.simulator.toolResults().at(-1)?.text).toContain('"Which?"="B"');

    third.tell({ do: 'end', runId });
    await third.hears((word) => word['ended'] === runId);
    third.tell({ do: 'run', runId });
    const run = (await third.hears((word) => 'run' in word))?.['run'] as Word;
    expect(run).toMatchObject({ exit: { signal: null, oom: false }, killIntent: { reason: 'test' } });
    expect(run['endedAt']).toEqual(expect.any(String));
    const events = (await stored(third, at.threadId)) ?? [];
    expect(events.map((line) => line['runSeq'])).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'shutdown', reason: 'SIGTERM' });
    await third.leave();
    expect(third.exit).toEqual({ code: 0, signal: null });
  });

  test('goes on through a full disk: nothing is acknowledged that is not kept, and all of it is kept in the end', {
    tags: ['full'],
  }, async () => {
    const at = place();
    const worker = new WorkerHandle({ ...at.start, failCommits: 3 });
    const runId = await begin(worker, at);
    await send(worker, at, { type: 'message', content: '[[text through]]', commandId: 'c1' }, runId);
    await worker.hears(event(runId, 'turn_complete'));
    // Told once, and not with every try.
    expect(worker.stderr.match(/The disk is full/g)).toHaveLength(1);
    worker.tell({ do: 'end', runId });
    await worker.hears((word) => word['ended'] === runId);
    const events = (await stored(worker, at.threadId)) ?? [];
    expect(events.map((line) => line['runSeq'])).toEqual(events.map((_, index) => index + 1));
    await worker.leave();
  });

  test('whose runner was killed is settled from its spool', { tags: ['full'] }, async () => {
    const at = place();
    const worker = at.worker();
    const runId = await begin(worker, at);
    await send(worker, at, { type: 'message', content: '[[ask Killed? | A | B]]', commandId: 'c1' }, runId);
    await worker.hears(event(runId, 'user_question_request'));
    worker.tell({ do: 'run', runId });
    const running = (await worker.hears((word) => 'run' in word))?.['run'] as { process: { pid: number } };
    await worker.leave();
    process.kill(running.process.pid, 'SIGKILL');

    const next = at.worker();
    await next.hears((word) => 'opened' in word);
    let run: Word = {};
    await waitUntil('the run has ended', async () => {
      const asked = next.words.length;
      next.tell({ do: 'run', runId });
      await waitUntil('the worker answers', () => next.words.length > asked);
      run = next.words.findLast((word) => 'run' in word)?.['run'] as Word;
      return run['endedAt'] !== undefined;
    });
    expect(run).toMatchObject({ exit: { exitCode: null, signal: null, oom: false } });
    await next.leave();
  });
});

describe('a posture', () => {
  test('is sealed: a resume from a spare has what the run had in the end, amendments included', async () => {
    const at = place();
    const worker = new WorkerHandle({ ...at.start, keepSpare: 'claude' });
    const posture = {
      permissionMode: 'bypassPermissions',
      model: 'claude-haiku-4-5',
      instructions: 'Sealed words.',
    };
    const runId = await begin(worker, at, posture);
    await send(worker, at, { type: 'message', content: '[[text one]]', commandId: 'c1' }, runId);
    await worker.hears(event(runId, 'turn_complete'));
    const change = {
      posture: { model: 'claude-sonnet-4-5' },
      actor: 'user:test',
      at: new Date().toISOString(),
    };
    // The agent is asked first, and what it has changed is then part of its posture.
    await send(worker, at, { type: 'set_model', model: change.posture.model, commandId: 'c-model' }, runId);
    await worker.hears(event(runId, 'model_changed'));
    worker.tell({ do: 'amend', runId, change });
    await worker.hears((word) => word['amended'] === runId);
    worker.tell({ do: 'end', runId });
    await worker.hears((word) => word['ended'] === runId);

    worker.tell({ do: 'resume', runId });
    const resumed = await worker.hears((word) => 'resumed' in word);
    expect(readdirSync(join(at.start.home, 'launches', resumed?.['resumed'] as string))).not.toContain(
      'output.log',
    );
    expect(resumed?.['posture']).toEqual({ ...posture, model: 'claude-sonnet-4-5' });
    const next = resumed?.['resumed'] as string;
    await send(worker, at, { type: 'message', content: '[[text two]]', commandId: 'c2' }, next);
    await worker.hears(event(next, 'turn_complete'));
    const request = stage.simulator.modelRequests().at(-1);
    expect(JSON.stringify(request?.body)).toContain('[[text one]]');
    expect(JSON.stringify(request?.body)).toContain('Sealed words.');
    expect(request?.body).toMatchObject({ model: 'claude-sonnet-4-5' });
    worker.tell({ do: 'end', runId: next });
    await worker.hears((word) => word['ended'] === next);
    await worker.leave();
  });
});

describe('kill -9 of the worker', () => {
  const points = ['received', 'committed', 'acknowledged'] as const;

  test('at every failpoint and at any time loses nothing, doubles nothing, interrupts nobody', {
    tags: ['full'],
  }, async () => {
    const at = place();
    let worker = at.worker();
    const runId = await begin(worker, at);
    const turns = 8;
    let kills = 0;
    const restart = async (killAt?: WorkerStart['killAt']) => {
      worker.kill();
      await worker.gone();
      kills += 1;
      worker = at.worker(killAt);
      await worker.hears((word) => 'opened' in word);
    };
    for (let turn = 1; turn <= turns; turn += 1) {
      const content = `[[tool Bash {"command":"echo ${turn} >> log.txt"}]] [[next]] [[text turn ${turn}]]`;
      const command = { type: 'message', content, commandId: `turn-${turn}` };
      await restart({ name: points[turn % points.length] ?? 'received', after: 1 + ((turn * 5) % 17) });
      // The worker is killed somewhere in this turn, at its failpoint or in the end here; then another takes over.
      for (;;) {
        const sent = await send(worker, at, command, runId);
        let ended = 0;
        await waitUntil(`turn ${turn} has ended`, async () => {
          ended =
            (await stored(worker, at.threadId))?.filter((line) => line['type'] === 'turn_complete').length ??
            0;
          return !sent || ended >= turn || worker.exit !== null;
        });
        if (ended >= turn) break;
        await restart();
      }
    }
    worker.kill();
    await worker.gone();
    const last = at.worker();
    await last.hears((word) => 'opened' in word);
    await send(last, at, { type: 'stop', commandId: 'stop' }, runId);
    await last.hears(event(runId, 'complete'));
    const events = (await stored(last, at.threadId)) ?? [];

    const numbers = Array.from({ length: turns }, (_, index) => String(index + 1));
    expect(readFileSync(join(at.workspace, 'log.txt'), 'utf8').trim().split('\n')).toEqual(numbers);
    expect(events.map((line) => line['runSeq'])).toEqual(events.map((_, index) => index + 1));
    expect(
      events.filter((line) => line['type'] === 'result').map((line) => [line['success'], line['text']]),
    ).toEqual(numbers.map((number) => [true, `turn ${number}`]));
    expect(events.filter((line) => line['type'] === 'command_accepted')).toHaveLength(turns + 1);
    expect(events.filter((line) => line['type'] === 'ready')).toHaveLength(1);
    expect(kills).toBeGreaterThanOrEqual(turns);
    await last.leave();
  });
});
