import { answersFromText, checkedAnswers } from '../../domain/prompts/answer.js';
import { emptyPlanWords, isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { likenessText } from '../../domain/prompts/fingerprint.js';
import { scriptsProposalTool } from '../../domain/prompts/scripts-proposal.js';
import { grantedBy, grantText } from '../../domain/prompts/thread-grant.js';
import {
  askingServer,
  asksForSecret,
  isHeldBack,
  isOpen,
  shownPrompt,
  type ThreadPrompt,
} from '../../domain/prompts/thread-prompt.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PromptId } from '../../protocol/id.js';
import type { RuntimeName } from '../../protocol/posture.js';
import type { Precedent } from '../../protocol/precedent.js';
import {
  type Answer,
  type AnswerRequest,
  type Prompt,
  type PromptActor,
  type QuestionAnswer,
} from '../../protocol/prompt.js';
import { largestPageBytes, largestPageSize, type Page } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, Prompts } from '../host.js';
import type { AttachedRunners } from '../runs/attached-runners.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { RuntimeAbility, RuntimeCatalog } from '../runtime-catalog.js';
import { sha256 } from '../sha256.js';
import type { ThreadChange, ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import { precedentsFor } from './precedents.js';
import type { SecretAnswers } from './secret-answers.js';
import { promptChange, promptsIn } from './thread-prompts.js';

// A runner that waits gives its receipt at once.
const deliveredWithinMs = 5000;

// A person answers where they are; the worker that has the agent brings it the answer.
const anywhere = { anywhere: true };

export interface PromptServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly secrets: SecretAnswers;
  readonly runners: AttachedRunners;
  readonly runtimes: RuntimeCatalog;
  readonly clock: Clock;
}

/** Shows questions and takes answers: checked first, stored once, then brought to the agent. */
export class PromptService implements Prompts {
  readonly #parts: PromptServiceParts;

  constructor(parts: PromptServiceParts) {
    this.#parts = parts;
  }

  async get(id: PromptId): Promise<Prompt> {
    return this.#shown(await this.#stored(id));
  }

  async list(query: Parameters<Prompts['list']>[0]): Promise<Page<Prompt>> {
    const page = await this.#parts.store.query('prompts', { ...query, mostBytes: largestPageBytes });
    return { ...page, rows: page.rows.map((prompt) => this.#shown(prompt)) };
  }

  async precedents(id: PromptId): Promise<readonly Precedent[]> {
    return await precedentsFor(this.#parts.store, await this.#stored(id));
  }

  async answer(id: PromptId, request: AnswerRequest, actor: Actor): Promise<Prompt> {
    const { holdSeconds = 0 } = request;
    const answer = withoutHold(request);
    if (holdSeconds > 0) return await this.#hold(id, { answer, actor, holdSeconds });
    if (asksForSecret(await this.#stored(id))) return await this.#giveSecret(id, { answer, actor });
    return await this.#accept(id, (prompt) => {
      if (!isOpen(prompt) || isHeldBack(prompt)) throw settled(prompt);
      return { answer, actor };
    });
  }

  async undo(id: PromptId, actor: Actor): Promise<Prompt> {
    const { threadId } = await this.#stored(id);
    await this.#parts.changes.commit(
      threadId,
      async (state) => {
        const prompt = await this.#stored(id);
        if (!isOpen(prompt)) throw settled(prompt);
        if (!isHeldBack(prompt)) throw new Failure('conflict', `${id} has no answer that could be undone.`);
        if (prompt.actor !== actor)
          throw new Failure('forbidden', `${id} was answered by ${prompt.actor}; nobody else can undo that.`);
        const prompts = promptsIn(state);
        prompts.undo(prompt);
        return promptChange(state, prompts, undefined);
      },
      anywhere,
    );
    return await this.get(id);
  }

  /** Accepts an answer that was held back, unless it was undone, or the prompt was closed, in the meantime. */
  async acceptHeld(id: PromptId): Promise<void> {
    await this.#accept(id, (prompt) => {
      const { answer, actor } = prompt;
      return isHeldBack(prompt) && answer && actor ? { answer, actor } : null;
    });
  }

  async #hold(
    id: PromptId,
    { answer, actor, holdSeconds }: GivenAnswer & { readonly holdSeconds: number },
  ): Promise<Prompt> {
    const { changes, clock } = this.#parts;
    const { threadId } = await this.#stored(id);
    await changes.commit(
      threadId,
      async (state) => {
        const prompt = await this.#stored(id);
        if (!isOpen(prompt) || isHeldBack(prompt)) throw settled(prompt);
        const answers = readAnswer(prompt, answer);
        this.#expectAble(state.thread.runtime, answer, prompt);
        if (asksForSecret(prompt))
          throw new Failure(
            'invalid',
            `${id} asks for a secret. A secret is never stored, so it cannot be held back: leave holdSeconds out.`,
          );
        const undoUntil = instant(clock, holdSeconds * 1000);
        const prompts = promptsIn(state);
        prompts.hold(prompt, { actor, undoUntil, answer, answers });
        return promptChange(state, prompts, undefined);
      },
      anywhere,
    );
    return await this.get(id);
  }

  async #accept(id: PromptId, given: (prompt: ThreadPrompt) => GivenAnswer | null): Promise<Prompt> {
    const { changes, delivery, clock } = this.#parts;
    const { threadId } = await this.#stored(id);
    const accepted = await changes.commit(
      threadId,
      async (state) => {
        const prompt = await this.#stored(id);
        const said = given(prompt);
        if (!said) return null;
        const { answer, actor } = said;
        const at = instant(clock);
        const answers = readAnswer(prompt, answer);
        this.#expectAble(state.thread.runtime, answer, prompt);
        const prompts = promptsIn(state);
        prompts.accept(prompt, { actor, at, answer, answers });
        const accepted = { ...prompt, actor, acceptedAt: at, answer, answers };
        return withGrant(promptChange(state, prompts, accepted), accepted);
      },
      anywhere,
    );
    if (accepted) delivery.answer(accepted);
    return await this.get(id);
  }

  /**
   * A secret is kept in memory until its agent has it, and is accepted then. An agent that waits gets it at once; one
   * that is gone is woken, and gets it when it asks again.
   */
  async #giveSecret(id: PromptId, { answer, actor }: GivenAnswer): Promise<Prompt> {
    const { changes, delivery, secrets } = this.#parts;
    const { threadId } = await this.#stored(id);
    const keeping = changes.commit(threadId, async (state) => {
      const prompt = await this.#stored(id);
      const kept = secrets.of(id);
      if (kept) throw new PromptSettled(this.#shown(prompt), onItsWay(id, kept.actor));
      if (!isOpen(prompt)) throw settled(prompt);
      const answers = readAnswer(prompt, answer);
      const isWaitedFor = this.#isWaitedFor(prompt, state);
      if (!isWaitedFor) await this.#expectWakeable(prompt, state);
      secrets.keep(id, { threadId, actor, answers });
      const told = { type: 'notice', message: keptWords(actor) } as const;
      return {
        operations: [],
        events: isWaitedFor ? [] : [told],
        state,
        result: isWaitedFor ? prompt : null,
      };
    });
    const waiting = await keeping.catch((error: unknown) => {
      if (!(error instanceof PromptSettled)) secrets.forget(id);
      throw error;
    });
    if (waiting && delivery.secret(waiting)) {
      const isAccepted = ({ prompts }: ThreadState) =>
        !prompts.some((prompt) => prompt.id === id && isOpen(prompt));
      await changes.until(threadId, isAccepted, AbortSignal.timeout(deliveredWithinMs));
    }
    return await this.get(id);
  }

  /** Whether somebody would ask again if the agent was started: it goes on with its session, and its work is under way. */
  async #expectWakeable({ id, requestId }: ThreadPrompt, { thread, run }: ThreadState): Promise<void> {
    const { store, runtimes } = this.#parts;
    const of = { threadId: thread.id, limit: 1 };
    const pages = await Promise.all(
      (['waiting', 'running'] as const).map(
        async (state) => await store.query('dispatches', { ...of, state }),
      ),
    );
    const isUnderWay = pages.some(({ rows }) => rows.length > 0);
    if (isUnderWay && requestId !== undefined && runtimes.can(thread.runtime, 'resume')) return;
    const why = run
      ? 'its agent cannot be reached now. Try again in a moment.'
      : 'its agent cannot be woken to ask for it again. Cancel the question.';
    throw new Failure('not_deliverable', `${id} asks for a secret, and ${why}`);
  }

  async cancel(id: PromptId, options: { readonly reason?: string; readonly actor?: Actor }): Promise<Prompt> {
    const { changes, delivery } = this.#parts;
    const { threadId } = await this.#stored(id);
    await changes.commit(threadId, async (state) => {
      const prompt = await this.#stored(id);
      if (!isOpen(prompt) || isHeldBack(prompt)) throw settled(prompt);
      const prompts = promptsIn(state);
      prompts.cancel(prompt, options.reason ?? 'cancelled', options.actor);
      return promptChange(state, prompts, undefined);
    });
    delivery.withdraw(await this.#stored(id));
    return await this.get(id);
  }

  async answerLike(
    id: PromptId,
    answer: AnswerRequest,
    actor: Actor,
  ): Promise<{ readonly count: number; readonly prompts: readonly Prompt[] }> {
    const like = await this.#stored(id);
    readAnswer(like, withoutHold(answer));
    const likeness = likenessText(like);
    const shown: Prompt[] = [];
    let bytes = 0;
    let count = 0;
    let cursor: string | undefined;
    do {
      const page = await this.#parts.store.query('prompts', {
        open: true,
        limit: 1000,
        mostBytes: largestPageBytes,
        ...given({ cursor }),
      });
      for (const prompt of page.rows) {
        if (likenessText(prompt) !== likeness) continue;
        try {
          const answered = await this.answer(prompt.id, answer, actor);
          count += 1;
          bytes += Buffer.byteLength(JSON.stringify(answered));
          // All are answered; what comes back is a page of them, like every list.
          if (count === 1 || (bytes <= largestPageBytes && shown.length < largestPageSize))
            shown.push(answered);
        } catch (error) {
          // Somebody else was faster with this one.
          if (!(error instanceof Failure && error.code === 'prompt_settled')) throw error;
        }
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return { count, prompts: shown };
  }

  #expectAble(runtime: RuntimeName, answer: Answer, prompt: ThreadPrompt): void {
    if (!('decision' in answer)) return;
    const { approved, updatedInput, message, scope } = answer.decision;
    const isOfServer = askingServer(prompt) !== undefined;
    if (isOfServer && (updatedInput !== undefined || message !== undefined || scope === 'thread'))
      throw new Failure('invalid', `${prompt.id} is asked by an MCP server, which hears only yes or no.`);
    const isProposal = prompt.action?.tool === scriptsProposalTool;
    if (isProposal && (updatedInput !== undefined || scope === 'thread'))
      throw new Failure('invalid', `${prompt.id} proposes a file, which is approved as it is and once.`);
    const wanted: (readonly [RuntimeAbility, string])[] = [
      ...(updatedInput === undefined ? [] : [['editedInput', 'approve with another input'] as const]),
      ...(approved || message === undefined ? [] : [['denyWithMessage', 'deny with a message'] as const]),
    ];
    for (const [ability, words] of wanted) {
      if (!this.#parts.runtimes.can(runtime, ability))
        throw new Failure('unsupported_by_runtime', `The runtime ${runtime} cannot ${words}.`);
    }
  }

  /** Whether the agent that asked is there and can be reached. */
  #isWaitedFor({ runId }: ThreadPrompt, { run }: ThreadState): boolean {
    return runId !== undefined && run?.run.id === runId && this.#parts.runners.has(runId);
  }

  #shown(prompt: ThreadPrompt): Prompt {
    const secret = isOpen(prompt) ? this.#parts.secrets.of(prompt.id) : undefined;
    return { ...shownPrompt(prompt), ...given({ secretFrom: secret?.actor }) };
  }

  async #stored(id: PromptId): Promise<ThreadPrompt> {
    const prompt = await this.#parts.store.query('prompt', { id });
    if (!prompt) throw new Failure('not_found', `There is no prompt ${id}.`);
    return prompt;
  }
}

/** An answer, and who gave it. */
interface GivenAnswer {
  readonly answer: Answer;
  readonly actor: PromptActor;
}

/** A prompt with the answer that it got from a person. */
type AcceptedPrompt = Pick<ThreadPrompt, 'id' | 'threadId' | 'action'> &
  GivenAnswer & { readonly acceptedAt: string };

function withoutHold({ holdSeconds: _seconds, ...answer }: AnswerRequest): Answer {
  return answer;
}

/** Thrown when a prompt has its answer already; it carries the prompt as it stands. */
class PromptSettled extends Failure {
  readonly prompt: Prompt;

  constructor(prompt: Prompt, sentence: string) {
    super('prompt_settled', sentence);
    this.prompt = prompt;
  }
}

function settled(prompt: ThreadPrompt): PromptSettled {
  const { state, actor = 'somebody', acceptedAt, undoUntil, reason } = prompt;
  const how =
    acceptedAt !== undefined
      ? `was answered by ${actor} at ${acceptedAt}`
      : isHeldBack(prompt)
        ? `was answered by ${actor}, who can undo it until ${undoUntil}`
        : `was ${state}${reason === undefined ? '' : ` (${reason})`}`;
  return new PromptSettled(shownPrompt(prompt), `${prompt.id} ${how}.`);
}

function onItsWay(id: PromptId, actor: PromptActor): string {
  return `${id} was answered by ${actor}; its agent gets the secret when it asks again. Cancel the question to take it back.`;
}

function keptWords(actor: PromptActor): string {
  return `${actor} has given the secret. It is kept in memory only, until the agent asks for it again. If this worker stops before that, it has to be given again.`;
}

/** Keeps an approval for the whole thread with the thread. */
function withGrant<Result>(
  change: ThreadChange<Result>,
  { id, threadId, action, actor, acceptedAt: at, answer }: AcceptedPrompt,
): ThreadChange<Result> {
  const granted = 'decision' in answer ? grantedBy({ action }, answer.decision) : null;
  if (!granted) return change;
  const { thread } = change.state;
  const grants = [...thread.grants, { promptId: id, key: sha256(grantText(granted)), actor, at }];
  return {
    ...change,
    operations: [...change.operations, { do: 'patchThread', threadId, patch: { grants } }],
    state: { ...change.state, thread: { ...thread, grants } },
  };
}

/** What an answer says to each question, checked; a bad one is refused before it uses the prompt up. */
function readAnswer(prompt: ThreadPrompt, answer: Answer): QuestionAnswer[] {
  const answers = answersIn(prompt, answer);
  const isApproved = answers.some(({ answer: [word] }) => word === 'Approve');
  if (isApproved && isEmptyPlan(prompt.action)) throw new Failure('invalid', emptyPlanWords);
  return answers;
}

function answersIn(prompt: ThreadPrompt, answer: Answer): QuestionAnswer[] {
  if ('text' in answer) return answersFromText(prompt, answer.text);
  if ('answers' in answer) return checkedAnswers(prompt, answer.answers);
  if (prompt.kind !== 'approval' && askingServer(prompt) !== undefined && !answer.decision.approved)
    return prompt.questions.map(({ question }) => ({ question, answer: ['Declined'] }));
  if (prompt.kind !== 'approval')
    throw new Failure(
      'invalid',
      `${prompt.id} is a question, not an approval. Choose an option or send a text: handraise answer ${prompt.id} NUMBER or TEXT`,
    );
  const word = answer.decision.approved ? 'Approve' : 'Deny';
  return prompt.questions.map(({ question }) => ({ question, answer: [word] }));
}
