import { workspaceTools } from '../../workspace-tools/index.js';
import type { ToolWorkspace } from '../../workspace-tools/workspace.js';
import type { WorkspaceTool } from '../../workspace-tools/workspace-tool.js';
import { ownServerName } from '../mcp-servers.js';
import type { Launch } from '../runtime.js';
import { mcpToolName } from './mcp-tool-name.js';
import { PresetRule } from './tool-preset.js';

/** Our own tools in one workspace, and what the preset of the launch leaves of all tools. */
export interface ClaudeTools {
  readonly tools: readonly WorkspaceTool[];
  readonly preset: PresetRule;
  /** Whether this tool, as the agent knows it, asks a person by itself. */
  readonly asksItself: (tool: string) => boolean;
}

export function claudeTools(launch: Launch, workspace: ToolWorkspace): ClaudeTools {
  const tools = workspaceTools(workspace);
  const nameOf = ({ name }: WorkspaceTool) => mcpToolName(ownServerName(launch), name);
  const asking = tools.filter(({ asksItself }) => asksItself).map(nameOf);
  return {
    tools,
    preset: new PresetRule(launch.toolPreset, tools.filter(({ access }) => access === 'read').map(nameOf)),
    asksItself: (tool) => asking.includes(tool),
  };
}
