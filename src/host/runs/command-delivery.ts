import { decisionOf } from '../../domain/prompts/answer.js';
import { planTool } from '../../domain/prompts/plan-action.js';
import { type DeclinedRequest, withdrawalId } from '../../domain/prompts/prompt-thread.js';
import { requestOfOverWork } from '../../domain/prompts/request-of-over-work.js';
import { secretCommandId } from '../../domain/prompts/secret-receipt.js';
import { decisionIn, isOpen, isSecretGone, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { withMessage, withUnsentSent } from '../../domain/run/run-work.js';
import { reasonSentence } from '../../domain/words/settlement-words.js';
import type { Attachment } from '../../protocol/attachment.js';
import type { Command } from '../../protocol/command.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, RunId, ThreadId } from '../../protocol/id.js';
import type { ApprovalDecision, QuestionAnswer, UnansweredRules } from '../../protocol/prompt.js';
import { type ThreadEventBody, threadEventSchema } from '../../protocol/thread-event.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Unit } from '../../store/unit.js';
import type { SecretAnswers } from '../prompts/secret-answers.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import { type ThreadState, withFacts } from '../threads/thread-state.js';
import type { Skills } from '../trust/skills.js';
import type { AttachedRunners } from './attached-runners.js';
import { Hearing } from './hearing.js';

/** A message to the agent of a thread. */
export interface AgentMessage {
  readonly uuid: string;
  readonly text: string;
  readonly actor: string;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly dispatchId?: DispatchId;
  /** Whether it begins a piece of work, or is said during one; the latter only goes to an agent that is at work. */
  readonly beginsWork: boolean;
  /** Somebody says it during the work, and it must be heard even if the agent dies before. */
  readonly isFollowUp?: boolean;
  /** The action whose denial it tells, where no call waits for it. */
  readonly deniedTool?: string | undefined;
  /** What the work says about prompts that nobody answers. */
  readonly unanswered?: UnansweredRules | undefined;
  /** Events that come before it in the thread. */
  readonly before?: readonly ThreadEventBody[];
  /** What is committed together with it. */
  readonly operations?: (runId: RunId) => readonly Operation[];
  /** Hears what these operations found. */
  readonly committed?: (results: readonly unknown[]) => void;
  /** Nothing is sent in any other state. */
  readonly onlyIf?: (state: ThreadState) => boolean;
  readonly lease?: NonNullable<Unit['lease']>;
}

// An agent that is about to be ended hears first that nobody answers, unless it takes longer than this.
const heardWithinMs = 5000;

// More calls of one agent never wait at the same time.
const withdrawnLooks = 20;

export interface CommandDeliveryParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly runners: AttachedRunners;
  readonly secrets: SecretAnswers;
  readonly skills?: Skills;
}

/**
 * Brings messages and answers to runners. What is to be brought is committed first; whenever a runner attaches, all of
 * it that has no receipt yet is sent again under the same id, and the runner acts on it once.
 */
export class CommandDelivery {
  readonly #parts: CommandDeliveryParts;

  constructor(parts: CommandDeliveryParts) {
    this.#parts = parts;
  }

  /** A message starts a skill's process anew, and its file may have changed since its runner was started. */
  async #expectSkill(threadId: ThreadId): Promise<void> {
    const { changes, skills } = this.#parts;
    const { workspace, launch } = (await changes.state(threadId)).thread;
    const { skill } = launch.posture;
    if (skill !== undefined) await skills?.commandOf(skill, workspace.path);
  }

  /** Puts a message into the thread and on its way to the thread's live agent; null when none lives. */
  async message(
    threadId: ThreadId,
    message: AgentMessage,
  ): Promise<{ readonly runId: RunId; readonly seq: number } | null> {
    const { uuid, text, actor, attachments, dispatchId, beginsWork, before = [], lease } = message;
    await this.#expectSkill(threadId);
    return await this.#parts.changes.commit(threadId, (state) => {
      // Whoever has it in a terminal is about to end this agent.
      if (!state.run || state.thread.terminal) return null;
      const { run, facts } = state.run;
      if (!beginsWork && facts.work === null) return null;
      if (message.onlyIf?.(state) === false) return null;
      const seq = state.thread.lastSeq + before.length + 1;
      const after = withMessage(facts, {
        uuid,
        seq,
        ...(beginsWork ? { work: dispatchId, unanswered: message.unanswered } : {}),
        isFollowUp: message.isFollowUp,
        deniedTool: message.deniedTool,
      });
      return {
        operations: [
          ...(message.operations?.(run.id) ?? []),
          { do: 'patchRun', runId: run.id, patch: { facts: after } },
        ],
        // The agent first, then whoever looks on.
        committed: (results) => {
          message.committed?.(results);
          this.#parts.runners.send(run.id, messageCommand({ uuid, text, attachments }));
        },
        events: [
          ...before,
          {
            type: 'user_message',
            uuid,
            text,
            actor,
            ...given({ dispatchId }),
            ...(attachments?.length ? { attachments: [...attachments] } : {}),
          },
        ],
        state: withFacts(state, after),
        ...given({ lease }),
        result: { runId: run.id, seq },
      };
    });
  }

  /** Sends an accepted answer to the request that waits for it; later, if the runner cannot be reached now. */
  answer(prompt: ThreadPrompt): boolean {
    const { id, requestId, runId, kind, action, acceptedAt, answers = [] } = prompt;
    if (requestId === undefined || runId === undefined || acceptedAt === undefined) return false;
    const command = responseTo({
      requestId,
      kind,
      isPlan: action?.tool === planTool,
      answers,
      decision: decisionIn(prompt) ?? decisionOf(answers),
      isDeclined: kind !== 'approval' && decisionIn(prompt)?.approved === false,
      commandId: `answer-${id}`,
    });
    return this.#parts.runners.send(runId, command);
  }

  /** Sends a secret that waits in memory to the request that asks for it; false where nobody waits who can be reached. */
  secret({ id, requestId, runId, kind, action }: ThreadPrompt): boolean {
    const secret = this.#parts.secrets.of(id);
    if (!secret || requestId === undefined || runId === undefined) return false;
    const { answers, actor } = secret;
    const command = responseTo({
      requestId,
      kind,
      isPlan: action?.tool === planTool,
      answers,
      decision: decisionOf(answers),
      isDeclined: false,
      commandId: secretCommandId(id, actor),
    });
    return this.#parts.runners.send(runId, command);
  }

  /** Tells the agent that nobody will answer what was cancelled. */
  withdraw({ requestId, runId, reason, actor, isOver }: DeclinedRequest): void {
    if (requestId === undefined || runId === undefined) return;
    this.#parts.runners.send(runId, {
      type: 'withdraw',
      requestId,
      reason: withdrawalSentence(reason),
      ...(actor?.startsWith('user:') ? { byPerson: true } : {}),
      ...(isOver ? { endsTurn: true } : {}),
      commandId: withdrawalId(requestId),
    });
  }

  /**
   * The same for several of one thread, whose agent is ended next; waits a moment until it has heard: until the calls
   * that asked have ended, because what an agent was told inside of a call is in its session only then.
   */
  async withdrawAll(threadId: ThreadId, prompts: readonly DeclinedRequest[]): Promise<void> {
    const { changes, runners } = this.#parts;
    const asked = prompts.filter(
      ({ requestId, runId }) => requestId !== undefined && runId !== undefined && runners.has(runId),
    );
    if (asked.length === 0) return;
    const hearing = new Hearing(asked);
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        listening[Symbol.dispose]();
        resolve();
      };
      const timer = setTimeout(finish, heardWithinMs);
      const listening = changes.listen(({ state, events }) => {
        if (state.thread.id !== threadId) return;
        for (const event of events) hearing.note(event);
        if (hearing.isOver || !state.run) finish();
      });
      for (const prompt of prompts) this.withdraw(prompt);
    });
  }

  /** Gives the live agent what an earlier run of its work did not live to hear. */
  async sendUnsent(threadId: ThreadId): Promise<void> {
    const run = await this.#parts.changes.commit(threadId, (state) => {
      if (!state.run || state.run.facts.unsent.length === 0) return null;
      const facts = withUnsentSent(state.run.facts);
      return {
        operations: [{ do: 'patchRun', runId: state.run.run.id, patch: { facts } }],
        state: withFacts(state, facts),
        result: state.run.run,
      };
    });
    if (run) await this.catchUp(run);
  }

  /** Sends everything again that the runner has given no receipt for. */
  async catchUp(run: StoredRun): Promise<void> {
    const { store, changes, runners } = this.#parts;
    const state = await changes.state(run.threadId);
    if (state.run?.run.id !== run.id) return;
    for (const { seq } of state.run.facts.sent) {
      const [event] = await store.query('events', { threadId: run.threadId, after: seq - 1, limit: 1 });
      const message = threadEventSchema('user_message').safeParse(JSON.parse(event?.json ?? 'null'));
      if (message.success) runners.send(run.id, messageCommand(message.data));
    }
    for (const prompt of undelivered(state)) this.answer(prompt);
    for (const prompt of state.prompts) if (prompt.runId === run.id && isOpen(prompt)) this.secret(prompt);
    for (const prompt of await this.#withdrawn(state)) this.withdraw(prompt);
    const declined = requestOfOverWork(state.run.facts.waitingCall, state.prompts);
    if (declined) this.withdraw({ ...declined, runId: run.id });
  }

  /** What was withdrawn while a call of the run waits: whoever withdrew it may not have lived to tell the runner. */
  async #withdrawn({ thread, run }: ThreadState): Promise<readonly ThreadPrompt[]> {
    if (!run?.facts.signs.toolsOpen) return [];
    const newest = { threadId: thread.id, order: 'newest_first', limit: withdrawnLooks } as const;
    const pages = await Promise.all(
      (['cancelled', 'failed'] as const).map(
        async (state) => await this.#parts.store.query('prompts', { ...newest, state }),
      ),
    );
    return pages.flatMap(({ rows }) => rows).filter(({ runId }) => runId === run.run.id);
  }
}

/** Why nobody will answer, as the agent hears it. */
function withdrawalSentence(reason = 'the question was cancelled'): string {
  const sentence = reasonSentence(reason);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Prompts with an answer that the run which waits for it may not have got. */
function undelivered({ prompts, run }: ThreadState): readonly ThreadPrompt[] {
  return prompts.filter(
    (prompt) => prompt.acceptedAt !== undefined && prompt.runId === run?.run.id && !isSecretGone(prompt),
  );
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
  readonly kind: ThreadPrompt['kind'];
  readonly isPlan: boolean;
  readonly answers: readonly QuestionAnswer[];
  readonly decision: ApprovalDecision;
  /** Somebody refuses to answer what an MCP server asks. */
  readonly isDeclined: boolean;
  readonly commandId: string;
}

/** The command that settles a request. */
function responseTo(response: Response): Command {
  const { requestId, kind, isPlan, answers, decision, isDeclined, commandId } = response;
  if (kind !== 'approval') {
    const given = answers.map((each) => [each.question, each.answer.join(', ')] as const);
    return {
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: isDeclined ? {} : Object.fromEntries(given),
      ...(isDeclined ? { declined: true } : {}),
      commandId,
    };
  }
  const { approved, message } = decision;
  if (!isPlan) {
    // What holds for the whole thread is kept with the thread, where it outlives the process and can be withdrawn.
    return {
      type: 'permission_response',
      permissionRequestId: requestId,
      ...decision,
      scope: 'once',
      commandId,
    };
  }
  return {
    type: 'plan_approval_response',
    planApprovalRequestId: requestId,
    planApproved: approved,
    ...given({ planApprovalReason: message }),
    commandId,
  };
}
