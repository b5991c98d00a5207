import { asksForSecret } from '../../domain/prompts/thread-prompt.js';
import { plainLine, unseenCharacters } from '../../domain/words/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { PushDetail, PushMessage } from '../../protocol/push.js';
import type { Notification } from '../notify/notification.js';
import { eventIdOf } from '../notify/notification.js';

// Longer labels are cut by every system, and what is cut nobody has read.
const longestLabel = 30;
// No system shows more than two or three.
const mostOptions = 3;
const longestBody = 600;

const plainTitles = {
  asked: 'An agent asks you something',
  finished: 'Work has ended',
  failed: 'Work has failed',
  test: 'Test of Handraise',
} as const satisfies Record<Notification['occasion'], string>;

/** What a device is told, no more than its user allows. An approval is never given from a notification, whatever it shows. */
export function pushMessage(
  notification: Notification,
  { detail, prompt }: { readonly detail: PushDetail; readonly prompt: Prompt | undefined },
): PushMessage {
  const { occasion } = notification;
  const isTold = detail !== 'nothing';
  const isSecret = prompt !== undefined && asksForSecret(prompt);
  return {
    version: 1,
    title: isTold ? notification.title : plainTitles[occasion],
    body: detail === 'all' && !isSecret ? plainLine(notification.text, { maxLength: longestBody }) : '',
    tag: eventIdOf(notification),
    path: pathOf(notification),
    ...(prompt && { promptId: prompt.id }),
    options: detail === 'all' && prompt && !isSecret ? optionsOf(prompt) : [],
    canDeny: prompt?.kind === 'approval',
  };
}

/** The options of one question, where each of them can be shown whole. */
function optionsOf({ kind, questions }: Prompt): string[] {
  const [question, ...more] = questions;
  if (kind !== 'ask_user_question' || !question || more.length > 0 || question.multiSelect) return [];
  const labels = question.options.map(({ label }) => label);
  return labels.length <= mostOptions && labels.every(isWhole) ? labels : [];
}

function isWhole(label: string): boolean {
  return label.length <= longestLabel && label === plainLine(label) && unseenCharacters(label).size === 0;
}

function pathOf(notification: Notification): string {
  if (notification.occasion === 'test') return '/';
  return notification.occasion === 'asked'
    ? `/#prompt=${notification.promptId}`
    : `/#thread=${notification.thread.id}`;
}
