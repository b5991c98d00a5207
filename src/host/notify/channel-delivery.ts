import type { ChannelConfig } from '../../protocol/channel-config.js';
import type { AskedInChat } from './chat-code.js';
import type { DeliveryResult } from './delivery.js';
import { type Desktop, showOnDesktop } from './desktop.js';
import type { Notification } from './notification.js';
import { ntfyPost } from './ntfy.js';
import { post, type Resolve } from './outbound-post.js';
import { slackPost } from './slack.js';
import { slackMessage } from './slack-app.js';
import { telegramMessage } from './telegram.js';
import { webhookPost } from './webhook.js';

/** A notification on its way to its channel; the id is the same at every try. */
export interface OutgoingNotification {
  readonly id: string;
  readonly notification: Notification;
  /** What an agent asks, for a channel in which people can answer. */
  readonly question?: AskedInChat | undefined;
}

/** What it takes to reach the outside. */
export interface NotificationMeans {
  readonly resolve: Resolve;
  readonly desktop: Desktop;
  /** Rings the terminal of whoever looks at the worker. */
  readonly writeBell: () => void;
}

/** Tries once; `now` is the time that the receiver is told. */
export async function deliverNotification(
  outgoing: OutgoingNotification,
  channel: ChannelConfig,
  means: NotificationMeans & { readonly now: number; readonly signal: AbortSignal },
): Promise<DeliveryResult> {
  const { notification } = outgoing;
  switch (channel.type) {
    case 'desktop':
      return await showOnDesktop(notification, { ...means.desktop, signal: means.signal });
    case 'bell':
      means.writeBell();
      return { sent: true };
    case 'webhook':
      return await post(webhookPost(channel, { ...outgoing, now: means.now }), means);
    case 'ntfy':
      return await post(ntfyPost(channel, notification), means);
    case 'slack':
      return await post(slackPost(channel, notification), means);
    case 'telegram':
      return await post(telegramMessage(channel, outgoing), means);
    case 'slack-app':
      return await post(slackMessage(channel, outgoing), means);
    default:
      return channel satisfies never;
  }
}
