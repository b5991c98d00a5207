import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeProfile } from '../../../src/runtimes/claude/profile.js';

const sdk = '@anthropic-ai/claude-agent-sdk';
const program = `${sdk}-${process.platform}-${process.arch}`;

test.each<[string, Record<string, number | true>, object | null]>([
  ['there', { [sdk]: true, [program]: 0o755 }, { found: true, version: '9.9.9' }],
  ['there, for musl', { [sdk]: true, [`${program}-musl`]: 0o755 }, { found: true, version: '9.9.9' }],
  ['a package without its program', { [sdk]: true, [program]: true }, null],
  ['a program that cannot be executed', { [sdk]: true, [program]: 0o644 }, null],
  ['no package for this machine', { [sdk]: true }, null],
  ['nothing', {}, null],
])('Claude Code is installed or not: %s', async (_name, packages, found) => {
  const place = await mkdtemp(join(tmpdir(), 'claude-'));
  for (const [name, mode] of Object.entries(packages)) {
    mkdirSync(join(place, name), { recursive: true });
    writeFileSync(join(place, name, 'package.json'), '{"claudeCodeVersion":"9.9.9"}');
    if (mode !== true) writeFileSync(join(place, name, 'claude'), '', { mode });
  }
  const packageFolder = (name: string) => (packages[name] === undefined ? null : join(place, name));
  expect(claudeProfile.installed({ env: {}, packageFolder })).toEqual(
    found ?? {
      found: false,
      missing: expect.stringMatching(/^Claude Code is not installed: .* npm install -g handraise/),
    },
  );
});
