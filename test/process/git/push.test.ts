import { expect, it } from 'vitest';
import { whyNotPushed } from '../../../src/process/git/push.js';

const push = { url: 'u', branch: 'handraise/x', commit: 'c', shown: 'https://example.org/a/b' };

it.each([
  ['!\tabc:refs/heads/x\t[rejected] (fetch first)\nDone\n', '', 'nothing is forced'],
  [
    '!\tabc:refs/heads/x\t[remote rejected] (protected branch hook declined)\n',
    '',
    'did not take handraise/x: protected branch hook declined.',
  ],
  [
    '!\tabc:refs/heads/x\t[remote rejected] (unpacker error)\n',
    'error: remote unpack failed: unable to create temporary object directory\n',
    'You may not push to',
  ],
  [
    '',
    'ERROR: Permission to a/b.git denied to ada.\nfatal: Could not read from remote repository.\n',
    '--remote fork',
  ],
  [
    '',
    "remote: Permission to a/b.git denied to ada.\nfatal: unable to access 'https://example.org/a/b/': The requested URL returned error: 403\n",
    '--remote fork',
  ],
  [
    '',
    "fatal: could not read Username for 'https://example.org': terminal prompts disabled\n",
    'could not sign in',
  ],
  ['', 'git@example.org: Permission denied (publickey).\n', 'could not sign in'],
  [
    '',
    "fatal: unable to access 'https://example.org/a/b/': Could not resolve host: example.org\n",
    'could not be reached',
  ],
  ['', "fatal: '/srv/x' does not appear to be a git repository\n", 'There is no repository at'],
  ['', 'fatal: something new\n', 'git push to https://example.org/a/b failed: something new'],
])('says why a push failed: %j %j', (stdout, stderr, expected) => {
  expect(whyNotPushed({ stdout, stderr }, push)).toContain(expected);
});
