import { expect, it } from 'vitest';
import {
  type RepositoryProtocol,
  repositoryAddress,
  repositoryName,
} from '../../../src/domain/worktree/repository-address.js';
import { placedWork, typedPlace } from '../../../src/domain/worktree/typed-place.js';

const usual: readonly RepositoryProtocol[] = ['https', 'ssh'];

it.each([
  ['https://git.example/shop.git', 'https'],
  ['https://git.example:8443/team/shop', 'https'],
  ['ssh://git@git.example:2222/team/shop.git', 'ssh'],
  ['git@git.example:team/shop.git', 'ssh'],
  ['git.example:shop.git', 'ssh'],
  ['ssh://git.example/~ada/shop', 'ssh'],
])('%s is fetched by %s', (text, protocol) => {
  expect(repositoryAddress(text, usual)).toEqual({ url: text, protocol });
});

it.each([
  ['-oProxyCommand=touch /tmp/x', 'no address'],
  ['--upload-pack=touch', 'no address'],
  ['ext::sh -c touch% /tmp/x', 'program'],
  ['fd::17', 'program'],
  ['ssh://-oProxyCommand=x/shop', 'no address'],
  ['git@-oProxyCommand=x:shop', 'no address'],
  ['-x@git.example:shop', 'no address'],
  ['git@git.example:-x', 'no address'],
  ['ssh://git.example/-x', 'no address'],
  ['ssh://git:secret@git.example/shop', 'password'],
  ['https://ada:secret@git.example/shop', 'password'],
  ['https://token@git.example/shop', 'password'],
  ['https://git.example/shop?private_token=x', '? or #'],
  ['https://git.example/shop#main', '? or #'],
  ['https://git.example/', 'no address'],
  ['https://git.example/a b', 'no address'],
  ['https://git.example/a\u202Eb', 'no address'],
  ['https://git.example/a\nb', 'no address'],
  ['javascript://x/y', 'no address'],
  ['/srv/git/shop.git', 'folder'],
  ['../shop', 'folder'],
  ['', 'no address'],
  ['x'.repeat(100_000), 'too long'],
  ['http://git.example/shop', 'repositoryProtocols'],
  ['git://git.example/shop', 'repositoryProtocols'],
  ['file:///srv/git/shop.git', 'repositoryProtocols'],
])('%j is refused: %s', (text, why) => {
  expect(repositoryAddress(text, usual)).toEqual({ refused: expect.stringContaining(why) });
});

it('other ways of fetching are allowed by the setting', () => {
  expect(repositoryAddress('file:///srv/git/shop.git', ['file'])).toEqual({
    url: 'file:///srv/git/shop.git',
    protocol: 'file',
  });
  expect(repositoryAddress('file://elsewhere/srv/shop.git', ['file'])).toMatchObject({
    refused: expect.anything(),
  });
});

it.each([
  ['https://git.example/team/shop.git/', 'shop'],
  ['git@git.example:shop.git', 'shop'],
  ['x:y', 'y'],
])('%s is called %s', (address, name) => {
  expect(repositoryName(address)).toBe(name);
});

it.each([
  ['/srv/shop', { path: '/srv/shop' }],
  ['https://git.example/shop.git', { repo: 'https://git.example/shop.git' }],
  ['https://git.example/shop.git#release/2', { repo: 'https://git.example/shop.git', ref: 'release/2' }],
  ['git@git.example:shop#v1', { repo: 'git@git.example:shop', ref: 'v1' }],
  ['https://git.example/shop#-x', null],
  ['https://git.example/shop#a#b', null],
  ['shop', null],
  ['', null],
])('a person who types %j means %j', (typed, place) => {
  expect(typedPlace(typed)).toEqual(place);
});

it.each([
  [
    '@https://git.example/shop#main Fix it',
    { text: 'Fix it', place: { repo: 'https://git.example/shop', ref: 'main' } },
  ],
  ['@src/main.ts has a bug', { text: '@src/main.ts has a bug' }],
  ['@/srv/shop Fix it', { text: '@/srv/shop Fix it' }],
  ['Fix @https://git.example/shop', { text: 'Fix @https://git.example/shop' }],
  ['@https://git.example/shop', { text: '@https://git.example/shop' }],
])('work that is written %j', (text, placed) => {
  expect(placedWork(text)).toEqual(placed);
});
