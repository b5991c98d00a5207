import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProjectCodeDesk } from '../../src/host/project-code.js';
import { Failure } from '../../src/protocol/failure.js';
import { ScratchRepository } from '../process/git/scratch-repository.js';

const actor = 'user:ada';
const MCP = '{"mcpServers":{"x":{"command":"evil"}}}\n';

function deskOf(scratch: ScratchRepository): ProjectCodeDesk {
  return new ProjectCodeDesk({
    file: join(scratch.root, 'trusted-projects.json'),
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
  });
}

async function approve(desk: ProjectCodeDesk, path: string): Promise<void> {
  const { digest } = await desk.inspect(path);
  expect(await desk.approve(path, { digest, actor })).toMatchObject({ approved: true, digest });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure: ${String(error)}`);
  return error.code;
}

test('a project without such files needs no approval', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('.claude/commands/x.md', 'text');
  expect(await deskOf(scratch).isApproved(scratch.cwd)).toMatchObject({ approved: true, files: [] });
});

test('what was approved counts as it is, in this and in later lives of the worker', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('.mcp.json', MCP);
  scratch.write('.claude/settings.json', '{"hooks":{}}');
  scratch.write('.claude/settings.local.json', '{}');
  const desk = deskOf(scratch);
  const report = await desk.inspect(scratch.cwd);
  expect(report).toEqual({
    path: scratch.cwd,
    files: [
      { path: '.mcp.json', text: MCP },
      { path: '.claude/settings.json', text: '{"hooks":{}}' },
      { path: '.claude/settings.local.json', text: '{}' },
    ],
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    approved: false,
  });
  expect(await desk.approve(scratch.cwd, { digest: report.digest, actor })).toEqual({
    ...report,
    approved: true,
  });
  expect(await deskOf(scratch).isApproved(scratch.cwd)).toEqual({
    approved: true,
    digest: report.digest,
    files: ['.mcp.json', '.claude/settings.json', '.claude/settings.local.json'],
  });
  const file = join(scratch.root, 'trusted-projects.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    version: 1,
    approvals: [
      {
        place: join(scratch.cwd, '.git'),
        digest: report.digest,
        actor,
        approvedAt: '2026-01-02T03:04:05.000Z',
      },
    ],
  });
});

test('any change of a name or of the text ends the approval', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  await approve(desk, scratch.cwd);
  scratch.write('.mcp.json', `${MCP} `);
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(false);
  scratch.write('.mcp.json', MCP);
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(true);
  scratch.write('.claude/settings.json', '{}');
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(false);
  renameSync(join(scratch.cwd, '.mcp.json'), join(scratch.cwd, '.claude/settings.json'));
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(false);
});

test('an approval of what is not there any more is refused', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  const { digest } = await desk.inspect(scratch.cwd);
  scratch.write('.mcp.json', '{"mcpServers":{"x":{"command":"worse"}}}\n');
  expect(await codeOf(desk.approve(scratch.cwd, { digest, actor }))).toBe('conflict');
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(false);
  expect(await codeOf(desk.inspect(join(scratch.cwd, 'gone')))).toBe('missing_file');
});

test('a worktree of an approved repository is approved with the same files, and with no others', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.commit('Servers');
  await approve(desk, scratch.cwd);
  const worktree = join(scratch.outside, 'tree');
  scratch.git('worktree', 'add', '--quiet', worktree);
  expect((await desk.isApproved(worktree)).approved).toBe(true);
  writeFileSync(join(worktree, '.mcp.json'), '{}');
  expect((await desk.isApproved(worktree)).approved).toBe(false);
});

test('a foreign folder is not approved by having the same files, nor by naming the repository as its own', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.commit('Servers');
  scratch.git('worktree', 'add', '--quiet', join(scratch.outside, 'tree'));
  await approve(desk, scratch.cwd);
  const foreign = join(scratch.outside, 'foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, '.mcp.json'), MCP);
  expect((await desk.isApproved(foreign)).approved).toBe(false);
  for (const gitDir of [join(scratch.cwd, '.git'), join(scratch.cwd, '.git/worktrees/tree')]) {
    writeFileSync(join(foreign, '.git'), `gitdir: ${gitDir}\n`);
    expect((await desk.isApproved(foreign)).approved).toBe(false);
  }
  rmSync(join(foreign, '.git'));
  symlinkSync(join(scratch.cwd, '.git'), join(foreign, '.git'));
  expect((await desk.isApproved(foreign)).approved).toBe(false);
});

test('without git the real path counts', async () => {
  await using scratch = new ScratchRepository();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  const alias = join(scratch.outside, 'alias');
  symlinkSync(scratch.cwd, alias);
  await approve(desk, alias);
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(true);
});

test('a folder below the top includes the files above it', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.write('packages/app/.claude/settings.json', '{}');
  const app = join(scratch.cwd, 'packages/app');
  expect((await desk.isApproved(app)).files).toEqual(['.claude/settings.json', '../../.mcp.json']);
  expect((await desk.isApproved(scratch.cwd)).files).toEqual(['.mcp.json']);
});

test('a link, a pipe, a folder or a huge file is never approved', async () => {
  await using scratch = new ScratchRepository().begin();
  const desk = deskOf(scratch);
  const file = join(scratch.cwd, '.mcp.json');
  writeFileSync(join(scratch.outside, 'mcp.json'), MCP);
  const odd: Record<string, () => void> = {
    link: () => symlinkSync(join(scratch.outside, 'mcp.json'), file),
    pipe: () => void execFileSync('mkfifo', [file]),
    folder: () => mkdirSync(file),
    huge: () => writeFileSync(file, ' '.repeat(300 * 1024)),
    bytes: () => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00])),
  };
  for (const [name, make] of Object.entries(odd)) {
    make();
    const { digest, approved, files } = await desk.inspect(scratch.cwd);
    expect([name, approved, files[0]?.text.startsWith('[not read: ')]).toEqual([name, false, true]);
    expect(await codeOf(desk.approve(scratch.cwd, { digest, actor }))).toBe('conflict');
    rmSync(file, { recursive: true });
  }
  mkdirSync(join(scratch.outside, 'claude'));
  symlinkSync(join(scratch.outside, 'claude'), join(scratch.cwd, '.claude'));
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(true);
  writeFileSync(join(scratch.outside, 'claude/settings.json'), '{}');
  expect((await desk.isApproved(scratch.cwd)).approved).toBe(false);
});

test('approvals at the same time are all kept, and a file that is not ours approves nothing', async () => {
  await using scratch = new ScratchRepository();
  const desk = deskOf(scratch);
  const paths = ['one', 'two', 'three'].map((name) => join(scratch.cwd, name));
  for (const path of paths) {
    mkdirSync(path);
    writeFileSync(join(path, '.mcp.json'), MCP);
  }
  await Promise.all(paths.map((path) => approve(desk, path)));
  for (const path of paths) expect((await desk.isApproved(path)).approved).toBe(true);
  writeFileSync(join(scratch.root, 'trusted-projects.json'), '{"approvals":"all"}');
  expect(await codeOf(desk.isApproved(scratch.cwd + '/one'))).toBe('config');
});
