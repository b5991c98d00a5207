import { ClaimedExitCode } from '../../protocol/exit-code.js';
import { given } from '../../protocol/given.js';
import type { AgentExit } from '../../protocol/run.js';
import type { TurnEnded } from '../runtime.js';

/** What is known when the process of a turn has ended. */
export interface EndedProcess {
  readonly exit: AgentExit;
  readonly interrupted: boolean;
  /** The end of what it printed. */
  readonly text: string;
  /** The end of what it complained about. */
  readonly complaint: string;
  /** Its exit code says more than that it failed. */
  readonly readsExitCodes: boolean;
}

/** The result of a turn: the process ended well, or it was interrupted, or it says itself that it failed. */
export function resultOf({ exit, interrupted, text, complaint, readsExitCodes }: EndedProcess): Outcome {
  if (interrupted) {
    const errors = ['The turn was interrupted.'];
    return { success: false, subtype: 'error_interrupted', errors, errorKind: 'interrupted' };
  }
  if (exit.exitCode === 0) return { success: true, subtype: 'success', ...(text === '' ? {} : { text }) };
  const sentence = `The command ${endWords(exit)}`;
  const errors = [complaint === '' ? `${sentence}.` : `${sentence}: ${complaint}`];
  const claimed = readsExitCodes ? ClaimedExitCode.safeParse(exit.exitCode).data : undefined;
  const output = text === '' ? undefined : text;
  return {
    success: false,
    subtype: 'error_exit_code',
    errors,
    ...given({ output, claimedExitCode: claimed }),
  };
}

function endWords({ exitCode, signal, oom }: AgentExit): string {
  if (oom) return 'was killed because memory ran out';
  return signal === null ? `ended with exit code ${exitCode}` : `was killed by ${signal}`;
}

type Outcome = Pick<
  TurnEnded['result'],
  'success' | 'subtype' | 'text' | 'errors' | 'output' | 'errorKind' | 'claimedExitCode'
>;
