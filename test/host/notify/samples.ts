import type { Notification } from '../../../src/host/notify/notification.js';
import { ChannelConfig } from '../../../src/protocol/channel-config.js';
import { DispatchId, PromptId, ThreadId } from '../../../src/protocol/id.js';
import type { PromptKind } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';
import type { ThreadEventBody } from '../../../src/protocol/thread-event.js';
import { at, succeeded } from '../../contract/store/records.js';

export const publicUrl = 'https://agents.example.com/console';

/** The secret of the standard's own test vectors. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const promptId = PromptId.parse('prm_00000000000000000000000001');
export const dispatchId = DispatchId.parse('dsp_00000000000000000000000002');
export const threadId = ThreadId.parse('thr_00000000000000000000000003');

export const thread = {
  id: threadId,
  title: 'Ship it',
  workspace: { path: '/work/shop' },
  runtime: 'claude',
} as const;

/** A channel as a settings file has it. */
export function channel(given: Record<string, unknown>): ChannelConfig {
  return ChannelConfig.parse({ name: 'ops', ...given });
}

export function question(text: string, given: Partial<Question> = {}): Question {
  return { question: text, multiSelect: false, options: [], ...given };
}

/** What a thread says when its agent asks. */
export function asking(
  questions: Question[],
  kind: PromptKind = 'ask_user_question',
): ThreadEventBody<'prompt_asked'> {
  return {
    type: 'prompt_asked',
    promptId,
    item: {
      content: [{ type: 'text', text: 'as a person reads it in the thread' }],
      metadata: {
        type: 'pending_prompt',
        prompt: {
          prompt_id: promptId,
          kind,
          prompt_state: 'pending',
          questions,
          action: { tool: 'Bash', input: { command: 'curl -H "x-token: hunter2"' }, digest: 'd' },
        },
      },
    },
  };
}

/** What a thread says when its work has ended. */
export function ending(outcome: object = {}): ThreadEventBody<'dispatch_ended'> {
  return { type: 'dispatch_ended', dispatchId, outcome: { ...succeeded, summary: 'All done.', ...outcome } };
}

export const asked = {
  occasion: 'asked',
  channel: 'ops',
  at: at(0),
  link: `${publicUrl}/#prompt=${promptId}`,
  title: 'Question: Ship it',
  text: 'Where to?\n1. staging\n2. production',
  thread: { id: threadId, title: 'Ship it', workspace: '/work/shop' },
  promptId,
  kind: 'ask_user_question',
} as const satisfies Notification;

export const failed = {
  occasion: 'failed',
  channel: 'ops',
  at: at(0),
  link: `${publicUrl}/#thread=${threadId}`,
  title: 'Failed: Ship it',
  text: 'Reason: out of memory',
  thread: asked.thread,
  dispatchId,
  result: 'failed',
  exitCode: 1,
  reason: 'oom',
} as const satisfies Notification;
