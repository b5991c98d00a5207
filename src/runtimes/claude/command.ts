import type {
  CanUseTool,
  HookCallbackMatcher,
  HookEvent,
  McpServerConfig,
  Options,
} from '@anthropic-ai/claude-agent-sdk/core';
import { Failure } from '../../protocol/failure.js';
import { expectMayBypass, mayBypass } from '../root-bypass.js';
import type { CheckedLaunch, Launch } from '../runtime.js';
import type { PresetRule } from './tool-preset.js';

/** What glue adds to the options of a launch. */
export interface Wiring {
  readonly preset: PresetRule;
  readonly servers: Record<string, McpServerConfig>;
  readonly hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  readonly canUseTool: CanUseTool;
  readonly spawn: NonNullable<Options['spawnClaudeCodeProcess']>;
  readonly stderr: (text: string) => void;
  readonly env: Record<string, string>;
}

/** The options of the one query() that lives as long as the runner. */
export function claudeOptions(launch: Launch, wiring: Wiring): Options {
  const { limits } = launch;
  return {
    cwd: launch.cwd,
    env: wiring.env,
    permissionMode: launch.permissionMode,
    // Without it a later change to bypassPermissions is refused; with it root cannot start at all.
    allowDangerouslySkipPermissions: mayBypass(launch.env),
    canUseTool: wiring.canUseTool,
    hooks: wiring.hooks,
    includePartialMessages: true,
    mcpServers: wiring.servers,
    strictMcpConfig: true,
    settingSources: launch.settingSources.filter((source) => launch.projectCode || source === 'user'),
    // In plan mode Bash would otherwise be judged by a model instead of a person.
    settings: { useAutoModeDuringPlan: false },
    systemPrompt: {
      type: 'preset',
      preset: 'claude_code',
      ...(launch.instructions === undefined ? {} : { append: launch.instructions }),
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
    ...(limits.maxBudgetUsd === undefined ? {} : { maxBudgetUsd: limits.maxBudgetUsd }),
    ...(limits.maxTurns === undefined ? {} : { maxTurns: limits.maxTurns }),
    ...(limits.maxThinkingTokens === undefined ? {} : { maxThinkingTokens: limits.maxThinkingTokens }),
    ...(launch.model === undefined ? {} : { model: launch.model }),
    ...(launch.fallbackModel === undefined ? {} : { fallbackModel: launch.fallbackModel }),
    ...(launch.resume === undefined ? {} : { resume: launch.resume }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an unknown beta is the model server's to refuse
    ...(launch.betas.length === 0 ? {} : { betas: [...launch.betas] as NonNullable<Options['betas']> }),
    ...(launch.debug ? { debug: true } : {}),
    ...(launch.debugFile === undefined ? {} : { debugFile: launch.debugFile }),
  };
}

/** The environment of the agent: ours, with the state events on, without what is ours alone. */
export function claudeEnv(launch: Launch, marker: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([name]) => !name.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(inherited), CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1', ...marker };
}

/** Refuses what Claude Code would refuse after it has started. */
export function checkLaunch(launch: CheckedLaunch): void {
  expectMayBypass(launch.permissionMode, launch.env);
  if (launch.fork && launch.resume === undefined)
    throw new Failure('usage', '--fork needs --resume: it forks the session that is resumed.');
}

/** Claude Code does not know the dialects of JSON Schema after draft 7 by name, and does not start with one (measured). */
function withoutDialect({ $schema: _dialect, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}
