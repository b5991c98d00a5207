import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProgramVersions } from '../../../src/process/children/program-version.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-version-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(script: string): string {
  const file = join(folder, 'agent');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test.each([
  ['a version among words', 'echo "agent-cli 1.20.3 (build 7)"', '1.20.3'],
  ['nothing', 'true', undefined],
  ['an error', 'echo 1.2.3; exit 1', undefined],
  ['too much', 'yes 1.2.3', undefined],
])('a program that says %s', async (_, script, version) => {
  expect(await new ProgramVersions({ PATH: process.env['PATH'] ?? '' }).of(program(script))).toBe(version);
});

test('a program is asked once, until it is another one', async () => {
  const versions = new ProgramVersions({ PATH: process.env['PATH'] ?? '' });
  const count = join(folder, 'count');
  const file = program(`echo x >> ${count}; echo "1.0.$(wc -l < ${count} | tr -d ' ')"`);
  expect([await versions.of(file), await versions.of(file)]).toEqual(['1.0.1', '1.0.1']);
  utimesSync(file, new Date(0), new Date(0));
  expect(await versions.of(file)).toBe('1.0.2');
  expect(await versions.of(join(folder, 'none'))).toBeUndefined();
});
