import { expect, test } from 'vitest';
import { refusalOf } from '../../../src/cli/settings/settings.js';
import { shownValue } from '../../../src/cli/settings/shown-value.js';

const channels = [
  { type: 'ntfy', name: 'phone', url: 'https://ntfy.example/my-secret-topic', token: 'tk_secret' },
  { type: 'slack', name: 'team', url: 'https://hooks.example/services/secret', on: ['asked'] },
  { type: 'slack-app', botToken: 'xoxb-secret', appToken: 'xapp-secret', people: { U01: 'ada' } },
  { type: 'webhook', url: 'secret, no address', secret: 'whsec_secret' },
];

test('of channels everything is printed but what is secret', () => {
  const shown = shownValue('notify', channels);
  expect(shown).toEqual([
    { type: 'ntfy', name: 'phone', url: 'https://ntfy.example/***', token: '***' },
    { type: 'slack', name: 'team', url: 'https://hooks.example/***', on: ['asked'] },
    { type: 'slack-app', botToken: '***', appToken: '***', people: { U01: 'ada' } },
    { type: 'webhook', url: '***', secret: '***' },
  ]);
  expect(shownValue('notify', JSON.stringify(channels))).toEqual(shown);
});

test.each([JSON.stringify(channels), JSON.stringify(channels[0]), '[{"type":"ntfy","token":"tk_secret",}]'])(
  'a refusal repeats no secret: %s',
  (typed) => {
    const refusal = refusalOf('notify', typed);
    expect(refusal).toMatch(/^notify must be a list of channels/);
    expect(refusal).not.toContain('secret');
  },
);

test('other values stay as they are', () => {
  expect(shownValue('model', '[opus]')).toBe('[opus]');
  expect(shownValue('notify', 'gibberish')).toBe('gibberish');
});
