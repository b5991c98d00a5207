import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { isProof, proofOf } from '../../src/http/worker-proof.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const secret = 's'.repeat(43);
const question = { challenge: 'c'.repeat(43), address: '127.0.0.1', port: 7411 };
const good = proofOf(secret, question);

it.each<[string, string, string, Partial<typeof question>, boolean]>([
  ['the proof itself', good, secret, {}, true],
  ['the same place, written as IPv6', good, secret, { address: '::ffff:127.0.0.1' }, true],
  ['another secret', good, 'x'.repeat(43), {}, false],
  ['an older challenge', good, secret, { challenge: 'd'.repeat(43) }, false],
  ['a proof fetched from another port', good, secret, { port: 7412 }, false],
  ['a proof fetched from another address', good, secret, { address: '127.0.0.2' }, false],
  ['nothing', '', secret, {}, false],
  ['a part of it', good.slice(0, -1), secret, {}, false],
  ['more than it', `${good}=`, secret, {}, false],
  ['the challenge itself', question.challenge, secret, {}, false],
])('%s', (_, given, known, change, isOne) => {
  expect(isProof(given, known, { ...question, ...change })).toBe(isOne);
});

it('the server proves itself without a token, for the place where it was asked', async () => {
  await using server = await openTestServer({ proofSecret: secret });
  const reply = await request(`${server.url}/api/v1/proof?challenge=${question.challenge}`);
  expect([reply.status, reply.body]).toEqual([204, '']);
  expect(reply.headers.get('handraise-proof')).toBe(
    createHmac('sha256', secret)
      .update(`handraise ${question.challenge} 127.0.0.1 ${server.port}`)
      .digest('base64url'),
  );
});

it.each([
  '',
  '?challenge=',
  '?challenge=short',
  `?challenge=${'c'.repeat(129)}`,
  `?challenge=${'é'.repeat(30)}`,
])('a challenge that is none is refused: %s', async (query) => {
  await using server = await openTestServer();
  const reply = await request(`${server.url}/api/v1/proof${query}`);
  expect(problemOf(reply)).toEqual(refusal(422, 'invalid'));
});
