import { Failure } from '../protocol/failure.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { Capabilities, Launch, Limits } from './runtime.js';

/** What of a launch a runtime may be unable to do. */
export type Wanted = Pick<Launch, 'permissionMode' | 'toolPreset'> &
  Partial<
    Pick<
      Launch,
      | 'resume'
      | 'fork'
      | 'checkpointing'
      | 'structuredOutput'
      | 'limits'
      | 'readsExitCodes'
      | 'observableIdleSeconds'
      | 'container'
    >
  >;

/** Refuses what a runtime cannot do, by its declared capabilities and before anything is started. */
export function expectSupported(name: RuntimeName, can: Capabilities, wanted: Wanted): void {
  const refuse = (what: string) => {
    throw new Failure('unsupported_by_runtime', `The runtime ${name} cannot do this: ${what}.`);
  };
  const { permissionMode, toolPreset, limits = {} } = wanted;
  if (!can.permissionModes.includes(permissionMode)) refuse(`the permission mode ${permissionMode}`);
  if (!can.toolPresets.includes(toolPreset)) refuse(`the tool preset ${toolPreset}`);
  if (wanted.resume !== undefined && !can.resume) refuse('resume a session');
  if (wanted.fork && !can.fork) refuse('fork a session');
  if (wanted.checkpointing && !can.checkpoints) refuse('checkpoints');
  if (wanted.structuredOutput && !can.structuredOutput) refuse('structured output');
  // The others say in words how a turn ended.
  if (wanted.readsExitCodes && name !== 'exec') refuse('have its exit code read');
  if (wanted.observableIdleSeconds !== undefined && name !== 'exec')
    refuse('have its status guessed from its output; it tells by itself what it does');
  if (wanted.container && !worksInContainers(name)) refuse('work in a container');
  for (const limit of limitNames)
    if (limits[limit] !== undefined && !can.limits.includes(limit)) refuse(limit);
}

/** Whether the adapter of a runtime reaches into a container: it uses the agent's three pipes, or the one connection that calls a server inside. */
export function worksInContainers(name: RuntimeName): boolean {
  return ['claude', 'codex', 'opencode', 'amp', 'exec'].includes(name) || name.startsWith('acp:');
}

const limitNames = ['maxBudgetUsd', 'maxTurns', 'maxThinkingTokens'] as const satisfies (keyof Limits)[];

/** Why work cannot be given to a runtime that nobody here has heard of. */
export function unknownRuntime(runtime: RuntimeName): Failure {
  if (runtime.startsWith('npm:'))
    return new Failure(
      'config',
      `The worker knows no runtime ${runtime}. Add its package to runtimes in your settings (docs/writing-an-adapter.md), then restart the worker: handraise down`,
    );
  if (!runtime.startsWith('acp:'))
    return new Failure('unsupported_by_runtime', `The runtime ${runtime} is not supported yet.`);
  return new Failure(
    'config',
    `The worker knows no agent ${runtime}. Add it to acpAgents in your settings (docs/runtimes.md), then restart the worker: handraise down`,
  );
}
