// @module-tag full
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ChangeReader } from '../../../src/host/workspaces/change-reader.js';
import { noteOrigin } from '../../../src/host/workspaces/work-origin.js';
import { Worktrees } from '../../../src/host/workspaces/worktrees.js';
import type { WorkOrigin } from '../../../src/protocol/changes.js';
import { ThreadId } from '../../../src/protocol/id.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const threadId = ThreadId.parse('thr_01hzzzzzzzaaaaaaaabbbbbbbb');

function readerOf(scratch: ScratchRepository): ChangeReader {
  return new ChangeReader({ scratch: join(scratch.root, 'shadows'), env: scratch.env });
}

async function begun(scratch: ScratchRepository): Promise<WorkOrigin> {
  const origin = await noteOrigin({
    threadId,
    path: scratch.cwd,
    keepsFiles: true,
    scratch: join(scratch.root, 'shadows'),
    env: scratch.env,
  });
  if (!origin) throw new Error('no repository');
  return origin;
}

/** Everything of a repository that belongs to its user: refs but ours, index, status. */
function untouched(scratch: ScratchRepository): unknown {
  return {
    refs: scratch.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags'),
    head: readFileSync(join(scratch.cwd, '.git/HEAD'), 'utf8'),
    index: readFileSync(join(scratch.cwd, '.git/index')).toString('base64'),
    status: scratch.git('--no-optional-locks', 'status', '--porcelain'),
  };
}

describe('work in place', () => {
  it('is compared with the files as they were: dirty, staged and untracked ones too', async () => {
    await using scratch = new ScratchRepository().begin();
    scratch.write('a.txt', 'one\nmine\n');
    scratch.write('staged.txt', 'staged\n');
    scratch.git('add', 'staged.txt');
    scratch.write('untracked.txt', 'u1\nu2\n');
    scratch.write('.gitignore', 'ignored/\n');
    scratch.write('ignored/x', 'x');
    const before = untouched(scratch);
    const origin = await begun(scratch);
    expect(untouched(scratch)).toEqual(before);
    const place = { workspace: { path: scratch.cwd }, origin };
    const reader = readerOf(scratch);
    expect(await reader.page(place, {})).toMatchObject({
      base: { commit: origin.snapshot, why: 'the files when the work began' },
      files: [],
      totals: { files: 0, added: 0, removed: 0 },
      isWorktree: false,
      branch: 'main',
    });

    scratch.write('a.txt', 'one\nmine\nthe agent\n');
    scratch.write('untracked.txt', 'u1\n');
    rmSync(join(scratch.cwd, 'staged.txt'));
    scratch.write('ignored/x', 'changed');
    const worked = untouched(scratch);
    const page = await reader.page(place, { hunks: true });
    expect(page.files).toEqual([
      {
        path: 'a.txt',
        status: 'changed',
        kind: 'file',
        binary: false,
        added: 1,
        removed: 0,
        hunks: [
          {
            oldStart: 1,
            oldLines: 2,
            newStart: 1,
            newLines: 3,
            heading: '',
            lines: [' one', ' mine', '+the agent'],
          },
        ],
      },
      expect.objectContaining({ path: 'staged.txt', status: 'deleted', added: 0, removed: 1 }),
      expect.objectContaining({ path: 'untracked.txt', status: 'changed', added: 0, removed: 1 }),
    ]);
    expect(page.totals).toEqual({ files: 3, added: 1, removed: 2 });
    // What is committed meanwhile is a change all the same.
    scratch.git('commit', '--quiet', '--all', '--message', 'By the agent');
    expect((await reader.page(place, {})).totals).toEqual(page.totals);
    expect(worked).toMatchObject({ head: 'ref: refs/heads/main\n' });
    expect(readdirSync(join(scratch.root, 'shadows'))).toEqual([]);
  });

  it('has a start in a repository without a commit, and on a detached HEAD', async () => {
    await using scratch = new ScratchRepository();
    scratch.git('init', '--quiet', '--initial-branch=main');
    scratch.write('a.txt', 'one\n');
    const origin = await begun(scratch);
    expect(origin).toMatchObject({ top: scratch.cwd, branch: 'main', snapshot: expect.any(String) });
    scratch.write('b.txt', 'two\n');
    const page = await readerOf(scratch).page({ workspace: { path: scratch.cwd }, origin }, {});
    expect(page.files.map(({ path }) => path)).toEqual(['b.txt']);
    scratch.commit('First');
    scratch.git('switch', '--quiet', '--detach');
    expect(await begun(scratch)).not.toHaveProperty('branch');
  });
});

describe('the files of a change', () => {
  it('say what they are: renamed, binary, executable, a link, a submodule', async () => {
    await using scratch = new ScratchRepository().begin();
    scratch.write('old.txt', 'line\n'.repeat(30));
    scratch.write('tool.sh', 'true\n');
    scratch.write('becomes-link', 'text\n');
    scratch.commit('More');
    const origin = await begun(scratch);
    renameSync(join(scratch.cwd, 'old.txt'), join(scratch.cwd, 'new "name".txt'));
    chmodSync(join(scratch.cwd, 'tool.sh'), 0o755);
    writeFileSync(join(scratch.cwd, 'pic'), Buffer.from([0, 1, 2, 0]));
    rmSync(join(scratch.cwd, 'becomes-link'));
    symlinkSync('/etc/passwd', join(scratch.cwd, 'becomes-link'));
    execFileSync('mkfifo', [join(scratch.cwd, 'fifo')]);
    mkdirSync(join(scratch.cwd, 'inner'));
    scratch.gitIn(join(scratch.cwd, 'inner'), 'init', '--quiet');
    const page = await readerOf(scratch).page({ workspace: { path: scratch.cwd }, origin }, { hunks: true });
    expect(page.files).toEqual([
      {
        path: 'becomes-link',
        status: 'changed',
        kind: 'link',
        binary: false,
        mode: { before: '100644', after: '120000' },
        added: 1,
        removed: 1,
        hunks: [
          expect.objectContaining({ lines: ['-text'] }),
          expect.objectContaining({ lines: ['+/etc/passwd', '\\ No newline at end of file'] }),
        ],
      },
      {
        path: 'new "name".txt',
        from: 'old.txt',
        status: 'renamed',
        kind: 'file',
        binary: false,
        added: 0,
        removed: 0,
        hunks: [],
      },
      { path: 'pic', status: 'added', kind: 'file', binary: true, added: null, removed: null },
      {
        path: 'tool.sh',
        status: 'changed',
        kind: 'file',
        binary: false,
        mode: { before: '100644', after: '100755' },
        added: 0,
        removed: 0,
        hunks: [],
      },
    ]);
    expect(page.notes).toEqual(['inner/ is left out: it is a git repository of its own.']);
  });

  it('come in parts of one revision, and a changed workspace begins anew', async () => {
    await using scratch = new ScratchRepository().begin();
    const origin = await begun(scratch);
    const names = Array.from({ length: 7 }, (_, index) => `f${index}.txt`);
    for (const name of names) scratch.write(name, `${name}\n`);
    const place = { workspace: { path: scratch.cwd }, origin };
    const reader = readerOf(scratch);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.page(place, { limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.files.map(({ path }) => path));
      expect(page.totals.files).toBe(7);
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(names);
    const { next } = await reader.page(place, { limit: 3 });
    scratch.write('f0.txt', 'other\n');
    await expect(reader.page(place, { ...(next && { cursor: next }) })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(reader.page(place, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(reader.page(place, { path: 'a.txt' })).rejects.toMatchObject({ code: 'not_found' });
    const one = await reader.page(place, { path: 'f3.txt', hunks: true });
    expect(one.files.map(({ hunks }) => hunks?.[0]?.lines)).toEqual([['+f3.txt']]);
  });

  it('are bounded: a part by its size, a file by its lines, and it is said', async () => {
    await using scratch = new ScratchRepository().begin();
    const origin = await begun(scratch);
    for (const name of ['b', 'c', 'd', 'e'])
      scratch.write(name, `${'a long line of text '.repeat(5)}\n`.repeat(30_000));
    writeFileSync(join(scratch.cwd, 'huge'), Buffer.alloc(21 * 2 ** 20, 'x\n'));
    const place = { workspace: { path: scratch.cwd }, origin };
    const page = await readerOf(scratch).page(place, { hunks: true });
    expect(JSON.stringify(page).length).toBeLessThan(2.2 * 2 ** 20);
    expect(page.files[0]?.cut).toContain('too long');
    expect(page.notes).toEqual(['huge is left out: it is larger than 20 MB.']);
    const whole = await readerOf(scratch).page(place, { hunks: true, path: 'b' });
    expect(whole.files[0]?.hunks?.[0]?.lines.length).toBeGreaterThan(10_000);
  });
});

describe('a worktree', () => {
  it('can begin with what its source has not committed, and only what the agent did is a change', async () => {
    await using scratch = new ScratchRepository().begin();
    scratch.write('a.txt', 'one\nmine\n');
    scratch.write('new.txt', 'mine too\n');
    const before = untouched(scratch);
    const origin = await begun(scratch);
    const worktrees = new Worktrees({ root: join(scratch.root, 'worktrees'), env: scratch.env });
    const workspace = await worktrees.create({
      threadId,
      path: scratch.cwd,
      title: 'Work',
      ...(origin.snapshot && { files: origin.snapshot }),
    });
    expect(untouched(scratch)).toMatchObject({ index: (before as { index: string }).index });
    expect(readFileSync(join(workspace.path, 'a.txt'), 'utf8')).toBe('one\nmine\n');
    expect(readFileSync(join(workspace.path, 'new.txt'), 'utf8')).toBe('mine too\n');
    const place = { workspace, origin };
    expect((await readerOf(scratch).page(place, {})).files).toEqual([]);
    writeFileSync(join(workspace.path, 'a.txt'), 'one\nmine\nagent\n');
    expect((await readerOf(scratch).page(place, {})).files).toMatchObject([
      { path: 'a.txt', added: 1, removed: 0 },
    ]);
  });
});

const traps: Record<string, (scratch: ScratchRepository, program: string) => void> = {
  'a file system monitor': (scratch, program) => scratch.git('config', 'core.fsmonitor', program),
  'a clean filter': (scratch, program) => {
    scratch.git('config', 'filter.evil.clean', program);
    scratch.write('.gitattributes', '*.txt filter=evil\n');
  },
  'a clean filter of the user’s own': (scratch, program) => {
    scratch.git('config', '--global', 'filter.own.clean', program);
    scratch.write('.gitattributes', '*.txt filter=own\n');
  },
  'an external diff': (scratch, program) => scratch.git('config', 'diff.external', program),
  'a text conversion': (scratch, program) => {
    scratch.git('config', 'diff.evil.textconv', program);
    scratch.write('.gitattributes', '*.txt diff=evil\n');
  },
  'a setting in an included file': (scratch, program) => {
    writeFileSync(join(scratch.cwd, '.git/more'), `[core]\n\tfsmonitor = ${program}\n`);
    scratch.git('config', 'include.path', 'more');
  },
  'the monitor of a submodule': (scratch, program) => {
    const inner = join(scratch.cwd, 'inner');
    mkdirSync(inner);
    scratch.gitIn(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'x'), 'x');
    scratch.gitIn(inner, 'add', 'x');
    scratch.gitIn(inner, 'commit', '--quiet', '--message', 'Inner');
    scratch.git('add', 'inner');
    scratch.git('commit', '--quiet', '--message', 'Submodule');
    scratch.gitIn(inner, 'config', 'core.fsmonitor', program);
    writeFileSync(join(inner, 'x'), 'y');
  },
};

test.each(Object.keys(traps))('%s is not started by reading what changed', async (name) => {
  await using scratch = new ScratchRepository().begin();
  const { program, sprung, reset } = scratch.trap();
  traps[name]?.(scratch, program);
  scratch.write('a.txt', 'one\n2\n');
  try {
    scratch.git('--no-pager', 'diff');
    scratch.git('status');
  } catch {
    // What the trap says is no diff.
  }
  expect(sprung()).toBe(true);
  reset();
  const origin = await begun(scratch);
  scratch.write('a.txt', 'one\n3\n');
  const page = await readerOf(scratch).page({ workspace: { path: scratch.cwd }, origin }, { hunks: true });
  expect(page.files).toMatchObject([{ path: 'a.txt', status: 'changed', binary: false }]);
  expect(sprung()).toBe(false);
});

test('an attribute of the repository hides no lines from the reader', async () => {
  await using scratch = new ScratchRepository().begin();
  const origin = await begun(scratch);
  scratch.write('.gitattributes', '* -diff\n');
  scratch.write('a.txt', 'one\nevil\n');
  const page = await readerOf(scratch).page({ workspace: { path: scratch.cwd }, origin }, { hunks: true });
  expect(page.files.map(({ path, binary }) => [path, binary])).toEqual([
    ['.gitattributes', false],
    ['a.txt', false],
  ]);
});

test('a folder that is gone, or no repository, is a sentence with the next step', async () => {
  await using scratch = new ScratchRepository();
  const reader = readerOf(scratch);
  const gone = { path: join(scratch.cwd, 'gone'), worktree: true, branch: 'handraise/x' };
  await expect(reader.page({ workspace: gone }, {})).rejects.toThrow(
    'is on branch handraise/x: git log handraise/x',
  );
  await expect(reader.page({ workspace: { path: scratch.cwd } }, {})).rejects.toThrow('Run git init there');
  expect(existsSync(join(scratch.root, 'shadows'))).toBe(false);
});

describe('the lines of a changed file', () => {
  it('are read of both versions; of nothing else, and through no link', async () => {
    await using scratch = new ScratchRepository().begin();
    const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');
    scratch.write('long.txt', text);
    scratch.write('same.txt', 'same\n');
    scratch.git('add', '.');
    scratch.git('commit', '-qm', 'more');
    const origin = await begun(scratch);
    const place = { workspace: { path: scratch.cwd }, origin };
    scratch.write('long.txt', text.replace('line 15\n', 'new\nmore\n'));
    symlinkSync('/etc/passwd', join(scratch.cwd, 'link'));
    scratch.write('data.bin', 'a\0b');
    const reader = readerOf(scratch);
    const lines = async (path: string, side: 'old' | 'new' = 'new', from = 14, count = 3) =>
      await reader.lines(place, { path, side, from, count });
    const { revision } = await reader.page(place, {});
    expect(await lines('long.txt')).toEqual({
      revision,
      from: 14,
      lines: ['line 14', 'new', 'more'],
      total: 31,
    });
    expect(await lines('long.txt', 'old')).toMatchObject({
      lines: ['line 14', 'line 15', 'line 16'],
      total: 30,
    });
    for (const [path, side, code] of [
      ['link', 'new', 'conflict'],
      ['data.bin', 'new', 'conflict'],
      ['data.bin', 'old', 'not_found'],
      ['same.txt', 'new', 'not_found'],
      ['../../etc/passwd', 'new', 'not_found'],
    ] as const)
      await expect(lines(path, side)).rejects.toMatchObject({ code });
  });
});
