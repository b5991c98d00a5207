import { canonicalJson } from '../domain/prompts/fingerprint.js';
import { isPromptTool } from '../domain/words/prompt-tool.js';
import type { EventBody } from '../protocol/event.js';
import { given } from '../protocol/given.js';
import type { ToolOutputFields } from '../protocol/tool-output.js';

interface OpenTool {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly startedAt: number;
  readonly agentId?: string;
  duration?: number;
  /** What it ran with, where that is not its input. */
  ranWith?: Record<string, unknown>;
}

export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
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

  start(call: {
    readonly id: string;
    readonly tool: string;
    readonly input: Record<string, unknown>;
    readonly agentId?: string | undefined;
  }): EventBody<'tool_start'>[] {
    if (this.#seen.has(call.id)) return [];
    this.#seen.add(call.id);
    const { id, tool, input, agentId } = call;
    const agent = given({ agentId });
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
        ...given({ parentToolUseId }),
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

  /** The open calls of tools whose names begin so, the oldest first. */
  openCalls(prefix: string): OpenCall[] {
    return [...this.#open].flatMap(([id, { tool, input }]) =>
      tool.startsWith(prefix) ? [{ id, tool, input }] : [],
    );
  }

  setDuration(id: string, duration: number | undefined): number {
    const open = this.#open.get(id);
    const measured = duration ?? (open ? this.#now() - open.startedAt : 0);
    if (open) open.duration = measured;
    return measured;
  }

  /** The call ran with this input; a person may have changed what the agent proposed. */
  ran(id: string, input: Record<string, unknown>): void {
    const open = this.#open.get(id);
    // The answers that a question gets come back in its input, and a secret is never written down.
    if (!open || isPromptTool(open.tool)) return;
    if (canonicalJson(input) !== canonicalJson(open.input)) open.ranWith = input;
  }

  end(id: string, outcome: { readonly success: boolean } & ToolOutputFields): EventBody<'tool_end'>[] {
    const open = this.#open.get(id);
    if (!open) return [];
    this.#open.delete(id);
    return [
      {
        type: 'tool_end',
        id,
        tool: open.tool,
        ...outcome,
        duration: open.duration ?? this.#now() - open.startedAt,
        ...given({ ranWith: open.ranWith, agentId: open.agentId }),
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
        ...given({ parentToolUseId }),
      },
    ];
  }

  get hasAgents(): boolean {
    return this.#agents.size > 0;
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
