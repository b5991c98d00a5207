import { given } from '../../protocol/given.js';
import type { PermissionMode } from '../../protocol/posture.js';
import { toolOutput } from '../../protocol/tool-output.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import type { Limits, RuntimeFact } from '../runtime.js';
import { ToolLedger } from '../tool-ledger.js';
import { UnknownParts, unrecognized } from '../unrecognized.js';
import { deferralIn } from './deferral.js';
import { ModelStream, tokenCounts } from './model-stream.js';
import { SessionCost } from './session-cost.js';
import { SessionFacts } from './session-facts.js';
import { backgroundTask, compactBoundary } from './side-facts.js';
import { TodoList } from './todo-list.js';
import { toldResult } from './told-result.js';
import { resultText, unknownResultParts } from './tool-result.js';
import { claudeErrorKind, claudeLoginSentence, errorsOf, speaksOfClaudeLogin } from './turn-error.js';
import { ClaudeUsageLimit } from './usage-limit.js';
import {
  isKnownBlock,
  isRecord,
  readMessage,
  type WireAssistant,
  type WireBlock,
  type WireHook,
  type WireMessage,
  type WireResult,
  type WireUser,
} from './wire.js';

export interface ClaudeTranslatorOptions {
  readonly now: () => number;
  readonly limits: Limits;
  readonly permissionMode: PermissionMode;
  readonly expectsStructuredOutput: boolean;
  /** Whether a parent wants more of a result than we tell. */
  readonly tellsMore?: boolean;
  /** Whether we let go of a call. */
  readonly isOwnDeferral?: (toolUseId: string) => boolean;
}

/** Turns what Claude Code says into facts of ours; deterministic, so that recorded transcripts test it. */
export class ClaudeTranslator {
  readonly tools: ToolLedger;
  readonly #options: ClaudeTranslatorOptions;
  readonly #todos = new TodoList();
  readonly #limit = new ClaudeUsageLimit();
  readonly #session: SessionFacts;
  readonly #unknown = new UnknownParts();
  readonly #stream = new ModelStream(this.#unknown);
  #background: ReadonlySet<string> = new Set();
  #contextWindow = 0;
  readonly #cost = new SessionCost();
  #turn: 'none' | 'message' | 'background_task' = 'none';
  #turnUuid: string | null = null;
  #messageUuid = '';
  #takesUp = false;
  #loginError: string | null = null;

  constructor(options: ClaudeTranslatorOptions) {
    this.#options = options;
    this.#session = new SessionFacts(options.limits, options.permissionMode);
    this.tools = new ToolLedger(options.now);
  }

  get sessionId(): string | null {
    return this.#session.sessionId;
  }

  /** A message was handed over under a uuid of ours; its turn begins. */
  begin(turn: { readonly uuid: string; readonly messageUuid: string }): RuntimeFact[] {
    this.#turnUuid = turn.uuid;
    this.#messageUuid = turn.messageUuid;
    return this.#startTurn('message');
  }

  /** An agent had waited for this launch, and was taken or not. */
  waited(prewarmed: boolean): void {
    this.#session.prewarmed = prewarmed;
  }

  /** The mode was changed by a command. */
  modeSet(mode: PermissionMode): RuntimeFact {
    return this.#session.modeSet(mode);
  }

  message(raw: unknown): RuntimeFact[] {
    const read: WireMessage = readMessage(raw);
    switch (read.kind) {
      case 'stream':
        return read.parentToolUseId === null
          ? this.#stream.read(read.event)
          : this.#stream.readBelow(read.event, read.parentToolUseId);
      case 'assistant':
        return this.#assistant(read.message);
      case 'user':
        return this.#user(read.message);
      case 'result':
        return this.#result(read.message);
      case 'system/init':
        return [...this.#wake(), ...this.#session.init(read.message)];
      case 'system/status':
        return this.#session.modeReported(read.message.permissionMode);
      case 'system/session_state_changed':
        return read.message.state === 'running' ? this.#wake() : [];
      case 'rate_limit_event':
        this.#limit.note(read.message.rate_limit_info, this.tools.hasAgents);
        return [];
      case 'system/api_retry':
        return this.#retry(read.message);
      case 'system/compact_boundary':
        return [compactBoundary(read.message.compact_metadata)];
      case 'system/task_started':
        if (read.message.tool_use_id) this.tools.taskStarted(read.message.task_id, read.message.tool_use_id);
        return [];
      case 'system/background_tasks_changed':
        this.#background = new Set(read.message.tasks.map((task) => task.task_id));
        return [{ type: 'background_tasks', open: read.message.tasks.map(backgroundTask) }];
      case 'system/informational':
        return [
          { type: 'warning', message: read.message.content ?? read.message.tag ?? 'The runtime has a note.' },
        ];
      case 'system/model_fallback':
        return [{ type: 'warning', message: 'The model is overloaded; the fallback model answers.' }];
      case 'tool_progress':
        return [
          {
            type: 'tool_progress',
            // A heartbeat of a long command carries the tool's id with a suffix.
            toolUseId: read.message.tool_use_id.replace(/-heartbeat-\d+$/, ''),
            toolName: read.message.tool_name,
            elapsedTimeSeconds: read.message.elapsed_time_seconds,
          },
        ];
      case 'ignored':
        return [];
      case 'unrecognized':
        return [unrecognized(read.raw)];
      default:
        return read satisfies never;
    }
  }

  hook(hook: WireHook): RuntimeFact[] {
    switch (hook.hook_event_name) {
      case 'PreToolUse': {
        const { tool_use_id: id, tool_name: tool, tool_input: input, agent_id: agentId } = hook;
        // A call that an earlier process let go comes back before the session says anything (measured).
        if (this.#session.sessionId === null) this.#takesUp = true;
        const started = this.tools.start({ id, tool, input, agentId });
        // Questions and plans have events of their own.
        if (tool === 'AskUserQuestion' || tool === 'ExitPlanMode') return started;
        return [...started, { type: 'hook_pre_tool', toolUseId: id, tool, ...agentOf(hook) }];
      }
      case 'PostToolUse': {
        const duration = this.tools.setDuration(hook.tool_use_id, hook.duration_ms);
        this.tools.ran(hook.tool_use_id, hook.tool_input);
        return [
          {
            type: 'hook_post_tool',
            toolUseId: hook.tool_use_id,
            tool: hook.tool_name,
            duration,
            ...agentOf(hook),
          },
        ];
      }
      case 'PostToolUseFailure': {
        const { tool_use_id: toolUseId, tool_name: tool, error } = hook;
        const duration = this.tools.setDuration(toolUseId, hook.duration_ms);
        this.tools.ran(toolUseId, hook.tool_input);
        return [{ type: 'hook_tool_failure', toolUseId, tool, error, duration, ...agentOf(hook) }];
      }
      case 'Notification':
        return [
          {
            type: 'agent_notification',
            title: hook.title ?? '',
            message: hook.message,
            notificationType: hook.notification_type ?? 'notification',
          },
        ];
      case 'Stop':
        return [{ type: 'agent_stop' }];
      case 'SubagentStart':
        return this.tools.agentStarted(hook.agent_id, hook.agent_type);
      case 'SubagentStop':
        return this.tools.agentStopped(hook.agent_id, hook.last_assistant_message);
      case 'SessionStart':
      case 'SessionEnd':
        // Called only for compact and clear (measured); start and end are derived from the session id instead.
        return [];
      default:
        return hook satisfies never;
    }
  }

  /** The agent is gone: tools that still spin end, and so does the session. */
  gone(reason: string): RuntimeFact[] {
    return [
      ...this.tools
        .endAll('everybody', `The agent ended (${reason}).`)
        .map((end) => ({ ...end, cutOff: true })),
      ...this.#session.ended(reason),
    ];
  }

  /** The agent works although no message was handed over: a background task woke it. */
  #wake(): RuntimeFact[] {
    return this.#turn === 'none' ? this.#startTurn('background_task') : [];
  }

  #startTurn(origin: 'message' | 'background_task'): RuntimeFact[] {
    this.#turn = origin;
    this.#loginError = null;
    this.#stream.turnBegins();
    this.#unknown.turnBegins();
    return [{ type: 'turn_started', origin }];
  }

  #assistant(assistant: WireAssistant): RuntimeFact[] {
    const { message, agent_id: agentId, error } = assistant;
    const isMain = (assistant.parent_tool_use_id ?? null) === null;
    // Text of a streamed message came as deltas; a message that was not streamed has only this.
    const { isStreamed, facts } = isMain ? this.#stream.whole(message.id) : { isStreamed: true, facts: [] };
    const unstreamed = !isStreamed;
    if (unstreamed && error) facts.push(...this.#modelError(message.content, error));
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.id !== undefined && block.name !== undefined) {
        facts.push(...this.tools.start({ id: block.id, tool: block.name, input: inputOf(block), agentId }));
      } else if (unstreamed && !error && block.type === 'text' && block.text) {
        facts.push({ type: 'text_delta', content: block.text });
      } else if (block.type === 'tool_use' || !isKnownBlock(block.type)) {
        facts.push(...this.#unknownBlock(block, message.id));
      }
    }
    return facts;
  }

  /** A block of a type that nobody here knows, or of a known one without what makes it one. */
  #unknownBlock(block: WireBlock, messageId = ''): RuntimeFact[] {
    return this.#unknown.tell({ kind: `block ${block.type}`, message: messageId, raw: block });
  }

  /** An API error arrives as a synthetic message of the assistant; it is not text of the model. */
  #modelError(content: readonly WireBlock[], error: string): RuntimeFact[] {
    const text = content.map((block) => block.text ?? '').join('\n');
    return speaksOfClaudeLogin(`${error} ${text}`) ? this.#login(text) : [];
  }

  #login(detail: string): RuntimeFact[] {
    if (this.#loginError !== null) return [];
    this.#loginError = detail;
    return [{ type: 'auth_error', message: claudeLoginSentence(detail) }];
  }

  #retry(retry: Extract<WireMessage, { kind: 'system/api_retry' }>['message']): RuntimeFact[] {
    const what = `${retry.error ?? 'error'}${retry.error_status ? `, HTTP ${retry.error_status}` : ''}`;
    if (isLoginRetry(retry)) return this.#login(what);
    const seconds = (retry.retry_delay_ms / 1000).toFixed(1);
    return [
      {
        type: 'warning',
        message: `The model's server failed (${what}); retry ${retry.attempt} of ${retry.max_retries} in ${seconds} s.`,
      },
    ];
  }

  #user(user: WireUser): RuntimeFact[] {
    if (user.isReplay) return [];
    return user.message.content.flatMap((block) => {
      if (block.type !== 'tool_result' && isKnownBlock(block.type)) return [];
      if (block.type !== 'tool_result' || block.tool_use_id === undefined) return this.#unknownBlock(block);
      const open = this.tools.find(block.tool_use_id);
      const success = block.is_error !== true;
      const todos =
        open && success
          ? this.#todos.afterTool({ tool: open.tool, input: open.input, result: user.tool_use_result })
          : null;
      return [
        ...this.tools.end(block.tool_use_id, { success, ...toolOutput(resultText(block.content)) }),
        ...(todos ? [{ type: 'todo_update', todos } as const] : []),
        ...unknownResultParts(block.content).flatMap((part) =>
          this.#unknown.tell({ ...part, message: block.tool_use_id ?? '' }),
        ),
      ];
    });
  }

  #result(result: WireResult): RuntimeFact[] {
    const origin = this.#originOf(result);
    const failure = this.#limit.judge(this.#failureOf(result));
    const isLogin = failure?.errorKind === 'auth';
    const denials = (result.permission_denials ?? []).map((denial) => ({
      tool: denial.tool_name,
      toolUseId: denial.tool_use_id,
    }));
    const facts: RuntimeFact[] = [
      // For a sub-agent that an interrupt cut off the runtime reports no end (measured).
      ...this.tools.agentsCutOff(this.#background),
      ...this.tools.endAll({}, failure?.errorKind === 'interrupted' ? 'Interrupted.' : 'The turn ended.'),
      ...(isLogin ? this.#login(failure.errors.join(' ')) : []),
      ...this.#window(result),
      {
        type: 'turn_ended',
        sessionId: result.session_id,
        interrupted: failure?.errorKind === 'interrupted',
        ...(this.#options.tellsMore ? { told: toldResult(result) } : {}),
        ...(deferralIn(result, this.#options.isOwnDeferral)?.isOurs ? { deferred: true as const } : {}),
        result: {
          success: failure === null,
          subtype: result.subtype,
          cost: this.#cost.of(result),
          turns: result.num_turns ?? 0,
          usage: result.usage ? tokenCounts(result.usage) : null,
          origin,
          ...(result.result && failure === null ? { text: result.result } : {}),
          ...given({ structuredOutput: result.structured_output }),
          ...failure,
          ...(denials.length > 0 ? { denials } : {}),
          ...(origin === 'message' ? { messageUuid: this.#messageUuid } : {}),
          ...given({ durationMs: result.duration_ms }),
        },
      },
    ];
    if (origin === 'message') this.#turnUuid = null;
    this.#takesUp = false;
    // A message that was handed over while the agent worked on its own still has its turn before it.
    this.#turn = this.#turnUuid === null ? 'none' : 'message';
    return facts;
  }

  /** Why the turn failed, or null; the runtime reports some failures as success. */
  #failureOf(result: WireResult): { errors: string[]; errorKind: TurnErrorKind } | null {
    // A login that cannot work was interrupted by us, so the result speaks of an interrupt.
    if (this.#loginError !== null) return { errors: [this.#loginError], errorKind: 'auth' };
    const aborted = result.terminal_reason?.startsWith('aborted') ?? false;
    if (result.is_error || result.subtype !== 'success' || aborted) {
      return { errors: errorsOf(result), errorKind: claudeErrorKind(result) };
    }
    const deferral = deferralIn(result, this.#options.isOwnDeferral);
    if (deferral) return { errors: [deferral.sentence], errorKind: 'other' };
    if (this.#options.expectsStructuredOutput && result.structured_output === undefined) {
      return { errors: ['The agent gave no structured output.'], errorKind: 'structured_output' };
    }
    return null;
  }

  #originOf(result: WireResult): 'message' | 'background_task' {
    if (this.#turnUuid === null) return 'background_task';
    if (result.user_message_uuids?.includes(this.#turnUuid)) return 'message';
    // A call that comes back has a turn of its own, also when a message was there before it.
    if (this.#takesUp) return 'background_task';
    return result.origin?.kind === 'task-notification' ? 'background_task' : 'message';
  }

  #window(result: WireResult): RuntimeFact[] {
    const window = Math.max(
      0,
      ...Object.values(result.modelUsage ?? {}).map((usage) => usage.contextWindow ?? 0),
    );
    if (window === 0 || window === this.#contextWindow) return [];
    this.#contextWindow = window;
    return [{ type: 'context_window_size', contextWindow: window }];
  }
}

/** Whether the runtime is about to retry a login that cannot work; it would go on for minutes. */
export function isLoginRetry(retry: {
  readonly error?: string | undefined;
  readonly error_status?: number | null | undefined;
}): boolean {
  return retry.error === 'authentication_failed' || retry.error_status === 401;
}

function agentOf(hook: { readonly agent_id?: string | undefined }): { agentId?: string } {
  return given({ agentId: hook.agent_id });
}

function inputOf(block: WireBlock): Record<string, unknown> {
  return isRecord(block.input) ? block.input : {};
}
