import * as z from 'zod';
import { Attachment } from './attachment.js';
import { DispatchId, PromptId, RunId } from './id.js';
import { PendingPromptItem, ResolvedPromptItem } from './item.js';
import { Outcome } from './outcome.js';
import { Posture } from './posture.js';
import { AgentExit } from './run.js';

const text = z.string();
const attempt = z.int().positive();

/** Every fact that the worker itself puts into a thread, beside what the thread's runners report. */
export const threadEventDefinitions = {
  /** What a person or a program told the agent; `uuid` names the message to the runner too. */
  user_message: {
    uuid: z.uuid(),
    text,
    actor: text,
    dispatchId: DispatchId.optional(),
    attachments: z.array(Attachment).optional(),
  },
  prompt_asked: { promptId: PromptId, item: PendingPromptItem },
  prompt_settled: { promptId: PromptId, item: ResolvedPromptItem },
  dispatch_started: { dispatchId: DispatchId, attempt },
  /** A try that was not the last; `retryAt` says when the next one may begin. */
  attempt_ended: { dispatchId: DispatchId, attempt, outcome: Outcome, retryAt: z.iso.datetime().optional() },
  dispatch_ended: { dispatchId: DispatchId, outcome: Outcome },
  run_started: { run: RunId, resumes: z.boolean() },
  /** `reason` is there when the end was ours. */
  run_ended: { run: RunId, exit: AgentExit, reason: text.optional() },
  posture_amended: { posture: Posture, actor: text },
  verified: { dispatchId: DispatchId, command: text, passed: z.boolean(), output: text },
  /** A command that set the worktree up before its agent started, with the end of what it printed. */
  setup_ran: { name: text, command: text, passed: z.boolean(), output: text },
  /** Somebody opened the session in the runtime's own program; what was said there follows when it is closed. */
  terminal_opened: { actor: text, sessionId: text },
  /** What was said in a terminal, or by hand before the session became a thread; `uuid` names it in the session. */
  terminal_message: { uuid: text, text, actor: text },
  terminal_text: { content: text },
  terminal_tool: {
    id: text,
    tool: text,
    params: z.record(z.string(), z.unknown()),
    /** Missing where the session holds no result. */
    success: z.boolean().optional(),
    summary: text,
  },
  /** `isCut` where the session holds more than was taken over. */
  terminal_closed: { actor: text, sessionId: text, messages: z.int().nonnegative(), isCut: z.boolean() },
  /** Something a reader of the thread should know and nobody has to answer. */
  notice: { message: text },
} as const satisfies Record<string, z.ZodRawShape>;

type Definitions = typeof threadEventDefinitions;
export type ThreadEventType = keyof Definitions;

/** A fact of the worker's, before it has a time and a place in its thread. */
export type ThreadEventBody<Type extends ThreadEventType = ThreadEventType> = {
  [T in Type]: { type: T } & z.infer<z.ZodObject<Definitions[T]>>;
}[Type];

/** The schema of one of these events. */
export function threadEventSchema(type: ThreadEventType): z.ZodObject {
  return z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    ...threadEventDefinitions[type],
  });
}
