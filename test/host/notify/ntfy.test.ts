import { expect, test } from 'vitest';
import { ntfyPost } from '../../../src/host/notify/ntfy.js';
import { asked, channel, failed, promptId } from './samples.js';

function posted(given: object, notification: Parameters<typeof ntfyPost>[1] = asked) {
  const config = channel({ type: 'ntfy', ...given });
  if (config.type !== 'ntfy') throw new Error('not ntfy');
  const { body, ...rest } = ntfyPost(config, notification);
  return { ...rest, body: JSON.parse(body) as unknown };
}

test('a message is published as JSON to the root of its server', () => {
  expect(posted({ url: 'https://ntfy.example.com/my-topic', token: 'tk_1' })).toEqual({
    url: 'https://ntfy.example.com/',
    allowPrivate: false,
    headers: { 'content-type': 'application/json', authorization: 'Bearer tk_1' },
    body: {
      topic: 'my-topic',
      title: 'Question: Ship it',
      message: 'Where to?\n1. staging\n2. production',
      click: `https://agents.example.com/console/#prompt=${promptId}`,
      actions: [
        {
          action: 'view',
          label: 'Open',
          url: `https://agents.example.com/console/#prompt=${promptId}`,
          clear: true,
        },
      ],
      tags: ['question'],
      priority: 4,
      sequence_id: `asked-${promptId}`,
    },
  });
});

test('a server may be below a path', () => {
  expect(posted({ url: 'http://box.lan/push/topic', allowPrivate: true })).toMatchObject({
    url: 'http://box.lan/push/',
    allowPrivate: true,
    headers: { 'content-type': 'application/json' },
    body: { topic: 'topic' },
  });
});

test('without a text the title is the message, which must not be empty', () => {
  expect(posted({ url: 'https://ntfy.example.com/t' }, { ...failed, text: '' }).body).toMatchObject({
    title: 'Failed: Ship it',
    message: 'Failed: Ship it',
    tags: ['warning'],
    priority: 4,
  });
});
