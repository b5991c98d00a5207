import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workspaceTools } from '../../src/workspace-tools/index.js';
import { ScratchWorkspace } from './scratch-workspace.js';

async function callAll(scratch: ScratchWorkspace): Promise<void> {
  for (const mode of ['summary', 'full']) await scratch.call('get_workspace_diff', { mode });
  for (const { name } of workspaceTools(scratch.workspace)) {
    await scratch.call(name, { issueId: 'LIN-1', status: 'Done', file: 'a.txt', line: 1, body: 'Why?' });
  }
}

const TRAPS: Record<string, { arm: (scratch: ScratchWorkspace, program: string) => void; plain: string[] }> =
  {
    'a file system monitor': {
      arm: (scratch, program) => scratch.git('config', 'core.fsmonitor', program),
      plain: ['status'],
    },
    'a clean filter': {
      arm: (scratch, program) => {
        scratch.git('config', 'filter.a=b.clean', program);
        scratch.write('.gitattributes', '*.txt filter=a=b\n');
      },
      plain: ['diff'],
    },
    'an external diff': {
      arm: (scratch, program) => scratch.git('config', 'diff.external', program),
      plain: ['diff'],
    },
    'a diff driver': {
      arm: (scratch, program) => {
        scratch.git('config', 'diff.evil.command', program);
        scratch.write('.gitattributes', '*.txt diff=evil\n');
      },
      plain: ['diff'],
    },
    'a text conversion': {
      arm: (scratch, program) => {
        scratch.git('config', 'diff.evil.textconv', program);
        scratch.write('.gitattributes', '*.txt diff=evil\n');
      },
      plain: ['diff'],
    },
    'a hook': {
      arm: (scratch, program) => {
        mkdirSync(join(scratch.cwd, '.git/evil'));
        writeFileSync(
          join(scratch.cwd, '.git/evil/post-checkout'),
          `#!/bin/sh\nexec ${program} </dev/null\n`,
        );
        chmodSync(join(scratch.cwd, '.git/evil/post-checkout'), 0o755);
        scratch.git('config', 'core.hooksPath', '.git/evil');
      },
      plain: ['switch', '--quiet', '--create', 'other'],
    },
    'a signature check': {
      arm: (scratch, program) => {
        scratch.git('config', 'gpg.program', program);
        const body = scratch
          .git('cat-file', 'commit', 'HEAD')
          .replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n');
        writeFileSync(join(scratch.outside, 'signed'), `${body}\n`);
        const commit = scratch.git('hash-object', '-t', 'commit', '-w', join(scratch.outside, 'signed'));
        scratch.git('update-ref', 'HEAD', commit);
        scratch.git('config', 'log.showSignature', 'true');
      },
      plain: ['log'],
    },
  };

test.each(Object.entries(TRAPS))('%s of the repository is never started', async (_, { arm, plain }) => {
  await using scratch = ScratchWorkspace.repository();
  const { program, sprung, reset } = scratch.trap();
  arm(scratch, program);
  scratch.write('a.txt', 'one\n2\n');
  scratch.git('--no-pager', ...plain);
  expect(sprung()).toBe(true);
  reset();

  await callAll(scratch);
  expect(sprung()).toBe(false);
  expect(scratch.git('branch', '--show-current')).toBe('lin-1');
});

test('a work tree that the config moves elsewhere is not read', async () => {
  await using scratch = ScratchWorkspace.repository();
  writeFileSync(join(scratch.outside, 'secret'), 'do not show\n');
  scratch.git('config', 'core.worktree', scratch.outside);
  expect(scratch.git('status', '--porcelain')).toContain('secret');
  expect(await scratch.call('get_workspace_diff', { mode: 'full' })).toEqual({
    ok: false,
    error:
      'The workspace has no usable git repository: the repository keeps its work tree outside the workspace.',
  });
});

test('a git that the workspace brings along is not run', async () => {
  await using scratch = ScratchWorkspace.repository();
  const { program, sprung } = scratch.trap();
  writeFileSync(join(scratch.cwd, 'git'), `#!/bin/sh\nexec ${program}\n`);
  chmodSync(join(scratch.cwd, 'git'), 0o755);
  const env = { ...scratch.workspace.env, PATH: `.:${scratch.workspace.env.PATH}` };
  const answer = await scratch.call('get_session_status', {}, { ...scratch.workspace, env });
  expect(answer).toMatchObject({ ok: true, data: { git: { kind: 'branch' } } });
  expect(sprung()).toBe(false);
});

test('a machine without git gets a sentence', async () => {
  await using scratch = ScratchWorkspace.repository();
  const env = { PATH: scratch.outside };
  expect(await scratch.call('get_recent_activity', {}, { ...scratch.workspace, env })).toEqual({
    ok: false,
    error: 'git could not be run in the workspace (ENOENT).',
  });
});
