import { answersFromText, checkedAnswers } from '../domain/answer.js';
import { likenessText } from '../domain/fingerprint.js';
import { afterSilence } from '../domain/unanswered.js';
import { Failure } from '../protocol/failure.js';
import type { PromptId, RunId } from '../protocol/id.js';
import type { RuntimeName } from '../protocol/posture.js';
import { type Answer, Prompt, type QuestionAnswer } from '../protocol/prompt.js';
import type { Page } from '../store/page.js';
import type { Store } from '../store/store.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import type { Courier } from './courier.js';
import type { Actor, Prompts } from './host.js';
import { PromptFold } from './prompt-fold.js';
import type { ThreadBook } from './thread-book.js';
import { isOpen, type ThreadState } from './thread-state.js';

export interface PromptDeskOutside {
  readonly store: Store;
  readonly book: ThreadBook;
  readonly courier: Courier;
  readonly now: () => number;
  readonly isReachable: (runId: RunId) => boolean;
  /** Whether a runtime can be told more than yes and no. */
  readonly can: (runtime: RuntimeName, ability: 'editedInput' | 'denyWithMessage' | 'resume') => boolean;
  /** Ends the work of a prompt that was to be answered and was not. */
  readonly failWork: (prompt: StoredPrompt) => Promise<void>;
}

/** Where questions are shown and answers are taken: checked first, stored once, then brought to the agent. */
export class PromptDesk implements Prompts {
  readonly #outside: PromptDeskOutside;

  constructor(outside: PromptDeskOutside) {
    this.#outside = outside;
  }

  async get(id: PromptId): Promise<Prompt> {
    return Prompt.parse(await this.#stored(id));
  }

  async list(query: Parameters<Prompts['list']>[0]): Promise<Page<Prompt>> {
    const page = await this.#outside.store.query('prompts', query);
    return { ...page, rows: page.rows.map((row) => Prompt.parse(row)) };
  }

  async answer(id: PromptId, answer: Answer, actor: Actor): Promise<Prompt> {
    const { book, courier, now } = this.#outside;
    const { threadId } = await this.#stored(id);
    const accepted = await book.change(threadId, async (state) => {
      const prompt = await this.#stored(id);
      if (!isOpen(prompt)) throw settled(prompt);
      const at = new Date(now()).toISOString();
      const prompts = new PromptFold(state);
      const answers = readAnswer(prompt, answer);
      this.#expectAble(state.thread.runtime, answer);
      const isSecret = prompt.questions.some((question) => question.isSecret);
      if (isSecret && !this.#isHeld(prompt, state))
        throw new Failure('not_deliverable', `${id} asks for a secret, and no agent is there to take it.`);
      prompts.accept(prompt, { actor, at, ...(isSecret ? {} : { answer, answers }) });
      // A secret goes to whoever waits for it, and nowhere else.
      return prompts.change({ ...prompt, actor, acceptedAt: at, answer, answers, isSecret });
    });
    const isSent = accepted !== null && courier.answer(accepted);
    if (accepted?.isSecret && !isSent) await this.#giveUp(id, 'runtime_gone');
    return await this.get(id);
  }

  async cancel(id: PromptId, options: { readonly reason?: string; readonly actor?: Actor }): Promise<Prompt> {
    const { book } = this.#outside;
    const { threadId } = await this.#stored(id);
    await book.change(threadId, async (state) => {
      const prompt = await this.#stored(id);
      if (!isOpen(prompt)) throw settled(prompt);
      const prompts = new PromptFold(state);
      prompts.cancel(prompt, options.reason ?? 'cancelled', options.actor);
      return prompts.change(undefined);
    });
    this.#outside.courier.withdraw(await this.#stored(id));
    return await this.get(id);
  }

  /** Does what was said about prompts that nobody answers, with those whose time is over. */
  async expire(): Promise<void> {
    const { store, now } = this.#outside;
    const deadlineBefore = new Date(now()).toISOString();
    const { rows } = await store.query('prompts', { open: true, deadlineBefore });
    for (const prompt of rows) await this.#expired(prompt);
  }

  async answerLike(id: PromptId, answer: Answer, actor: Actor): Promise<readonly Prompt[]> {
    const like = await this.#stored(id);
    readAnswer(like, answer);
    const likeness = likenessText(like);
    const answered: Prompt[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#outside.store.query('prompts', {
        open: true,
        limit: 1000,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const prompt of page.rows) {
        if (likenessText(prompt) !== likeness) continue;
        try {
          answered.push(await this.answer(prompt.id, answer, actor));
        } catch (error) {
          // Somebody else was faster with this one.
          if (!(error instanceof Failure && error.code === 'prompt_settled')) throw error;
        }
      }
      cursor = page.next;
    } while (cursor !== undefined);
    return answered;
  }

  #expectAble(runtime: RuntimeName, answer: Answer): void {
    if (!('decision' in answer)) return;
    const { approved, updatedInput, message } = answer.decision;
    const wanted = [
      ...(updatedInput === undefined ? [] : [['editedInput', 'approve with another input'] as const]),
      ...(approved || message === undefined ? [] : [['denyWithMessage', 'deny with a message'] as const]),
    ];
    for (const [ability, words] of wanted) {
      if (!this.#outside.can(runtime, ability))
        throw new Failure('unsupported_by_runtime', `The runtime ${runtime} cannot do this: ${words}.`);
    }
  }

  #isHeld({ runId }: StoredPrompt, { run }: ThreadState): boolean {
    return runId !== undefined && run?.run.id === runId && this.#outside.isReachable(runId);
  }

  async #giveUp(id: PromptId, reason: string): Promise<void> {
    const prompt = await this.#stored(id);
    await this.#outside.book.change(prompt.threadId, (state) => {
      const prompts = new PromptFold(state);
      prompts.fail(prompt, reason);
      return prompts.change(undefined);
    });
  }

  async #expired(given: StoredPrompt): Promise<void> {
    const { book, courier, now } = this.#outside;
    const silence = afterSilence(given);
    if (silence.do === 'wait') return;
    const by = 'policy:deadline' as const;
    await book.change(given.threadId, async (state) => {
      const prompt = await this.#stored(given.id);
      if (!isOpen(prompt)) return null;
      const prompts = new PromptFold(state);
      if (silence.do === 'answer') {
        const at = new Date(now()).toISOString();
        prompts.accept(prompt, { actor: by, at, answers: silence.answers });
      } else if (silence.do === 'fail') {
        prompts.fail(prompt, 'deadline', by);
      } else {
        prompts.cancel(prompt, 'deadline', by);
      }
      return prompts.change(undefined);
    });
    const settled = await this.#stored(given.id);
    if (silence.do === 'answer') courier.answer(settled);
    else courier.withdraw(settled);
    if (silence.do === 'fail') await this.#outside.failWork(settled);
  }

  async #stored(id: PromptId): Promise<StoredPrompt> {
    const prompt = await this.#outside.store.query('prompt', { id });
    if (!prompt) throw new Failure('not_found', `There is no prompt ${id}.`);
    return prompt;
  }
}

/** Thrown when a prompt has its answer already; it carries the prompt as it stands. */
class PromptSettled extends Failure {
  readonly prompt: Prompt;

  constructor(prompt: StoredPrompt, sentence: string) {
    super('prompt_settled', sentence);
    this.prompt = Prompt.parse(prompt);
  }
}

function settled(prompt: StoredPrompt): PromptSettled {
  const { state, actor, acceptedAt, reason } = prompt;
  const how =
    acceptedAt === undefined
      ? `was ${state}${reason === undefined ? '' : ` (${reason})`}`
      : `was answered by ${actor ?? 'somebody'} at ${acceptedAt}`;
  return new PromptSettled(prompt, `${prompt.id} ${how}.`);
}

/** What an answer says to each question, checked; a bad one is refused before it uses the prompt up. */
function readAnswer(prompt: StoredPrompt, answer: Answer): QuestionAnswer[] {
  if ('text' in answer) return answersFromText(prompt, answer.text);
  if ('answers' in answer) return checkedAnswers(prompt, answer.answers);
  if (prompt.kind !== 'approval')
    throw new Failure('invalid', `${prompt.id} is a question, not an approval: send answers or text.`);
  const word = answer.decision.approved ? 'Approve' : 'Deny';
  return prompt.questions.map(({ question }) => ({ question, answer: [word] }));
}
