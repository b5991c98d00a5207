import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { WorkspaceTool } from '../../workspace-tools/workspace-tool.js';
import type { Launch } from '../runtime.js';

/**
 * Whether an agent that waited can be exactly what a start for this launch would be. A server of somebody else's would be
 * started in another folder; what a project's approved code does to a process that runs already, nobody has measured; and
 * what continues a session, or is debugged, is started for it.
 */
export function mayPark(launch: Launch): boolean {
  const { projectCode } = launch;
  return (
    projectCode !== 'workspace' &&
    projectCode.files.length === 0 &&
    Object.keys(launch.mcpServers).length === 0 &&
    launch.container === undefined &&
    launch.compat === undefined &&
    launch.resume === undefined &&
    !launch.fork &&
    // The SDK compares it with the model, which an agent that waits does not have yet.
    launch.fallbackModel === undefined &&
    !launch.debug &&
    launch.debugFile === undefined
  );
}

/**
 * Everything of the options that an agent has from its start on, as one text: the same text, the same agent. Folder, model,
 * mode and what is added to the system prompt come later; what is called back finds its session when it is called.
 */
export function fixedHalf(options: Options, offered: readonly WorkspaceTool[]): string {
  const {
    cwd: _cwd,
    model: _model,
    permissionMode: _mode,
    stderr: _stderr,
    spawnClaudeCodeProcess: _spawn,
    canUseTool: _canUseTool,
    onElicitation: _onElicitation,
    hooks = {},
    mcpServers = {},
    systemPrompt,
    env = {},
    ...fixed
  } = options;
  return JSON.stringify({
    ...fixed,
    env: Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    hooks: Object.keys(hooks),
    servers: Object.entries(mcpServers).map(([name, server]) =>
      server.type === 'sdk' ? [name, server.type] : [name, server],
    ),
    prompt: withoutAddition(systemPrompt),
    offered: offered.map(({ name, description, access, input }) => [
      name,
      description,
      access,
      Object.keys(input),
    ]),
  });
}

function withoutAddition(prompt: Options['systemPrompt']): unknown {
  if (typeof prompt !== 'object' || Array.isArray(prompt)) return prompt;
  return { ...prompt, append: undefined };
}
