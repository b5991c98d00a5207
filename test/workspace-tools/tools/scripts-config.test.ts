import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../scratch-workspace.js';

const CONFIG = {
  setupScripts: [{ name: 'Install', command: 'npm ci' }],
  runScripts: { test: { name: 'Test', command: 'npm test' } },
  hooks: { 'session-start': 'date' },
  autoSetup: true,
};

test('our file comes first, the other is read where ours is absent', async () => {
  await using scratch = new ScratchWorkspace();
  expect(await scratch.data('get_workspace_scripts_config')).toEqual({
    path: null,
    config: null,
    note: 'The project has no scripts config.',
  });
  scratch.write('.chatml/config.json', JSON.stringify(CONFIG));
  expect(await scratch.data('get_workspace_scripts_config')).toEqual({
    path: '.chatml/config.json',
    config: CONFIG,
  });
  scratch.write('.handraise/config.json', '{"other":1}');
  expect(await scratch.data('get_workspace_scripts_config')).toEqual({
    path: '.handraise/config.json',
    config: { setupScripts: [], runScripts: {}, hooks: {}, autoSetup: false, other: 1 },
  });
});

test('a file that cannot be used gets a clear error, not the other file', async () => {
  await using scratch = new ScratchWorkspace();
  scratch.write('.chatml/config.json', JSON.stringify(CONFIG));
  scratch.write('.handraise/config.json', '{"setupScripts": [');
  expect(await scratch.call('get_workspace_scripts_config')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^\.handraise\/config\.json is not JSON: /),
  });
  scratch.write('.handraise/config.json', '{"setupScripts": "npm ci"}');
  expect(await scratch.call('get_workspace_scripts_config')).toEqual({
    ok: false,
    error:
      '.handraise/config.json is not a scripts config:\n✖ Invalid input: expected array, received string\n  → at setupScripts',
  });
  scratch.write('.handraise/config.json', ' '.repeat(256 * 1024 + 1));
  expect(await scratch.call('get_workspace_scripts_config')).toEqual({
    ok: false,
    error: '.handraise/config.json is larger than 262144 bytes.',
  });
});

test('a config behind a link is not read', async () => {
  await using scratch = new ScratchWorkspace();
  writeFileSync(join(scratch.outside, 'config.json'), JSON.stringify(CONFIG));
  symlinkSync(scratch.outside, join(scratch.cwd, '.chatml'));
  expect(await scratch.call('get_workspace_scripts_config')).toEqual({
    ok: false,
    error: '.chatml in the workspace is a symbolic link or not a folder, and is not used.',
  });
  mkdirSync(join(scratch.cwd, '.handraise'));
  symlinkSync(join(scratch.outside, 'config.json'), join(scratch.cwd, '.handraise/config.json'));
  expect(await scratch.call('get_workspace_scripts_config')).toEqual({
    ok: false,
    error: '.handraise/config.json is a symbolic link, and is not followed.',
  });
});

test('a proposal is shown beside what stands there, and never written', async () => {
  await using scratch = new ScratchWorkspace();
  const proposed = {
    path: '.handraise/config.json',
    proposal: CONFIG,
    reason: 'The project uses npm.',
    written: false,
    note: 'Nothing was written. Show the proposal to the user, who decides whether it is saved.',
  };
  const input = { ...CONFIG, reason: 'The project uses npm.' };
  expect(await scratch.data('propose_scripts_config', input)).toEqual({ ...proposed, current: null });
  expect(existsSync(join(scratch.cwd, '.handraise'))).toBe(false);
  scratch.write('.handraise/config.json', '{');
  expect(await scratch.data('propose_scripts_config', input)).toMatchObject({
    current: { problem: expect.stringContaining('is not JSON') },
  });
});

test('a proposal without a command is refused', async () => {
  await using scratch = new ScratchWorkspace();
  const setupScripts = [{ name: 'Install', command: '' }];
  expect(await scratch.call('propose_scripts_config', { setupScripts })).toMatchObject({ ok: false });
});
