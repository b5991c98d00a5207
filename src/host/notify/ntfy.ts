import type { ChannelConfig } from '../../protocol/channel-config.js';
import { eventIdOf, type Notification } from './notification.js';
import type { OutboundPost } from './outbound-post.js';

// Names of emoji, and 3 is the usual priority; one that is higher may ring.
const look = {
  asked: { tags: ['question'], priority: 4 },
  finished: { tags: ['white_check_mark'], priority: 3 },
  failed: { tags: ['warning'], priority: 4 },
  test: { tags: ['bell'], priority: 3 },
} as const satisfies Record<Notification['occasion'], object>;

/** A message for a topic of ntfy, in its JSON form, which goes to the server's root; its text is plain unless said otherwise. */
export function ntfyPost(
  { url, allowPrivate, token }: Extract<ChannelConfig, { type: 'ntfy' }>,
  notification: Notification,
): OutboundPost {
  const server = new URL('.', url);
  return {
    url: server.href,
    allowPrivate,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      topic: new URL(url).pathname.split('/').at(-1),
      title: notification.title,
      message: notification.text || notification.title,
      click: notification.link,
      actions: [{ action: 'view', label: 'Open', url: notification.link, clear: true }],
      ...look[notification.occasion],
      // With it a repeat takes the place of what was shown; servers before 2.16 ignore it.
      sequence_id: eventIdOf(notification),
    }),
  };
}
