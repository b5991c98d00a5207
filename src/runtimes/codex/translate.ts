import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { TurnErrorKind, TurnUsage } from '../../protocol/turn-result.js';
import type { RuntimeFact, TurnEnded } from '../runtime.js';
import { ToolLedger } from '../tool-ledger.js';
import { UnknownParts, unrecognized } from '../unrecognized.js';
import { usageSum } from '../usage-sum.js';
import { DeclinedCalls } from './declined-calls.js';
import { ModelRetries } from './model-retries.js';
import { ModelText } from './model-text.js';
import { ServerStarts } from './server-starts.js';
import { type CallEnd, toolCallOf, toolEndOf } from './tool-call.js';
import { codexErrorKind, codexLoginSentence } from './turn-error.js';
import { codexUsage } from './turn-usage.js';
import { CodexUsageLimit } from './usage-limit.js';
import {
  type CodexTokens,
  isKnownItem,
  type WireError,
  type WireItem,
  type WireNotification,
  type WireOpened,
} from './wire.js';

export interface CodexTranslatorOptions {
  readonly now: () => number;
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
  readonly expectsStructuredOutput: boolean;
}

type Completed = Extract<WireNotification, { kind: 'turn/completed' }>['params']['turn'];
type Failed = { readonly errors: string[]; readonly errorKind: TurnErrorKind };

/** Turns what Codex says into facts of ours; deterministic, so that recorded transcripts test it. */
export class CodexTranslator {
  readonly tools: ToolLedger;
  readonly servers = new ServerStarts();
  readonly retries: ModelRetries;
  readonly #options: CodexTranslatorOptions;
  readonly #text = new ModelText();
  readonly #limit = new CodexUsageLimit();
  readonly #warned = new Set<string>();
  readonly #unknown = new UnknownParts();
  #thread: WireOpened | null = null;
  #isAnnounced = false;
  #mode: PermissionMode;
  #contextWindow = 0;
  #turn: 'none' | TurnEnded['result']['origin'] = 'none';
  #turnId: string | null = null;
  #messageUuid = '';
  #startedAt = 0;
  #usage: TurnUsage | null = null;
  #modelCalls = 0;
  #denials: { tool: string; toolUseId: string }[] = [];
  #plan: WireItem | null = null;
  readonly #answered: { readonly id: string; readonly end: CallEnd }[] = [];
  /** Those that were declined with words. */
  readonly declined = new DeclinedCalls();
  #isLoginReported = false;

  constructor(options: CodexTranslatorOptions) {
    this.#options = options;
    this.#mode = options.permissionMode;
    this.tools = new ToolLedger(options.now);
    this.retries = new ModelRetries(options.now);
  }

  get threadId(): string | null {
    return this.#thread?.thread.id ?? null;
  }

  /** The turn that runs inside of Codex. */
  get turnId(): string | null {
    return this.#turnId;
  }

  /** A plan that was proposed and that nobody has decided about; the turn is held until then. */
  get plan(): WireItem | null {
    return this.#turnId === null ? this.#plan : null;
  }

  /** The thread is there; it is told with its first turn, because before that it cannot be resumed (measured). */
  opened(thread: WireOpened): void {
    this.#thread = thread;
  }

  /** A message is handed over; its turn begins. */
  begin(messageUuid: string): RuntimeFact[] {
    this.#messageUuid = messageUuid;
    return this.#startTurn('message');
  }

  /** Codex has taken the message into this turn. */
  handedOver(turnId: string): void {
    if (this.#turn !== 'none') this.#turnId = turnId;
  }

  modeSet(mode: PermissionMode, source: 'command' | 'plan'): RuntimeFact {
    this.#mode = mode;
    return { type: 'permission_mode_changed', mode, source };
  }

  notification(read: WireNotification): RuntimeFact[] {
    switch (read.kind) {
      case 'turn/started':
        return this.#isMain(read.params)
          ? this.#turnStarted(read.params.turn.id)
          : this.tools.agentStarted(read.params.threadId, 'agent');
      case 'turn/completed':
        return this.#isMain(read.params)
          ? this.#turnCompleted(read.params.turn)
          : this.tools.agentStopped(read.params.threadId, undefined);
      case 'item/started':
        return this.#itemStarted(read.params);
      case 'item/completed':
        return this.#itemCompleted(read.params);
      case 'item/agentMessage/delta':
        return this.#isMain(read.params) ? this.#text.written(read.params.itemId, read.params.delta) : [];
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return this.#isMain(read.params) ? this.#text.thought(read.params.itemId, read.params.delta) : [];
      case 'turn/plan/updated':
        return this.#isMain(read.params) ? [{ type: 'todo_update', todos: read.params.plan.map(todo) }] : [];
      case 'thread/tokenUsage/updated':
        // A resumed thread repeats the usage of its last turn.
        return read.params.turnId === this.#turnId ? this.#used(read.params.tokenUsage) : [];
      case 'account/rateLimits/updated':
        this.#limit.note(read.params.rateLimits);
        return [];
      case 'error':
        return this.#isMain(read.params) && read.params.willRetry ? this.#retry(read.params.error) : [];
      case 'warning':
      case 'guardianWarning':
      case 'configWarning':
      case 'deprecationNotice':
        return this.#warn(read.params.message ?? read.params.summary ?? 'The runtime has a note.');
      case 'mcpServer/startupStatus/updated':
        this.servers.hear(read.params);
        return read.params.error
          ? this.#warn(`The MCP server "${read.params.name}" did not start: ${read.params.error}.`)
          : [];
      case 'model/rerouted':
        return this.#warn(`The model ${read.params.toModel} answers in place of ${read.params.fromModel}.`);
      case 'thread/status/changed':
      case 'serverRequest/resolved':
      case 'ignored':
        return [];
      case 'unrecognized':
        return [unrecognized(read.raw)];
      default:
        return read satisfies never;
    }
  }

  /** The held turn is over without its plan being carried out. */
  planLeft(isInterrupted: boolean): RuntimeFact[] {
    this.#plan = null;
    return this.#endTurn(
      isInterrupted ? { errors: ['The turn was interrupted.'], errorKind: 'interrupted' } : null,
    );
  }

  /** Somebody has decided about the plan, and Codex hears it as the next message of the same turn. */
  planDecided(approved: boolean): RuntimeFact[] {
    const id = this.#plan?.id ?? '';
    this.#plan = null;
    return this.tools.end(id, { success: approved, summary: approved ? 'Approved.' : 'Not approved.' });
  }

  /** A question has its answer; its call ends when the model goes on, because only then was the answer used. */
  answered(id: string, end: CallEnd): void {
    this.#answered.push({ id, end });
  }

  /** Codex did not take the message. */
  refused(why: string): RuntimeFact[] {
    return this.#endTurn({ errors: [why], errorKind: codexErrorKind({ message: why }) });
  }

  /** The agent is gone: tools that still spin end, and so does the session. */
  gone(reason: string): RuntimeFact[] {
    this.retries.over();
    const sessionId = this.threadId;
    return [
      ...this.tools
        .endAll('everybody', `The agent ended (${reason}).`)
        .map((end) => ({ ...end, cutOff: true })),
      ...(this.#isAnnounced && sessionId !== null
        ? [{ type: 'session_ended', sessionId, reason } as const]
        : []),
    ];
  }

  #isMain({ threadId }: { readonly threadId: string }): boolean {
    return threadId === this.threadId;
  }

  #turnStarted(turnId: string): RuntimeFact[] {
    this.#turnId = turnId;
    return [...(this.#turn === 'none' ? this.#startTurn('background_task') : []), ...this.#announce()];
  }

  #announce(): RuntimeFact[] {
    if (this.#isAnnounced || !this.#thread) return [];
    this.#isAnnounced = true;
    const { thread, cwd, model } = this.#thread;
    return [
      { type: 'session_id_update', sessionId: thread.id },
      { type: 'session_started', sessionId: thread.id, cwd },
      {
        type: 'init',
        sessionId: thread.id,
        model,
        tools: [],
        mcpServers: this.servers.states,
        permissionMode: this.#mode,
        budgetConfig: {},
        ...given({ runtimeVersion: thread.cliVersion }),
      },
    ];
  }

  #startTurn(origin: TurnEnded['result']['origin']): RuntimeFact[] {
    this.#turn = origin;
    this.#startedAt = this.#options.now();
    this.#usage = null;
    this.#modelCalls = 0;
    this.#denials = [];
    this.#answered.length = 0;
    this.declined.turnBegins();
    this.retries.over();
    this.#isLoginReported = false;
    this.#text.turnBegins();
    this.#unknown.turnBegins();
    return [{ type: 'turn_started', origin }];
  }

  #itemStarted({ threadId, item }: { threadId: string; item: WireItem }): RuntimeFact[] {
    this.retries.over();
    // Words that were said inside of a turn are an item of their own once the model is about to read them.
    const ended = item.type === 'userMessage' ? this.#wordsRead() : this.#answersUsed();
    const call = toolCallOf(item, this.#options.cwd);
    if (call) return [...ended, ...this.tools.start({ id: item.id, ...call, ...this.#agentOf(threadId) })];
    if (!isKnownItem(item.type)) return [...ended, ...this.#unknownItem(item)];
    if (item.type !== 'agentMessage' || !this.#isMain({ threadId })) return ended;
    return [...ended, ...this.#text.messageBegins()];
  }

  #unknownItem(item: WireItem): RuntimeFact[] {
    return this.#unknown.tell({ kind: item.type, message: item.id, raw: item });
  }

  #answersUsed(): RuntimeFact[] {
    return this.#answered.splice(0).flatMap(({ id, end }) => this.tools.end(id, end));
  }

  #wordsRead(): RuntimeFact[] {
    return this.declined.read().flatMap(({ id, end }) => this.tools.end(id, end));
  }

  #itemCompleted({ threadId, item }: { threadId: string; item: WireItem }): RuntimeFact[] {
    this.retries.over();
    const call = toolCallOf(item, this.#options.cwd);
    if (call) {
      // A sub-agent is known by the thread that it got, and its thread speaks after the call has ended.
      for (const agent of item.receiverThreadIds ?? []) this.tools.taskStarted(agent, item.id);
      if (item.status === 'declined') this.#denials.push({ tool: call.tool, toolUseId: item.id });
      const started = this.tools.start({ id: item.id, ...call, ...this.#agentOf(threadId) });
      if (!this.declined.has(item.id)) return [...started, ...this.tools.end(item.id, toolEndOf(item))];
      this.declined.ended(item.id, toolEndOf(item));
      return started;
    }
    if (!isKnownItem(item.type)) return this.#unknownItem(item);
    if (!this.#isMain({ threadId })) return [];
    switch (item.type) {
      case 'agentMessage':
        return this.#text.messageEnds(item);
      case 'reasoning':
        return this.#text.thoughtEnds(item);
      case 'contextCompaction':
        return [{ type: 'compact_boundary', trigger: 'auto', preTokens: this.#usage?.inputTokens ?? 0 }];
      case 'plan':
        this.#plan = this.#mode === 'plan' ? item : null;
        return [];
      default:
        return [];
    }
  }

  #agentOf(threadId: string): { agentId?: string } {
    return this.#isMain({ threadId }) ? {} : { agentId: threadId };
  }

  #used(usage: { last: CodexTokens; modelContextWindow?: number | null | undefined }): RuntimeFact[] {
    const last = codexUsage(usage.last);
    this.#usage = usageSum(this.#usage, last);
    this.#modelCalls += 1;
    const window = usage.modelContextWindow ?? 0;
    const isNews = window > 0 && window !== this.#contextWindow;
    if (isNews) this.#contextWindow = window;
    return [
      { type: 'context_usage', ...last },
      ...(isNews ? [{ type: 'context_window_size', contextWindow: window } as const] : []),
    ];
  }

  #retry(error: WireError): RuntimeFact[] {
    this.retries.failed(error);
    if (codexErrorKind(error) === 'auth') return this.#login(error.message);
    return [{ type: 'warning', message: `The model's server failed; Codex tries again (${error.message}).` }];
  }

  #login(detail: string): RuntimeFact[] {
    if (this.#isLoginReported) return [];
    this.#isLoginReported = true;
    return [{ type: 'auth_error', message: codexLoginSentence(detail) }];
  }

  /** Some notes come with every turn; once is enough. */
  #warn(message: string): RuntimeFact[] {
    if (this.#warned.has(message)) return [];
    this.#warned.add(message);
    return [{ type: 'warning', message }];
  }

  #turnCompleted(turn: Completed): RuntimeFact[] {
    this.#turnId = null;
    if (turn.status === 'completed' && this.#plan !== null) {
      const { id, text = '' } = this.#plan;
      return this.tools.start({ id, tool: 'ExitPlanMode', input: { plan: text } });
    }
    this.#plan = null;
    return this.#endTurn(this.#failureOf(turn));
  }

  #failureOf({ status, error }: Completed): Failed | null {
    // A turn that was hopeless was interrupted by us.
    const cause = error ?? this.retries.hopeless;
    if (cause) return { errors: [cause.message], errorKind: codexErrorKind(cause) };
    if (status === 'completed') return null;
    if (status === 'interrupted') return { errors: ['The turn was interrupted.'], errorKind: 'interrupted' };
    return { errors: [`The turn ended as ${status}.`], errorKind: 'other' };
  }

  #endTurn(failure: Failed | null): RuntimeFact[] {
    const origin = this.#turn === 'background_task' ? this.#turn : 'message';
    const output = this.#structuredOutput(failure);
    const failed = failure ?? output.failure;
    const retryAt = failed?.errorKind === 'rate_limit' ? this.#limit.retryAt : undefined;
    const isInterrupted = failed?.errorKind === 'interrupted';
    this.#turn = 'none';
    this.retries.over();
    return [
      ...(isInterrupted ? [] : [...this.#answersUsed(), ...this.#wordsRead()]),
      ...(isInterrupted ? this.tools.agentsCutOff(new Set()) : []),
      ...this.tools
        .endAll({}, isInterrupted ? 'Interrupted.' : 'The turn ended.')
        .map((end) => (isInterrupted && this.declined.has(end.id) ? { ...end, cutOff: true } : end)),
      ...(failed?.errorKind === 'auth' ? this.#login(failed.errors.join(' ')) : []),
      {
        type: 'turn_ended',
        sessionId: this.threadId ?? '',
        interrupted: isInterrupted,
        result: {
          success: failed === null,
          subtype: failed === null ? 'success' : `error_${failed.errorKind}`,
          cost: null,
          turns: this.#modelCalls,
          usage: this.#usage,
          origin,
          ...(failed === null && this.#text.last !== '' ? { text: this.#text.last } : {}),
          ...given({ structuredOutput: output.value }),
          ...failed,
          ...given({ retryAt }),
          ...(this.#denials.length > 0 ? { denials: this.#denials } : {}),
          ...(origin === 'message' ? { messageUuid: this.#messageUuid } : {}),
          durationMs: this.#options.now() - this.#startedAt,
        },
      },
    ];
  }

  /** Where a schema was given, the last message is the answer as JSON. */
  #structuredOutput(failure: Failed | null): { value?: unknown; failure: Failed | null } {
    if (!this.#options.expectsStructuredOutput || failure) return { failure: null };
    try {
      return { value: JSON.parse(this.#text.last), failure: null };
    } catch {
      const errors = ['The agent gave no structured output.'];
      return { failure: { errors, errorKind: 'structured_output' } };
    }
  }
}

function todo({ step, status }: { step: string; status: string }): { content: string; status: string } {
  return { content: step, status: status === 'inProgress' ? 'in_progress' : status };
}
