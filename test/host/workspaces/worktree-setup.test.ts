import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HostSettings } from '../../../dist/compose.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import { type LandingStage, openLandingStage } from '../landing/landing-stage.js';

/** Ends the agent of a thread, so that its next work starts one. */
async function stop({ at }: LandingStage, id: ThreadId): Promise<void> {
  await at.host.threads.stop(id, 'user:owner');
  await at.status(id, 'stopped');
}

/** Work in a new worktree that tells what its agent found there. */
async function works({ at, repository }: LandingStage, command = 'true', thread?: ThreadId) {
  const { id, threadId } = await at.work(
    'go',
    thread
      ? { thread }
      : {
          workspace: { path: repository, worktree: true },
          runtime: 'exec',
          posture: { command: `sh -c ${JSON.stringify(command)}` },
        },
  );
  const dispatch = await at.host.dispatches.ended(id, AbortSignal.timeout(120_000));
  const { workspace } = await at.host.threads.get(threadId);
  const notices = (await at.events(threadId, 'notice')).map(({ message }) => String(message));
  return { dispatch, threadId, workspace, notices, ran: await at.events(threadId, 'setup_ran') };
}

async function projectSetup(config: object, settings: Partial<HostSettings> = {}): Promise<LandingStage> {
  const stage = await openLandingStage(settings);
  stage.write('.gitignore', '.env*\nset-up\nfound\n');
  stage.write('.handraise/config.json', JSON.stringify(config));
  stage.write('scripts/setup.sh', 'echo hello >> set-up; echo "port $WORKTREE_PORT of $WORKTREE_SOURCE"\n');
  stage.commit('Set up');
  return stage;
}

async function approve({ at, repository }: LandingStage): Promise<void> {
  const { setup } = await at.host.projectCode.inspect(repository);
  await at.host.projectCode.approve(repository, { digest: setup?.digest ?? '', actor: 'user:owner' });
}

const scripts = { setupScripts: [{ name: 'Install', command: 'sh ./scripts/setup.sh' }] };

it('runs the scripts of a project once they are approved, and not when the script is another one', async () => {
  const stage = await projectSetup({ ...scripts, ports: 10 });
  const { at, repository } = stage;
  const before = await works(stage);
  expect(before.dispatch.outcome?.result).toBe('succeeded');
  expect(before.ran).toEqual([]);
  expect(before.notices).toContainEqual(
    expect.stringContaining(`approve them: handraise config trust ${before.workspace.path}`),
  );
  const { setup } = await at.host.projectCode.inspect(repository);
  expect(setup).toMatchObject({
    approved: false,
    commands: [{ name: 'Install', command: 'sh ./scripts/setup.sh' }],
    files: [
      { path: '.handraise/config.json' },
      { path: 'scripts/setup.sh', text: stage.read('scripts/setup.sh') },
    ],
  });

  await approve(stage);
  const after = await works(stage, 'env > found');
  // The first worktree is there still, and has the first ports.
  expect([before.workspace.ports, after.workspace.ports]).toEqual([
    { first: 20_000, count: 10 },
    { first: 20_010, count: 10 },
  ]);
  expect(after.ran).toMatchObject([
    {
      name: 'Install',
      command: 'sh ./scripts/setup.sh',
      passed: true,
      output: `port 20010 of ${repository}\n`,
    },
  ]);
  expect(readFileSync(join(after.workspace.path, 'found'), 'utf8')).toMatch(/^WORKTREE_PORT=20010$/m);
  expect(after.workspace.setUp).toBe(true);
  // It is done once, however often the agent starts; and for the first thread now that it may be.
  await stop(stage, after.threadId);
  await works(stage, '', after.threadId);
  expect(readFileSync(join(after.workspace.path, 'set-up'), 'utf8')).toBe('hello\n');
  expect((await works(stage, '', before.threadId)).ran).toHaveLength(1);

  stage.write('scripts/setup.sh', 'echo other\n');
  stage.commit('Another script');
  expect((await works(stage)).ran).toEqual([]);
});

it('ends the work with a sentence where the set-up fails, and does it again on the next try', {
  tags: ['full'],
}, async () => {
  const stage = await projectSetup({
    setupScripts: [
      { name: 'First', command: 'echo one' },
      { name: 'Second', command: 'echo broken; test -f ready' },
      { name: 'Third', command: 'echo three' },
    ],
  });
  await approve(stage);
  const failed = await works(stage);
  expect(failed.dispatch.outcome).toMatchObject({
    result: 'failed',
    reason: 'setup_failed',
    exitCode: 1,
    summary: expect.stringMatching(
      /^The set-up of the worktree failed, so no agent was started: "echo broken; test -f ready" ended with exit code 1\./,
    ),
  });
  expect(failed.ran).toMatchObject([
    { name: 'First', passed: true, output: 'one\n' },
    { name: 'Second', passed: false, output: 'broken\n' },
  ]);
  expect(failed.workspace.setUp).toBeUndefined();
  expect(await stage.at.events(failed.threadId, 'run_started')).toEqual([]);

  writeFileSync(join(failed.workspace.path, 'ready'), '');
  const again = await works(stage, '', failed.threadId);
  expect([again.dispatch.outcome?.result, again.ran.length]).toEqual(['succeeded', 5]);
});

it('copies files that git ignores, follows no link, and says what it leaves', {
  tags: ['full'],
}, async () => {
  const stage = await projectSetup({
    copyFiles: [
      '.env',
      '.env.link',
      '.env.missing',
      'notes.txt',
      '../outside',
      'config/.env.deep',
      'linked/.env',
    ],
  });
  const { repository } = stage;
  stage.write('.env', 'SECRET=1\n');
  stage.write('config/.env.deep', 'deep\n');
  stage.write('notes.txt', 'mine\n');
  stage.write('other/.env', 'other\n');
  symlinkSync('/etc/passwd', join(repository, '.env.link'));
  symlinkSync('other', join(repository, 'linked'));
  const { workspace, notices } = await works(stage);
  const copied = (path: string) => readFileSync(join(workspace.path, path), 'utf8');
  expect([copied('.env'), copied('config/.env.deep')]).toEqual(['SECRET=1\n', 'deep\n']);
  for (const path of ['.env.link', 'notes.txt', 'linked', 'other'])
    expect([path, existsSync(join(workspace.path, path))]).toEqual([path, false]);
  const [told = ''] = notices.filter((notice) => notice.startsWith('Copied'));
  expect(told).toContain(`Copied from ${repository}: .env, config/.env.deep.`);
  expect(told).toContain('.env.missing (it does not exist)');
  expect(told).toContain(
    'notes.txt (git does not ignore it, so it would become part of the work; add it to .gitignore)',
  );
  expect(told).toContain('../outside (it is not a path inside of the repository)');
  expect(told).toContain('linked/.env (a folder on its way is a link)');
  expect(told).toMatch(/\.env\.link \(it cannot be opened \(ELOOP\)\)/);
});

it("does what the user's own settings say without an approval, and reads a project's file only where it can", {
  tags: ['full'],
}, async () => {
  const repositories: Record<string, { setup: string; copyFiles: string[] }> = {};
  const stage = await projectSetup(scripts, { repositories });
  repositories[stage.repository] = { setup: 'echo mine > set-up', copyFiles: [] };
  await stage.at.leave();
  await stage.at.open();
  const { workspace, ran } = await works(stage);
  expect(ran).toMatchObject([{ name: 'Set up', command: 'echo mine > set-up', passed: true }]);
  expect(readFileSync(join(workspace.path, 'set-up'), 'utf8')).toBe('mine\n');

  delete repositories[stage.repository];
  await stage.at.leave();
  await stage.at.open();
  stage.write('.handraise/config.json', '{"setupScripts": "all"}');
  stage.commit('Nonsense');
  const odd = await works(stage);
  expect([odd.dispatch.outcome?.result, odd.ran]).toEqual(['succeeded', []]);
  expect(odd.notices).toContainEqual(
    expect.stringContaining('.handraise/config.json is not used: setupScripts'),
  );
});

it('reads the file of ChatML where ours is absent', { tags: ['full'] }, async () => {
  const stage = await openLandingStage();
  stage.write(
    '.chatml/config.json',
    JSON.stringify({ setupScripts: [{ name: 'Hello', command: 'echo hello' }] }),
  );
  stage.commit('Set up');
  await approve(stage);
  expect((await works(stage)).ran).toMatchObject([{ name: 'Hello', output: 'hello\n' }]);
});

it('ends a set-up when its work is cancelled, and goes on with it when the worker comes back', {
  tags: ['full'],
}, async () => {
  const stage = await projectSetup({
    setupScripts: [
      { name: 'Wait', command: 'echo begun >> set-up; while ! test -f ready; do sleep 0.05; done' },
    ],
  });
  const { at, repository } = stage;
  await approve(stage);
  const begin = async () =>
    await at.work('go', {
      workspace: { path: repository, worktree: true },
      runtime: 'exec',
      posture: { command: 'true' },
    });
  const cancelled = await begin();
  await at.firstEvent(cancelled.threadId, 'notice', ({ message }) =>
    String(message).startsWith('Setting up'),
  );
  await at.runs('test -f ready');
  await at.host.dispatches.cancel(cancelled.id, 'user:owner');
  await at.runs('test -f ready', { isThere: false });
  expect((await at.ended(cancelled)).outcome?.result).toBe('cancelled');

  const left = await begin();
  await at.firstEvent(left.threadId, 'notice', ({ message }) => String(message).startsWith('Setting up'));
  await at.runs('test -f ready');
  await at.leave();
  await at.gone();
  await at.open();
  await at.runs('test -f ready');
  const { workspace } = await at.host.threads.get(left.threadId);
  writeFileSync(join(workspace.path, 'ready'), '');
  expect((await at.ended(left)).outcome?.result).toBe('succeeded');
  expect(readFileSync(join(workspace.path, 'set-up'), 'utf8')).toBe('begun\nbegun\n');
});
