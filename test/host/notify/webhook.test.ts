import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { webhookPost, webhookSignature } from '../../../src/host/notify/webhook.js';
import { asked, channel, dispatchId, failed, promptId, secret, threadId } from './samples.js';

// From the standard's own test suite: github.com/standard-webhooks/standard-webhooks,
// libraries/javascript/src/webhook.test.ts, "sign function works"; the other languages' suites have the same.
const vector = {
  secret,
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
};
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

test('signs as the standard does', () => {
  expect(webhookSignature(vector)).toBe(signature);
});

test.each([
  ['secret', { ...vector, secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ['id', { ...vector, id: 'msg_other' }],
  ['timestamp', { ...vector, timestamp: vector.timestamp + 1 }],
  ['body', { ...vector, body: `${vector.body} ` }],
])('another %s has another signature', (_, other) => {
  expect(webhookSignature(other)).not.toBe(signature);
});

const webhook = channel({ type: 'webhook', url: 'https://hooks.example.com/in', secret });
if (webhook.type !== 'webhook') throw new Error('not a webhook');

test('a question is a signed CloudEvent', () => {
  const { headers, body, ...where } = webhookPost(webhook, {
    id: `asked-${promptId}-ops`,
    notification: asked,
    now: 1614265330_999,
  });

  expect(where).toEqual({ url: 'https://hooks.example.com/in', allowPrivate: false });
  const signed = createHmac('sha256', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'))
    .update(`asked-${promptId}-ops.1614265330.${body}`)
    .digest('base64');
  expect(headers).toEqual({
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': `asked-${promptId}-ops`,
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1,${signed}`,
  });
  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    type: 'com.handraise.prompt.asked',
    source: 'https://agents.example.com/console/',
    id: `asked-${promptId}`,
    subject: promptId,
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: {
      threadId,
      threadTitle: 'Ship it',
      workspace: '/work/shop',
      promptId,
      kind: 'ask_user_question',
      title: 'Question: Ship it',
      text: 'Where to?\n1. staging\n2. production',
      link: `https://agents.example.com/console/#prompt=${promptId}`,
    },
  });
});

test('the end of work is one too, with what a script acts on', () => {
  const { body } = webhookPost(webhook, { id: 'x', notification: failed, now: 0 });

  expect(JSON.parse(body)).toEqual({
    specversion: '1.0',
    type: 'com.handraise.dispatch.failed',
    source: 'https://agents.example.com/console/',
    id: `failed-${dispatchId}`,
    subject: dispatchId,
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: {
      threadId,
      threadTitle: 'Ship it',
      workspace: '/work/shop',
      dispatchId,
      result: 'failed',
      exitCode: 1,
      reason: 'oom',
      title: 'Failed: Ship it',
      text: 'Reason: out of memory',
      link: `https://agents.example.com/console/#thread=${threadId}`,
    },
  });
});
