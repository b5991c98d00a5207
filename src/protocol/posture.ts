import * as z from 'zod';
import { Container, ContainerRequest } from './container.js';
import { requestObject } from './request-object.js';

/** Kinds of agent that ship an adapter; an ACP agent, and an adapter in another package, has a name of its own. */
export const RuntimeName = z.union([
  z.enum(['claude', 'codex', 'opencode', 'amp', 'acp', 'exec']),
  z.templateLiteral([z.literal('acp:'), z.string().min(1)]),
  z.templateLiteral([z.literal('npm:'), z.string().min(1)]),
]);
export type RuntimeName = z.infer<typeof RuntimeName>;

/** The name of an agent that speaks ACP, as it stands behind `acp:`. */
export const AcpAgentName = z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/);

/** How an agent that speaks ACP is started; never from a project's own files. */
export const AcpAgentSettings = z.strictObject({
  command: z.string().min(1).describe('the command line that starts it'),
  loadsProjectCode: z
    .boolean()
    .optional()
    .describe(
      'that you accept that it loads code of the project that it works in; required where nothing keeps it from that',
    ),
  resumes: z
    .boolean()
    .optional()
    .describe('whether it takes up a session after its process has ended (session/resume or session/load)'),
});
export type AcpAgentSettings = z.infer<typeof AcpAgentSettings>;

/** The package of an adapter: its name as npm has it, or its folder; never from a project's own files. */
export const RuntimePackage = z
  .string()
  .regex(/^(\/.*|(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)$/)
  .max(1000);

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

/** The name of a skill: an executable of the project's folder `skills/`, or of the user's settings. */
export const SkillName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be a name of letters, digits, ".", "_" and "-"');

/** How long a program that tells nothing must be silent to count as idle. */
export const ObservableIdleSeconds = z.number().min(1).max(86_400);

/** Everything a run is launched with; sealed at launch, changed only by recorded amendments. */
export const Posture = z.object({
  permissionMode: PermissionMode.optional(),
  /** The program of a runtime that is any program (`exec`), as typed; never from a project's own files. */
  command: z.string().min(1).optional(),
  skill: SkillName.optional().describe(
    'With `exec`: the executable to start in place of `command`; its exit code is its claim.',
  ),
  exitCodes: z
    .boolean()
    .optional()
    .describe("With `exec`: the command's exit code is its claim, by the table of docs/exit-codes.md."),
  observableIdleSeconds: ObservableIdleSeconds.optional().describe(
    'With `exec`: what the command does is guessed from what it prints; after so many seconds of silence it counts as idle.',
  ),
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
  memoryLimit: z
    .string()
    .max(40)
    .optional()
    .describe('How much memory the agent and all that it starts may use: `512M`, `2G`.'),
  container: Container.optional().describe('The container that the agent works in (docs/containers.md).'),
});
export type Posture = z.infer<typeof Posture>;

/** A posture as a request may have it; what was stored or sent by a newer program is read by the other. */
export const PostureRequest = requestObject({
  ...Posture.shape,
  container: ContainerRequest.optional(),
});
