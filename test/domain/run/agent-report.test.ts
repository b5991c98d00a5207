import { expect, test } from 'vitest';
import { accountIn, commandsIn, modelsIn, serversIn } from '../../../src/domain/run/agent-report.js';

test.each([
  [
    'Claude Code',
    { value: 'sonnet', displayName: 'Sonnet', description: 'Fast.', more: 1 },
    { id: 'sonnet', name: 'Sonnet', description: 'Fast.' },
  ],
  ['Codex', { id: 'x', model: 'gpt-x', displayName: 'X' }, { id: 'gpt-x', name: 'X' }],
  ['an agent over ACP', { value: 'auto' }, { id: 'auto' }],
])('a model of %s', (_, told, model) => {
  expect(modelsIn([told])).toEqual([model]);
});

test('servers, commands and accounts keep what is named here, and nothing else', () => {
  expect(serversIn([{ name: 'a', status: 'failed', error: 'no', config: { env: 'KEY' } }])).toEqual([
    { name: 'a', status: 'failed', error: 'no' },
  ]);
  expect(commandsIn([{ name: 'compact', description: 'Shorter.', argumentHint: 'x' }])).toEqual([
    { name: 'compact', description: 'Shorter.' },
  ]);
  expect(accountIn({ email: 'a@b', subscriptionType: 'max', tokenSource: 't', token: 'KEY' })).toEqual({
    email: 'a@b',
    plan: 'max',
    login: 't',
  });
  expect(accountIn({ account: { type: 'chatgpt', email: 'a@b', planType: 'pro' } })).toEqual({
    email: 'a@b',
    plan: 'pro',
    login: 'chatgpt',
  });
  expect(accountIn({ account: null, requiresOpenaiAuth: false })).toEqual({});
});

test('CWE-770: lists and texts are bounded, and what is no entry is left out', () => {
  const many = Array.from({ length: 600 }, (_, index) => ({
    value: `m${index}`,
    description: 'x'.repeat(9000),
  }));
  const models = modelsIn([null, 'text', {}, ...many]);
  expect([models.length, models[0]?.description?.length]).toEqual([497, 500]);
});
