import type { EventBody } from '../protocol/event.js';

interface OpenTool {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly startedAt: number;
  readonly agentId?: string;
  duration?: number;
}

/** Tools in flight and sub-agents alive: each tool starts once and ends once, whoever reports it first. */
export class ToolLedger {
  readonly #now: () => number;
  readonly #open = new Map<string, OpenTool>();
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #parentOfTask = new Map<string, string>();
  readonly #agents = new Map<string, string | undefined>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get openCount(): number {
    return this.#open.size;
  }

  start(call: {
    readonly id: string;
    readonly tool: string;
    readonly input: Record<string, unknown>;
    readonly agentId?: string | undefined;
  }): EventBody<'tool_start'>[] {
    if (this.#seen.has(call.id)) return [];
    this.#seen.add(call.id);
    const { id, tool, input, agentId } = call;
    const agent = agentId === undefined ? {} : { agentId };
    this.#open.set(id, { tool, input, startedAt: this.#now(), ...agent });
    this.#waiting.get(id)?.();
    const parentToolUseId = agentId === undefined ? undefined : this.#agents.get(agentId);
    return [
      {
        type: 'tool_start',
        id,
        tool,
        params: input,
        ...agent,
        ...(parentToolUseId === undefined ? {} : { parentToolUseId }),
      },
    ];
  }

  /** Resolves once the tool's start was reported; hooks overtake messages inside the SDK. */
  async started(id: string): Promise<void> {
    if (this.#seen.has(id)) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#waiting.delete(id);
  }

  find(id: string): OpenTool | undefined {
    return this.#open.get(id);
  }

  /** The newest open call of a tool whose name begins so. */
  newest(prefix: string): { readonly id: string; readonly tool: string } | undefined {
    const [id, call] = [...this.#open].findLast(([, { tool }]) => tool.startsWith(prefix)) ?? [];
    return id === undefined || !call ? undefined : { id, tool: call.tool };
  }

  setDuration(id: string, duration: number | undefined): number {
    const open = this.#open.get(id);
    const measured = duration ?? (open ? this.#now() - open.startedAt : 0);
    if (open) open.duration = measured;
    return measured;
  }

  end(id: string, outcome: { readonly success: boolean; readonly summary: string }): EventBody<'tool_end'>[] {
    const open = this.#open.get(id);
    if (!open) return [];
    this.#open.delete(id);
    return [
      {
        type: 'tool_end',
        id,
        tool: open.tool,
        success: outcome.success,
        summary: outcome.summary,
        duration: open.duration ?? this.#now() - open.startedAt,
        ...(open.agentId === undefined ? {} : { agentId: open.agentId }),
      },
    ];
  }

  /** Ends what is still open: of the main agent, of one sub-agent, or of everybody. */
  endAll(whose: { readonly agentId?: string } | 'everybody', summary: string): EventBody<'tool_end'>[] {
    return [...this.#open]
      .filter(([, tool]) => whose === 'everybody' || tool.agentId === whose.agentId)
      .flatMap(([id]) => this.end(id, { success: false, summary }));
  }

  taskStarted(taskId: string, toolUseId: string): void {
    this.#parentOfTask.set(taskId, toolUseId);
  }

  agentStarted(agentId: string, agentType: string): EventBody<'subagent_started'>[] {
    if (this.#agents.has(agentId)) return [];
    const parentToolUseId = this.#parentOfTask.get(agentId) ?? this.#childlessAgentTool();
    this.#agents.set(agentId, parentToolUseId);
    return [
      {
        type: 'subagent_started',
        agentId,
        agentType,
        ...(parentToolUseId === undefined ? {} : { parentToolUseId }),
      },
    ];
  }

  agentStopped(
    agentId: string,
    output: string | undefined,
  ): EventBody<'tool_end' | 'subagent_output' | 'subagent_stopped'>[] {
    if (!this.#agents.delete(agentId)) return [];
    return [
      ...this.endAll({ agentId }, 'The sub-agent ended.'),
      ...(output ? [{ type: 'subagent_output', agentId, agentOutput: output } as const] : []),
      { type: 'subagent_stopped', agentId },
    ];
  }

  /** Ends the sub-agents that cannot go on: all but those that work in the background. */
  agentsCutOff(
    background: ReadonlySet<string>,
  ): EventBody<'tool_end' | 'subagent_output' | 'subagent_stopped'>[] {
    return [...this.#agents.keys()]
      .filter((agentId) => !background.has(agentId))
      .flatMap((agentId) => this.agentStopped(agentId, undefined));
  }

  #childlessAgentTool(): string | undefined {
    const taken = new Set(this.#agents.values());
    return [...this.#open].find(
      ([id, { tool }]) => (tool === 'Agent' || tool === 'Task') && !taken.has(id),
    )?.[0];
  }
}
