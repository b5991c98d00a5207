import { readScriptsConfig } from '../scripts-config.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

/** Reads the project's setup scripts, run scripts and hooks. */
export function getWorkspaceScriptsConfig(workspace: ToolWorkspace): WorkspaceTool {
  return defineTool({
    name: 'get_workspace_scripts_config',
    description:
      "The project's setup scripts, run scripts and hooks, from .handraise/config.json or .chatml/config.json.",
    access: 'read',
    input: {},
    async answer() {
      const found = await readScriptsConfig(workspace);
      return found ?? { path: null, config: null, note: 'The project has no scripts config.' };
    },
  });
}
