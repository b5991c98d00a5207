import { createSdkMcpServer, type McpServerConfig, tool } from '@anthropic-ai/claude-agent-sdk/core';
import { builtInServer, chosenServers } from '../mcp-servers.js';
import type { Launch } from '../runtime.js';
import type { WorkspaceTool } from '../workspace-tools/workspace-tool.js';

export interface MergedServers {
  readonly servers: Record<string, McpServerConfig>;
  readonly warnings: string[];
}

/** The servers of the project and of the user, and the built-in one. */
export function mergeServers(launch: Launch, tools: readonly WorkspaceTool[]): MergedServers {
  const { servers, warnings } = chosenServers(launch);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of `.mcp.json` is Claude Code's own
  const chosen = servers as Record<string, McpServerConfig>;
  return { servers: { ...chosen, [builtInServer]: builtIn(tools) }, warnings };
}

function builtIn(tools: readonly WorkspaceTool[]): McpServerConfig {
  return createSdkMcpServer({
    name: builtInServer,
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
