import { expect, it } from 'vitest';
import { tipIn, whyNotFetched } from '../../../src/process/git/remote-fetch.js';

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40));

it.each([
  [
    'the default branch',
    `ref: refs/heads/trunk\tHEAD\n${one}\tHEAD\n`,
    undefined,
    { commit: one, branch: 'trunk' },
  ],
  ['a head without a branch', `${one}\tHEAD\n`, undefined, { commit: one }],
  ['an empty repository', '', undefined, undefined],
  ['a branch', `${one}\trefs/heads/main\n`, 'main', { commit: one, branch: 'main' }],
  [
    'a branch before a tag',
    `${one}\trefs/heads/v1\n${two}\trefs/tags/v1\n`,
    'v1',
    { commit: one, branch: 'v1' },
  ],
  ['an annotated tag', `${two}\trefs/tags/v1\n${three}\trefs/tags/v1^{}\n`, 'v1', { commit: three }],
  ['a full name', `${one}\trefs/pull/7/head\n`, 'refs/pull/7/head', { commit: one }],
  ['the full name of a branch', `${one}\trefs/heads/a/b\n`, 'refs/heads/a/b', { commit: one, branch: 'a/b' }],
  // Git matches the end of a name, too.
  ['only a longer name', `${one}\trefs/heads/x/refs/heads/main\n`, 'main', undefined],
  ['words that are no ids', 'hello\trefs/heads/main\n', 'main', undefined],
  [
    'a default branch that is no name',
    `ref: refs/heads/-x\tHEAD\n${one}\tHEAD\n`,
    undefined,
    { commit: one },
  ],
])('what a server says of %s', (_what, listed, ref, tip) => {
  expect(tipIn(listed, ref)).toEqual(tip);
});

it.each([
  ["fatal: could not read Username for 'https://git.example': terminal prompts disabled", 'sign_in'],
  [
    'git@git.example: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    'sign_in',
  ],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', 'sign_in'],
  ['fatal: unable to access x: The requested URL returned error: 403', 'sign_in'],
  ["fatal: Authentication failed for 'https://git.example/'", 'sign_in'],
  ['remote: Repository not found.\nfatal: repository x not found', 'missing'],
  ["fatal: '/srv/x' does not appear to be a git repository", 'missing'],
  ['fatal: remote error: upload-pack: not our ref 1111', 'missing'],
  ["fatal: transport 'file' not allowed", 'missing'],
  ['fatal: unable to access x: Could not resolve host: git.example', 'unreachable'],
  ['ssh: connect to host git.example port 22: Connection timed out', 'unreachable'],
  ['fatal: early EOF', 'unreachable'],
])('git says %j', (stderr, trouble) => {
  const refused = whyNotFetched(stderr, 'https://git.example/shop');
  expect([refused.trouble, refused.message.includes('https://git.example/shop')]).toEqual([trouble, true]);
});
