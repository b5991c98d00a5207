import * as z from 'zod';

/** The exit codes of every command, in the words of sysexits where it has one. */
export const ExitCode = {
  success: 0,
  failure: 1,
  blocked: 2,
  usage: 64,
  dataError: 65,
  noInput: 66,
  unavailable: 69,
  software: 70,
  tempFail: 75,
  noPermission: 77,
  config: 78,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCodeName = keyof typeof ExitCode;
export type ExitCode = (typeof ExitCode)[ExitCodeName];

/** The codes with which a command can say more than that it failed. */
export const ClaimedExitCode = z.literal([
  ExitCode.blocked,
  ExitCode.usage,
  ExitCode.dataError,
  ExitCode.noInput,
  ExitCode.unavailable,
  ExitCode.tempFail,
  ExitCode.noPermission,
  ExitCode.config,
]);
export type ClaimedExitCode = z.infer<typeof ClaimedExitCode>;

/** What an orchestrator does on seeing a code. */
export type OrchestratorAction = 'proceed' | 'retry' | 'retry_later' | 'escalate' | 'stop';

/** One row per code: when it is used, and what follows. */
export const exitCodeTable = {
  success: { when: 'done, and verified where verification was asked for', action: 'proceed' },
  failure: {
    when: 'error, crash, out of memory, worker-failed, verification failed, timeout',
    action: 'retry',
  },
  blocked: {
    when: 'the agent needs input and nobody is there, it refused, or a required action was denied',
    action: 'escalate',
  },
  usage: { when: 'wrong command, option or argument', action: 'escalate' },
  dataError: { when: 'the input data is malformed', action: 'escalate' },
  noInput: { when: 'a named file or folder is missing', action: 'escalate' },
  unavailable: { when: 'the runtime or a service is down', action: 'retry_later' },
  software: { when: 'a bug in Handraise', action: 'escalate' },
  tempFail: {
    when: 'rate limit or quota with no known reset time, or another worker uses this home',
    action: 'retry_later',
  },
  noPermission: { when: 'a login or a permission is missing', action: 'escalate' },
  config: { when: 'the configuration is wrong', action: 'escalate' },
  interrupted: { when: 'cancelled or interrupted by the user', action: 'stop' },
  terminated: { when: 'terminated by a signal', action: 'stop' },
} as const satisfies Record<ExitCodeName, { when: string; action: OrchestratorAction }>;
