import { expect, test } from 'vitest';
import { accountText } from '../../../src/domain/dispatch/account.js';
import type { Posture } from '../../../src/protocol/posture.js';

type Given = Pick<Posture, 'env' | 'model'>;
const key = { ANTHROPIC_API_KEY: 'one' };

const same: readonly (readonly [string, Given, Given])[] = [
  ['claude', {}, { env: {} }],
  ['claude', {}, { env: { PORT: '4100', PIPELINE_ID: 'pip_1', GITHUB_TOKEN: 'x', MY_NOTES_HOME: '/n' } }],
  ['claude', {}, { model: 'opus' }],
  ['codex', {}, { model: 'openai/gpt-5' }],
  ['claude', { env: key }, { env: { PORT: '4100', ...key }, model: 'opus' }],
  ['claude', { env: { CLAUDE_CONFIG_DIR: '/a', ...key } }, { env: { ...key, CLAUDE_CONFIG_DIR: '/a' } }],
  ['opencode', { model: 'anthropic/a' }, { model: 'anthropic/b' }],
];

test.each(same)('one account of %s: %j and %j', (runtime, posture, other) => {
  expect(accountText({ runtime, posture })).toBe(accountText({ runtime, posture: other }));
});

const different: readonly (readonly [string, Given, Given])[] = [
  ['claude', {}, { env: key }],
  ['claude', { env: key }, { env: { ANTHROPIC_API_KEY: 'two' } }],
  ['claude', {}, { env: { ANTHROPIC_BASE_URL: 'http://gateway' } }],
  ['claude', {}, { env: { CLAUDE_CODE_OAUTH_TOKEN: 't' } }],
  ['claude', {}, { env: { CLAUDE_CONFIG_DIR: '/work' } }],
  ['claude', {}, { env: { CLAUDE_CODE_USE_BEDROCK: '1' } }],
  ['codex', {}, { env: { CODEX_HOME: '/work' } }],
  ['exec', {}, { env: { HOME: '/work' } }],
  ['opencode', { model: 'anthropic/a' }, { model: 'openai/a' }],
  ['opencode', { env: key, model: 'anthropic/a' }, { model: 'anthropic/a' }],
];

test.each(different)('two accounts of %s: %j and %j', (runtime, posture, other) => {
  expect(accountText({ runtime, posture })).not.toBe(accountText({ runtime, posture: other }));
});
