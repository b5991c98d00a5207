import type { PermissionMode } from '../../protocol/posture.js';
import { askForServer } from '../elicitation.js';
import type { Launch, RuntimeFact, RuntimeHost } from '../runtime.js';
import { elicitedQuestions, filledForm, takesWords, wordedForm } from './elicitation.js';
import { AcpGatekeeper, unansweredWords } from './gatekeeper.js';
import { cancelled } from './permission-option.js';
import type { AcpTranslator } from './translate.js';
import type { WireElicitation, WirePermissionRequest } from './wire.js';

export interface AcpRequestsParts {
  /** What a person is told of who asks. */
  readonly agent: string;
  readonly launch: Pick<Launch, 'cwd' | 'container'>;
  readonly host: Pick<RuntimeHost, 'ask' | 'newUuid' | 'now'>;
  readonly translator: AcpTranslator;
  readonly mode: () => PermissionMode;
  readonly emit: (facts: readonly RuntimeFact[]) => void;
  /** Ends what the agent is doing, because nobody has decided about it. */
  readonly stop: () => void;
}

/** Answers what an agent asks: whether it may act, and questions. */
export class AcpRequests {
  readonly #parts: AcpRequestsParts;
  readonly #gate: AcpGatekeeper;
  readonly #open = new Set<AbortController>();
  readonly #untold: string[] = [];
  #isOver = true;

  constructor(parts: AcpRequestsParts) {
    this.#parts = parts;
    this.#gate = new AcpGatekeeper({ launch: parts.launch, mode: parts.mode, ask: parts.host.ask });
  }

  get size(): number {
    return this.#open.size;
  }

  promptBegins(): void {
    this.#isOver = false;
  }

  /** What is asked from now on comes too late, and nothing that is open may be allowed any more. */
  promptEnds(): void {
    this.#isOver = true;
    for (const withdrawn of this.#open) withdrawn.abort();
  }

  /** What the model has not been told yet, because no answer could carry it. */
  takeUntold(): string[] {
    return this.#untold.splice(0);
  }

  async permission(request: WirePermissionRequest, signal: AbortSignal): Promise<object> {
    const { translator, emit, stop } = this.#parts;
    if (this.#isOver || request.sessionId !== translator.sessionId) return { outcome: cancelled };
    const { call, facts } = translator.asking(request.toolCall);
    emit(facts);
    return await this.#while(signal, async (withdrawn) => {
      const decision = await this.#gate.decide(call, request.options, withdrawn);
      if (withdrawn.aborted) return { outcome: cancelled };
      const hasWords = decision.words !== undefined;
      if (decision.isRefusal) emit(translator.refused(call, { hasWords }));
      if (decision.words !== undefined) this.#untold.push(decision.words);
      // Where others are still asked, the agent goes on with them.
      if (decision.isSilence && this.#open.size === 1) stop();
      return { outcome: decision.outcome };
    });
  }

  async elicitation(request: WireElicitation, signal: AbortSignal): Promise<object> {
    if (this.#isOver) return { action: 'cancel' };
    if (request.mode === 'url') return await this.#page(request, signal);
    return request.mode === 'form' ? await this.#form(request, signal) : { action: 'cancel' };
  }

  /** Has the whole address of a page approved, in every mode; what happens on the page is between it and the person. */
  async #page(request: WireElicitation, signal: AbortSignal): Promise<object> {
    const { agent: server, host } = this.#parts;
    const { message, url } = request;
    const toolUseId = request.toolCallId ?? host.newUuid();
    return await this.#while(signal, async (withdrawn) => {
      const asked = { server, message, wants: { mode: 'url', url: url ?? '' }, toolUseId } as const;
      const reply = await askForServer(host, asked, withdrawn);
      if (reply.action === 'cancel' && reply.unanswered !== undefined && !withdrawn.aborted)
        this.#untold.push(`Nobody opened the page: ${reply.unanswered} Do not take this for a refusal.`);
      return { action: reply.action };
    });
  }

  async #form(request: WireElicitation, signal: AbortSignal): Promise<object> {
    const { translator, emit, host } = this.#parts;
    const questions = elicitedQuestions(request);
    if (questions.length === 0) return { action: 'cancel' };
    const id = request.toolCallId ?? host.newUuid();
    emit(translator.tools.start({ id, tool: 'AskUserQuestion', input: { questions } }));
    return await this.#while(signal, async (withdrawn) => {
      const reply = await host.ask('question', { questions, toolUseId: id }, withdrawn);
      if (withdrawn.aborted) return { action: 'cancel' };
      const summary = reply.answered ? 'Answered by a person.' : `${unansweredWords}: ${reply.why}`;
      translator.answered(id, { success: reply.answered, summary });
      if (reply.answered) return this.#filled(request, reply.answers);
      const words = `${summary} Do not take this for an answer.`;
      if (takesWords(request)) return { action: 'accept', content: wordedForm(request, words) };
      this.#untold.push(words);
      return { action: 'cancel' };
    });
  }

  #filled(request: WireElicitation, answers: Record<string, string>): object {
    const filled = filledForm(request, answers);
    if (filled.fits) return { action: 'accept', content: filled.content };
    const said = Object.values(answers).join('; ');
    this.#untold.push(`A person answered "${said}", but ${filled.why}, so that the form was not sent.`);
    return { action: 'cancel' };
  }

  async #while(signal: AbortSignal, act: (withdrawn: AbortSignal) => Promise<object>): Promise<object> {
    const withdrawn = new AbortController();
    const withdraw = () => withdrawn.abort();
    signal.addEventListener('abort', withdraw, { once: true });
    this.#open.add(withdrawn);
    try {
      return await act(withdrawn.signal);
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.#open.delete(withdrawn);
    }
  }
}
