import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProjectCodeService } from '../../../src/host/trust/project-code.js';
import { Failure } from '../../../src/protocol/failure.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const actor = 'user:ada';
const MCP = '{"mcpServers":{"x":{"command":"evil"}}}\n';

function serviceOf(scratch: ScratchRepository): ProjectCodeService {
  const file = join(scratch.root, 'trusted-projects.json');
  return new ProjectCodeService(file, { now: () => Date.UTC(2026, 0, 2, 3, 4, 5) });
}

async function approve(service: ProjectCodeService, path: string): Promise<void> {
  const { digest } = await service.inspect(path);
  expect(await service.approve(path, { digest, actor })).toMatchObject({ approved: true, digest });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw new Error(`no Failure: ${String(error)}`);
  return error.code;
}

test('a project without such files needs no approval, and what only instructs is none', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('.claude/CLAUDE.md', 'text');
  scratch.write('.claude/rules/x.md', 'text');
  scratch.write('.claude/skills/agora-needs-input/SKILL.md', 'our own lesson');
  expect(await serviceOf(scratch).inspect(scratch.cwd)).toMatchObject({ approved: true, files: [] });
});

test('skills, commands, agents and all else that brings code is shown whole and handed over as it was approved', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  const paths = [
    '.claude/skills/deploy/SKILL.md',
    '.claude/skills/deploy/scripts/run.sh',
    '.claude/commands/deep/go.md',
    '.claude/agents/reviewer.md',
    '.claude/output-styles/terse.md',
    '.claude/workflows/flow.js',
    '.claude/hooks/check.sh',
    '.codex/rules/default.rules',
    '.codex/agents/helper.toml',
  ];
  for (const path of paths) {
    const other = `text of ${path}`;
    scratch.write(path, other);
    const before = await service.inspect(scratch.cwd);
    expect([path, before.approved]).toEqual([path, false]);
    expect(before.files).toContainEqual({ path, text: other });
    expect((await service.approvedFiles(scratch.cwd)).withheld).toContain(path);
    await approve(service, scratch.cwd);
    expect((await service.approvedFiles(scratch.cwd)).files).toContainEqual({ path, text: other });
    scratch.write(path, `${other}!`);
    expect(await service.approvedFiles(scratch.cwd)).toMatchObject({ files: [] });
  }
});

test('an approval from before the folders counted does not cover them', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write('.claude/settings.json', '{}');
  await approve(service, scratch.cwd);
  scratch.write('.claude/skills/late/SKILL.md', 'x');
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
});

test('a folder of a hostile shape is never approved, and looking at it ends', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  const skills = join(scratch.cwd, '.claude/skills');
  const odd: Record<string, () => void> = {
    'a link in it': () => symlinkSync('/etc/passwd', join(skills, 'SKILL.md')),
    'a pipe in it': () => void execFileSync('mkfifo', [join(skills, 'SKILL.md')]),
    'too many files': () => {
      for (let n = 0; n <= 500; n++) writeFileSync(join(skills, `${n}.md`), '');
    },
    'too deep': () => mkdirSync(join(skills, 'a/b/c/d/e/f/g/h/i'), { recursive: true }),
    'too much': () => {
      for (let n = 0; n < 5; n++) writeFileSync(join(skills, `${n}.md`), ' '.repeat(255 * 1024));
    },
    'a link for a folder': () => {
      rmSync(skills, { recursive: true });
      symlinkSync(scratch.outside, skills);
    },
    'a file for a folder': () => {
      rmSync(skills, { recursive: true });
      writeFileSync(skills, 'x');
    },
  };
  for (const [name, make] of Object.entries(odd)) {
    mkdirSync(skills, { recursive: true });
    make();
    const { digest, approved, files } = await service.inspect(scratch.cwd);
    expect([name, approved, files.some(({ text }) => text.startsWith('[not read: '))]).toEqual([
      name,
      false,
      true,
    ]);
    expect(await codeOf(service.approve(scratch.cwd, { digest, actor }))).toBe('conflict');
    rmSync(skills, { recursive: true });
  }
});

test('what was approved counts as it is, in this and in later lives of the worker', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('.mcp.json', MCP);
  scratch.write('.claude/settings.json', '{"hooks":{}}');
  scratch.write('.claude/settings.local.json', '{}');
  const service = serviceOf(scratch);
  const report = await service.inspect(scratch.cwd);
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
  expect(await service.approve(scratch.cwd, { digest: report.digest, actor })).toEqual({
    ...report,
    approved: true,
  });
  expect(await serviceOf(scratch).approvedFiles(scratch.cwd)).toEqual({ files: report.files, withheld: [] });
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
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  await approve(service, scratch.cwd);
  scratch.write('.mcp.json', `${MCP} `);
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
  scratch.write('.mcp.json', MCP);
  expect((await service.inspect(scratch.cwd)).approved).toBe(true);
  scratch.write('.claude/settings.json', '{}');
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
  renameSync(join(scratch.cwd, '.mcp.json'), join(scratch.cwd, '.claude/settings.json'));
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
});

test('an approval of what is not there any more is refused', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  const { digest } = await service.inspect(scratch.cwd);
  scratch.write('.mcp.json', '{"mcpServers":{"x":{"command":"worse"}}}\n');
  expect(await codeOf(service.approve(scratch.cwd, { digest, actor }))).toBe('conflict');
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
  expect(await codeOf(service.inspect(join(scratch.cwd, 'gone')))).toBe('missing_file');
});

test('a worktree of an approved repository is approved with the same files, and with no others', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.commit('Servers');
  await approve(service, scratch.cwd);
  const worktree = join(scratch.outside, 'tree');
  scratch.git('worktree', 'add', '--quiet', worktree);
  expect((await service.inspect(worktree)).approved).toBe(true);
  writeFileSync(join(worktree, '.mcp.json'), '{}');
  expect((await service.inspect(worktree)).approved).toBe(false);
});

test('a foreign folder is not approved by having the same files, nor by naming the repository as its own', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.commit('Servers');
  scratch.git('worktree', 'add', '--quiet', join(scratch.outside, 'tree'));
  await approve(service, scratch.cwd);
  const foreign = join(scratch.outside, 'foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, '.mcp.json'), MCP);
  expect((await service.inspect(foreign)).approved).toBe(false);
  for (const gitDir of [join(scratch.cwd, '.git'), join(scratch.cwd, '.git/worktrees/tree')]) {
    writeFileSync(join(foreign, '.git'), `gitdir: ${gitDir}\n`);
    expect((await service.inspect(foreign)).approved).toBe(false);
  }
  rmSync(join(foreign, '.git'));
  symlinkSync(join(scratch.cwd, '.git'), join(foreign, '.git'));
  expect((await service.inspect(foreign)).approved).toBe(false);
});

test('without git the real path counts', async () => {
  await using scratch = new ScratchRepository();
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  const alias = join(scratch.outside, 'alias');
  symlinkSync(scratch.cwd, alias);
  await approve(service, alias);
  expect((await service.inspect(scratch.cwd)).approved).toBe(true);
});

test('a folder below the top includes the files above it', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write('.mcp.json', MCP);
  scratch.write('packages/app/.claude/settings.json', '{}');
  const app = join(scratch.cwd, 'packages/app');
  const pathsOf = async (folder: string) => (await service.inspect(folder)).files.map(({ path }) => path);
  expect(await pathsOf(app)).toEqual(['.claude/settings.json', '../../.mcp.json']);
  expect(await pathsOf(scratch.cwd)).toEqual(['.mcp.json']);
});

test('a link, a pipe, a folder or a huge file is never approved', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
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
    const { digest, approved, files } = await service.inspect(scratch.cwd);
    expect([name, approved, files[0]?.text.startsWith('[not read: ')]).toEqual([name, false, true]);
    expect(await codeOf(service.approve(scratch.cwd, { digest, actor }))).toBe('conflict');
    rmSync(file, { recursive: true });
  }
  mkdirSync(join(scratch.outside, 'claude'));
  symlinkSync(join(scratch.outside, 'claude'), join(scratch.cwd, '.claude'));
  expect((await service.inspect(scratch.cwd)).approved).toBe(true);
  writeFileSync(join(scratch.outside, 'claude/settings.json'), '{}');
  expect((await service.inspect(scratch.cwd)).approved).toBe(false);
});

test('approvals at the same time are all kept, and a file that is not ours approves nothing', async () => {
  await using scratch = new ScratchRepository();
  const service = serviceOf(scratch);
  const paths = ['one', 'two', 'three'].map((name) => join(scratch.cwd, name));
  for (const path of paths) {
    mkdirSync(path);
    writeFileSync(join(path, '.mcp.json'), MCP);
  }
  await Promise.all(paths.map((path) => approve(service, path)));
  for (const path of paths) expect((await service.inspect(path)).approved).toBe(true);
  writeFileSync(join(scratch.root, 'trusted-projects.json'), '{"approvals":"all"}');
  expect(await codeOf(service.inspect(scratch.cwd + '/one'))).toBe('config');
});
