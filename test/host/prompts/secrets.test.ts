import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunFolders } from '../../../src/host/runs/run-folder.js';
import { newId, type RunId } from '../../../src/protocol/id.js';
import { ProcessIdentity } from '../../../src/protocol/run.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const program = fileURLToPath(new URL('../scripted-runner.js', import.meta.url));
const secret = 'hunter2-correct-horse';
const question = {
  question: 'The password?',
  header: 'Login',
  multiSelect: false,
  isSecret: true,
  options: [],
};
const asked = {
  type: 'user_question_request',
  requestId: 'req_secret',
  toolUseId: 'call_1',
  questions: [question],
};

/** A thread whose agent is played by a runner that the test speaks for. */
class Played {
  readonly at: HostStage;
  readonly threadId;
  readonly commands: { readonly [field: string]: unknown }[] = [];
  readonly #runner: ChildProcess;

  private constructor(
    at: HostStage,
    threadId: Awaited<ReturnType<typeof at.thread>>['id'],
    runner: ChildProcess,
  ) {
    this.at = at;
    this.threadId = threadId;
    this.#runner = runner;
  }

  static async open(): Promise<Played> {
    const at = await openHostStage();
    const { id: threadId } = await at.host.threads.create(
      { runtime: 'claude', workspace: { path: at.folder() }, posture: {} },
      owner,
    );
    const runId = newId('run', { now: () => Date.now(), randomBytes });
    const runner = spawn(process.execPath, [program, new RunFolders(at.home).socket(runId), runId], {
      env: at.stage.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void runner.kill('SIGKILL'));
    const played = new Played(at, threadId, runner);
    const ready = new Promise<ProcessIdentity>((resolve, reject) => {
      runner.once('exit', (code) => reject(new Error(`The runner ended with ${code} before it was ready.`)));
      createInterface({ input: runner.stdout }).on('line', (line) => {
        const word: { readonly [field: string]: unknown } = JSON.parse(line);
        if ('ready' in word) resolve(ProcessIdentity.parse(word['ready']));
        // Comments on lines come with every attach.
        else if (word.type !== 'review_comments') played.commands.push(word);
      });
    });
    await insertRun(at, { id: runId, threadId, process: await ready });
    // A worker finds the runs of its home when it starts.
    await at.leave();
    await at.open();
    return played;
  }

  say(event: object): void {
    this.#runner.stdin?.write(`${JSON.stringify(event)}\n`);
  }

  async die(): Promise<void> {
    const exited = once(this.#runner, 'exit');
    this.#runner.kill('SIGKILL');
    await exited;
    await this.at.thread(this.threadId, ({ status }) => status.state !== 'question' || !status.held);
  }
}

async function insertRun(
  at: HostStage,
  run: { readonly id: RunId; readonly threadId: Played['threadId']; readonly process: ProcessIdentity },
): Promise<void> {
  const startedAt = new Date().toISOString();
  const result = await at.store.commit({
    operations: [{ do: 'insertRun', run: { ...run, runtime: 'claude', posture: {}, startedAt } }],
  });
  expect(result.committed).toBe(true);
}

/** Whether a word stands in any file of a folder: the database, its log, the spools. */
function isInFiles(folder: string, word: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(word));
}

describe('an answer that is secret', () => {
  test('reaches the runner that waits for it, and is written down nowhere', async () => {
    const played = await Played.open();
    const { at, threadId } = played;
    played.say(asked);
    const prompt = await at.asked(threadId);
    expect(prompt.questions).toEqual([question]);
    const accepted = await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    expect(JSON.stringify(accepted)).not.toContain(secret);
    await waitUntil('the answer is delivered', () => played.commands.length > 0);
    expect(played.commands).toEqual([
      {
        type: 'user_question_response',
        questionRequestId: 'req_secret',
        answers: { 'The password?': secret },
        commandId: expect.any(String),
      },
    ]);
    const settled = await at.prompt(prompt, ({ state }) => state === 'answered');
    expect(settled).toMatchObject({ actor: owner, deliveredAt: expect.any(String) });
    const shown = [
      settled,
      await at.events(threadId),
      await at.host.threads.items(threadId, {}),
      (await at.host.prompts.list({ threadId })).rows,
      at.log,
    ];
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ type: 'text' }] } },
    ]);
    // The question is there, so looking for the answer looks in the right place.
    expect(isInFiles(at.home, 'The password?')).toBe(true);
    expect(isInFiles(at.home, secret)).toBe(false);
  });

  test('is not given again when the same question comes again', async () => {
    const played = await Played.open();
    const { at, threadId } = played;
    played.say(asked);
    const prompt = await at.asked(threadId);
    await at.host.prompts.answer(prompt.id, { text: secret }, owner);
    await at.prompt(prompt, ({ state }) => state === 'answered');
    played.say({
      type: 'tool_end',
      id: 'call_1',
      tool: 'AskUserQuestion',
      success: true,
      summary: 'Answered.',
      duration: 1,
    });
    await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
    played.say({ ...asked, requestId: 'req_again', toolUseId: 'call_2' });
    const again = await at.asked(threadId, [prompt]);
    expect(again).toMatchObject({ state: 'pending', active: true });
    expect(played.commands.length).toBe(1);
    // A worker that starts has nothing to give either.
    await at.leave();
    await at.open();
    expect(await at.prompt(again)).toMatchObject({ state: 'pending', active: true });
    expect(played.commands.length).toBe(1);
  });

  test('is refused where no runner waits for it; the question stays', async () => {
    const played = await Played.open();
    const { at, threadId } = played;
    played.say(asked);
    const prompt = await at.asked(threadId);
    await played.die();
    const { code, message } = await refusal(at.host.prompts.answer(prompt.id, { text: secret }, owner));
    expect(code).toBe('not_deliverable');
    expect(message).not.toContain(secret);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'pending' });
    expect(isInFiles(at.home, secret)).toBe(false);
  });
});
