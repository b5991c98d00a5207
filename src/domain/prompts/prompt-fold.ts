import type { EventBody } from '../../protocol/event.js';
import { given } from '../../protocol/given.js';
import type { RunId } from '../../protocol/id.js';
import type { PromptActor } from '../../protocol/prompt.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import { notAskedAgain, workWasOver } from '../words/given-up-words.js';
import { isEmptyPlan } from './asked-plan.js';
import { type Asking, askedBy } from './asking.js';
import { fingerprintText } from './fingerprint.js';
import { policyDecision } from './policy-decision.js';
import { precedentKeys } from './precedent-keys.js';
import type { AcceptedAnswer, HeldAnswer, PromptChange, PromptSettlement } from './prompt-change.js';
import { pendingItem, resolvedItem } from './prompt-item.js';
import {
  type DeclinedRequest,
  type EventCircumstances,
  type PromptRules,
  type PromptThread,
  type SessionMemory,
  withdrawalId,
} from './prompt-thread.js';
import { ruledAnswer, rulingOn } from './rule-match.js';
import { isAnswerSaved } from './saved-answer.js';
import { secretGiver } from './secret-receipt.js';
import {
  asksForSecret,
  decisionIn,
  isConsent,
  isHeldBack,
  isOpen,
  isSecretGone,
  isToBeTold,
  type ThreadPrompt,
  unanswered,
} from './thread-prompt.js';
import { isTellable } from './told-again.js';
import { patienceFor } from './unanswered.js';

/**
 * The prompts of one thread while a change is decided: takes what happened, and collects the changes and the words in
 * the thread that follow from it. At most one open prompt is active; the next one is asked when it becomes so.
 */
export class PromptFold {
  readonly changes: PromptChange[] = [];
  readonly events: ThreadEventBody[] = [];
  /** Requests whose question was withdrawn before their agent asked again. */
  readonly declined: DeclinedRequest[] = [];
  #prompts: readonly ThreadPrompt[];
  readonly #thread: PromptThread;

  constructor(thread: PromptThread) {
    this.#thread = thread;
    this.#prompts = thread.prompts;
  }

  /** The prompts that are not over after all of this. */
  get prompts(): readonly ThreadPrompt[] {
    return this.#prompts;
  }

  /** What follows from an event of a run. */
  apply(runId: RunId, event: EventBody, circumstances: EventCircumstances) {
    const { at, rules } = circumstances;
    const { cwd, answerUuid } = this.#thread;
    const asking = askedBy(event, { cwd, sha256: rules.sha256 });
    if (asking) {
      this.#asked(runId, asking, circumstances);
      return;
    }
    switch (event.type) {
      case 'answer_delivered':
        this.#secretDelivered(runId, event, at);
        this.#delivered((prompt) => prompt.runId === runId && prompt.requestId === event.requestId, at);
        return;
      case 'command_accepted':
        this.#delivered((prompt) => answerUuid(prompt.id) === event.commandId, at);
        this.#heard(event.commandId);
        return;
      case 'tool_end':
        // A question outlives the process of the agent that asked it.
        if (event.cutOff !== true) this.#toolEnded(runId, event.id, at);
        return;
      case 'result':
        this.#turnEnded(runId, event.messageUuid, at);
        this.#notAskedAgain(runId, event.messageUuid);
        return;
      // Not at the result: that of a turn whose process is let go comes too, and its next life may not know what was said.
      case 'turn_complete':
        this.#heardInCalls(runId);
        return;
      case 'request_withdrawn':
        for (const prompt of this.#of(runId))
          if (prompt.requestId === event.requestId && isOpen(prompt)) this.cancel(prompt, event.reason);
        return;
      case 'interrupted':
        for (const prompt of this.#of(runId)) this.cancel(prompt, 'turn_cancelled');
        return;
      default:
    }
  }

  /**
   * A run is gone, and nobody can tell what its session holds; but in the turns of these messages the agent has put
   * something out, so the answers that they carried are used. Not a consent, on which the agent may still act.
   */
  heard(messageUuids: readonly string[], at: string): void {
    for (const prompt of this.#prompts) {
      if (prompt.deliveredAt === undefined || isConsent(prompt)) continue;
      if (messageUuids.includes(this.#thread.answerUuid(prompt.id))) this.#consumed(prompt, at);
    }
  }

  /**
   * A run is gone, and its session holds so much. An answer that is saved was used, whether or not anybody lived to
   * report it. One that was reported as used and is not saved is told again; not a consent, whose action may be done.
   */
  compare(runId: RunId, { saved, used, told, at }: SessionMemory): void {
    // A call that an earlier run left has a result too by now: that nothing came of it.
    const hasResult = (prompt: ThreadPrompt) =>
      prompt.runId === runId &&
      prompt.toolUseId !== undefined &&
      isAnswerSaved(prompt, prompt.toolUseId, saved);
    const wasTold = (prompt: ThreadPrompt) => saved.hasMessage(this.#thread.answerUuid(prompt.id));
    for (const prompt of this.#prompts) {
      if (prompt.deliveredAt === undefined) continue;
      // Who has only heard of a consent may still act on it.
      if (hasResult(prompt) || (!isConsent(prompt) && wasTold(prompt))) this.#consumed(prompt, at);
    }
    for (const prompt of this.#prompts) {
      const isInCall = hasResult(prompt) && told.includes(prompt.requestId ?? '');
      if (prompt.isUntold && (isInCall || wasTold(prompt))) this.#told(prompt);
    }
    this.tellAgain(used.filter((prompt) => !hasResult(prompt) && !wasTold(prompt) && isTellable(prompt)));
  }

  /** Answers that were used, by a session of which nothing is left, are told to the next one. */
  tellAgain(used: readonly ThreadPrompt[]): void {
    const unused = used.map(({ consumedAt: _not, ...prompt }): ThreadPrompt => prompt);
    this.changes.push(...unused.map(({ id }) => ({ do: 'unmarkConsumed', promptId: id }) as const));
    this.#prompts = [...this.#prompts, ...unused].toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  /** Keeps an answer that can still be undone; whoever calls has checked that it fits. */
  hold(prompt: ThreadPrompt, held: HeldAnswer): void {
    this.changes.push({ do: 'holdAnswer', promptId: prompt.id, ...held });
    this.#replace({ ...prompt, ...held, answers: [...held.answers] });
  }

  /** Takes back an answer that was held back; the prompt is open again. */
  undo(prompt: ThreadPrompt): void {
    this.changes.push({ do: 'undoAnswer', promptId: prompt.id });
    this.#replace(unanswered(prompt));
  }

  /** Accepts an answer; whoever calls has checked that it fits. */
  accept(prompt: ThreadPrompt, accepted: AcceptedAnswer): void {
    this.changes.push({ do: 'acceptAnswer', promptId: prompt.id, ...accepted });
    const { answers, answer, actor, at } = accepted;
    this.#replace({
      ...unanswered(prompt),
      active: false,
      actor,
      acceptedAt: at,
      ...(answers ? { answers: [...answers] } : {}),
      ...given({ answer }),
    });
    this.#activateNext();
  }

  /** Cancels a prompt that is open; one that has an answer already keeps it. */
  cancel(prompt: ThreadPrompt, reason: string, actor?: PromptActor): void {
    if (isOpen(prompt)) this.#settle(prompt, { state: 'cancelled', reason, ...given({ actor }) });
  }

  /** Gives up on a prompt, whether it has an answer that cannot be delivered or none. */
  fail(prompt: ThreadPrompt, reason: string, actor?: PromptActor): void {
    if (prompt.state === 'pending') this.#settle(prompt, { state: 'failed', reason, ...given({ actor }) });
  }

  cancelAll(reason: string, actor?: PromptActor): void {
    for (const prompt of this.#prompts) this.cancel(prompt, reason, actor);
  }

  /** The work is over, and nobody of it is left who could use its answers; the next work must not take them for its own. */
  leaveWork(reason: string = workWasOver): void {
    for (const prompt of this.#prompts) {
      if (prompt.acceptedAt === undefined) continue;
      if (prompt.state === 'pending') this.fail(prompt, reason);
      else this.#drop(prompt);
    }
  }

  #asked(runId: RunId, asking: Asking, { at, rules, isOfOverWork }: EventCircumstances): void {
    const { kind, questions, action, requestId, toolUseId, waitsUntil, carry } = asking;
    const { threadId, waitingCall, work } = this.#thread;
    const fingerprint = rules.sha256(fingerprintText({ kind, questions, ...given({ action }) }));
    const where = { runId, ...given({ requestId, toolUseId, work }) };
    // A plan that stands only in the call that was let go is not told again when that call is taken up.
    const isTakenUp =
      isEmptyPlan(action) && waitingCall.state === 'taking_up' && waitingCall.toolUseId === toolUseId;
    const isSame = (prompt: ThreadPrompt) =>
      prompt.fingerprint === fingerprint || (isTakenUp && prompt.toolUseId === toolUseId);
    const earlier = this.#prompts.find(
      (prompt) => isSame(prompt) && prompt.runId !== runId && !prompt.isUntold && !isSecretGone(prompt),
    );
    // Asked again after a resume: the same prompt, with whatever answer it has by now. An answer that was used is not
    // among them, and one that is found here is used once, because from here on it belongs to this run.
    if (earlier) {
      this.changes.push({ do: 'patchPrompt', promptId: earlier.id, patch: where });
      this.#replace({ ...earlier, ...where });
      return;
    }
    if (waitingCall.state === 'declining' && waitingCall.toolUseId === toolUseId) {
      const withdrawn = this.#prompts.find((prompt) => prompt.isUntold && prompt.toolUseId === toolUseId);
      if (withdrawn) {
        // Told again whenever the runner attaches, until it has heard.
        this.changes.push({ do: 'patchPrompt', promptId: withdrawn.id, patch: where });
        this.#replace({ ...withdrawn, ...where });
      }
      this.declined.push({
        ...where,
        ...(withdrawn ? given({ reason: withdrawn.reason, actor: withdrawn.actor }) : { isOver: true }),
      });
      return;
    }
    const prompt = {
      id: rules.newId(),
      threadId,
      kind,
      active: !this.#prompts.some(({ active }) => active),
      questions: [...questions],
      ...given({ action }),
      fingerprint,
      ...patienceFor(kind, {
        rules: this.#thread.unanswered ?? rules.unanswered,
        askedAt: at,
        ...given({ waitsUntil }),
      }),
      createdAt: at,
      ...given({ carry, keys: this.#keysOf(asking, rules) }),
      ...where,
    };
    this.changes.push({ do: 'openPrompt', prompt });
    const opened: ThreadPrompt = { ...prompt, state: 'pending' };
    this.#prompts = [...this.#prompts, opened];
    if (isOfOverWork) {
      // Nobody waits for what called-off work asks in its last moments, and nothing of it is allowed any more.
      this.cancel(opened, 'turn_cancelled');
      this.declined.push({ ...where, reason: 'turn_cancelled', isOver: true });
      return;
    }
    const policy = asking.onlyPerson ? null : policyDecision(opened, this.#thread, rules.sha256);
    if (policy) {
      const { actor, decision } = policy;
      const answer = [decision.approved ? 'Approve' : 'Deny'];
      const answers = questions.map(({ question }) => ({ question, answer }));
      this.accept(opened, { actor, at, answer: { decision }, answers });
    } else if (!(asking.onlyPerson !== true && this.#ruled(opened, { at, rules })) && opened.active) {
      this.#ask(opened);
    }
  }

  #keysOf(asking: Asking, { sha256 }: PromptRules): ThreadPrompt['keys'] {
    const { project, seenAs: cwd } = this.#thread;
    return project === undefined ? undefined : precedentKeys(asking, { project, cwd, sha256 });
  }

  /** Answers by a rule, if one is about it. The rule is used in the same commit, which is refused if it was withdrawn by then. */
  #ruled(opened: ThreadPrompt, { at, rules }: { readonly at: string; readonly rules: PromptRules }): boolean {
    const { standing = [], isReallyInside = () => false, sha256 } = rules;
    const { project, cwd, seenAs } = this.#thread;
    if (project === undefined || standing.length === 0) return false;
    const isInside = (path: string) => isReallyInside(cwd, path);
    const place = { project, cwd: seenAs, sha256, isReallyInside: isInside };
    const rule = rulingOn(standing, opened, place);
    if (!rule) return false;
    this.changes.push({ do: 'useRule', ruleId: rule.id, at });
    this.accept(opened, { at, ...ruledAnswer(rule, opened) });
    return true;
  }

  /** A secret is accepted when the agent has it, and not before: until then nobody else could give it again. */
  #secretDelivered(runId: RunId, { requestId, commandId }: EventBody<'answer_delivered'>, at: string): void {
    const prompt = this.#of(runId).find((each) => each.requestId === requestId && isOpen(each));
    const actor = prompt && asksForSecret(prompt) ? secretGiver(prompt.id, commandId) : undefined;
    if (prompt && actor) this.accept(prompt, { actor, at });
  }

  #delivered(isIt: (prompt: ThreadPrompt) => boolean, at: string): void {
    const prompt = this.#prompts.find((each) => each.state === 'pending' && isIt(each));
    if (!prompt) return;
    // Answered behind our back, by somebody at the runner itself.
    if (prompt.acceptedAt === undefined) {
      this.cancel(prompt, 'superseded');
      return;
    }
    this.changes.push({ do: 'markDelivered', promptId: prompt.id, at });
    const answered: ThreadPrompt = { ...prompt, state: 'answered', deliveredAt: at };
    this.#replace(answered);
    this.events.push({
      type: 'prompt_settled',
      promptId: prompt.id,
      item: resolvedItem(answered, decisionIn(answered)),
    });
  }

  #toolEnded(runId: RunId, toolUseId: string, at: string): void {
    for (const prompt of this.#of(runId)) {
      if (prompt.toolUseId !== toolUseId) continue;
      if (prompt.isUntold) this.#told(prompt);
      else if (prompt.deliveredAt !== undefined) this.#consumed(prompt, at);
      else this.cancel(prompt, 'superseded');
    }
  }

  /** Whatever the agent was told before its turn ended, it has used. */
  #turnEnded(runId: RunId, messageUuid: string | undefined, at: string): void {
    for (const prompt of this.#prompts) {
      const wasTold = prompt.runId === runId || this.#thread.answerUuid(prompt.id) === messageUuid;
      if (wasTold && prompt.deliveredAt !== undefined) this.#consumed(prompt, at);
    }
  }

  /** Whoever was asked to ask again for a secret, and ended its turn without, goes on without it. */
  #notAskedAgain(runId: RunId, messageUuid: string | undefined): void {
    for (const prompt of this.#prompts) {
      if (prompt.runId === runId || !isOpen(prompt) || !asksForSecret(prompt)) continue;
      if (this.#thread.askAgainUuid(prompt.id, runId) === messageUuid) this.fail(prompt, notAskedAgain);
    }
  }

  #consumed(prompt: ThreadPrompt, at: string): void {
    this.changes.push({ do: 'markConsumed', promptId: prompt.id, at });
    this.#prompts = this.#prompts.filter(({ id }) => id !== prompt.id);
  }

  #drop(prompt: ThreadPrompt): void {
    this.changes.push({ do: 'dropAnswer', promptId: prompt.id });
    this.#prompts = this.#prompts.filter(({ id }) => id !== prompt.id);
  }

  #settle(prompt: ThreadPrompt, how: PromptSettlement): void {
    const settlement = isToBeTold(how) ? { ...how, isUntold: true } : how;
    this.changes.push({ do: 'settlePrompt', promptId: prompt.id, ...settlement });
    // An answer that could still be undone never counted.
    const unsettled = isHeldBack(prompt) ? unanswered(prompt) : prompt;
    const settled: ThreadPrompt = { ...unsettled, ...settlement, active: false };
    if (settlement.isUntold) this.#replace(settled);
    else this.#prompts = this.#prompts.filter(({ id }) => id !== prompt.id);
    this.events.push({ type: 'prompt_settled', promptId: prompt.id, item: resolvedItem(settled) });
    this.#activateNext();
  }

  /**
   * The agent hears that nobody answers. A message is enough; what is said in a call is in its session when the call has
   * ended, and an agent may be let go before that.
   */
  #heard(commandId: string): void {
    const isIt = ({ id, requestId, toolUseId, isUntold }: ThreadPrompt) =>
      isUntold === true &&
      (this.#thread.answerUuid(id) === commandId ||
        (requestId !== undefined && toolUseId === undefined && withdrawalId(requestId) === commandId));
    const prompt = this.#prompts.find(isIt);
    if (prompt) this.#told(prompt);
  }

  #heardInCalls(runId: RunId): void {
    for (const prompt of this.#of(runId))
      if (prompt.isUntold && prompt.requestId !== undefined) this.#told(prompt);
  }

  #told({ id: promptId }: ThreadPrompt): void {
    this.changes.push({ do: 'markTold', promptId });
    this.#prompts = this.#prompts.filter(({ id }) => id !== promptId);
  }

  #activateNext(): void {
    if (this.#prompts.some(({ active }) => active)) return;
    const next = this.#prompts.find(isOpen);
    if (!next) return;
    this.changes.push({ do: 'patchPrompt', promptId: next.id, patch: { active: true } });
    const active = { ...next, active: true };
    this.#replace(active);
    this.#ask(active);
  }

  #ask(prompt: ThreadPrompt): void {
    this.events.push({ type: 'prompt_asked', promptId: prompt.id, item: pendingItem(prompt) });
  }

  #of(runId: RunId): ThreadPrompt[] {
    return this.#prompts.filter((prompt) => prompt.runId === runId);
  }

  #replace(prompt: ThreadPrompt): void {
    this.#prompts = this.#prompts.map((each) => (each.id === prompt.id ? prompt : each));
  }
}
