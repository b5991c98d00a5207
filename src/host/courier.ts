import { decisionOf } from '../domain/answer.js';
import { withHeldSent, withMessage } from '../domain/run-facts.js';
import type { Attachment } from '../protocol/attachment.js';
import type { Command } from '../protocol/command.js';
import type { DispatchId, RunId, ThreadId } from '../protocol/id.js';
import type { ApprovalDecision, QuestionAnswer, UnansweredRules } from '../protocol/prompt.js';
import { type ThreadEventBody, threadEventSchema } from '../protocol/thread-event.js';
import type { Operation } from '../store/operation.js';
import type { Store } from '../store/store.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import type { StoredRun } from '../store/stored-run.js';
import type { Unit } from '../store/unit.js';
import { type Declined, planTool } from './prompt-fold.js';
import type { ThreadBook } from './thread-book.js';
import type { ThreadState } from './thread-state.js';

/** Something to be told to an agent. */
export interface Letter {
  readonly uuid: string;
  readonly text: string;
  readonly actor: string;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly dispatchId?: DispatchId;
  /** Whether it begins a piece of work, or is something said during one; the latter only goes to who is at work. */
  readonly beginsWork: boolean;
  /** Somebody says it during the work, and it must be heard even if the agent dies before. */
  readonly isRemark?: boolean;
  /** What the work says about prompts that nobody answers. */
  readonly unanswered?: UnansweredRules | undefined;
  /** What is said in the thread before it. */
  readonly before?: readonly ThreadEventBody[];
  /** What is committed together with it. */
  readonly operations?: (runId: RunId) => readonly Operation[];
  readonly lease?: NonNullable<Unit['lease']>;
}

export interface CourierOutside {
  readonly store: Store;
  readonly book: ThreadBook;
  /** Sends a command if the runner is attached; false when it is not. */
  readonly send: (runId: RunId, command: Command) => boolean;
}

/**
 * Brings messages and answers to runners. What is to be brought is committed first; whenever a runner attaches, all of
 * it that has no receipt yet is sent again under the same id, and the runner acts on it once.
 */
export class Courier {
  readonly #outside: CourierOutside;

  constructor(outside: CourierOutside) {
    this.#outside = outside;
  }

  /** Puts a message into the thread and on its way to the thread's live agent; null when none lives. */
  async message(
    threadId: ThreadId,
    letter: Letter,
  ): Promise<{ readonly runId: RunId; readonly seq: number } | null> {
    const { uuid, text, actor, attachments, dispatchId, beginsWork } = letter;
    const sent = await this.#outside.book.change(threadId, (state) => {
      if (!state.run) return null;
      const { run, facts } = state.run;
      if (!beginsWork && facts.work === undefined) return null;
      const { before = [] } = letter;
      const seq = state.thread.lastSeq + before.length + 1;
      const after = withMessage(facts, {
        uuid,
        seq,
        ...(beginsWork ? { work: dispatchId, unanswered: letter.unanswered } : {}),
        isRemark: letter.isRemark,
      });
      return {
        operations: [
          { do: 'patchRun', runId: run.id, patch: { facts: after } },
          ...(letter.operations?.(run.id) ?? []),
        ],
        says: [
          ...before,
          {
            type: 'user_message',
            uuid,
            text,
            actor,
            ...(dispatchId === undefined ? {} : { dispatchId }),
            ...(attachments?.length ? { attachments: [...attachments] } : {}),
          },
        ],
        state: { ...state, run: { run, facts: after } },
        ...(letter.lease ? { lease: letter.lease } : {}),
        result: { runId: run.id, seq },
      };
    });
    if (sent) this.#outside.send(sent.runId, messageCommand({ uuid, text, attachments }));
    return sent;
  }

  /** Sends an accepted answer to the request that waits for it; later, if the runner cannot be reached now. */
  answer(prompt: StoredPrompt): boolean {
    const { id, requestId, runId, kind, action, acceptedAt, answers = [], answer } = prompt;
    if (requestId === undefined || runId === undefined || acceptedAt === undefined) return false;
    const command = responseTo({
      requestId,
      kind,
      isPlan: action?.tool === planTool,
      answers,
      decision: answer && 'decision' in answer ? answer.decision : decisionOf(answers),
      commandId: `answer-${id}`,
    });
    return this.#outside.send(runId, command);
  }

  /** Tells the agent that nobody will answer what was cancelled. */
  withdraw(prompt: Declined & { readonly reason?: string | undefined }): void {
    const { requestId, runId, kind, questions, action, reason = 'the question was cancelled' } = prompt;
    if (requestId === undefined || runId === undefined) return;
    const words = `Nobody answered: ${reason}.`;
    const command = responseTo({
      requestId,
      kind,
      isPlan: action?.tool === planTool,
      answers: questions.map(({ question }) => ({ question, answer: [words] })),
      decision: { approved: false, message: words },
      commandId: `withdrawn-${requestId}`,
    });
    this.#outside.send(runId, command);
  }

  /** Gives the live agent what an earlier run of its work did not live to hear. */
  async sendHeld(threadId: ThreadId): Promise<void> {
    const run = await this.#outside.book.change(threadId, (state) => {
      if (!state.run?.facts.held) return null;
      const facts = withHeldSent(state.run.facts);
      return {
        operations: [{ do: 'patchRun', runId: state.run.run.id, patch: { facts } }],
        state: { ...state, run: { ...state.run, facts } },
        result: state.run.run,
      };
    });
    if (run) await this.catchUp(run);
  }

  /** Sends everything again that the runner has given no receipt for. */
  async catchUp(run: StoredRun): Promise<void> {
    const state = await this.#outside.book.state(run.threadId);
    if (state.run?.run.id !== run.id) return;
    for (const { seq } of state.run.facts.sent) {
      const [event] = await this.#outside.store.query('events', {
        threadId: run.threadId,
        after: seq - 1,
        limit: 1,
      });
      const message = threadEventSchema('user_message').safeParse(JSON.parse(event?.json ?? 'null'));
      if (message.success) this.#outside.send(run.id, messageCommand(message.data));
    }
    for (const prompt of undelivered(state)) this.answer(prompt);
  }
}

/** Prompts with an answer that the run which waits for it may not have got. */
function undelivered({ prompts, run }: ThreadState): readonly StoredPrompt[] {
  return prompts.filter((prompt) => prompt.acceptedAt !== undefined && prompt.runId === run?.run.id);
}

function messageCommand(message: {
  readonly [field: string]: unknown;
  readonly uuid?: unknown;
  readonly text?: unknown;
}): Command<'message'> {
  const { uuid, text, attachments } = message;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the schema of the event, or made here
  return { type: 'message', content: text, uuid, commandId: uuid, attachments } as Command<'message'>;
}

interface Response {
  readonly requestId: string;
  readonly kind: StoredPrompt['kind'];
  readonly isPlan: boolean;
  readonly answers: readonly QuestionAnswer[];
  readonly decision: ApprovalDecision;
  readonly commandId: string;
}

/** The command that settles a request. */
function responseTo({ requestId, kind, isPlan, answers, decision, commandId }: Response): Command {
  if (kind !== 'approval') {
    return {
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: Object.fromEntries(answers.map((each) => [each.question, each.answer.join(', ')])),
      commandId,
    };
  }
  const { approved, message } = decision;
  if (!isPlan) return { type: 'permission_response', permissionRequestId: requestId, ...decision, commandId };
  return {
    type: 'plan_approval_response',
    planApprovalRequestId: requestId,
    planApproved: approved,
    ...(message === undefined ? {} : { planApprovalReason: message }),
    commandId,
  };
}
