import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AskToSave, ProposalReply, ProposedFile } from '../../../src/workspace-tools/proposed-file.js';
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

test('where nobody can be asked a proposal is shown beside what stands there, and never written', async () => {
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

/** A person who answers a proposal so, and what the person was shown. */
function person(reply: ProposalReply | (() => ProposalReply)) {
  const shown: ProposedFile[] = [];
  const askToSave: AskToSave = async (file) => {
    shown.push(file);
    return typeof reply === 'function' ? reply() : reply;
  };
  return { shown, askToSave };
}

const text = (fields: object) => `${JSON.stringify(fields, undefined, 2)}\n`;

test('what a person approves is saved, to the byte', async () => {
  const { shown, askToSave } = person({ kind: 'approved' });
  await using scratch = new ScratchWorkspace({ askToSave });
  const saved = await scratch.data('propose_scripts_config', { ...CONFIG, reason: 'It uses npm.' });
  expect(saved).toMatchObject({ path: '.handraise/config.json', saved: true, decision: 'approved' });
  const first = { path: '.handraise/config.json', before: '', text: text(CONFIG), reason: 'It uses npm.' };
  expect(shown).toEqual([first]);
  expect(readFileSync(join(scratch.cwd, '.handraise/config.json'), 'utf8')).toBe(text(CONFIG));
  expect(readdirSync(join(scratch.cwd, '.handraise'))).toEqual(['config.json']);
  expect(await scratch.data('propose_scripts_config', CONFIG)).toMatchObject({ saved: false });
  expect(shown).toHaveLength(1);
});

test.each<[string, string | undefined, Record<string, unknown>, object]>([
  [
    'what is not proposed stays',
    text({ ports: 3, autoSetup: true }),
    { hooks: {} },
    { ports: 3, autoSetup: true, hooks: {} },
  ],
  ['a file that is broken is replaced', '{', { autoSetup: false }, { autoSetup: false }],
  ['a file that is no config is replaced', '{"setupScripts":1}', { autoSetup: false }, { autoSetup: false }],
  [
    'a list is replaced',
    text({ setupScripts: [] }),
    { setupScripts: CONFIG.setupScripts },
    { setupScripts: CONFIG.setupScripts },
  ],
])('the file that counts is changed: %s', async (_name, before, proposal, after) => {
  const { shown, askToSave } = person({ kind: 'approved' });
  await using scratch = new ScratchWorkspace({ askToSave });
  if (before !== undefined) scratch.write('.chatml/config.json', before);
  expect(await scratch.data('propose_scripts_config', proposal)).toMatchObject({ saved: true });
  expect(shown).toEqual([{ path: '.chatml/config.json', before, text: text(after) }]);
  expect(readFileSync(join(scratch.cwd, '.chatml/config.json'), 'utf8')).toBe(text(after));
  expect(existsSync(join(scratch.cwd, '.handraise'))).toBe(false);
});

test.each<[string, ProposalReply, string]>([
  [
    'a refusal',
    { kind: 'denied' },
    'The user does not want this file. Nothing was saved; do not write it yourself.',
  ],
  [
    'a refusal with words',
    { kind: 'denied', message: 'Use pnpm.' },
    'The user does not want this file. Nothing was saved; do not write it yourself. The user says: Use pnpm.',
  ],
  [
    'silence',
    { kind: 'unanswered', why: 'No answer came within 24 hours.' },
    'Nobody has decided about the proposal: No answer came within 24 hours. Nothing was saved. Do not take this for an approval.',
  ],
])('%s saves nothing, and the agent hears which it was', async (_name, reply, note) => {
  await using scratch = new ScratchWorkspace(person(reply));
  expect(await scratch.data('propose_scripts_config', CONFIG)).toMatchObject({ saved: false, note });
  expect(existsSync(join(scratch.cwd, '.handraise'))).toBe(false);
});

test('a file that changed while a person read the proposal is left as it is', async () => {
  const approved: ProposalReply = { kind: 'approved' };
  const later = person(() => {
    scratch.write('.handraise/config.json', '{"autoSetup":true}');
    return approved;
  });
  await using scratch = new ScratchWorkspace(later);
  expect(await scratch.call('propose_scripts_config', CONFIG)).toEqual({
    ok: false,
    error:
      '.handraise/config.json has changed since the proposal was made, and is left as it is. Propose again.',
  });
  expect(readFileSync(join(scratch.cwd, '.handraise/config.json'), 'utf8')).toBe('{"autoSetup":true}');
});

test('a folder or file that became a link is not written through', async () => {
  const approved: ProposalReply = { kind: 'approved' };
  const outside = () => writeFileSync(join(scratch.outside, 'config.json'), '{}');
  const linking = person(() => {
    outside();
    symlinkSync(scratch.outside, join(scratch.cwd, '.handraise'));
    return approved;
  });
  await using scratch = new ScratchWorkspace(linking);
  expect(await scratch.call('propose_scripts_config', CONFIG)).toMatchObject({ ok: false });
  expect(readFileSync(join(scratch.outside, 'config.json'), 'utf8')).toBe('{}');
});

test('a proposal that is too long is refused before anybody is asked', async () => {
  const { shown, askToSave } = person({ kind: 'approved' });
  await using scratch = new ScratchWorkspace({ askToSave });
  const hooks = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`h${index}`, 'x'.repeat(10_000)]),
  );
  expect(await scratch.call('propose_scripts_config', { hooks })).toEqual({
    ok: false,
    error: 'The file would be larger than 262144 bytes. Propose less.',
  });
  expect(shown).toEqual([]);
});

test('a proposal without a command is refused', async () => {
  await using scratch = new ScratchWorkspace();
  const setupScripts = [{ name: 'Install', command: '' }];
  expect(await scratch.call('propose_scripts_config', { setupScripts })).toMatchObject({ ok: false });
});
