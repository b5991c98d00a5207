import { cutText } from '../../protocol/cut-text.js';
import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { longestToolOutput } from '../../protocol/tool-output.js';
import type { TurnErrorKind, TurnUsage } from '../../protocol/turn-result.js';
import type { RuntimeFact } from '../runtime.js';
import { ToolLedger } from '../tool-ledger.js';
import { UnknownParts } from '../unrecognized.js';
import { usageSum } from '../usage-sum.js';
import { acpCall, acpCallEnd, mergedCall, printedIn } from './tool-call.js';
import { acpErrorKind, isSystemError } from './turn-error.js';
import { promptUsage } from './turn-usage.js';
import { kindOf, readUpdate, type WirePromptEnd, type WireToolCall, type WireUpdate } from './wire.js';

export interface AcpTranslatorOptions {
  readonly now: () => number;
  readonly cwd: string;
  /** Whether warnings of the agent come as text of no message. */
  readonly warnsInText?: boolean;
}

/** A session that is open. */
export interface AcpOpenedSession {
  readonly sessionId: string;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly servers: readonly string[];
  readonly version?: string;
  /** Whether nothing was said in it before, so that its costs begin at zero. */
  readonly isNew: boolean;
}

const notAllowed = { success: false, summary: 'Not allowed.' };

type Failed = { readonly errors: string[]; readonly errorKind: TurnErrorKind };

/** Turns what an agent says into facts of ours; deterministic, so that recorded transcripts test it. */
export class AcpTranslator {
  readonly tools: ToolLedger;
  readonly #options: AcpTranslatorOptions;
  readonly #unknown = new UnknownParts();
  readonly #calls = new Map<string, WireToolCall>();
  readonly #printed = new Map<string, string>();
  readonly #answered: { readonly id: string; readonly summary: string; readonly success: boolean }[] = [];
  /** Calls that were refused, and whose words the model has not been sent yet. */
  readonly #wordless = new Set<string>();
  readonly #warnings = new Set<string>();
  #session: AcpOpenedSession | null = null;
  #isAnnounced = false;
  #messageUuid = '';
  #startedAt = 0;
  #isTurning = false;
  #usage: TurnUsage | null = null;
  #prompts = 0;
  #denials: { tool: string; toolUseId: string }[] = [];
  #text = '';
  #thought: string | null = null;
  #contextWindow = 0;
  #costs: { total: number; told: number } | null = null;
  #isBroken = false;
  #hasSpoken = false;
  #isCancelled = false;
  #heardSinceRefusal = true;

  constructor(options: AcpTranslatorOptions) {
    this.#options = options;
    this.tools = new ToolLedger(options.now);
  }

  get sessionId(): string | null {
    return this.#session?.sessionId ?? null;
  }

  /** Whether the agent has said or done anything after it was last refused something. */
  get heardSinceRefusal(): boolean {
    return this.#heardSinceRefusal;
  }

  opened(session: AcpOpenedSession): void {
    this.#session = session;
    this.#costs = session.isNew ? { total: 0, told: 0 } : null;
  }

  /** A message is handed over; its turn begins. */
  begin(messageUuid: string): RuntimeFact[] {
    this.#messageUuid = messageUuid;
    this.#startedAt = this.#options.now();
    this.#isTurning = true;
    this.#usage = null;
    this.#prompts = 0;
    this.#denials = [];
    this.#text = '';
    this.#thought = null;
    this.#heardSinceRefusal = true;
    this.#hasSpoken = false;
    this.#isCancelled = false;
    this.#answered.length = 0;
    this.#wordless.clear();
    this.#calls.clear();
    this.#printed.clear();
    this.#isBroken = false;
    this.#unknown.turnBegins();
    return [{ type: 'turn_started', origin: 'message' }];
  }

  /** The agent has taken the message: from now on its session can be named. */
  announced(): RuntimeFact[] {
    if (this.#isAnnounced || !this.#session) return [];
    this.#isAnnounced = true;
    const { sessionId, model, permissionMode, servers, version } = this.#session;
    return [
      { type: 'session_id_update', sessionId },
      { type: 'session_started', sessionId, cwd: this.#options.cwd },
      {
        type: 'init',
        sessionId,
        model,
        tools: [],
        mcpServers: servers.map((name) => ({ name, status: 'handed_over' })),
        permissionMode,
        budgetConfig: {},
        ...given({ runtimeVersion: version }),
      },
    ];
  }

  updated(params: unknown): RuntimeFact[] {
    const read = readUpdate(params);
    // A sub-agent has a session of its own; what it does is told by the call that started it.
    if (read.sessionId !== null && read.sessionId !== this.sessionId) return [];
    // What comes before the first message repeats what was said in an earlier life.
    return this.#isTurning ? this.#fact(read) : [];
  }

  /** What is no message, or a request that nobody here knows. */
  strange(raw: unknown): RuntimeFact[] {
    return this.#unknown.tell({ kind: kindOf(raw), message: 'strange', raw });
  }

  /** A call that waits for a permission has begun, whether it was told before or not. */
  asking(call: WireToolCall): { readonly call: WireToolCall; readonly facts: RuntimeFact[] } {
    if (!this.#calls.has(call.toolCallId)) this.#text = '';
    const merged = this.#merge(call);
    return { call: merged, facts: [...this.#thoughtEnds(), ...this.#start(merged)] };
  }

  /**
   * The agent was not allowed to do it; not every agent tells the end of such a call. Where words about it follow in a
   * prompt of their own, the call ends with them: an agent that is let go before that has not heard them.
   */
  refused({ toolCallId }: WireToolCall, { hasWords }: { readonly hasWords: boolean }): RuntimeFact[] {
    this.#denials.push({ tool: this.tools.find(toolCallId)?.tool ?? 'tool', toolUseId: toolCallId });
    this.#heardSinceRefusal = false;
    if (hasWords) this.#wordless.add(toolCallId);
    return hasWords ? [] : this.tools.end(toolCallId, notAllowed);
  }

  /** A question has its answer; its call ends when the model goes on, because only then was the answer used. */
  answered(id: string, end: { readonly summary: string; readonly success: boolean }): void {
    this.#answered.push({ id, ...end });
  }

  /** The agent is told to stop: a call that ends from now on was cut off, whatever it says (OpenCode calls it a success). */
  cancelled(): void {
    this.#isCancelled = true;
  }

  /** One prompt of the turn is over; the turn may go on with another one. */
  promptEnded(end: WirePromptEnd): void {
    this.#prompts += 1;
    this.#hasSpoken ||= this.#text !== '';
    const usage = promptUsage(end);
    if (usage) this.#usage = usageSum(this.#usage, usage);
  }

  /** The turn goes on with another prompt, whose text is a paragraph of its own. */
  goesOn(): void {
    this.#text = '';
    this.#isBroken = false;
    this.#isCancelled = false;
    this.#heardSinceRefusal = true;
    for (const id of this.#wordless) this.#answered.push({ id, ...notAllowed });
    this.#wordless.clear();
  }

  /** Why a prompt that ended was no success; null when it was one. */
  failureOf({ stopReason }: WirePromptEnd): Failed | null {
    if (this.#isBroken) {
      const message = this.#text.trim() || 'The agent reported an error without words.';
      return { errors: [message], errorKind: acpErrorKind({ code: 0, message }) };
    }
    switch (stopReason) {
      case 'end_turn':
        return null;
      case 'max_tokens':
        return { errors: ['The model reached its limit of tokens.'], errorKind: 'invalid_request' };
      case 'max_turn_requests':
        return { errors: ['The agent reached its limit of model calls.'], errorKind: 'max_turns' };
      case 'refusal':
        return { errors: ['The model refused to answer.'], errorKind: 'other' };
      case 'cancelled':
        return { errors: ['The agent cancelled its turn by itself.'], errorKind: 'other' };
      default:
        return { errors: [`The turn ended as ${stopReason}.`], errorKind: 'other' };
    }
  }

  /** The turn is over. */
  ended(failure: Failed | null): RuntimeFact[] {
    const isInterrupted = failure?.errorKind === 'interrupted';
    this.#isTurning = false;
    const cost = this.#costOfTurn();
    return [
      ...this.#thoughtEnds(),
      ...(isInterrupted ? [] : this.#answersUsed()),
      ...this.tools.endAll('everybody', isInterrupted ? 'Interrupted.' : 'The turn ended.'),
      {
        type: 'turn_ended',
        sessionId: this.sessionId ?? '',
        interrupted: isInterrupted,
        result: {
          success: failure === null,
          subtype: failure === null ? 'success' : `error_${failure.errorKind}`,
          cost,
          turns: this.#prompts,
          usage: this.#usage,
          origin: 'message',
          ...(failure === null && this.#text !== '' ? { text: this.#text } : {}),
          ...failure,
          ...(this.#denials.length > 0 ? { denials: this.#denials } : {}),
          messageUuid: this.#messageUuid,
          durationMs: this.#options.now() - this.#startedAt,
        },
      },
    ];
  }

  /** The agent is gone: tools that still spin end, and so does the session. */
  gone(reason: string): RuntimeFact[] {
    const { sessionId } = this;
    return [
      ...this.tools
        .endAll('everybody', `The agent ended (${reason}).`)
        .map((end) => ({ ...end, cutOff: true })),
      ...(this.#isAnnounced && sessionId !== null
        ? [{ type: 'session_ended', sessionId, reason } as const]
        : []),
    ];
  }

  #fact(read: WireUpdate): RuntimeFact[] {
    switch (read.kind) {
      case 'agent_message_chunk':
        return this.#isWarning(read.update)
          ? this.#warned(read.update.content.text ?? '')
          : this.#said(read.update.content.text ?? '');
      case 'agent_thought_chunk':
        return this.#thinking(read.update.content.text ?? '');
      case 'tool_call':
      case 'tool_call_update':
        return this.#told(read.update);
      case 'plan':
        return [
          {
            type: 'todo_update',
            todos: read.update.entries.map(({ content, status }) => ({ content, status })),
          },
        ];
      case 'usage_update':
        return this.#used(read.update);
      case 'session_info_update':
        this.#isBroken ||= isSystemError(read.update);
        return [];
      case 'user_message_chunk':
      case 'available_commands_update':
      case 'current_mode_update':
      case 'config_option_update':
        return [];
      case 'unrecognized':
        return this.#unknown.tell({ kind: kindOf(read.raw), message: '', raw: read.raw });
      default:
        return read satisfies never;
    }
  }

  #isWarning({
    messageId,
    content,
  }: {
    messageId?: unknown;
    content: { text?: string | undefined };
  }): boolean {
    return this.#options.warnsInText === true && !messageId && content.text?.startsWith('Warning: ') === true;
  }

  /** It comes with every turn; once is enough. */
  #warned(text: string): RuntimeFact[] {
    const message = text.slice('Warning: '.length).trim();
    if (this.#warnings.has(message)) return [];
    this.#warnings.add(message);
    return [{ type: 'warning', message }];
  }

  #said(text: string): RuntimeFact[] {
    if (text === '') return [];
    this.#heardSinceRefusal = true;
    this.#text += text;
    const gap = this.#hasSpoken ? [{ type: 'text_delta', content: '\n\n' } as const] : [];
    this.#hasSpoken = false;
    return [...this.#thoughtEnds(), ...this.#answersUsed(), ...gap, { type: 'text_delta', content: text }];
  }

  #thinking(text: string): RuntimeFact[] {
    if (text === '') return [];
    const isFirst = this.#thought === null;
    this.#thought = (this.#thought ?? '') + text;
    return [
      ...(isFirst ? [{ type: 'thinking_start' } as const] : []),
      { type: 'thinking_delta', content: text },
    ];
  }

  #thoughtEnds(): RuntimeFact[] {
    if (this.#thought === null) return [];
    const content = this.#thought;
    this.#thought = null;
    return [{ type: 'thinking', content }];
  }

  #merge(call: WireToolCall): WireToolCall {
    const merged = mergedCall(this.#calls.get(call.toolCallId), call);
    this.#calls.set(call.toolCallId, merged);
    return merged;
  }

  /** A call that is only being written is told when it begins: before, its input is not whole. */
  #told(news: WireToolCall): RuntimeFact[] {
    const isNew = !this.#calls.has(news.toolCallId);
    const call = this.#merge(news);
    const printed = cutText((this.#printed.get(call.toolCallId) ?? '') + printedIn(news), longestToolOutput);
    if (printed !== '') this.#printed.set(call.toolCallId, printed);
    const isOver = call.status === 'completed' || call.status === 'failed';
    if (isNew && !isOver) this.#text = '';
    if (isNew) this.#heardSinceRefusal = true;
    if (!isOver && call.status !== 'in_progress') return this.#thoughtEnds();
    return [
      ...this.#thoughtEnds(),
      ...(isNew ? this.#answersUsed() : []),
      ...this.#start(call),
      ...(isOver ? this.#end(news, printed) : []),
    ];
  }

  #end(call: WireToolCall, printed: string): RuntimeFact[] {
    if (this.#wordless.has(call.toolCallId)) return [];
    const end = acpCallEnd(call, printed);
    return this.tools.end(call.toolCallId, { ...end, success: end.success && !this.#isCancelled });
  }

  #start(call: WireToolCall): RuntimeFact[] {
    return this.tools.start({ id: call.toolCallId, ...acpCall(call, this.#options.cwd) });
  }

  #answersUsed(): RuntimeFact[] {
    return this.#answered.splice(0).flatMap(({ id, ...end }) => this.tools.end(id, end));
  }

  #used(update: Extract<WireUpdate, { kind: 'usage_update' }>['update']): RuntimeFact[] {
    const { used, size, cost } = update;
    if (cost?.currency === 'USD') {
      const total = Math.max(0, cost.amount);
      this.#costs = { total, told: this.#costs?.told ?? total };
    }
    const isNews = size > 0 && size !== this.#contextWindow;
    if (isNews) this.#contextWindow = size;
    return [
      {
        type: 'context_usage',
        inputTokens: tokens(used),
        outputTokens: 0,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
      },
      ...(isNews ? [{ type: 'context_window_size', contextWindow: tokens(size) } as const] : []),
    ];
  }

  /** Agents tell what the whole session has cost. */
  #costOfTurn(): number | null {
    if (!this.#costs || this.#costs.total === 0) return null;
    const cost = Math.max(0, this.#costs.total - this.#costs.told);
    this.#costs.told = this.#costs.total;
    return cost;
  }
}

function tokens(count: number): number {
  return Math.max(0, Math.round(count));
}
