// @module-tag full
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';
import { OtherWorker } from './other-worker.js';

// Long enough for a machine that is busy with other tests, where even a heartbeat takes its time.
const times = { leaseSeconds: 5, runnerDeadlineSeconds: 8, marginSeconds: 5 };

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

it('an agent whose worker is cut off is stopped before another worker does its work, which ends once', async () => {
  const { here, shared, startOther } = await twoWorkers();
  const other = await startOther();
  // The first agent never ends by itself; the second sees whether the first one still does something.
  const work = await other.submit(
    program(
      shared,
      'if [ ! -e begun ]; then touch begun; while :; do echo >> ticks; sleep 0.1; done; fi; wc -l < ticks > before; sleep 2; wc -l < ticks > after',
    ),
  );
  await waitUntil('the agent works', () => existsSync(join(shared, 'ticks')));

  other.process.kill('SIGSTOP');
  const outcome = await here.ended(work);
  const read = (name: string) => readFileSync(join(shared, name), 'utf8').trim();
  expect(read('after')).toBe(read('before'));
  expect([outcome.outcome?.result, outcome.attempts.map(({ outcome }) => outcome?.reason)]).toEqual([
    'succeeded',
    ['worker_lost', undefined],
  ]);
  const notices = await here.events(work.threadId, 'notice');
  expect(notices.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/does not answer any more, so worker-\w{6} has taken over\. .* starts afresh/),
  );

  // It comes back, finds that the work is not its any more, and goes on with other work.
  other.process.kill('SIGCONT');
  const next = await other.submit(program(join(shared, '..', 'own'), 'true'));
  expect((await here.ended(next)).outcome?.result).toBe('succeeded');
  expect(await here.events(work.threadId, 'dispatch_ended')).toHaveLength(1);
  expect((await here.events(work.threadId, 'attempt_ended')).map(({ attempt }) => attempt)).toEqual([1]);
});

it('a question outlives the worker of its agent: another one brings the answer, with the work and the question', async () => {
  const { here, shared, startOther } = await twoWorkers();
  const other = await startOther();
  const asking = JSON.stringify({ question: 'Which colour?' });
  writeFileSync(join(shared, 'question.json'), asking);
  const work = await other.submit({
    ...program(
      shared,
      'if [ ! -e begun ]; then touch begun; mkdir -p .agora; cp question.json .agora/needs_input.json; exit 0; fi; cat > heard',
    ),
    text: 'Paint the shed.',
  });
  const prompt = await here.asked(work.threadId);
  await here.reached(work, 'waiting');
  other.process.kill('SIGKILL');

  await waitUntil('the thread is taken over', async () => {
    const notices = await here.events(work.threadId, 'notice');
    return notices.some(({ message }) => String(message).includes('has taken over'));
  });
  await here.host.prompts.answer(prompt.id, { text: 'Red' }, owner);
  expect((await here.ended(work)).outcome?.result).toBe('succeeded');
  const heard = readFileSync(join(shared, 'heard'), 'utf8');
  expect(heard).toContain('Paint the shed.');
  expect(heard).toContain('Which colour?');
  expect(heard).toContain('Red');
});

it('work whose folder is only at the worker that is gone waits for it, says so, and goes on when it is back', async () => {
  const { here, shared, startOther } = await twoWorkers();
  const other = await startOther();
  const own = join(shared, '..', 'own');
  const work = await other.submit(
    program(own, 'if [ -e begun ]; then exit 0; fi; touch begun; while :; do sleep 0.2; done'),
  );
  await waitUntil('the agent works', () => existsSync(join(own, 'begun')));
  other.process.kill('SIGKILL');

  const waiting = await here.dispatch(work, ({ why }) => why?.includes('does not answer') ?? false);
  expect([waiting.state, waiting.why]).toEqual([
    'running',
    expect.stringMatching(/^its worker worker-\w{6} does not answer, and its folder is only there$/),
  ]);
  expect(await here.events(work.threadId, 'notice')).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('Start that worker again') }),
  );

  await startOther();
  const ended = await here.ended(work);
  expect([ended.outcome?.result, ended.why]).toEqual(['succeeded', undefined]);
});

it('work goes to the worker or label that it asks for, and one that drains ends what runs and hands over the rest', async () => {
  const { here, shared, startOther } = await twoWorkers();
  const other = await startOther({ workerName: 'build-1', workerLabels: ['gpu'], slots: 1 });
  await expect(here.work('x', { ...program(shared, 'true'), on: 'arm' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('No worker is called arm'),
  });
  const long = program(join(shared, 'long'), 'touch begun; while [ ! -e go ]; do sleep 0.1; done');
  const running = await here.work('long', { ...long, on: 'gpu' });
  await waitUntil('the work runs at the other worker', () => existsSync(join(shared, 'long', 'begun')));
  const queued = await here.work('short', { ...program(join(shared, 'short'), 'true'), on: 'build-1' });
  const workers = async () =>
    (await here.host.workers()).rows.map(({ name, underWay, profile, drainingSince }) => ({
      name,
      underWay,
      labels: profile?.labels,
      isDraining: drainingSince !== undefined,
    }));
  expect(await workers()).toContainEqual({
    name: 'build-1',
    underWay: 1,
    labels: ['gpu'],
    isDraining: false,
  });

  await here.host.drainWorker('build-1', true);
  expect((await here.ended(queued)).outcome?.result).toBe('succeeded');
  expect((await here.events(queued.threadId, 'notice')).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^build-1 takes no new work, so worker-\w{6} has taken over\./),
  );
  expect((await here.host.dispatches.get(running.id)).state).toBe('running');
  await expect(here.work('x', { ...long, on: 'gpu' })).rejects.toMatchObject({ code: 'unavailable' });
  writeFileSync(join(shared, 'long', 'go'), '');
  const ended = await here.ended(running);
  expect([ended.outcome?.result, ended.attempts.length]).toEqual(['succeeded', 1]);
  expect(await workers()).toContainEqual({ name: 'build-1', underWay: 0, labels: ['gpu'], isDraining: true });
  expect(other.process.exitCode).toBe(null);
});

const script = (more: string) => ({
  text: 'Paint the shed.',
  runtime: 'exec' as const,
  posture: { command: `sh -c ${JSON.stringify(more)}` },
  retries: 0,
});

it('work in a repository is taken over wherever it can be fetched: from what was pushed, with the question and its answer', async () => {
  const { here, startOther, git, origin } = await twoWorkers({ repositoryProtocols: ['file'] });
  const other = await startOther({ repositoryProtocols: ['file'], workerName: 'build-1' });
  const repo = `file://${origin}`;
  const asking = JSON.stringify({ question: 'Which colour?' });
  const first = await other.submit({
    ...script(
      `if [ ! -e first ]; then echo 1 > first; exit 0; fi; if [ -n "$(git status --porcelain)" ]; then exit 3; fi; if ! grep -q Red; then mkdir -p .agora; echo '${asking}' > .agora/needs_input.json; exit 0; fi; echo red > second`,
    ),
    workspace: { repo, ref: 'main' },
  });
  expect((await here.ended(first)).outcome?.result).toBe('succeeded');
  const pushed = await here.thread(first.threadId, ({ workspace }) => workspace.pushed !== undefined);
  const branch = pushed.workspace.pushed?.branch ?? '';

  const second = await other.submit({ text: 'Paint it again.', thread: first.threadId, retries: 0 });
  const prompt = await here.asked(first.threadId);
  await here.reached(second, 'waiting');
  other.process.kill('SIGKILL');
  await waitUntil('the thread is taken over', async () => {
    const notices = await here.events(first.threadId, 'notice');
    return notices.some(({ message }) => String(message).includes(`from what was pushed to ${branch}`));
  });
  await here.host.prompts.answer(prompt.id, { text: 'Red' }, owner);
  expect((await here.ended(second)).outcome?.result).toBe('succeeded');
  await here.thread(
    first.threadId,
    ({ workspace }) => workspace.pushed?.commit !== pushed.workspace.pushed?.commit,
  );
  expect(git('ls-tree', '--name-only', branch).split('\n')).toEqual(['a.txt', 'first', 'second']);
  expect(git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n').toSorted()).toEqual([
    branch,
    'main',
  ]);
});

/** Work of a command, which is started in the folder. */
function program(path: string, script: string): DispatchRequest {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'work.sh'), script);
  return {
    text: 'Work.',
    runtime: 'exec',
    workspace: { path },
    posture: { command: 'sh work.sh' },
    retries: 0,
  };
}

/** A worker here, and one in a process of its own, on one database; one folder is the same for both. */
async function twoWorkers(more: object = {}) {
  const store = server.url(await server.createDatabase());
  const folder: string[] = [];
  const settings = { ...times, store, sharedFolders: folder, ...more };
  const here: HostStage = await openHostStage(settings, 'claude', (home) => {
    folder.push(join(home, '..', 'shared'));
  });
  const shared = join(here.stage.home, 'shared');
  mkdirSync(shared);
  const usual = { slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: false };
  const home = join(here.stage.home, 'other');
  const startOther = async (own: object = {}) =>
    await OtherWorker.start({ home, settings: { ...usual, ...settings, ...own } }, { env: here.stage.env });
  const origin = join(here.stage.home, 'origin.git');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: origin, env: here.stage.env, encoding: 'utf8', stdio: 'pipe' }).trim();
  mkdirSync(origin);
  git('init', '--quiet', '--bare', '--initial-branch=main');
  git('config', '--global', 'user.name', 'Ada');
  git('config', '--global', 'user.email', 'ada@example.invalid');
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: origin,
    env: here.stage.env,
    input: 'a',
    encoding: 'utf8',
  }).trim();
  const tree = execFileSync('git', ['mktree'], {
    cwd: origin,
    env: here.stage.env,
    input: `100644 blob ${blob}\ta.txt\n`,
    encoding: 'utf8',
  }).trim();
  git('update-ref', 'refs/heads/main', git('commit-tree', tree, '-m', 'Begin'));
  return { here, shared, startOther, origin, git };
}
