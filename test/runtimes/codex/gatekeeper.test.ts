import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CodexGatekeeper } from '../../../src/runtimes/codex/gatekeeper.js';

const cwd = mkdtempSync(join(tmpdir(), 'workspace-'));
symlinkSync('/home/agent', join(cwd, 'home'));

const container = {
  spec: { image: 'handraise-codex' },
  runtime: 'codex',
  client: { file: '/nowhere/docker', env: {} },
  folder: '/nowhere',
} as const;

/** Whether a change of a file is put to a person, where edits are accepted. */
async function isAsked(path: string, isInside: boolean): Promise<boolean> {
  let asked = false;
  const gatekeeper = new CodexGatekeeper({
    launch: { cwd, toolPreset: 'full', ...(isInside && { container }) },
    mode: () => 'acceptEdits',
    ask: async () => {
      asked = true;
      return { answered: false, why: 'it is a test.' };
    },
    tell: async () => {},
  });
  const input = { changes: [{ path, kind: 'add', diff: 'x' }] };
  const wish = { tool: 'Edit', input, toolUseId: 't', threadId: 'h', turnId: undefined };
  await gatekeeper.decide(wish, new AbortController().signal);
  return asked;
}

it.each([
  ['in the workspace of a container', '/workspace/src/a.js', true, false],
  ['beside it', '/workspaces/a.js', true, true],
  ['in the home inside', '/home/agent/.codex/config.toml', true, true],
  ['behind a link that leads there', '/workspace/home/.codex/config.toml', true, true],
  ['of the machine, as no container knows it', join(cwd, 'a.js'), true, true],
  ['in the workspace of a plain process', join(cwd, 'a.js'), false, false],
  ['with the path of a container, outside of one', '/workspace/a.js', false, true],
])('an accepted edit of a file %s: %s', async (_, path, isInside, asked) => {
  expect(await isAsked(path, isInside)).toBe(asked);
});
