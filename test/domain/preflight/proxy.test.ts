import { expect, test } from 'vitest';
import { type ProxyChoice, proxyFindings, proxyFor } from '../../../src/domain/preflight/proxy.js';

const model = 'https://api.anthropic.com';
const direct = { kind: 'direct' } as const;
const through = (variable: string, host: string, port: number): ProxyChoice => ({
  kind: 'proxy',
  variable,
  host,
  port,
});

test.each<[string, string, Record<string, string>, ProxyChoice]>([
  ['no proxy', model, {}, direct],
  ['an empty variable', model, { HTTPS_PROXY: '' }, direct],
  ['the proxy of its scheme', model, { HTTPS_PROXY: 'http://p:3128' }, through('HTTPS_PROXY', 'p', 3128)],
  ['not that of another', model, { HTTP_PROXY: 'http://p:3128' }, direct],
  [
    'the lower-case name first',
    model,
    { HTTPS_PROXY: 'a:1', https_proxy: 'b:2' },
    through('https_proxy', 'b', 2),
  ],
  ['one for all', model, { ALL_PROXY: 'socks5://p' }, through('ALL_PROXY', 'p', 1080)],
  ['one without a scheme', model, { https_proxy: 'p:3128' }, through('https_proxy', 'p', 3128)],
  ['one with a password', model, { https_proxy: 'http://u:s@p:1' }, through('https_proxy', 'p', 1)],
  ['one over IPv6', model, { https_proxy: 'http://[::1]:1' }, through('https_proxy', '::1', 1)],
  ['nonsense', model, { https_proxy: 'http://' }, { kind: 'unreadable', variable: 'https_proxy' }],
  ['another scheme', model, { https_proxy: 'ftp://p' }, { kind: 'unreadable', variable: 'https_proxy' }],
  ['a model on this machine', 'http://127.0.0.1:1', { http_proxy: 'p:1' }, direct],
  ['an exempt host', model, { https_proxy: 'p:1', NO_PROXY: 'x, api.anthropic.com' }, direct],
  ['an exempt domain', model, { https_proxy: 'p:1', NO_PROXY: '.anthropic.com:443' }, direct],
  ['all exempt', model, { https_proxy: 'p:1', no_proxy: '*' }, direct],
  ['another exempt host', model, { https_proxy: 'p:1', NO_PROXY: 'pic.com' }, through('https_proxy', 'p', 1)],
  ['no address at all', 'nowhere', { https_proxy: 'p:1' }, direct],
])('%s', (_what, url, env, choice) => {
  expect(proxyFor(url, env)).toEqual(choice);
});

test('a proxy that is no address is a wrong setting, and one that does not answer is down', () => {
  const wrong = proxyFindings({ kind: 'unreadable', variable: 'https_proxy' }, false);
  expect(wrong).toMatchObject([{ stops: 'config', problem: expect.stringContaining('https_proxy') }]);
  expect(proxyFindings(through('https_proxy', 'p', 1), false)).toMatchObject([{ stops: 'not_ready' }]);
  expect(proxyFindings(through('https_proxy', 'p', 1), true)).toEqual([]);
});
