import { expect, it } from 'vitest';
import { acpErrorKind, loginSentence } from '../../../src/runtimes/acp/turn-error.js';

// As the agents word it.
it.each([
  [-32_000, 'Authentication required', 'auth'],
  [401, '{"error":{"code":401,"message":"x"}}', 'auth'],
  [-32_603, 'API Error: 401 invalid x-api-key', 'auth'],
  [-32_603, 'API Error: 429 rate_limit_error', 'rate_limit'],
  [429, 'x', 'rate_limit'],
  [-32_603, 'API Error: 529 overloaded_error', 'overloaded'],
  [500, '{"error":{"code":500}}', 'server'],
  [-32_603, 'unexpected status 503 Service Unavailable', 'overloaded'],
  [400, 'x', 'invalid_request'],
  [0, 'stream disconnected before completion', 'network'],
  [-32_603, 'Something else: 4290 files', 'other'],
] as const)('tells the kind of an error: %s %s', (code, message, kind) => {
  expect(acpErrorKind({ code, message })).toBe(kind);
});

it('says what to do about a login, and does not wait for one', () => {
  const agent = { protocolVersion: 1, authMethods: [{ id: 'a', name: 'Log in with Google' }] };
  expect(loginSentence('acp:gemini', { agent, detail: 'Authentication\nrequired' })).toBe(
    'acp:gemini is not signed in (Authentication required). It offers: Log in with Google. Start it in a terminal and sign in there, or set the key that it reads, then send the message once more.',
  );
});
