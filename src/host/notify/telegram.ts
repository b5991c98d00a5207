import * as z from 'zod';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import type { OutgoingNotification } from './channel-delivery.js';
import { chatCode } from './chat-code.js';
import type { OutboundPost } from './outbound-post.js';

export type TelegramChannel = Extract<ChannelConfig, { type: 'telegram' }>;

/** A call of the Bot API; the token is in the address, which nobody logs. */
export function telegramCall(
  { url, allowPrivate, token }: TelegramChannel,
  method: string,
  content: object,
): OutboundPost {
  return {
    url: `${url.replace(/\/+$/, '')}/bot${token}/${method}`,
    allowPrivate,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  };
}

/** A notification as a message, without any markup; a question has its choices under it. */
export function telegramMessage(
  channel: TelegramChannel,
  { notification, question }: Pick<OutgoingNotification, 'notification' | 'question'>,
): OutboundPost {
  const { title, text, link } = notification;
  const open = linkButton(link);
  const choices = question?.choices ?? [];
  const buttons = question
    ? choices.map(({ choice, label }) => [{ text: label, callback_data: chatCode(question, choice) }])
    : [];
  const parts = question
    ? [
        title,
        question.text,
        ...(question.takesText ? ['To answer in your own words, reply to this message.'] : []),
        // The last line is ours, and says what a reply to this message answers.
        chatCode(question, 'text'),
      ]
    : [title, text, ...(open ? [] : [link])];
  return telegramCall(channel, 'sendMessage', {
    chat_id: channel.chat,
    text: parts.filter((part) => part !== '').join('\n\n'),
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [...buttons, ...(open ? [[open]] : [])] },
  });
}

// Telegram refuses a button with an address of this machine.
function linkButton(link: string): { readonly text: string; readonly url: string } | null {
  const { hostname } = new URL(link);
  return hostname === 'localhost' || hostname.startsWith('127.') ? null : { text: 'Open', url: link };
}

const person = z.object({ id: z.number() });
const chat = z.object({ id: z.number() });

/** What the Bot API tells, as far as it matters here; everything else is let go. */
export const TelegramUpdate = z.object({
  update_id: z.number(),
  callback_query: z
    .object({
      id: z.string(),
      from: person,
      data: z.string().optional(),
      message: z
        .object({ message_id: z.number(), chat, text: z.string().optional() })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  message: z
    .object({
      message_id: z.number(),
      chat,
      from: person.optional(),
      text: z.string().optional(),
      reply_to_message: z
        .object({ from: person.extend({ is_bot: z.boolean() }).optional(), text: z.string().optional() })
        .optional(),
    })
    .optional()
    .catch(undefined),
});
export type TelegramUpdate = z.infer<typeof TelegramUpdate>;

export const TelegramUpdates = z.object({ ok: z.literal(true), result: z.array(TelegramUpdate) });
