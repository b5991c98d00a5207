import { memoryBytes } from '../../domain/run/memory-size.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';
import type { CodeFile } from '../../protocol/project-code.js';

/** What a runner is started with beside its posture. */
export interface Placement {
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly conversationId: string;
  readonly socket: string;
  readonly spool: string;
  /** What a worker must know to attach. */
  readonly secret: string;
  /** Which life of the worker starts it. */
  readonly epoch: number;
  /** After this time with nothing to do and no worker it ends. */
  readonly idleLimitMs: number;
  /** Until when the agent may go on, in milliseconds since the machine started; for ever unless set. */
  readonly runUntil?: number;
  /** Where containers have their folders. */
  readonly containers: string;
  readonly resume?: string;
  readonly fork?: boolean;
  /** Tools whose server asked inside of a call and did not wait until somebody answered. */
  readonly impatientTools?: readonly string[];
  /** What of the project's own code was approved; nothing else of it is loaded. */
  readonly projectCode: readonly CodeFile[];
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
    ...option('secret-file', file('secret', placement.secret)),
    ...option('epoch', placement.epoch),
    ...option('idle-limit', placement.idleLimitMs / 1000),
    ...option('run-until', placement.runUntil),
    ...option('resume', placement.resume),
    ...option('command', posture.command),
    ...containerOptions(posture, placement),
    ...option('memory-limit', memoryLimitOf(posture)),
    ...list('impatient-tools', placement.impatientTools),
    ...flag('fork', placement.fork),
    ...shortOptions(posture),
    ...(posture.instructions === undefined
      ? []
      : ['--instructions-file', file('instructions.md', posture.instructions)]),
    ...(placement.projectCode.length === 0
      ? []
      : ['--project-code-file', file('project-code.json', JSON.stringify({ files: placement.projectCode }))]),
    ...(posture.mcpServers
      ? ['--mcp-servers-file', file('mcp-servers.json', JSON.stringify({ mcpServers: posture.mcpServers }))]
      : []),
  ];
  return { args, files };
}

/** What a spare runner is told so that it keeps an agent ready for such a posture, in a folder where nothing is. */
export function parkingArguments(posture: Posture, { cwd }: { readonly cwd: string }): string[] {
  return ['--park', ...option('cwd', cwd), ...shortOptions(posture)];
}

/** What of a posture is short enough for a command line. */
function shortOptions(posture: Posture): string[] {
  return [
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
    '--no-project-code',
    ...flag('enable-checkpointing', posture.checkpointing),
    ...flag('exit-codes', posture.exitCodes),
    ...option('observable-idle', posture.observableIdleSeconds),
    ...flag('sdk-debug', posture.debug),
    ...(posture.structuredOutput ? ['--structured-output', JSON.stringify(posture.structuredOutput)] : []),
  ];
}

/** A container bounds what is in it by itself. */
function memoryLimitOf({ memoryLimit, container }: Posture): number | undefined {
  if (memoryLimit === undefined || container !== undefined) return undefined;
  return memoryBytes(memoryLimit) ?? undefined;
}

/** What the work sets in the agent's environment, it gets in a container as well. */
function containerOptions({ container, env = {} }: Posture, { containers }: Placement): string[] {
  if (!container) return [];
  const names = [...new Set([...(container.env ?? []), ...Object.keys(env)])];
  return ['--container', JSON.stringify({ ...container, env: names }), '--container-folder', containers];
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
