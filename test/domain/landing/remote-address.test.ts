import { expect, it } from 'vitest';
import { remoteAddress, shownAddress } from '../../../src/domain/landing/remote-address.js';
import { forgeKind, offeredPage, requestPage } from '../../../src/domain/landing/request-page.js';

const host = (name: string, path: string) => ({ kind: 'host', host: name, path });

it.each([
  ['https://github.com/ada/engine.git', host('github.com', 'ada/engine')],
  ['https://ada:secret@github.com/ada/engine', host('github.com', 'ada/engine')],
  ['ssh://git@ssh.github.com:443/ada/engine.git', host('github.com', 'ada/engine')],
  ['git@github.com:ada/engine.git', host('github.com', 'ada/engine')],
  ['gitlab.example.org:group/sub/engine.git/', host('gitlab.example.org', 'group/sub/engine')],
  ['https://git.example.org:8443/ada/engine', host('git.example.org:8443', 'ada/engine')],
  ['/srv/git/engine.git', { kind: 'folder', path: '/srv/git/engine.git' }],
  ['../engine.git', { kind: 'folder', path: '../engine.git' }],
  ['file:///srv/git/engine.git', { kind: 'folder', path: '/srv/git/engine.git' }],
  ['ext::sh -c touch% /tmp/x', { kind: 'unusable', why: 'it names a program' }],
  ['-upload-pack=x', { kind: 'unusable', why: 'it is not an address' }],
  ['https://exa\u202emple.org/x', { kind: 'unusable', why: 'it is not an address' }],
  ['ftp://example.org/x', { kind: 'unusable', why: 'ftp is not pushed to' }],
  ['', { kind: 'unusable', why: 'it is empty or too long' }],
])('reads %j', (address, expected) => {
  expect(remoteAddress(address)).toEqual(expected);
});

it('shows no password', () => {
  expect(shownAddress('https://ada:to@ken@github.com/ada/engine')).toBe('https://github.com/ada/engine');
  expect(shownAddress('git@github.com:ada/engine')).toBe('git@github.com:ada/engine');
});

it('knows the page on which a person opens a pull request', () => {
  const at = { host: 'github.com', path: 'ada/engine', branch: 'handraise/fix #1', base: 'release/2' };
  expect(requestPage(forgeKind(at.host), at)).toBe(
    'https://github.com/ada/engine/compare/release/2...handraise/fix%20%231?expand=1',
  );
  const gitlab = { ...at, host: 'gitlab.com', path: 'group/sub/engine' };
  expect(requestPage(forgeKind(gitlab.host), gitlab)).toBe(
    'https://gitlab.com/group/sub/engine/-/merge_requests/new?merge_request%5Bsource_branch%5D=handraise%2Ffix+%231&merge_request%5Btarget_branch%5D=release%2F2',
  );
  expect(requestPage(forgeKind('git.example.org'), at)).toBeUndefined();
});

it('takes a page that the server offers, and only the server’s own', () => {
  const remarks =
    'remote: \nremote: Create a new pull request:\nremote:   https://elsewhere.example/x\nremote:   https://git.example.org/ada/engine/compare/x \n';
  expect(offeredPage(remarks, 'git.example.org')).toBe('https://git.example.org/ada/engine/compare/x');
  expect(offeredPage('remote: see https://git.example.org/x for help\n', 'git.example.org')).toBeUndefined();
});
