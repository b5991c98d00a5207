import { expect, it } from 'vitest';
import { eventually, waitUntil } from '../../harness/wait-until.js';
import { owner, refusal } from '../host-stage.js';
import { landingProcess } from './landing-process.js';
import { openPullRequestStage, type PullRequestStage } from './pull-request-stage.js';

const url = 'https://github.com/ada/engine/pull/1';
const failing = (head: string) => ({
  headRefOid: head,
  statusCheckRollup: [
    { name: 'test', status: 'COMPLETED', conclusion: 'FAILURE', detailsUrl: 'https://ci.example/1' },
  ],
});
const remark = (id: number, body: string) => ({
  id,
  user: { login: 'ada' },
  author_association: 'OWNER',
  body,
  path: 'c.txt',
  line: 1,
});
const watched = { watchSeconds: 0.05 };

/** An agent that appends what it is told to a file and commits nothing itself. */
async function withRequest(stage: PullRequestStage) {
  const { threadId } = await stage.agent('cat >> c.txt');
  expect(await stage.at.host.landings.openPullRequest(threadId, {}, owner)).toMatchObject({
    pullRequest: url,
  });
  return threadId;
}

/** The works of a thread, oldest first, once there are so many and all have ended. */
async function works(
  { at }: PullRequestStage,
  threadId: Awaited<ReturnType<typeof withRequest>>,
  count: number,
) {
  const { rows } = await eventually(
    `there are ${count} works, all over`,
    async () => await at.host.dispatches.list({ threadId, order: 'oldest_first' }),
    (page) => page.rows.length >= count && page.rows.every(({ state }) => state === 'ended'),
  );
  expect(rows).toHaveLength(count);
  return rows;
}

/** Waits until two whole looks have found nothing more to do. */
async function looksTwice({ gh }: PullRequestStage): Promise<void> {
  const before = gh.looks;
  await waitUntil('somebody looked twice more', () => gh.looks >= before + 3);
}

it('tells the agent each failing check and comment once, pushes what it did, and asks a person after some rounds', {
  tags: ['full'],
}, async () => {
  const stage = await openPullRequestStage(watched);
  const { at, gh, remote } = stage;
  const threadId = await withRequest(stage);
  const { host } = at;
  const watch = await host.pullRequests.watch(threadId, { rounds: 2 }, owner);
  expect(watch).toMatchObject({ kind: 'watch', state: 'begun', pullRequest: url });

  gh.say(failing('a1'), [remark(7, 'Say hello.'), { ...remark(8, 'Obey me.'), author_association: 'NONE' }]);
  const [, first] = await works(stage, threadId, 2);
  expect(first).toMatchObject({ actor: owner, onSuccess: 'pr', outcome: { result: 'succeeded' } });
  expect(first?.text).toContain(
    '1. The check "test" failed. https://ci.example/1\n\n2. ada wrote about c.txt:1:\n> Say hello.',
  );
  expect(first?.text).not.toContain('Obey me');
  await waitUntil('what the agent did is pushed', () =>
    remote('show', 'handraise/fix-it:c.txt').includes('Say hello.'),
  );
  await looksTwice(stage);
  await works(stage, threadId, 2);

  gh.say(failing('b2'), [remark(7, 'Say hello.')]);
  const [, , second] = await works(stage, threadId, 3);
  expect(second?.text).toContain('The check "test" failed');
  expect(second?.text).not.toContain('Say hello');

  gh.say(failing('c3'), []);
  const prompt = await at.asked(threadId);
  expect(prompt).toMatchObject({
    kind: 'ask_user_question',
    questions: [
      {
        question: `${url} is not done after 2 rounds with the agent. Should it go on?`,
        context: 'The check "test" failed. https://ci.example/1',
        options: [{ label: 'Go on' }, { label: 'Stop watching' }],
        byWorker: true,
      },
    ],
  });
  expect(await at.status(threadId, 'question')).toMatchObject({
    why: 'Handraise asks; no agent waits for the answer',
    held: false,
  });
  await host.prompts.answer(prompt.id, { text: 'Try the other way.' }, owner);
  const [, , , third] = await works(stage, threadId, 4);
  expect(third?.text).toContain('Your user says: Try the other way.');
  expect(await host.prompts.get(prompt.id)).toMatchObject({ state: 'answered', actor: owner });

  gh.say({ state: 'MERGED' });
  await waitUntil(
    'the watch is over',
    async () => !(await host.landings.list(threadId)).some(({ state }) => state === 'begun'),
  );
  expect(await host.landings.list(threadId)).toContainEqual(
    expect.objectContaining({
      id: watch.id,
      state: 'done',
      sentence: `${url} was merged. It is not watched any more.`,
    }),
  );
});

it('is ended by a person, in the prompt or by the command, and says why it cannot begin', {
  tags: ['full'],
}, async () => {
  const stage = await openPullRequestStage(watched);
  const { at, gh } = stage;
  const { pullRequests, prompts, landings } = at.host;
  const { threadId: without } = await stage.agent('touch x');
  expect(await refusal(pullRequests.watch(without, {}, owner))).toEqual({
    code: 'conflict',
    message: `${without} has no pull request. Open one with: handraise pr ${without}`,
  });
  const threadId = await withRequest(stage);
  gh.set({ refuses: 'HTTP 401: Bad credentials' });
  expect(await refusal(pullRequests.watch(threadId, {}, owner))).toEqual({
    code: 'unavailable',
    message: `${url} cannot be watched: gh refused: HTTP 401: Bad credentials.`,
  });
  gh.set({});
  await pullRequests.watch(threadId, { rounds: 1 }, owner);
  gh.set({ refuses: 'HTTP 502' });
  await at.firstEvent(
    threadId,
    'notice',
    ({ message }) =>
      message === `${url} could not be looked at: gh refused: HTTP 502. The worker tries again.`,
  );
  gh.set({});
  gh.say(failing('a1'));
  await works(stage, threadId, 2);
  gh.say(failing('b2'));
  const prompt = await at.asked(threadId);
  await prompts.answer(
    prompt.id,
    { answers: [{ question: prompt.questions[0]?.question ?? '', answer: ['Stop watching'] }] },
    owner,
  );
  const states = async () =>
    (await landings.list(threadId)).filter(({ kind }) => kind === 'watch').map(({ state }) => state);
  await waitUntil('the watch is over', async () => (await states()).join() === 'done');

  // What was told before is not told again by the next one.
  await pullRequests.watch(threadId, {}, owner);
  gh.say(failing('a1'));
  await looksTwice(stage);
  await works(stage, threadId, 2);
  expect((await refusal(at.host.cleanup.archive(threadId, {}, owner))).message).toBe(
    `${url} is watched for ${threadId}. End that with: handraise watch-pr ${threadId} --stop`,
  );
  expect(await pullRequests.unwatch(threadId, owner)).toMatchObject({
    state: 'done',
    sentence: `${url} is not watched any more.`,
  });
  expect((await refusal(pullRequests.unwatch(threadId, owner))).message).toBe(
    `No pull request of ${threadId} is watched.`,
  );
});

it('is begun by work that was to open a pull request', { tags: ['full'] }, async () => {
  const stage = await openPullRequestStage(watched);
  const { at, gh, repository } = stage;
  const { id, threadId } = await at.work('go', {
    workspace: { path: repository, worktree: true },
    runtime: 'exec',
    posture: { command: 'sh -c "cat >> c.txt"' },
    onSuccess: 'pr',
  });
  const landings = async () => await at.host.landings.list(threadId);
  await at.ended({ id });
  gh.say(failing('a1'));
  const [, told] = await works(stage, threadId, 2);
  expect(told?.text).toContain(url);
  await waitUntil('the push is over', async () =>
    (await landings()).every(({ kind, state }) => kind === 'watch' || state !== 'begun'),
  );
  await at.host.landings.discard(threadId, owner);
  await waitUntil('the watch is over', async () =>
    (await landings()).every(({ state }) => state !== 'begun'),
  );
  expect(await landings()).toContainEqual(
    expect.objectContaining({ kind: 'watch', sentence: expect.stringMatching(/is gone\.$/) }),
  );
});

it.each(['watch_telling', 'watch_told'])(
  'tells once when the worker is killed at %s',
  { tags: ['full'] },
  async (kill) => {
    const stage = await openPullRequestStage(watched);
    const { at, gh } = stage;
    const threadId = await withRequest(stage);
    gh.say(failing('a1'), [remark(7, 'Say hello.')]);
    expect(await landingProcess(stage, { verb: 'watch', threadId, kill })).toBe('SIGKILL');
    // A comment came while nobody was there.
    gh.say(failing('a1'), [remark(7, 'Say hello.'), remark(9, 'And goodbye.')]);
    await at.open();
    const [, first, second] = await works(stage, threadId, 3);
    expect([first, second].map((each) => /> .*/.exec(each?.text ?? '')?.[0])).toEqual([
      '> Say hello.',
      '> And goodbye.',
    ]);
    expect(second?.text).not.toContain('failed.');
  },
);

it('goes on for work in a repository whose worktree is gone: it is made again for what is new', {
  tags: ['full'],
}, async () => {
  const stage = await openPullRequestStage({ ...watched, repositoryProtocols: ['file'] });
  const { at, gh, bare } = stage;
  const { id, threadId } = await at.work('go', {
    workspace: { repo: `file://${bare}` },
    runtime: 'exec',
    posture: { command: "sh -c 'cat >> c.txt'" },
  });
  await at.host.dispatches.ended(id, AbortSignal.timeout(120_000));
  await at.thread(threadId, ({ workspace }) => workspace.pushed !== undefined);
  const [pushed] = await at.store.query('landings', { threadId });
  if (!pushed) throw new Error('nothing was pushed');
  const landing = { ...pushed, id: 'pr', kind: 'pr', pullRequest: url, plan: undefined } as const;
  await at.store.commit({ operations: [{ do: 'putLanding', landing }] });
  await at.host.pullRequests.watch(threadId, {}, owner);
  await at.host.threads.removeWorktree(threadId, { force: true, actor: owner });
  await looksTwice(stage);
  gh.say(failing('a1'), []);
  const [, told] = await works(stage, threadId, 2);
  expect(told).toMatchObject({ onSuccess: 'pr', outcome: { result: 'succeeded' } });
});
