import type {
  CanUseTool,
  HookCallbackMatcher,
  HookEvent,
  McpServerConfig,
  OnElicitation,
  Options,
} from '@anthropic-ai/claude-agent-sdk';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { expectMayBypass, mayBypass } from '../root-bypass.js';
import type { CheckedLaunch, Launch } from '../runtime.js';
import { namedClaude } from './binary.js';
import type { PresetRule } from './tool-preset.js';

/** What glue adds to the options of a launch. */
export interface Wiring {
  readonly preset: PresetRule;
  readonly servers: Record<string, McpServerConfig>;
  readonly hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  readonly canUseTool: CanUseTool;
  readonly onElicitation: OnElicitation;
  readonly spawn: NonNullable<Options['spawnClaudeCodeProcess']>;
  readonly stderr: (text: string) => void;
  readonly env: Record<string, string>;
  /** What is appended to the system prompt. */
  readonly append: string | undefined;
  /** Settings of the project's that were approved. */
  readonly settings: Exclude<NonNullable<Options['settings']>, string>;
  /** The folder of a plugin with what else of the project was approved. */
  readonly plugin: string | undefined;
}

/** The options of the one query() that lives as long as the runner. */
export function claudeOptions(launch: Launch, wiring: Wiring): Options {
  const { limits } = launch;
  const pathToClaudeCodeExecutable = launch.container ? 'claude' : (namedClaude(launch.env) ?? undefined);
  return {
    cwd: launch.cwd,
    env: wiring.env,
    permissionMode: launch.permissionMode,
    // Without it a later change to bypassPermissions is refused; with it root cannot start at all.
    allowDangerouslySkipPermissions: mayBypass(launch.env),
    canUseTool: wiring.canUseTool,
    onElicitation: wiring.onElicitation,
    hooks: wiring.hooks,
    includePartialMessages: true,
    mcpServers: wiring.servers,
    // Only then: a new session that is told so early does not list them before its first message (measured).
    ...(launch.resume === undefined ? {} : { extraArgs: { 'mcp-config': ownServers(wiring.servers) } }),
    strictMcpConfig: true,
    // Claude Code reads a project's files again while it works (measured), so that an approval of what they were is no
    // approval of what they are: it gets the approved bytes from us, and does not look into the project.
    settingSources: launch.settingSources.filter(
      (source) => launch.projectCode === 'workspace' || source === 'user',
    ),
    // In plan mode Bash would otherwise be judged by a model instead of a person.
    settings: { ...wiring.settings, useAutoModeDuringPlan: false },
    ...(wiring.plugin === undefined ? {} : { plugins: [{ type: 'local', path: wiring.plugin }] }),
    systemPrompt: {
      type: 'preset',
      preset: 'claude_code',
      ...given({ append: wiring.append }),
    },
    tools: wiring.preset.tools,
    disallowedTools: wiring.preset.disallowedTools,
    enableFileCheckpointing: launch.checkpointing,
    forkSession: launch.fork,
    stderr: wiring.stderr,
    spawnClaudeCodeProcess: wiring.spawn,
    ...(launch.structuredOutput === undefined
      ? {}
      : { outputFormat: { type: 'json_schema', schema: withoutDialect(launch.structuredOutput) } }),
    ...given({
      maxBudgetUsd: limits.maxBudgetUsd,
      maxTurns: limits.maxTurns,
      maxThinkingTokens: limits.maxThinkingTokens,
      model: launch.model,
      fallbackModel: launch.fallbackModel,
      resume: launch.resume,
      pathToClaudeCodeExecutable,
    }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an unknown beta is the model server's to refuse
    ...(launch.betas.length === 0 ? {} : { betas: [...launch.betas] as NonNullable<Options['betas']> }),
    ...(launch.debug ? { debug: true } : {}),
    ...given({ debugFile: launch.debugFile }),
  };
}

/** The environment of the agent: ours, with the state events on, without what is ours alone. */
export function claudeEnv(launch: Launch, marker: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([name]) => !name.startsWith('HANDRAISE_'));
  return {
    ...Object.fromEntries(inherited),
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    // The tasks of a project's `.claude/scheduled_tasks.json` begin turns, whatever the setting sources are (measured).
    ...(launch.projectCode === 'workspace' ? {} : { CLAUDE_CODE_DISABLE_CRON: '1' }),
    ...marker,
  };
}

/** Refuses what Claude Code would refuse after it has started. */
export function checkClaudeLaunch(launch: CheckedLaunch): void {
  if (!launch.container) namedClaude(launch.env);
  expectMayBypass(launch.permissionMode, launch.env);
  if (launch.fork && launch.resume === undefined)
    throw new Failure('usage', '--fork needs --resume: it forks the session that is resumed.');
}

/** Claude Code does not know the dialects of JSON Schema after draft 7 by name, and does not start with one (measured). */
function withoutDialect({ $schema: _dialect, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

/**
 * The servers of this process, as the command line names them. The SDK names them only once the agent has started; an
 * agent that is woken with a deferred call goes on before that, and tells the model that all their tools are gone
 * (measured).
 */
function ownServers(servers: NonNullable<Options['mcpServers']>): string {
  const own = Object.entries(servers).flatMap(([name, { type }]) =>
    type === 'sdk' ? [[name, { type, name }] as const] : [],
  );
  return JSON.stringify({ mcpServers: Object.fromEntries(own) });
}
