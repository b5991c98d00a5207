import { createHmac } from 'node:crypto';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import { eventIdOf, type Notification, subjectOf } from './notification.js';
import type { OutboundPost } from './outbound-post.js';

const typeOf = {
  asked: 'com.handraise.prompt.asked',
  finished: 'com.handraise.dispatch.finished',
  failed: 'com.handraise.dispatch.failed',
  test: 'com.handraise.test',
} as const satisfies Record<Notification['occasion'], string>;

/** A CloudEvent in JSON, signed as Standard Webhooks has it; the time is the try's, the id that of all tries. */
export function webhookPost(
  { url, allowPrivate, secret }: Extract<ChannelConfig, { type: 'webhook' }>,
  {
    id,
    notification,
    now,
  }: { readonly id: string; readonly notification: Notification; readonly now: number },
): OutboundPost {
  const timestamp = Math.floor(now / 1000);
  const body = JSON.stringify(cloudEvent(notification));
  return {
    url,
    allowPrivate,
    headers: {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': webhookSignature({ secret, id, timestamp, body }),
    },
    body,
  };
}

/** The signature of Standard Webhooks, version 1. */
export function webhookSignature(signed: {
  readonly secret: string;
  readonly id: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly body: string;
}): string {
  const { secret, id, timestamp, body } = signed;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function cloudEvent(notification: Notification): Record<string, unknown> {
  return {
    specversion: '1.0',
    type: typeOf[notification.occasion],
    source: notification.link.replace(/#.*$/, ''),
    id: eventIdOf(notification),
    subject: subjectOf(notification),
    time: notification.at,
    datacontenttype: 'application/json',
    data: dataOf(notification),
  };
}

function dataOf(notification: Notification): Record<string, unknown> {
  const { title, text, link } = notification;
  if (notification.occasion === 'test') return { title, text, link };
  const { thread } = notification;
  const about = { threadId: thread.id, threadTitle: thread.title, workspace: thread.workspace };
  const content = { title, text, link };
  if (notification.occasion === 'asked') {
    const { promptId, kind } = notification;
    return { ...about, promptId, kind, ...content };
  }
  const { dispatchId, result, exitCode, reason } = notification;
  return { ...about, dispatchId, result, exitCode, reason, ...content };
}
