import { expect, it } from 'vitest';
import { pathOf, placeOf, sentLinkOf } from '../../src/web/place.js';

const promptId = 'prm_01m7h453ypsc2jgqnqvtnbscqv';
const threadId = 'thr_01m7h451nknv3588zx8en6nmv5';

it('a path names a place, and a place has one path', () => {
  const paths = ['/', '/inbox', '/fleet', `/prompts/${promptId}`, `/threads/${threadId}`];
  expect(paths.map((path) => pathOf(placeOf(path)))).toEqual(paths);
  expect(placeOf(`/threads/${threadId}/`)).toEqual({ page: 'thread', threadId });
});

it('what is no place leads nowhere', () => {
  const strays = [
    '/threads',
    '/threads/thr_1',
    `/prompts/${threadId}`,
    '/inbox/x',
    '/%2e%2e',
    '/prompts/javascript:x',
  ];
  expect(strays.map((path) => placeOf(path).page)).toEqual(strays.map(() => 'nowhere'));
});

it('a link that was sent carries a code, a prompt or a thread, and nothing else is read from it', () => {
  expect(sentLinkOf('#login=abc')).toEqual({ code: 'abc' });
  expect(sentLinkOf(`#prompt=${promptId}`)).toEqual({ place: { page: 'inbox', promptId } });
  expect(sentLinkOf(`#thread=${threadId}`)).toEqual({ place: { page: 'thread', threadId } });
  expect(sentLinkOf('#content')).toEqual({});
  expect(sentLinkOf('#prompt=javascript:alert(1)')).toEqual({});
});
