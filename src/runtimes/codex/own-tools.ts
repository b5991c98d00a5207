import * as z from 'zod';
import type { ToolPreset } from '../../protocol/posture.js';
import { workspaceTools } from '../../workspace-tools/index.js';
import type { ToolWorkspace } from '../../workspace-tools/workspace.js';
import type { CalledTool, WorkspaceTool } from '../../workspace-tools/workspace-tool.js';
import { builtInServer } from '../mcp-servers.js';
import { needsInputTool } from '../needs-input-tool.js';

/** Our own tools, offered to Codex with its thread; it keeps the offer when the thread is resumed (measured). */
export class OwnTools {
  readonly #tools: readonly WorkspaceTool[];
  readonly #needsInput: WorkspaceTool;

  constructor(workspace: ToolWorkspace, preset: ToolPreset) {
    this.#needsInput = needsInputTool(workspace);
    this.#tools = workspaceTools(workspace).filter(({ access }) => preset === 'full' || access === 'read');
  }

  /** As `thread/start` takes them. */
  get offer(): object[] {
    return [
      functionOf(this.#needsInput),
      {
        type: 'namespace',
        name: builtInServer,
        description: 'The workspace that this thread works in.',
        tools: this.#tools.map(functionOf),
      },
    ];
  }

  find(call: { namespace?: string | null | undefined; tool: string }): WorkspaceTool | undefined {
    if (!call.namespace) return call.tool === this.#needsInput.name ? this.#needsInput : undefined;
    if (call.namespace !== builtInServer) return undefined;
    return this.#tools.find(({ name }) => name === call.tool);
  }
}

/** The answer of a tool as Codex takes it. */
export async function callOf(tool: WorkspaceTool, input: unknown, call: CalledTool): Promise<object> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every tool checks its input by its own schema
  const answer = await tool.run(input as Record<string, unknown>, call);
  const text = answer.ok ? textOf(answer.data) : answer.error;
  return toolReply(text, answer.ok);
}

export function toolReply(text: string, success: boolean): object {
  return { contentItems: [{ type: 'inputText', text }], success };
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : JSON.stringify(data, undefined, 2);
}

function functionOf({ name, description, input }: WorkspaceTool): object {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(z.object(input), {
    io: 'input',
    unrepresentable: 'any',
  });
  return { type: 'function', name, description, inputSchema };
}
