import { expect, test } from 'vitest';
import { ChannelConfig, ChannelConfigs } from '../../src/protocol/channel-config.js';
import { secret } from '../host/notify/samples.js';

const url = 'https://hooks.example.com/in';

test('a channel is told everything unless it says otherwise', () => {
  expect(ChannelConfig.parse({ type: 'bell', name: 'tty' })).toEqual({
    type: 'bell',
    name: 'tty',
    on: ['asked', 'finished', 'failed'],
  });
  expect(ChannelConfig.parse({ type: 'webhook', name: 'w', url, secret, on: ['failed'] })).toEqual({
    type: 'webhook',
    name: 'w',
    url,
    secret,
    allowPrivate: false,
    on: ['failed'],
  });
});

test('what was read can be read again', () => {
  const once = ChannelConfigs.parse([
    { type: 'webhook', name: 'w', url, secret },
    { type: 'ntfy', name: 'n', url: 'http://box.lan/topic', allowPrivate: true, token: 'tk' },
    { type: 'slack', name: 's', url },
    { type: 'desktop', name: 'd' },
  ]);

  expect(ChannelConfigs.parse(JSON.parse(JSON.stringify(once)))).toEqual(once);
});

test.each([
  ['a type nobody knows', { type: 'mail', name: 'm' }],
  ['a field nobody knows', { type: 'bell', name: 'b', volume: 11 }],
  ['an occasion nobody knows', { type: 'bell', name: 'b', on: ['retried'] }],
  ['no name', { type: 'bell' }],
  ['a name that would break the signed id', { type: 'bell', name: 'a.b' }],
  ['plain http', { type: 'slack', name: 's', url: 'http://hooks.example.com/in' }],
  ['another protocol', { type: 'slack', name: 's', url: 'file:///etc/passwd', allowPrivate: true }],
  ['no secret', { type: 'webhook', name: 'w', url }],
  ['a secret of another form', { type: 'webhook', name: 'w', url, secret: 'hunter2' }],
  ['a secret that is too short', { type: 'webhook', name: 'w', url, secret: 'whsec_c2hvcnQ=' }],
  ['a topic that is missing', { type: 'ntfy', name: 'n', url: 'https://ntfy.example.com/' }],
])('%s is refused', (_, config) => {
  expect(ChannelConfig.safeParse(config).success).toBe(false);
});

test('two channels cannot have one name', () => {
  const bell = { type: 'bell', name: 'b' };

  expect(ChannelConfigs.safeParse([bell, { type: 'desktop', name: 'b' }]).success).toBe(false);
  expect(ChannelConfigs.safeParse([bell, { type: 'desktop', name: 'd' }]).success).toBe(true);
});
