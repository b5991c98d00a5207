import { createSdkMcpServer, type McpServerConfig, tool } from '@anthropic-ai/claude-agent-sdk/core';
import type { WorkspaceTool } from '../../workspace-tools/workspace-tool.js';
import { chosenServers, ownServerName } from '../mcp-servers.js';
import type { Launch } from '../runtime.js';

export interface MergedServers {
  readonly servers: Record<string, McpServerConfig>;
  readonly warnings: string[];
}

/** The servers of the project and of the user, and the built-in one. */
export function mergeServers(launch: Launch, tools: readonly WorkspaceTool[]): MergedServers {
  const { servers, warnings } = chosenServers(launch);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of `.mcp.json` is Claude Code's own
  const chosen = servers as Record<string, McpServerConfig>;
  const name = ownServerName(launch);
  return { servers: { ...chosen, [name]: builtIn(name, tools) }, warnings };
}

function builtIn(name: string, tools: readonly WorkspaceTool[]): McpServerConfig {
  return createSdkMcpServer({
    name,
    version: '1.0.0',
    alwaysLoad: true,
    tools: tools.map((one) =>
      tool(
        one.name,
        one.description,
        one.input,
        async (input) => {
          const answer = await one.run(input);
          const text = answer.ok ? JSON.stringify(answer.data, null, 2) : answer.error;
          return { content: [{ type: 'text', text }], isError: !answer.ok };
        },
        { annotations: { readOnlyHint: one.access === 'read' } },
      ),
    ),
  });
}
