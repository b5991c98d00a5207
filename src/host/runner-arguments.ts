import type { Posture, RuntimeName } from '../protocol/posture.js';

/** What a runner is started with beside its posture. */
export interface Placement {
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly conversationId: string;
  readonly socket: string;
  readonly spool: string;
  readonly resume?: string;
  readonly fork?: boolean;
  /** False: nothing of the project's that could start a program is read. */
  readonly projectCode?: boolean;
}

/** A file that has to be there when the runner starts. */
export interface LaunchFile {
  readonly name: string;
  readonly content: string;
}

/** The command line of a runner for a sealed posture, the same for the same posture, and the files it names. */
export function runnerArguments(
  posture: Posture,
  placement: Placement,
  pathOf: (name: string) => string,
): { readonly args: string[]; readonly files: LaunchFile[] } {
  const files: LaunchFile[] = [];
  const file = (name: string, content: string) => {
    files.push({ name, content });
    return pathOf(name);
  };
  const args = [
    ...option('runtime', placement.runtime),
    ...option('cwd', placement.cwd),
    ...option('conversation-id', placement.conversationId),
    ...option('socket', placement.socket),
    ...option('spool', placement.spool),
    ...option('resume', placement.resume),
    ...option('command', posture.command),
    ...option('permission-mode', posture.permissionMode),
    ...option('tool-preset', posture.toolPreset),
    ...option('model', posture.model),
    ...option('fallback-model', posture.fallbackModel),
    ...option('max-turns', posture.maxTurns),
    ...option('max-thinking-tokens', posture.maxThinkingTokens),
    ...option('linear-issue', posture.linearIssue),
    ...option('target-branch', posture.targetBranch),
    ...list('setting-sources', posture.settingSources),
    ...list('betas', posture.betas),
    ...flag('fork', placement.fork),
    ...flag('no-project-code', placement.projectCode === false),
    ...flag('enable-checkpointing', posture.checkpointing),
    ...flag('sdk-debug', posture.debug),
    ...(posture.structuredOutput ? ['--structured-output', JSON.stringify(posture.structuredOutput)] : []),
    ...(posture.instructions === undefined
      ? []
      : ['--instructions-file', file('instructions.md', posture.instructions)]),
    ...(posture.mcpServers
      ? ['--mcp-servers-file', file('mcp-servers.json', JSON.stringify({ mcpServers: posture.mcpServers }))]
      : []),
  ];
  return { args, files };
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, String(value)];
}

function flag(name: string, isOn: boolean | undefined): string[] {
  return isOn ? [`--${name}`] : [];
}

function list(name: string, values: readonly string[] | undefined): string[] {
  return values ? [`--${name}`, values.join(',')] : [];
}
