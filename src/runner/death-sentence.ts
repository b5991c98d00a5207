import type { RuntimeExit } from '../runtimes/runtime.js';

/** How the agent's process ended, as a sentence for a person. */
export function deathSentence(runtime: string, exit: RuntimeExit): string {
  const how = exit.oom
    ? 'was killed because memory ran out'
    : exit.signal !== null
      ? `was killed by ${exit.signal}`
      : exit.exitCode === null
        ? 'could not be started'
        : exit.exitCode === 0 && exit.error !== undefined
          ? 'could not go on'
          : `ended unexpectedly with exit code ${exit.exitCode}`;
  return `The ${runtime} process ${how}${exit.error === undefined ? '.' : `: ${exit.error}`}`;
}
