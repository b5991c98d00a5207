import type { AgentExit } from '../../protocol/run.js';

/** What the engine says of a container. */
export interface ContainerState {
  readonly isRunning: boolean;
  /** Whether anything ran in it: the exit code of one that could not be started may be 0 (Podman). */
  readonly hasBegun: boolean;
  readonly exitCode: number;
  readonly oomKilled: boolean;
}

/** What is known when the engine's client has ended. */
export interface ContainerEvidence {
  /** How the client ended; it passes the container's exit code on. */
  readonly client: Omit<AgentExit, 'oom'>;
  /** Null where the engine did not answer, or knows of no such container. */
  readonly state: ContainerState | null;
  /** How many processes of the container the kernel has ended for want of memory; null where it cannot be read. */
  readonly kills: number | null;
  /** Of these, how many the agent has survived. */
  readonly survived: number;
}

const signals: { readonly [code: number]: NodeJS.Signals } = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
};

/**
 * How an agent in a container ended. The engine's flag alone says nothing: it is also set when only a child died, and not
 * set under Podman; so the agent itself must have been killed, and the kernel's count, or where there is none the flag,
 * must tell of a kill that it has not survived.
 */
export function containerEnd({ client, state, kills, survived }: ContainerEvidence): AgentExit {
  if (state === null || state.isRunning || !state.hasBegun) return { ...client, oom: false };
  const signal = signals[state.exitCode];
  if (signal === undefined) return { exitCode: state.exitCode, signal: null, oom: false };
  const lacked = kills === null ? state.oomKilled && survived === 0 : kills > survived;
  return { exitCode: null, signal, oom: signal === 'SIGKILL' && lacked };
}
