import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/pins.js', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-pins-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the package and the runtimes that tests install are pinned', () => {
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('a version range, a download address and a missing platform are named', () => {
  write('package.json', { dependencies: { a: '1.2.3', b: '^1.2.3' }, devDependencies: { c: 'latest' } });
  write('package-lock.json', {
    packages: {
      'node_modules/a': { resolved: 'somewhere' },
      'node_modules/b': { optionalDependencies: { a: '1.2.3', 'b-darwin': '1.2.3' } },
    },
  });

  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });

  expect({ status, lines: stderr.trim().split('\n') }).toEqual({
    status: 1,
    lines: [
      `${join(folder, 'package.json')}: b is "^1.2.3"; name one exact version.`,
      `${join(folder, 'package.json')}: c is "latest"; name one exact version.`,
      `${join(folder, 'package-lock.json')}: node_modules/a has a download address; .npmrc leaves it out on npm install.`,
      `${join(folder, 'package-lock.json')}: b-darwin has no entry, though node_modules/b names it.`,
    ],
  });
});

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}
