import { expect, test } from 'vitest';
import { isInside, programsOf } from '../../../src/domain/worktree/script-files.js';

test.each([
  ['./scripts/setup.sh', ['scripts/setup.sh']],
  ['FLAG=1 sh -e scripts/setup && node "tools/seed.js"', ['scripts/setup', 'tools/seed.js']],
  ['. ./env.sh; make deps', ['env.sh', 'make']],
  ['if test -f .env; then bin/prepare .env >> log; fi', ['test', 'bin/prepare', 'fi']],
  ['test -f .env || cp .env.example .env', ['test', 'cp']],
  ['npx tsx tools/setup.ts --fast', ['tools/setup.ts']],
  ["bash -c '. ./a && ./b'", ['a', 'b']],
  ['/usr/bin/env ../outside.sh .git/hooks/x', []],
  ['cat <(./a.sh) | `b.sh` $(tools/c)', ['cat', 'a.sh', 'b.sh', 'tools/c']],
])('%s', (command, words) => {
  expect(programsOf(command)).toEqual(words);
});

test.each([
  ['.env', true],
  ['packages/a/.env.local', true],
  ['', false],
  ['/etc/passwd', false],
  ['../.env', false],
  ['a/../../b', false],
  ['a//b', false],
  ['./.env', false],
  ['.git/config', false],
  ['a/.GIT/config', false],
  ['.env\n', false],
])('%j stays inside: %s', (path, isSo) => {
  expect(isInside(path)).toBe(isSo);
});
