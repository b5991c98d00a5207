import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const commit = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m'];

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' }).trim();
}

/** Work that makes a file and then asks. */
const makes = (name: string) =>
  `[[tool Bash {"command":"echo ${name} > ${name}.txt"}]] [[next]] [[ask Go on? | Yes | No]] [[next]] [[text Done.]]`;

/** A repository with one commit. */
function repository(at: HostStage): string {
  const path = realpathSync(at.folder());
  git(path, 'init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(path, 'README'), 'hello\n');
  git(path, 'add', '.');
  git(path, ...commit, 'first');
  return path;
}

describe('one workspace', () => {
  test('has one agent at work: the second thread waits and says why, then the idle agent makes way', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const first = await at.work(
      '[[tool Bash {"command":"until test -e go; do sleep 0.1; done"}]] [[next]] [[text First.]]',
      { workspace: { path }, permissions: 'autonomous' },
    );
    await at.runs('test -e go');
    const second = await at.work('[[text Second.]]', { workspace: { path } });
    const waiting = await at.dispatch(second, ({ why }) => why !== undefined);
    expect(waiting).toMatchObject({
      state: 'queued',
      why: `the workspace is busy: ${first.threadId} is working there`,
    });
    expect(waiting.attempts).toEqual([]);

    writeFileSync(join(path, 'go'), '');
    expect((await at.ended(first)).outcome?.summary).toBe('First.');
    const ended = await at.ended(second);
    expect(ended.outcome?.summary).toBe('Second.');
    expect(ended).not.toHaveProperty('why');
    expect(await at.status(first.threadId, 'stopped')).toMatchObject({
      why: 'stopped to free the folder for other work',
    });
    const [gone] = await at.events(first.threadId, 'run_ended');
    const [came] = await at.events(second.threadId, 'run_started');
    expect(String(came?.timestamp) >= String(gone?.timestamp)).toBe(true);

    // And back again: the first thread goes on in its own session.
    const third = await at.done('[[text Third.]]', { thread: first.threadId });
    expect(third.outcome?.summary).toBe('Third.');
    expect(at.modelHeard('Third.')[0]).toBe(first.text);
  });

  test('is left by an agent that asks: it is parked at once, and its answer wakes it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const asking = await at.work('[[ask Which? | A | B]] [[next]] [[text Thanks.]]', { workspace: { path } });
    const { threadId } = asking;
    const prompt = await at.asked(threadId);
    const other = await at.done('[[text Meanwhile.]]', { workspace: { path } });
    expect(other.outcome?.summary).toBe('Meanwhile.');
    expect(await at.status(threadId, 'question')).toEqual({
      state: 'question',
      promptId: prompt.id,
      prompt: 'Which?',
      since: prompt.createdAt,
      held: false,
      why: 'sleeping, your answer wakes it',
      source: 'prompt',
      confidence: 'authoritative',
    });
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect((await at.host.dispatches.get(asking.id)).state).toBe('waiting');

    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    const ended = await at.ended(asking);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    // The answer came back through the tool call that had asked.
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
      answers: [{ question: 'Which?', answer: ['B'] }],
    });
    expect((await at.events(threadId, 'prompt_asked')).length).toBe(1);
    expect((await at.events(threadId, 'prompt_settled')).length).toBe(1);
  });

  test('is one workspace by whatever name it is called', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const link = join(at.stage.home, 'link');
    symlinkSync(path, link);
    const first = await at.work('[[hang]]', { workspace: { path } });
    await at.modelAsked('[[hang]]');
    const second = await at.work('[[text Second.]]', { workspace: { path: link } });
    expect(await at.dispatch(second, ({ why }) => why !== undefined)).toMatchObject({
      state: 'queued',
      why: expect.stringContaining('the workspace is busy'),
    });
    await at.host.dispatches.cancel(first.id, owner);
    expect((await at.ended(second)).outcome?.summary).toBe('Second.');
  });

  test('serves many threads in turn', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const all = await Promise.all(
      ['A', 'B', 'C'].map(async (word) => await at.work(`[[text ${word}.]]`, { workspace: { path } })),
    );
    const ended = await Promise.all(all.map(async (dispatch) => await at.ended(dispatch)));
    expect(ended.map(({ outcome }) => outcome?.summary)).toEqual(['A.', 'B.', 'C.']);
    for (const [index, later] of ended.slice(1).entries()) {
      expect((later.attempts[0]?.startedAt ?? '') >= (ended[index]?.endedAt ?? '~')).toBe(true);
    }
  });
});

describe('a worktree', () => {
  test('is a branch and a folder for each thread, so that two work in one repository at once', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = repository(at);
    const request = { workspace: { path, worktree: true }, permissions: 'autonomous' } as const;
    const [one, two] = await Promise.all([
      at.work(makes('one'), { ...request, title: 'Task one' }),
      at.work(makes('two'), { ...request, title: 'Task two' }),
    ]);
    // Both ask at the same time, so both are in the middle of their work.
    const prompts = [await at.asked(one.threadId), await at.asked(two.threadId)];
    const threads = [await at.thread(one.threadId), await at.thread(two.threadId)];
    const places = threads.map(({ workspace }) => workspace);
    expect(places).toEqual([
      {
        path: expect.stringContaining(one.threadId),
        worktree: true,
        setUp: true,
        project: path,
        branch: expect.stringContaining('task-one'),
      },
      {
        path: expect.stringContaining(two.threadId),
        worktree: true,
        setUp: true,
        project: path,
        branch: expect.stringContaining('task-two'),
      },
    ]);
    for (const { id } of prompts) await at.host.prompts.answer(id, { text: '1' }, owner);
    await Promise.all([at.ended(one), at.ended(two)]);

    expect(await at.host.threads.diff(one.threadId)).toMatchObject({
      base: { commit: git(path, 'rev-parse', 'HEAD') },
      files: [{ path: 'one.txt', added: 1, removed: 0 }],
      patch: expect.stringContaining('+one'),
    });
    expect((await at.host.threads.diff(two.threadId)).files.map((file) => file.path)).toEqual(['two.txt']);
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(git(path, 'branch', '--show-current')).toBe('main');
  });

  test('is removed when all in it is kept elsewhere, and refused when work would be lost', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = repository(at);
    const ended = await at.done('[[tool Bash {"command":"echo new > new.txt"}]] [[next]] [[text Done.]]', {
      workspace: { path, worktree: true },
      permissions: 'autonomous',
    });
    const { threadId } = ended;
    const { workspace } = await at.thread(threadId, ({ status }) => status.state === 'idle');
    expect(await refusal(at.host.threads.removeWorktree(threadId, { force: false, actor: owner }))).toEqual({
      code: 'conflict',
      message: expect.stringContaining('was not removed'),
    });
    expect(existsSync(join(workspace.path, 'new.txt'))).toBe(true);
    // What was refused has changed nothing, the agent neither.
    expect((await at.thread(threadId)).status.state).toBe('idle');

    git(workspace.path, 'clean', '-fdq');
    await at.host.threads.removeWorktree(threadId, { force: false, actor: owner });
    expect(existsSync(workspace.path)).toBe(false);
    expect(git(path, 'worktree', 'list', '--porcelain').split('\n\n').length).toBe(1);
    expect(await at.events(threadId, 'notice')).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining(`removed by ${owner}`) }),
    );
    expect((await at.thread(threadId)).status.state).toBe('stopped');
  });

  test('with work in it is removed when that is asked for', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = repository(at);
    const { threadId } = await at.done(
      '[[tool Bash {"command":"echo new > new.txt"}]] [[next]] [[text Done.]]',
      {
        workspace: { path, worktree: true },
        permissions: 'autonomous',
      },
    );
    const { workspace } = await at.thread(threadId, ({ status }) => status.state === 'idle');
    await at.host.threads.removeWorktree(threadId, { force: true, actor: owner });
    expect(existsSync(workspace.path)).toBe(false);
    // Work for a thread whose place is gone says so.
    const after = await refusal(at.work('[[text Never.]]', { thread: threadId }));
    expect(after).toMatchObject({
      code: 'missing_file',
      message: expect.stringContaining(workspace.path),
    });
  });

  test('is not removed under an agent at work', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[hang]]', { workspace: { path: repository(at), worktree: true } });
    await at.modelAsked('[[hang]]');
    expect(
      await refusal(at.host.threads.removeWorktree(dispatch.threadId, { force: true, actor: owner })),
    ).toMatchObject({ code: 'conflict' });
    expect((await at.host.dispatches.get(dispatch.id)).state).toBe('running');
  });

  test('cannot be made where there is no repository, and the work fails with the reason', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const outcome = await at.work('[[text Never.]]', { workspace: { path, worktree: true } }).then(
      async (dispatch) => (await at.ended(dispatch)).outcome,
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({
      result: 'failed',
      retriable: false,
      summary: expect.stringContaining('git'),
    });
    expect(at.stage.simulator.requests).toEqual([]);
  });
});
