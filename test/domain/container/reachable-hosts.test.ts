import { expect, test } from 'vitest';
import {
  isReachable,
  listedPlace,
  modelAddress,
  readHostAndPort,
} from '../../../src/domain/container/reachable-hosts.js';
import { ReachableHost } from '../../../src/protocol/container.js';

const list = ['api.anthropic.com', '*.example.com:8443', 'registry.npmjs.org:80'];

test.each([
  ['api.anthropic.com:443', true],
  ['API.Anthropic.com.:443', true],
  ['api.anthropic.com', true],
  ['api.anthropic.com:80', false],
  ['evil-api.anthropic.com:443', false],
  ['api.anthropic.com.evil.example:443', false],
  ['a.example.com:8443', true],
  ['a.b.example.com:8443', true],
  ['example.com:8443', false],
  ['notexample.com:8443', false],
  ['registry.npmjs.org:80', true],
  ['127.0.0.1:443', false],
  ['[::1]:443', false],
])('%s is reached: %s', (text, isReached) => {
  const target = readHostAndPort(text);
  expect(target !== null && isReachable(list, target)).toBe(isReached);
});

test.each([
  ['api.anthropic.com:443', 'api.anthropic.com'],
  ['box.example:8080', 'box.example:8080'],
  ['[::1]:4999', '[::1]:4999'],
  ['[fd00::1]:443', '[fd00::1]'],
])('%s is listed as %s, and reached then', (text, listed) => {
  const target = readHostAndPort(text);
  if (target === null) throw new Error('it is a place');
  expect(listedPlace(target)).toBe(listed);
  expect(isReachable([listed], target)).toBe(true);
  expect(ReachableHost.safeParse(listed).success).toBe(true);
});

test.each(['', 'a b:443', 'user@host:443', 'host:0', 'host:70000', 'host/path:443', '[x]:1', ':443'])(
  '%j is no place',
  (text) => {
    expect(readHostAndPort(text)).toBeNull();
  },
);

test('an encrypted address stays, and a plain one leads to the proxy', () => {
  const proxy = 'http://127.0.0.1:4010';
  expect(modelAddress('https://models.example/v1', proxy)).toEqual({
    told: 'https://models.example/v1',
    host: 'models.example:443',
  });
  expect(modelAddress('http://127.0.0.1:9/v1', proxy)).toEqual({
    told: 'http://127.0.0.1:4010/v1',
    origin: 'http://127.0.0.1:9',
  });
  for (const bad of ['ftp://x', 'nothing']) expect(modelAddress(bad, proxy)).toBeNull();
});
