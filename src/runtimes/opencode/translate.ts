import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { TurnErrorKind, TurnUsage } from '../../protocol/turn-result.js';
import { momentOf } from '../limit-moment.js';
import type { RuntimeFact, TurnEnded } from '../runtime.js';
import { ToolLedger } from '../tool-ledger.js';
import { UnknownParts, unrecognized } from '../unrecognized.js';
import { usageSum } from '../usage-sum.js';
import { modelName, type OpencodeModel } from './models.js';
import { PartText } from './part-text.js';
import { type OpencodeCallEnd, opencodeCall, opencodeCallEnd } from './tool-call.js';
import { type OpencodeError, opencodeErrorKind, opencodeLoginSentence } from './turn-error.js';
import type { OpencodeTokens, WireEvent, WirePart, WireSessionError } from './wire.js';

export interface OpencodeTranslatorOptions {
  readonly now: () => number;
  readonly cwd: string;
  readonly permissionMode: PermissionMode;
}

/** The session that the server opened. */
export interface OpenedSession {
  readonly id: string;
  readonly version: string | undefined;
  readonly servers: readonly { readonly name: string; readonly status: string }[];
}

type Failed = { readonly errors: string[]; readonly errorKind: TurnErrorKind };
type Properties<Kind extends WireEvent['kind']> = Extract<
  WireEvent,
  { kind: Kind; properties: unknown }
>['properties'];

// Left alone, OpenCode tries a server that fails without end, and waits as long as the server asks it to (measured).
const patienceMs = 60_000;

/** Parts that are understood here, or known to be no news. */
const knownParts = new Set([
  'agent',
  'compaction',
  'file',
  'patch',
  'retry',
  'snapshot',
  'step-start',
  'subtask',
]);

/** Turns what OpenCode says into facts of ours; deterministic, so that recorded transcripts test it. */
export class OpencodeTranslator {
  readonly tools: ToolLedger;
  readonly #options: OpencodeTranslatorOptions;
  readonly #text = new PartText();
  readonly #unknown = new UnknownParts();
  readonly #ends = new Map<string, OpencodeCallEnd>();
  readonly #untold = new Set<string>();
  /** Messages of the model in the present turn, each with its session. */
  readonly #messages = new Map<string, string>();
  #session: OpenedSession | null = null;
  #isAnnounced = false;
  #mode: PermissionMode;
  #turn: 'none' | 'handed over' | 'heard' = 'none';
  #message = { uuid: '', id: '' };
  #startedAt = 0;
  #usage: TurnUsage | null = null;
  #cost = 0;
  #modelCalls = 0;
  #denials: { tool: string; toolUseId: string }[] = [];
  #failure: OpencodeError | null = null;
  #retrying: { readonly since: number; readonly error: OpencodeError; readonly next: number } | null = null;
  #isInterrupting = false;
  #isLoginReported = false;

  constructor(options: OpencodeTranslatorOptions) {
    this.#options = options;
    this.#mode = options.permissionMode;
    this.tools = new ToolLedger(options.now);
  }

  get sessionId(): string | null {
    return this.#session?.id ?? null;
  }

  /** Whether OpenCode has a message of ours that it has not finished with. */
  get turn(): 'none' | 'handed over' | 'heard' {
    return this.#turn;
  }

  /** Whether to go on trying is pointless: the login is wrong, or the next try lies too far away. */
  get isHopeless(): boolean {
    if (this.#retrying === null) return false;
    const { since, error, next } = this.#retrying;
    return opencodeErrorKind(error) === 'auth' || next - since > patienceMs;
  }

  opened(session: OpenedSession): void {
    this.#session = session;
  }

  modeSet(mode: PermissionMode): RuntimeFact {
    this.#mode = mode;
    return { type: 'permission_mode_changed', mode, source: 'command' };
  }

  /** A message is handed over, under this id; its turn begins. */
  begin(message: { readonly uuid: string; readonly id: string }): RuntimeFact[] {
    this.#turn = 'handed over';
    this.#message = message;
    this.#startedAt = this.#options.now();
    this.#usage = null;
    this.#cost = 0;
    this.#modelCalls = 0;
    this.#denials = [];
    this.#failure = null;
    this.#retrying = null;
    this.#isInterrupting = false;
    this.#isLoginReported = false;
    this.#messages.clear();
    this.#ends.clear();
    this.#untold.clear();
    this.#text.turnBegins();
    this.#unknown.turnBegins();
    return [{ type: 'turn_started', origin: 'message' }];
  }

  /** Whatever ends the turn from now on, somebody wanted it to end. */
  interrupting(): void {
    this.#isInterrupting = true;
  }

  /** The turn is to end with this error. */
  failed(message: string): void {
    this.#failure ??= { message };
  }

  /** A call of a question or a rejected call ends with these words in place of OpenCode's. */
  endsWith(id: string, end: OpencodeCallEnd): void {
    this.#ends.set(id, end);
  }

  /** A call ends without the words that it was to end with, so that somebody has to say them again. */
  leftUntold(id: string): void {
    this.#untold.add(id);
  }

  denied(call: { readonly tool: string; readonly toolUseId: string }): void {
    this.#denials.push(call);
  }

  /** OpenCode did not take the message. */
  refused(why: string): RuntimeFact[] {
    this.#failure = { message: why };
    return this.#turn === 'none' ? [] : this.#endTurn();
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

  event(read: WireEvent): RuntimeFact[] {
    switch (read.kind) {
      case 'message.updated':
        return this.#messageUpdated(read.properties);
      case 'message.part.updated':
        return this.#part(read.properties.part);
      case 'message.part.delta':
        return this.#isMainMessage(read.properties.messageID) && read.properties.field === 'text'
          ? this.#text.delta(read.properties.partID, read.properties.delta)
          : [];
      case 'session.created':
        return read.properties.info.parentID === undefined
          ? []
          : this.tools.agentStarted(read.properties.info.id, read.properties.info.agent ?? 'agent');
      case 'session.status':
        return this.#isMain(read.properties) ? this.#status(read.properties.status) : [];
      case 'session.idle':
        return this.#isMain(read.properties)
          ? this.#idle()
          : this.tools.agentStopped(read.properties.sessionID, undefined);
      case 'session.error':
        if (read.properties.sessionID === undefined || this.#isMain({ sessionID: read.properties.sessionID }))
          this.#failWith(read.properties.error);
        return [];
      case 'session.compacted':
        return this.#isMain(read.properties)
          ? [{ type: 'compact_boundary', trigger: 'auto', preTokens: this.#usage?.inputTokens ?? 0 }]
          : [];
      case 'todo.updated':
        return this.#isMain(read.properties)
          ? [{ type: 'todo_update', todos: read.properties.todos.map(todo) }]
          : [];
      case 'server.connected':
      case 'permission.asked':
      case 'permission.replied':
      case 'question.asked':
      case 'question.replied':
      case 'question.rejected':
      case 'ignored':
        return [];
      case 'unrecognized':
        return [unrecognized(read.raw)];
      default:
        return read satisfies never;
    }
  }

  #isMain({ sessionID }: { readonly sessionID: string }): boolean {
    return sessionID === this.sessionId;
  }

  #isMainMessage(messageID: string): boolean {
    return this.#messages.get(messageID) === this.sessionId;
  }

  #messageUpdated({ sessionID, info }: Properties<'message.updated'>): RuntimeFact[] {
    if (info.role === 'assistant' && this.#turn !== 'none') this.#messages.set(info.id, sessionID);
    if (!this.#isMain({ sessionID })) return [];
    if (info.role === 'assistant' && this.#messages.has(info.id)) this.#failWith(info.error);
    if (info.id !== this.#message.id || this.#turn !== 'handed over') return [];
    this.#turn = 'heard';
    return this.#announce(info.model);
  }

  #announce(model: OpencodeModel | undefined): RuntimeFact[] {
    if (this.#isAnnounced || !this.#session) return [];
    this.#isAnnounced = true;
    const { id: sessionId, version, servers } = this.#session;
    return [
      { type: 'session_id_update', sessionId },
      { type: 'session_started', sessionId, cwd: this.#options.cwd },
      {
        type: 'init',
        sessionId,
        model: model ? modelName(model) : '',
        tools: [],
        mcpServers: servers.map(({ name, status }) => ({ name, status })),
        permissionMode: this.#mode,
        budgetConfig: {},
        ...given({ runtimeVersion: version }),
      },
    ];
  }

  #part(part: WirePart): RuntimeFact[] {
    if (!this.#messages.has(part.messageID)) return [];
    switch (part.type) {
      case 'tool':
        return this.#tool(part);
      case 'text':
      case 'reasoning':
        return this.#isMainMessage(part.messageID) ? this.#text.updated(part) : [];
      case 'step-finish':
        return this.#isMainMessage(part.messageID) ? this.#stepFinished(part) : [];
      default:
        if (part.type === 'step-start') this.#retrying = null;
        return knownParts.has(part.type)
          ? []
          : this.#unknown.tell({ kind: part.type, message: part.messageID, raw: part });
    }
  }

  #tool(part: WirePart): RuntimeFact[] {
    const { callID: id, state, sessionID } = part;
    if (id === undefined || state === undefined || state.status === 'pending') return [];
    const agent = this.#isMain({ sessionID }) ? {} : { agentId: sessionID };
    const child = state.metadata?.sessionId;
    if (child !== undefined) this.tools.taskStarted(child, id);
    const names = this.#session?.servers.map(({ name }) => name) ?? [];
    const started = this.tools.start({ id, ...opencodeCall(part, names), ...agent });
    if (state.status === 'running') return started;
    return [...started, ...this.#ended(this.tools.end(id, this.#ends.get(id) ?? opencodeCallEnd(state)))];
  }

  #ended(facts: readonly RuntimeFact[]): RuntimeFact[] {
    return facts.map((fact) =>
      fact.type === 'tool_end' && this.#untold.has(fact.id) ? { ...fact, cutOff: true } : fact,
    );
  }

  #stepFinished({ tokens, cost = 0 }: WirePart): RuntimeFact[] {
    this.#modelCalls += 1;
    this.#cost += cost;
    if (!tokens) return [];
    const last = usageOf(tokens);
    this.#usage = usageSum(this.#usage, last);
    return [{ type: 'context_usage', ...last }];
  }

  #status({ type, message = '', next }: Properties<'session.status'>['status']): RuntimeFact[] {
    if (type !== 'retry' || this.#turn === 'none') return [];
    const now = this.#options.now();
    const error = { message };
    this.#retrying = { since: this.#retrying?.since ?? now, error, next: next ?? now };
    const abandoned = this.#text.brokenOff();
    if (opencodeErrorKind(error) === 'auth') return [...abandoned, ...this.#login(message)];
    return [
      ...abandoned,
      { type: 'warning', message: `The model's server failed; OpenCode tries again (${message}).` },
    ];
  }

  /** It is idle more often than turns end: before our message is there, and twice after an error (measured). */
  #idle(): RuntimeFact[] {
    return this.#turn === 'heard' ? this.#endTurn() : [];
  }

  #failWith(error: WireSessionError | undefined): void {
    if (!error || this.#turn === 'none') return;
    const { name, data } = error;
    const told = { name, message: data?.message ?? name ?? 'unknown error', statusCode: data?.statusCode };
    // Its own end of a turn that failed before is no second failure.
    if (this.#failure === null || this.#failure.name === 'MessageAbortedError') this.#failure = told;
  }

  #login(detail: string): RuntimeFact[] {
    if (this.#isLoginReported) return [];
    this.#isLoginReported = true;
    return [{ type: 'auth_error', message: opencodeLoginSentence(detail) }];
  }

  #failed(): Failed | null {
    // A turn that was hopeless was ended by us.
    const hopeless = this.isHopeless && !this.#isInterrupting ? (this.#retrying?.error ?? null) : null;
    const cause = hopeless ?? this.#failure;
    const kind = cause && opencodeErrorKind(cause);
    if (this.#isInterrupting || kind === 'interrupted')
      return { errors: ['The turn was interrupted.'], errorKind: 'interrupted' };
    const retryAt =
      hopeless && kind === 'rate_limit' ? momentOf((this.#retrying?.next ?? 0) / 1000) : undefined;
    return cause && kind ? { errors: [cause.message], errorKind: kind, ...given({ retryAt }) } : null;
  }

  #endTurn(): RuntimeFact[] {
    const failed = this.#failed();
    const isInterrupted = failed?.errorKind === 'interrupted';
    this.#turn = 'none';
    const text = this.#text.last;
    const result: TurnEnded['result'] = {
      success: failed === null,
      subtype: failed === null ? 'success' : `error_${failed.errorKind}`,
      // A model without a known price costs 0 in OpenCode's words.
      cost: this.#cost > 0 ? this.#cost : null,
      turns: this.#modelCalls,
      usage: this.#usage,
      origin: 'message',
      ...(failed === null && text !== '' ? { text } : {}),
      ...failed,
      ...(this.#denials.length > 0 ? { denials: this.#denials } : {}),
      messageUuid: this.#message.uuid,
      durationMs: this.#options.now() - this.#startedAt,
    };
    return [
      ...(isInterrupted ? this.tools.agentsCutOff(new Set()) : []),
      ...this.#ended(this.tools.endAll({}, isInterrupted ? 'Interrupted.' : 'The turn ended.')),
      ...(failed?.errorKind === 'auth' ? this.#login(failed.errors.join(' ')) : []),
      { type: 'turn_ended', sessionId: this.sessionId ?? '', interrupted: isInterrupted, result },
    ];
  }
}

/** OpenCode counts what the model thought beside what it wrote. */
function usageOf({ input, output, reasoning = 0, cache }: OpencodeTokens): TurnUsage {
  return {
    inputTokens: input,
    outputTokens: output + reasoning,
    cacheReadInputTokens: cache?.read ?? 0,
    cacheCreationInputTokens: cache?.write ?? 0,
  };
}

function todo({ content, status }: { content: string; status: string }): { content: string; status: string } {
  return { content, status };
}
