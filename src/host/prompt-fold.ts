import { createHash } from 'node:crypto';
import { canonicalJson, fingerprintText } from '../domain/fingerprint.js';
import { pendingItem, resolvedItem } from '../domain/prompt-item.js';
import { patienceFor } from '../domain/unanswered.js';
import type { EventBody } from '../protocol/event.js';
import { Failure } from '../protocol/failure.js';
import type { PromptId, RunId } from '../protocol/id.js';
import type { ApprovalDecision, PromptAction, PromptActor, UnansweredRules } from '../protocol/prompt.js';
import type { Question } from '../protocol/question.js';
import type { ThreadEventBody } from '../protocol/thread-event.js';
import type { Operation } from '../store/operation.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import { answerUuid } from './answer-message.js';
import type { SavedSession } from './saved-session.js';
import type { ThreadChange } from './thread-book.js';
import { isOpen, type ThreadState } from './thread-state.js';

/** The action of a prompt that approves a plan. */
export const planTool = 'plan';

/** What it takes to open a prompt. */
export interface Asking {
  readonly newId: () => PromptId;
  /** What happens to prompts that nobody answers, where the work does not say. */
  readonly unanswered: UnansweredRules;
  /** Called once it is committed that nobody is asked. */
  readonly declined?: (request: Declined) => void;
}

/** A request to which the agent hears that nobody answers. */
export interface Declined extends Pick<Asked, 'kind' | 'questions'> {
  readonly runId?: RunId | undefined;
  readonly requestId?: string | undefined;
  readonly action?: PromptAction | undefined;
}

/** What the session of a run holds that is gone. */
interface Remembered {
  readonly saved: SavedSession;
  /** Answers that were reported as used shortly before. */
  readonly used: readonly StoredPrompt[];
  readonly at: string;
}

interface Asked {
  readonly kind: StoredPrompt['kind'];
  readonly questions: readonly Question[];
  readonly action?: PromptAction;
  readonly requestId?: string;
  readonly toolUseId?: string;
  readonly carry?: unknown;
}

/**
 * The prompts of one thread while a change is decided: takes what happened, and collects the operations and the words
 * in the thread that follow from it. At most one open prompt is active; the next one is asked when it becomes so.
 */
export class PromptFold {
  readonly operations: Operation[] = [];
  readonly says: ThreadEventBody[] = [];
  #prompts: readonly StoredPrompt[];
  readonly #state: ThreadState;
  readonly #asking: Asking | undefined;
  readonly #declined: Declined[] = [];

  constructor(state: ThreadState, asking?: Asking) {
    this.#state = state;
    this.#prompts = state.prompts;
    this.#asking = asking;
  }

  /** Requests that were withdrawn before their agent asked them again. */
  get declined(): readonly Declined[] {
    return this.#declined;
  }

  get prompts(): readonly StoredPrompt[] {
    return this.#prompts;
  }

  /** The change of the thread that all of this amounts to. */
  change<Result>(result: Result): ThreadChange<Result> {
    const state = { ...this.#state, prompts: this.#prompts };
    return { operations: this.operations, says: this.says, state, result };
  }

  /** What follows from an event of a run. */
  take(runId: RunId, event: EventBody, at: string): void {
    switch (event.type) {
      case 'user_question_request':
        this.#open(runId, { ...event, kind: kindOf(event.questions) }, at);
        return;
      case 'plan_approval_request':
        this.#open(
          runId,
          { ...event, ...this.#approval(planTool, { plan: event.planContent }, 'Approve this plan?') },
          at,
        );
        return;
      case 'permission_request':
        this.#open(
          runId,
          {
            ...event,
            ...this.#approval(event.tool, event.input, `May the agent use ${event.tool}?`, event.reason),
          },
          at,
        );
        return;
      case 'needs_input':
        if (event.question !== undefined) this.#open(runId, sentinelQuestion(event, event.question), at);
        return;
      case 'answer_delivered':
        this.#delivered((prompt) => prompt.runId === runId && prompt.requestId === event.requestId, at);
        return;
      case 'command_accepted':
        this.#delivered((prompt) => answerUuid(prompt.id) === event.commandId, at);
        return;
      case 'tool_end':
        // A question outlives the process of the agent that asked it.
        if (event.cutOff !== true) this.#toolEnded(runId, event.id, at);
        return;
      case 'result':
        this.#turnEnded(runId, event.messageUuid, at);
        return;
      case 'interrupted':
        for (const prompt of this.#of(runId)) this.cancel(prompt, 'turn_cancelled');
        return;
      default:
    }
  }

  /**
   * A run is gone, and its session holds so much. An answer that is saved was used, whether or not anybody lived to
   * report it. One that was reported as used and is not saved is told again; not a consent, whose action may be done.
   */
  compare(runId: RunId, { saved, used, at }: Remembered): void {
    // A call that an earlier run left has a result too by now: that nothing came of it.
    const hasResult = (prompt: StoredPrompt) =>
      prompt.runId === runId && prompt.toolUseId !== undefined && saved.hasResult(prompt.toolUseId);
    const wasTold = (prompt: StoredPrompt) => saved.hasMessage(answerUuid(prompt.id));
    for (const prompt of this.#prompts) {
      if (prompt.deliveredAt === undefined) continue;
      // Who has only heard of a consent may still act on it.
      if (hasResult(prompt) || (!isConsent(prompt) && wasTold(prompt))) this.#consumed(prompt, at);
    }
    for (const prompt of used) {
      if (hasResult(prompt) || wasTold(prompt) || isConsent(prompt) || isSecret(prompt)) continue;
      this.operations.push({ do: 'unmarkConsumed', promptId: prompt.id });
      const { consumedAt: _not, ...unused } = prompt;
      this.#prompts = [...this.#prompts, unused].toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    }
  }

  /** Accepts an answer; whoever calls has checked that it fits. */
  accept(prompt: StoredPrompt, given: Omit<Operation<'acceptAnswer'>, 'do' | 'promptId'>): void {
    this.operations.push({ do: 'acceptAnswer', promptId: prompt.id, ...given });
    const { answers, answer, actor, at } = given;
    this.#replace({
      ...prompt,
      active: false,
      actor,
      acceptedAt: at,
      ...(answers ? { answers: [...answers] } : {}),
      ...(answer ? { answer } : {}),
    });
    this.#activateNext();
  }

  /** Cancels a prompt that is open; one that has an answer already keeps it. */
  cancel(prompt: StoredPrompt, reason: string, actor?: PromptActor): void {
    if (!isOpen(prompt)) return;
    this.#settle(prompt, { state: 'cancelled', reason, ...(actor === undefined ? {} : { actor }) });
  }

  /** Gives up on a prompt, whether it has an answer that cannot be delivered or none. */
  fail(prompt: StoredPrompt, reason: string, actor?: PromptActor): void {
    if (prompt.state === 'pending')
      this.#settle(prompt, { state: 'failed', reason, ...(actor === undefined ? {} : { actor }) });
  }

  cancelAll(reason: string, actor?: PromptActor): void {
    for (const prompt of this.#prompts) this.cancel(prompt, reason, actor);
  }

  #open(runId: RunId, asked: Asked, at: string): void {
    const { kind, questions, action, requestId, toolUseId } = asked;
    const fingerprint = sha256(fingerprintText({ kind, questions, ...(action ? { action } : {}) }));
    const where = {
      runId,
      ...(requestId === undefined ? {} : { requestId }),
      ...(toolUseId === undefined ? {} : { toolUseId }),
    };
    const earlier = this.#prompts.find(
      (prompt) => prompt.fingerprint === fingerprint && prompt.runId !== runId,
    );
    // Asked again after a resume: the same prompt, with whatever answer it has by now. An answer that was used is not
    // among them, and one that is found here is used once, because from here on it belongs to this run.
    if (earlier) {
      this.operations.push({ do: 'patchPrompt', promptId: earlier.id, patch: where });
      this.#replace({ ...earlier, ...where });
      return;
    }
    if (toolUseId !== undefined && this.#state.run?.facts.declines === toolUseId) {
      this.#declined.push({ ...where, kind, questions, action });
      return;
    }
    if (!this.#asking) throw new Failure('internal', 'A prompt is opened where none can be.');
    const rules = this.#state.run?.facts.unanswered ?? this.#asking.unanswered;
    const prompt = {
      id: this.#asking.newId(),
      threadId: this.#state.thread.id,
      kind,
      active: !this.#prompts.some(({ active }) => active),
      questions: [...questions],
      ...(action ? { action } : {}),
      fingerprint,
      ...patienceFor(kind, { rules, askedAt: at }),
      createdAt: at,
      ...(asked.carry === undefined ? {} : { carry: asked.carry }),
      ...where,
    };
    this.operations.push({ do: 'openPrompt', prompt });
    const opened: StoredPrompt = { ...prompt, state: 'pending' };
    this.#prompts = [...this.#prompts, opened];
    const decision = this.#ownDecision(opened);
    if (decision) {
      const answers = answersOf(opened, decision.approved);
      this.accept(opened, { actor: 'policy:autonomous', at, answer: { decision }, answers });
    } else if (opened.active) {
      this.#ask(opened);
    }
  }

  /**
   * Where nobody wants to be asked: plans are approved, unless the thread was put into plan mode on purpose; then only
   * the plan is asked, nothing is changed while it is made, and nothing is asked once it was approved.
   */
  #ownDecision({ kind, action }: StoredPrompt): ApprovalDecision | null {
    const { permissions, posture } = this.#state.thread.launch;
    if (permissions !== 'autonomous' || kind !== 'approval') return null;
    const isPlanning =
      posture.permissionMode === 'plan' && (this.#state.run?.facts.mode ?? 'plan') === 'plan';
    if (action?.tool === planTool) return posture.permissionMode === 'plan' ? null : { approved: true };
    return isPlanning
      ? { approved: false, message: 'The plan comes first: until it is approved, nothing is changed.' }
      : { approved: true };
  }

  #approval(tool: string, input: Record<string, unknown>, question: string, reason?: string): Asked {
    const cwd = this.#state.thread.workspace.path;
    return {
      kind: 'approval',
      questions: [{ question, multiSelect: false, options: [{ label: 'Approve' }, { label: 'Deny' }] }],
      action: {
        tool,
        input,
        digest: sha256(canonicalJson({ tool, input, cwd })),
        ...(reason === undefined ? {} : { reason }),
      },
    };
  }

  #delivered(isIt: (prompt: StoredPrompt) => boolean, at: string): void {
    const prompt = this.#prompts.find((each) => each.state === 'pending' && isIt(each));
    if (!prompt) return;
    // Answered behind our back, by somebody at the runner itself.
    if (prompt.acceptedAt === undefined) {
      this.cancel(prompt, 'superseded');
      return;
    }
    this.operations.push({ do: 'markDelivered', promptId: prompt.id, at });
    const answered: StoredPrompt = { ...prompt, state: 'answered', deliveredAt: at };
    this.#replace(answered);
    this.says.push({
      type: 'prompt_settled',
      promptId: prompt.id,
      item: resolvedItem(answered, decisionIn(answered)),
    });
  }

  #toolEnded(runId: RunId, toolUseId: string, at: string): void {
    for (const prompt of this.#of(runId)) {
      if (prompt.toolUseId !== toolUseId) continue;
      if (prompt.deliveredAt !== undefined) this.#consumed(prompt, at);
      else this.cancel(prompt, 'superseded');
    }
  }

  /** Whatever the agent was told before its turn ended, it has used. */
  #turnEnded(runId: RunId, messageUuid: string | undefined, at: string): void {
    for (const prompt of this.#prompts) {
      const wasTold = prompt.runId === runId || answerUuid(prompt.id) === messageUuid;
      if (wasTold && prompt.deliveredAt !== undefined) this.#consumed(prompt, at);
    }
  }

  #consumed(prompt: StoredPrompt, at: string): void {
    this.operations.push({ do: 'markConsumed', promptId: prompt.id, at });
    this.#prompts = this.#prompts.filter(({ id }) => id !== prompt.id);
  }

  #settle(
    prompt: StoredPrompt,
    how: { readonly state: 'cancelled' | 'failed'; readonly reason: string; readonly actor?: PromptActor },
  ): void {
    this.operations.push({ do: 'settlePrompt', promptId: prompt.id, ...how });
    const settled: StoredPrompt = { ...prompt, ...how, active: false };
    this.#prompts = this.#prompts.filter(({ id }) => id !== prompt.id);
    this.says.push({ type: 'prompt_settled', promptId: prompt.id, item: resolvedItem(settled) });
    this.#activateNext();
  }

  #activateNext(): void {
    if (this.#prompts.some(({ active }) => active)) return;
    const next = this.#prompts.find(isOpen);
    if (!next) return;
    this.operations.push({ do: 'patchPrompt', promptId: next.id, patch: { active: true } });
    const active = { ...next, active: true };
    this.#replace(active);
    this.#ask(active);
  }

  #ask(prompt: StoredPrompt): void {
    this.says.push({ type: 'prompt_asked', promptId: prompt.id, item: pendingItem(prompt) });
  }

  #of(runId: RunId): StoredPrompt[] {
    return this.#prompts.filter((prompt) => prompt.runId === runId);
  }

  #replace(prompt: StoredPrompt): void {
    this.#prompts = this.#prompts.map((each) => (each.id === prompt.id ? prompt : each));
  }
}

function isConsent({ kind, answers = [] }: StoredPrompt): boolean {
  return kind === 'approval' && answers.some(({ answer }) => answer.includes('Approve'));
}

function isSecret({ questions }: StoredPrompt): boolean {
  return questions.some((question) => question.isSecret);
}

function decisionIn({ answer }: StoredPrompt): ApprovalDecision | undefined {
  return answer && 'decision' in answer ? answer.decision : undefined;
}

function kindOf(questions: readonly Question[]): StoredPrompt['kind'] {
  return questions.length === 1 && questions[0]?.options.length === 0 ? 'text' : 'ask_user_question';
}

function answersOf({ questions }: StoredPrompt, approved: boolean) {
  return questions.map(({ question }) => ({ question, answer: [approved ? 'Approve' : 'Deny'] }));
}

function sentinelQuestion(event: EventBody<'needs_input'>, question: string): Asked {
  const options = (event.options ?? []).map((label) => ({ label }));
  const asked = event.context === undefined ? question : `${question}\n${event.context}`;
  return {
    kind: options.length === 0 ? 'text' : 'ask_user_question',
    questions: [{ question: asked, multiSelect: false, options }],
    carry: { question, ...(event.partialState === undefined ? {} : { partial_state: event.partialState }) },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
