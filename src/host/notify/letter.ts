import type { ChannelConfig } from './channel-config.js';
import type { Delivery } from './delivery.js';
import { type Desktop, showOnDesktop } from './desktop.js';
import type { Notification } from './notification.js';
import { ntfyPost } from './ntfy.js';
import { post, type Resolve } from './outbound-post.js';
import { slackPost } from './slack.js';
import { webhookPost } from './webhook.js';

/** A notification on its way to its channel; the id is the same at every try. */
export interface Letter {
  readonly id: string;
  readonly notification: Notification;
}

/** What it takes to reach the outside. */
export interface Means {
  readonly now: () => number;
  readonly resolve: Resolve;
  readonly desktop: Desktop;
  /** Rings the terminal of whoever looks at the worker. */
  readonly writeBell: () => void;
  readonly signal: AbortSignal;
}

/** Tries once. */
export async function deliver(letter: Letter, channel: ChannelConfig, means: Means): Promise<Delivery> {
  const { notification } = letter;
  switch (channel.type) {
    case 'desktop':
      return await showOnDesktop(notification, { ...means.desktop, signal: means.signal });
    case 'bell':
      means.writeBell();
      return { sent: true };
    case 'webhook':
      return await post(webhookPost(channel, { ...letter, now: means.now() }), means);
    case 'ntfy':
      return await post(ntfyPost(channel, notification), means);
    case 'slack':
      return await post(slackPost(channel, notification), means);
    default:
      return channel satisfies never;
  }
}
