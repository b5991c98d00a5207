import * as z from 'zod';
import { ThreadId } from './id.js';
import { RuntimeName } from './posture.js';
import { requestObject } from './request-object.js';
import { ProcessIdentity } from './run.js';
import { Thread } from './thread.js';
import { ThreadName } from './thread-name.js';

/** The body that opens a thread in a terminal. */
export const TerminalRequest = requestObject({
  process: requestObject(ProcessIdentity.shape).describe(
    'The process that keeps the terminal: when it ends before it has started the program, the thread is taken back.',
  ),
  setAside: z
    .boolean()
    .optional()
    .describe(
      'Calls off work that is under way, with its open question, where it would be refused otherwise.',
    ),
});
export type TerminalRequest = z.infer<typeof TerminalRequest>;

/** The body that says which process the program is; to be sent before it reads anything. */
export const TerminalProgramRequest = requestObject({ program: requestObject(ProcessIdentity.shape) });

/** How the runtime's own program is started on a session. */
export const TerminalCommand = z.object({
  file: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()).describe('Only what says where the session lies.'),
  missingEnv: z
    .array(z.string())
    .describe('Names of variables that the agent was launched with and that are not handed out.'),
});
export type TerminalCommand = z.infer<typeof TerminalCommand>;

/** A thread that is open in a terminal, and what to start there. */
export const OpenedTerminal = z.object({ thread: Thread, command: TerminalCommand });
export type OpenedTerminal = z.infer<typeof OpenedTerminal>;

/** A session in a runtime's own store. */
export const FoundSession = z.object({
  runtime: RuntimeName,
  sessionId: z.string(),
  workspace: z.string().describe('The folder that it was started in.'),
  title: z.string(),
  changedAt: z.iso.datetime(),
  openIn: z.int().optional().describe('The pid of the program that has it open now.'),
});
export type FoundSession = z.infer<typeof FoundSession>;

export const SessionList = z.object({ sessions: z.array(FoundSession) });

/** The body that makes a thread of a session. */
export const AdoptRequest = requestObject({
  sessionId: z.string().min(1).max(200),
  runtime: RuntimeName.optional().describe('Only needed where two runtimes have a session of this id.'),
  name: ThreadName.optional(),
});
export type AdoptRequest = z.infer<typeof AdoptRequest>;

/** Who has a session already. */
export const SessionOwner = z.object({ sessionId: z.string(), threadId: ThreadId });
export type SessionOwner = z.infer<typeof SessionOwner>;
