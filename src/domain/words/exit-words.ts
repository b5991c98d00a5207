import type { AgentExit } from '../../protocol/run.js';

/** How a process ended, as the end of a sentence: "with exit code 3", "by SIGKILL". */
export function exitWords(exit: AgentExit): string {
  if (exit.oom) return 'because memory ran out';
  if (exit.signal !== null) return `by ${exit.signal}`;
  if (exit.exitCode !== null) return `with exit code ${exit.exitCode}`;
  return '(cause unknown)';
}

/** Whether a process ended by itself and in good order. */
export function isCleanExit(exit: AgentExit): boolean {
  return exit.exitCode === 0 && exit.signal === null && !exit.oom;
}
