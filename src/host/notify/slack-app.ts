import * as z from 'zod';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import { cutText } from '../../protocol/cut-text.js';
import type { OutgoingNotification } from './channel-delivery.js';
import { chatCode } from './chat-code.js';
import type { OutboundPost } from './outbound-post.js';

export type SlackApp = Extract<ChannelConfig, { type: 'slack-app' }>;

const longestSection = 2990;

/** A call of the Web API, which refuses with status 200 and a word. */
export function slackCall(
  { url, allowPrivate, botToken, appToken }: SlackApp,
  method: string,
  content: object,
): OutboundPost {
  const token = method === 'apps.connections.open' ? appToken : botToken;
  return {
    url: `${url.replace(/\/+$/, '')}/${method}`,
    allowPrivate,
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` },
    body: JSON.stringify(content),
    refusalIn: slackRefusal,
  };
}

/** Why Slack refused, or null. */
export function slackRefusal(body: string): string | null {
  const answer = SlackAnswer.safeParse(readJson(body)).data;
  if (answer?.ok === true) return null;
  return `it refused (${/^[a-z0-9_]{1,60}$/.exec(answer?.error ?? '')?.[0] ?? 'without a reason'})`;
}

export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** A notification as a message; a question has its choices under it. */
export function slackMessage(
  channel: SlackApp,
  { notification, question }: Pick<OutgoingNotification, 'notification' | 'question'>,
): OutboundPost {
  const { title, text, link } = notification;
  const choices = question?.choices ?? [];
  const buttons = question
    ? [
        ...choices.map(({ choice, label }) => ({
          ...button(label, chatCode(question, choice)),
          action_id: choice,
        })),
        ...(question.takesText
          ? [{ ...button('Answer in words', chatCode(question, 'text')), action_id: 'text' }]
          : []),
      ]
    : [];
  const open = { ...button('Open', 'open'), action_id: 'open', url: link };
  return slackCall(channel, 'chat.postMessage', {
    channel: channel.channel,
    // What a phone shows on its lock screen.
    text: escaped(title),
    blocks: [
      section(title),
      ...(question || text !== '' ? [section(question?.text ?? text)] : []),
      { type: 'actions', elements: [...buttons, open] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** The message of a question that is settled. */
export function slackSettled(
  { channel, ts, text }: { readonly channel: string; readonly ts: string; readonly text: string },
  words: string,
): object {
  const shown = `${text}\n✓ ${words}`;
  return { channel, ts, text: escaped(shown), blocks: [section(shown)] };
}

/** A window to type an answer into; what it is about comes back with the answer. */
export function slackWindow(triggerId: string, about: string): object {
  return {
    trigger_id: triggerId,
    view: {
      type: 'modal',
      callback_id: 'answer',
      private_metadata: about,
      title: plain('Your answer'),
      submit: plain('Send'),
      close: plain('Cancel'),
      blocks: [
        {
          type: 'input',
          block_id: 'answer',
          label: plain('Answer'),
          element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: 3000 },
        },
      ],
    },
  };
}

const user = z.object({ id: z.string() });

/** What is told over the socket, as far as it matters here. */
export const SlackEnvelope = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});

export const SlackPressed = z.object({
  type: z.literal('block_actions'),
  user,
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }),
  message: z.object({ ts: z.string(), text: z.string().optional() }),
  actions: z.array(z.object({ value: z.string().optional() })).min(1),
});

export const SlackTyped = z.object({
  type: z.literal('view_submission'),
  user,
  view: z.object({
    private_metadata: z.string(),
    state: z.object({
      values: z.object({ answer: z.object({ text: z.object({ value: z.string().nullable() }) }) }),
    }),
  }),
});

export const SlackAnswer = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  url: z.string().optional(),
});

// Plain text: nothing that an agent wrote becomes a mention, a link or an emoji.
function section(text: string) {
  return { type: 'section', text: plain(cutText(text, longestSection)) };
}

function button(label: string, value: string) {
  return { type: 'button', text: plain(label), value };
}

function plain(text: string) {
  return { type: 'plain_text', text, emoji: false };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
