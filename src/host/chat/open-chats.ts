import type { ChannelConfig } from '../../protocol/channel-config.js';
import type { Resolve } from '../notify/outbound-post.js';
import type { ChatAnswers } from './chat-answers.js';
import { ChatLoop } from './chat-loop.js';
import { SlackListener } from './slack-listener.js';
import { TelegramListener } from './telegram-listener.js';

/** Listens in every channel in which somebody may answer. */
export function openChats(
  channels: readonly ChannelConfig[],
  parts: { readonly answers: ChatAnswers; readonly resolve: Resolve; readonly log: (line: string) => void },
): AsyncDisposable {
  const { answers, resolve, log } = parts;
  const loops = channels.flatMap((channel) => {
    if (channel.type !== 'telegram' && channel.type !== 'slack-app') return [];
    if (Object.keys(channel.people).length === 0) return [];
    const listener =
      channel.type === 'telegram'
        ? new TelegramListener({ channel, answers, resolve })
        : new SlackListener({ channel, answers, resolve });
    return [new ChatLoop(channel.name, async (signal) => await listener.listen(signal), log)];
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(loops.map(async (loop) => await loop[Symbol.asyncDispose]()));
    },
  };
}
