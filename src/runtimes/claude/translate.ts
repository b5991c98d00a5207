import type { EventBody } from '../../protocol/event.js';
import { PermissionMode } from '../../protocol/posture.js';
import type { Limits, RuntimeFact } from '../runtime.js';
import { TodoList } from './todo-list.js';
import { ToolLedger } from './tool-ledger.js';
import { errorKindOf, errorsOf, loginSentence, speaksOfLogin } from './turn-error.js';
import {
  isRecord,
  readMessage,
  type StreamEvent,
  type WireAssistant,
  type WireBlock,
  type WireHook,
  type WireMessage,
  type WireResult,
  type WireTokens,
  type WireUser,
} from './wire.js';

export interface TranslatorOptions {
  readonly now: () => number;
  readonly limits: Limits;
  readonly permissionMode: PermissionMode;
  readonly expectsStructuredOutput: boolean;
}

/** Turns what Claude Code says into facts of ours; deterministic, so that recorded transcripts test it. */
export class Translator {
  readonly tools: ToolLedger;
  readonly #options: TranslatorOptions;
  readonly #todos = new TodoList();
  #sessionId: string | null = null;
  #cwd = '';
  #permissionMode: PermissionMode;
  #contextWindow = 0;
  #totalCost = 0;
  #turn: 'none' | 'message' | 'background_task' = 'none';
  #turnUuid: string | null = null;
  #loginReported = false;
  #streamed = new Set<string>();
  #messageTokens: WireTokens = {};
  #thinking: string | null = null;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.#permissionMode = options.permissionMode;
    this.tools = new ToolLedger(options.now);
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** A message was handed over; its turn begins. */
  begin(uuid: string): RuntimeFact[] {
    this.#turnUuid = uuid;
    return this.#startTurn('message');
  }

  /** The mode was changed by a command; the runtime's own report of it is then no news. */
  modeSet(mode: PermissionMode): RuntimeFact {
    this.#permissionMode = mode;
    return { type: 'permission_mode_changed', mode, source: 'command' };
  }

  message(raw: unknown): RuntimeFact[] {
    const read: WireMessage = readMessage(raw);
    switch (read.kind) {
      case 'stream':
        return read.parentToolUseId === null ? this.#stream(read.event) : [];
      case 'assistant':
        return this.#assistant(read.message);
      case 'user':
        return this.#user(read.message);
      case 'result':
        return this.#result(read.message);
      case 'system/init':
        return this.#init(read.message);
      case 'system/status':
        return this.#mode(read.message.permissionMode);
      case 'system/session_state_changed':
        return read.message.state === 'running' && this.#turn === 'none'
          ? this.#startTurn('background_task')
          : [];
      case 'system/api_retry':
        return this.#retry(read.message);
      case 'system/compact_boundary':
        return [compactBoundary(read.message.compact_metadata)];
      case 'system/task_started':
        if (read.message.tool_use_id) this.tools.taskStarted(read.message.task_id, read.message.tool_use_id);
        return [];
      case 'system/background_tasks_changed':
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
            toolUseId: read.message.tool_use_id,
            toolName: read.message.tool_name,
            elapsedTimeSeconds: read.message.elapsed_time_seconds,
          },
        ];
      case 'ignored':
        return [];
      case 'unrecognized':
        return [{ type: 'unrecognized', raw: read.raw }];
      default:
        return read satisfies never;
    }
  }

  hook(hook: WireHook): RuntimeFact[] {
    switch (hook.hook_event_name) {
      case 'PreToolUse':
        return [
          ...this.tools.start({
            id: hook.tool_use_id,
            tool: hook.tool_name,
            input: hook.tool_input,
            agentId: hook.agent_id,
          }),
          { type: 'hook_pre_tool', toolUseId: hook.tool_use_id, tool: hook.tool_name, ...agentOf(hook) },
        ];
      case 'PostToolUse': {
        const duration = this.tools.setDuration(hook.tool_use_id, hook.duration_ms);
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
    const session: RuntimeFact[] =
      this.#sessionId === null ? [] : [{ type: 'session_ended', sessionId: this.#sessionId, reason }];
    return [...this.tools.endAll('everybody', `The agent ended (${reason}).`), ...session];
  }

  #startTurn(origin: 'message' | 'background_task'): RuntimeFact[] {
    this.#turn = origin;
    this.#loginReported = false;
    this.#streamed = new Set();
    return [{ type: 'turn_started', origin }];
  }

  #init(init: Extract<WireMessage, { kind: 'system/init' }>['message']): RuntimeFact[] {
    const facts: RuntimeFact[] = this.#turn === 'none' ? this.#startTurn('background_task') : [];
    if (init.session_id === this.#sessionId) return [...facts, ...this.#mode(init.permissionMode)];
    const previous = this.#sessionId;
    this.#sessionId = init.session_id;
    this.#cwd = init.cwd;
    if (previous !== null) facts.push({ type: 'session_ended', sessionId: previous, reason: 'replaced' });
    facts.push(
      { type: 'session_id_update', sessionId: init.session_id },
      { type: 'session_started', sessionId: init.session_id, cwd: this.#cwd },
    );
    if (previous === null) facts.push(this.#initEvent(init));
    return [...facts, ...this.#mode(init.permissionMode)];
  }

  #initEvent(init: Extract<WireMessage, { kind: 'system/init' }>['message']): EventBody<'init'> {
    return {
      type: 'init',
      sessionId: init.session_id,
      model: init.model,
      // The runtime lists the tool by its old name and calls it by the new one.
      tools: init.tools.map((tool) => (tool === 'Task' ? 'Agent' : tool)),
      mcpServers: init.mcp_servers.map(({ name, status }) => ({ name, status })),
      permissionMode: init.permissionMode,
      budgetConfig: { ...this.#options.limits },
      ...(init.claude_code_version === undefined ? {} : { runtimeVersion: init.claude_code_version }),
      ...(init.slash_commands === undefined ? {} : { commands: init.slash_commands }),
      ...(init.agents === undefined ? {} : { agents: init.agents }),
      ...(init.skills === undefined ? {} : { skills: init.skills }),
      ...(init.betas === undefined ? {} : { betas: init.betas }),
    };
  }

  #mode(reported: string | undefined): RuntimeFact[] {
    const mode = PermissionMode.safeParse(reported);
    if (!mode.success || mode.data === this.#permissionMode) return [];
    const source = this.#permissionMode === 'plan' ? 'plan' : 'runtime';
    this.#permissionMode = mode.data;
    return [{ type: 'permission_mode_changed', mode: mode.data, source }];
  }

  #stream(event: StreamEvent): RuntimeFact[] {
    switch (event.type) {
      case 'content_block_delta':
        return this.#delta(event.delta);
      case 'message_start':
        if (typeof event.message?.id === 'string') this.#streamed.add(event.message.id);
        this.#messageTokens = event.message?.usage ?? {};
        return [];
      case 'content_block_start':
        if (event.content_block?.type !== 'thinking') return [];
        this.#thinking = '';
        return [{ type: 'thinking_start' }];
      case 'content_block_stop':
        return this.#endThinking();
      case 'message_delta':
        return [{ type: 'context_usage', ...tokenCounts({ ...this.#messageTokens, ...event.usage }) }];
      default:
        return [];
    }
  }

  #delta(delta: StreamEvent['delta']): RuntimeFact[] {
    if (typeof delta?.text === 'string') return [{ type: 'text_delta', content: delta.text }];
    if (typeof delta?.thinking !== 'string') return [];
    this.#thinking = (this.#thinking ?? '') + delta.thinking;
    return [{ type: 'thinking_delta', content: delta.thinking }];
  }

  #endThinking(): RuntimeFact[] {
    const content = this.#thinking;
    this.#thinking = null;
    return content === null ? [] : [{ type: 'thinking', content }];
  }

  #assistant(assistant: WireAssistant): RuntimeFact[] {
    const { message, agent_id: agentId, error } = assistant;
    const isMain = (assistant.parent_tool_use_id ?? null) === null;
    const facts: RuntimeFact[] = [];
    // Text of a streamed message came as deltas; a message that was not streamed has only this.
    const unstreamed = isMain && !(message.id !== undefined && this.#streamed.has(message.id));
    if (unstreamed && error) facts.push(...this.#modelError(message.content, error));
    for (const block of message.content) {
      if (block.type === 'tool_use' && block.id !== undefined && block.name !== undefined) {
        facts.push(...this.tools.start({ id: block.id, tool: block.name, input: inputOf(block), agentId }));
      } else if (unstreamed && !error && block.type === 'text' && block.text) {
        facts.push({ type: 'text_delta', content: block.text });
      }
    }
    return facts;
  }

  /** An API error arrives as a synthetic message of the assistant; it is not text of the model. */
  #modelError(content: readonly WireBlock[], error: string): RuntimeFact[] {
    const text = content.map((block) => block.text ?? '').join('\n');
    return speaksOfLogin(`${error} ${text}`) ? this.#login(text) : [];
  }

  #login(detail: string): RuntimeFact[] {
    if (this.#loginReported) return [];
    this.#loginReported = true;
    return [{ type: 'auth_error', message: loginSentence(detail) }];
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
      if (block.type !== 'tool_result' || block.tool_use_id === undefined) return [];
      const open = this.tools.find(block.tool_use_id);
      const success = block.is_error !== true;
      const todos =
        open && success
          ? this.#todos.afterTool({ tool: open.tool, input: open.input, result: user.tool_use_result })
          : null;
      return [
        ...this.tools.end(block.tool_use_id, { success, summary: summaryOf(block.content) }),
        ...(todos ? [{ type: 'todo_update', todos } as const] : []),
      ];
    });
  }

  #result(result: WireResult): RuntimeFact[] {
    const origin = this.#originOf(result);
    const interrupted = result.terminal_reason?.startsWith('aborted') ?? false;
    const missing =
      this.#options.expectsStructuredOutput &&
      result.subtype === 'success' &&
      result.structured_output === undefined;
    const failed = result.is_error || result.subtype !== 'success' || interrupted || missing;
    const kind = this.#loginReported
      ? 'auth'
      : missing && !result.is_error
        ? 'structured_output'
        : errorKindOf(result);
    const facts: RuntimeFact[] = [
      ...this.tools.endAll({}, interrupted ? 'Interrupted.' : 'The turn ended.'),
      ...(failed && kind === 'auth' ? this.#login(errorsOf(result).join(' ')) : []),
      ...this.#window(result),
    ];
    const cost = this.#costOf(result);
    const errors = failed
      ? missing && !result.is_error
        ? ['The agent gave no structured output.']
        : errorsOf(result)
      : [];
    const denials = (result.permission_denials ?? []).map((denial) => ({
      tool: denial.tool_name,
      toolUseId: denial.tool_use_id,
    }));
    const uuid = this.#turnUuid;
    facts.push({
      type: 'turn_ended',
      sessionId: result.session_id,
      interrupted: interrupted && !this.#loginReported,
      result: {
        success: !failed,
        subtype: result.subtype,
        cost,
        turns: result.num_turns ?? 0,
        usage: result.usage ? tokenCounts(result.usage) : null,
        origin,
        ...(result.result && !failed ? { text: result.result } : {}),
        ...(result.structured_output === undefined ? {} : { structuredOutput: result.structured_output }),
        ...(failed ? { errors, errorKind: kind } : {}),
        ...(denials.length > 0 ? { denials } : {}),
        ...(origin === 'message' && uuid !== null ? { messageUuid: uuid } : {}),
        ...(result.duration_ms === undefined ? {} : { durationMs: result.duration_ms }),
      },
    });
    if (origin === 'message') this.#turnUuid = null;
    // A message that was handed over while the agent worked on its own still has its turn before it.
    this.#turn = this.#turnUuid === null ? 'none' : 'message';
    return facts;
  }

  #originOf(result: WireResult): 'message' | 'background_task' {
    if (this.#turnUuid === null) return 'background_task';
    if (result.user_message_uuids?.includes(this.#turnUuid)) return 'message';
    return result.origin?.kind === 'task-notification' ? 'background_task' : 'message';
  }

  /** The SDK's total grows over the session, and over earlier lives of a resumed one. */
  #costOf(result: WireResult): number | null {
    const total = result.total_cost_usd;
    const since = result.model_usage_since_last_result;
    const cost = since
      ? Object.values(since).reduce((sum, usage) => sum + (usage.costUSD ?? 0), 0)
      : total === undefined
        ? null
        : Math.max(0, total - this.#totalCost);
    this.#totalCost = total ?? this.#totalCost;
    return cost;
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
  return hook.agent_id === undefined ? {} : { agentId: hook.agent_id };
}

function inputOf(block: WireBlock): Record<string, unknown> {
  return isRecord(block.input) ? block.input : {};
}

function tokenCounts(tokens: WireTokens): Omit<EventBody<'context_usage'>, 'type'> {
  return {
    inputTokens: tokens.input_tokens ?? 0,
    outputTokens: tokens.output_tokens ?? 0,
    cacheReadInputTokens: tokens.cache_read_input_tokens ?? 0,
    cacheCreationInputTokens: tokens.cache_creation_input_tokens ?? 0,
  };
}

function compactBoundary(compact: {
  trigger: string;
  pre_tokens: number;
  post_tokens?: number | undefined;
}): EventBody<'compact_boundary'> {
  return {
    type: 'compact_boundary',
    trigger: compact.trigger,
    preTokens: compact.pre_tokens,
    ...(compact.post_tokens === undefined ? {} : { postTokens: compact.post_tokens }),
  };
}

function backgroundTask(task: { task_id: string; task_type: string; description?: string | undefined }) {
  return {
    id: task.task_id,
    kind: task.task_type,
    ...(task.description === undefined ? {} : { description: task.description }),
  };
}

const summaryLength = 500;

function summaryOf(content: unknown): string {
  const text =
    typeof content === 'string'
      ? content
      : Array.isArray(content)
        ? content
            .map((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
            .join('\n')
        : '';
  return text.length > summaryLength ? `${text.slice(0, summaryLength)}…` : text;
}
