import * as z from 'zod';

/** Kinds of agent that ship an adapter; an ACP agent has a name of its own. */
export const RuntimeName = z.union([
  z.enum(['claude', 'codex', 'opencode', 'amp', 'acp', 'exec']),
  z.templateLiteral([z.literal('acp:'), z.string().min(1)]),
]);
export type RuntimeName = z.infer<typeof RuntimeName>;

/** Who decides about a tool call: nobody, a person, or a rule. */
export const PermissionMode = z.enum(['bypassPermissions', 'default', 'acceptEdits', 'plan', 'dontAsk']);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Which tools exist at all; a preset holds in every permission mode. */
export const ToolPreset = z.enum(['full', 'read-only', 'no-bash', 'safe-edit']);
export type ToolPreset = z.infer<typeof ToolPreset>;

export const SettingSource = z.enum(['project', 'user', 'local']);
export type SettingSource = z.infer<typeof SettingSource>;

/** How an MCP server is reached; the form of `.mcp.json`, whose unknown fields are kept for the runtime. */
export const McpServer = z.union([
  z.looseObject({
    type: z.enum(['http', 'sse']),
    url: z.url(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.looseObject({
    type: z.literal('stdio').optional(),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
]);
export type McpServer = z.infer<typeof McpServer>;

export const McpServerFile = z.looseObject({ mcpServers: z.record(z.string().min(1), McpServer) });

/** Everything a run is launched with; sealed at launch, changed only by recorded amendments. */
export const Posture = z.object({
  permissionMode: PermissionMode.optional(),
  /** The program of a runtime that is any program (`exec`), as typed; never from a project's own files. */
  command: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  fallbackModel: z.string().min(1).optional(),
  toolPreset: ToolPreset.optional(),
  checkpointing: z.boolean().optional(),
  structuredOutput: z.record(z.string(), z.unknown()).optional(),
  maxTurns: z.int().positive().optional(),
  maxThinkingTokens: z.int().nonnegative().optional(),
  instructions: z.string().optional(),
  mcpServers: z.record(z.string().min(1), McpServer).optional(),
  settingSources: z.array(SettingSource).optional(),
  betas: z.array(z.string().min(1)).optional(),
  linearIssue: z.string().min(1).optional(),
  targetBranch: z.string().min(1).optional(),
  debug: z.boolean().optional(),
  env: z.record(z.string(), z.string()).optional(),
  memoryLimit: z.string().optional(),
  container: z.string().optional(),
});
export type Posture = z.infer<typeof Posture>;
