import { expect, test } from 'vitest';
import type { Notification } from '../../../src/host/notify/notification.js';
import { slackPost } from '../../../src/host/notify/slack.js';
import { asked, channel, promptId } from './samples.js';

const slack = channel({ type: 'slack', url: 'https://hooks.example.com/services/T/B/x' });
if (slack.type !== 'slack') throw new Error('not slack');
const config = slack;

function bodyOf(notification: Notification): unknown {
  return JSON.parse(slackPost(config, notification).body);
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } });
const link = section(`<https://agents.example.com/console/#prompt=${promptId}|Open in Handraise>`);

test('a message has its words twice, for the list and for the screen, and a link', () => {
  const words = '*Question: Ship it*\nWhere to?\n1. staging\n2. production';
  const { body, ...rest } = slackPost(config, asked);

  expect(rest).toEqual({
    url: 'https://hooks.example.com/services/T/B/x',
    allowPrivate: false,
    headers: { 'content-type': 'application/json' },
  });
  expect(JSON.parse(body)).toEqual({ text: words, blocks: [section(words), link], unfurl_links: false });
});

test("an agent's words call nobody and link nowhere", () => {
  const text = '<!channel> see <https://evil.example|this> & <@U1>';
  const words =
    '*Question: Ship it*\n&lt;!channel&gt; see &lt;https://evil.example|this&gt; &amp; &lt;@U1&gt;';

  expect(bodyOf({ ...asked, text })).toEqual({
    text: words,
    blocks: [section(words), link],
    unfurl_links: false,
  });
});

test('a text that grows by escaping still fits, and no entity is cut in two', () => {
  const words = `*Question: Ship it*\n${'&amp;'.repeat(480)}`;

  expect(bodyOf({ ...asked, text: '&'.repeat(1000) })).toEqual({
    text: words,
    blocks: [section(words), link],
    unfurl_links: false,
  });
});
