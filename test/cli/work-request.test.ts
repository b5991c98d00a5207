import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Settings } from '../../src/cli/settings/settings.js';
import { workRequest } from '../../src/cli/work-request.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-attach-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function attached(file: string): Promise<unknown> {
  const context = { settings: Settings.parse({}), flags: {} };
  return (await workRequest('it', { workspace: folder, attach: [file] }, context)).attachments;
}

test('CWE-400: only a regular file of a bounded size is attached; a pipe is not waited for, a device not read', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(attached(pipe)).rejects.toThrow(
    `Cannot read the attachment ${pipe}: it is not a regular file.`,
  );
  await expect(attached('/dev/zero')).rejects.toThrow('it is not a regular file.');
  const large = join(folder, 'large');
  writeFileSync(large, Buffer.alloc(24 * 2 ** 20 + 1));
  await expect(attached(large)).rejects.toThrow('it is larger than 25165824 bytes.');
});

test('a link to a file is what the user named', async () => {
  writeFileSync(join(folder, 'a.txt'), 'text');
  const path = join(folder, 'link.txt');
  symlinkSync('a.txt', path);
  expect(await attached(path)).toEqual([{ type: 'file', path, name: 'link.txt', content: 'text' }]);
});

test('variables for the agent go into its posture', async () => {
  const context = { settings: Settings.parse({}), flags: {} };
  const env = { CODEX_HOME: '/work' };
  expect((await workRequest('it', { workspace: folder, env }, context)).posture).toMatchObject({ env });
});

test('what becomes of work that succeeded is set for worktrees, and typed for anything', async () => {
  const settings = Settings.parse({ onSuccess: 'pr' });
  const asked = async (options: object, flags = {}) =>
    (await workRequest('it', { workspace: folder, ...options }, { settings, flags })).onSuccess;
  expect(await asked({ worktree: true })).toBe('pr');
  expect(await asked({})).toBeUndefined();
  expect(await asked({}, { onSuccess: 'pr' })).toBe('pr');
});
