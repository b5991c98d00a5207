import type { Posture, RuntimeName } from '../../protocol/posture.js';

/** What is kept ready for the next run: nothing, a runner, or a runner with an agent. */
export type SpareKind = 'none' | 'runner' | 'agent';

const gib = 2 ** 30;

/** A runner that waits takes some 70 MB, an agent some 240 MB besides: on a small machine the work needs them more. */
export function spareKind(memoryBytes: number): SpareKind {
  if (memoryBytes < 2 * gib) return 'none';
  return memoryBytes < 6 * gib ? 'runner' : 'agent';
}

// The others are no slower cold, or are started with a command of their own.
const spared: ReadonlySet<string> = new Set<RuntimeName>(['claude', 'codex', 'opencode', 'amp']);

export function isSpared(runtime: RuntimeName): boolean {
  return spared.has(runtime);
}

/** What was started last, as far as it matters for what is kept ready next. */
export interface LastStart {
  readonly posture: Posture;
  readonly resume?: string;
  readonly fork?: boolean;
  readonly projectCode?: readonly unknown[];
}

/**
 * Whether the next start of this kind could take an agent that waits: only Claude Code can be started without a session, and
 * only one that is alike for every folder. After a session that went on, more of those are expected than new ones.
 */
export function keepsAgent(runtime: RuntimeName, { posture, ...start }: LastStart): boolean {
  return (
    runtime === 'claude' &&
    start.resume === undefined &&
    start.fork !== true &&
    (start.projectCode ?? []).length === 0 &&
    Object.keys(posture.env ?? {}).length === 0 &&
    Object.keys(posture.mcpServers ?? {}).length === 0 &&
    posture.container === undefined &&
    posture.fallbackModel === undefined &&
    posture.debug !== true
  );
}
