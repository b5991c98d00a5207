import { chatQuestion } from '../../domain/prompts/chat-question.js';
import { isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import type { ChannelConfig } from '../../protocol/channel-config.js';
import type { Store } from '../../store/store.js';
import type { AskedInChat } from './chat-code.js';
import type { Notification } from './notification.js';

// A message of Telegram takes 4096 characters, and a section of Slack 3000; the title, the link and a mark are in it, too.
const longestIn = { telegram: 3500, 'slack-app': 2800 } as const;

/** A prompt as one kind of chat shows it. */
export async function promptInChat(
  store: Pick<Store, 'query'>,
  type: keyof typeof longestIn,
  prompt: ThreadPrompt,
): Promise<AskedInChat> {
  const thread = await store.query('thread', { id: prompt.threadId });
  const question = chatQuestion(
    prompt,
    { runtime: thread?.runtime, workspace: thread?.workspace, container: thread?.container },
    longestIn[type],
  );
  return { ...question, promptId: prompt.id, fingerprint: prompt.fingerprint };
}

/** What a notification asks, for a channel in which it can be answered; nothing once it has its answer. */
export async function askedInChat(
  store: Pick<Store, 'query'>,
  channel: ChannelConfig,
  notification: Notification,
): Promise<AskedInChat | undefined> {
  if (notification.occasion !== 'asked') return undefined;
  if (channel.type !== 'telegram' && channel.type !== 'slack-app') return undefined;
  if (Object.keys(channel.people).length === 0) return undefined;
  const prompt = await store.query('prompt', { id: notification.promptId });
  return prompt && isOpen(prompt) ? await promptInChat(store, channel.type, prompt) : undefined;
}
