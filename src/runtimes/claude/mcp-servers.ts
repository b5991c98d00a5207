import { createSdkMcpServer, type McpServerConfig, tool } from '@anthropic-ai/claude-agent-sdk/core';
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
export function mergeServers(launch: Launch, own: OwnServer): MergedServers {
  const { servers, warnings } = chosenServers(launch);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of `.mcp.json` is Claude Code's own
  const chosen = servers as Record<string, McpServerConfig>;
  const name = ownServerName(launch);
  return { servers: { ...chosen, [name]: builtIn(name, own) }, warnings };
}

/** Our own server: its tools, and the calls that are open. */
interface OwnServer {
  readonly tools: readonly WorkspaceTool[];
  readonly calls: Pick<ToolLedger, 'find' | 'openCalls'>;
}

function builtIn(name: string, { tools, calls }: OwnServer): McpServerConfig {
  return createSdkMcpServer({
    name,
    version: '1.0.0',
    alwaysLoad: true,
    tools: tools.map((one) =>
      tool(
        one.name,
        one.description,
        one.input,
        async (input, extra) => {
          const call = ownCall(extra, { tool: mcpToolName(name, one.name), calls });
          const answer = await one.run(input, call);
          const text = answer.ok ? JSON.stringify(answer.data, null, 2) : answer.error;
          return { content: [{ type: 'text', text }], isError: !answer.ok };
        },
        { annotations: { readOnlyHint: one.access === 'read' } },
      ),
    ),
  });
}
