import { createSdkMcpServer, type McpServerConfig, tool } from '@anthropic-ai/claude-agent-sdk';
import { Failure } from '../../protocol/failure.js';
import type { WorkspaceTool } from '../../workspace-tools/workspace-tool.js';
import { chosenServers, ownServerName } from '../mcp-servers.js';
import type { Launch } from '../runtime.js';
import type { ToolLedger } from '../tool-ledger.js';
import { mcpToolName } from './mcp-tool-name.js';
import { ownCall } from './own-call.js';

export interface MergedServers {
  readonly servers: Record<string, McpServerConfig>;
  readonly warnings: string[];
}

/** The servers of the project and of the user, and the built-in one. */
export function mergeServers(launch: Launch, own: OfferedTools): MergedServers {
  const { servers, warnings } = chosenServers(launch);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of `.mcp.json` is Claude Code's own
  const chosen = servers as Record<string, McpServerConfig>;
  const name = ownServerName(launch);
  return { servers: { ...chosen, [name]: ownServer(name, own.tools, () => own) }, warnings };
}

/** Our own tools, and the calls that are open. */
export interface OfferedTools {
  readonly tools: readonly WorkspaceTool[];
  readonly calls: Pick<ToolLedger, 'find' | 'openCalls'>;
}

/** Our own server: it offers `offered`, and a call is for the tool of that name in what is `current` then. */
export function ownServer(
  name: string,
  offered: readonly WorkspaceTool[],
  current: () => OfferedTools,
): McpServerConfig {
  return createSdkMcpServer({
    name,
    version: '1.0.0',
    alwaysLoad: true,
    tools: offered.map((one) =>
      tool(
        one.name,
        one.description,
        one.input,
        async (input, extra) => {
          const { tools, calls } = current();
          const call = ownCall(extra, { tool: mcpToolName(name, one.name), calls });
          const mine = tools.find((each) => each.name === one.name);
          if (!mine) throw new Failure('internal', `There is no tool ${one.name}.`);
          const answer = await mine.run(input, call);
          const text = answer.ok ? JSON.stringify(answer.data, null, 2) : answer.error;
          return { content: [{ type: 'text', text }], isError: !answer.ok };
        },
        { annotations: { readOnlyHint: one.access === 'read' } },
      ),
    ),
  });
}
