import * as z from 'zod';
import { ExitCode } from '../../protocol/exit-code.js';
import { DispatchId, PromptId, ThreadId } from '../../protocol/id.js';
import { PromptKind } from '../../protocol/prompt.js';

const content = {
  /** The name of the channel that is told. */
  channel: z.string(),
  at: z.iso.datetime(),
  /** Opens what it is about. */
  link: z.url(),
  /** Plain text, whatever an agent put into it. */
  title: z.string(),
  text: z.string(),
};
const common = {
  ...content,
  thread: z.strictObject({ id: ThreadId, title: z.string(), workspace: z.string() }),
};

/** One thing to tell one channel, as it waits in the outbox. It holds no secret, and none of an action's input. */
export const Notification = z.discriminatedUnion('occasion', [
  z.strictObject({ occasion: z.literal('asked'), ...common, promptId: PromptId, kind: PromptKind }),
  z.strictObject({
    occasion: z.enum(['finished', 'failed']),
    ...common,
    dispatchId: DispatchId,
    result: z.enum(['succeeded', 'failed', 'blocked']),
    exitCode: z.literal(Object.values(ExitCode)),
    reason: z.string().optional(),
  }),
  z.strictObject({ occasion: z.literal('test'), ...content }),
]);
export type Notification = z.infer<typeof Notification>;

/** The prompt or dispatch that it is about. */
export function subjectOf(notification: Notification): PromptId | DispatchId | 'test' {
  if (notification.occasion === 'test') return 'test';
  return notification.occasion === 'asked' ? notification.promptId : notification.dispatchId;
}

/** The same for every channel and every try, so that a receiver can drop repeats. */
export function eventIdOf(notification: Notification): string {
  return `${notification.occasion}-${subjectOf(notification)}`;
}
