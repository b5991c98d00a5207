import * as z from 'zod';
import { Failure, type FailureCode } from '../../protocol/failure.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { StoredEvent } from '../../store/stored-event.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { AttachedRunners } from './attached-runners.js';

/** A command to a running agent whose reply somebody waits for. */
export interface AskedCommand<Reply> {
  readonly threadId: ThreadId;
  readonly runId: RunId;
  readonly command: { readonly type: string; readonly commandId: string; readonly [field: string]: unknown };
  /** What the agent was to do, as it follows "has not" and "before it had". */
  readonly done: string;
  readonly patienceMs: number;
  /** What is wrong when the agent refuses. */
  readonly refusal: FailureCode;
  /** The reply in an event; undefined in all others, a failure where the event tells one. */
  readonly read: (event: StoredEvent) => Reply | Failure | undefined;
}

const CommandError = z.object({ commandId: z.string().optional(), error: z.string() });

/** Sends a command to a running agent and waits until an event of the thread has the reply; what cannot be is a failure. */
export async function agentReply<Reply extends object>(
  { changes, runners }: { readonly changes: ThreadChanges; readonly runners: AttachedRunners },
  asked: AskedCommand<Reply>,
): Promise<Reply> {
  const { threadId, runId, command, done, patienceMs } = asked;
  const reply = await new Promise<Reply | Failure>((resolve) => {
    const end = (given: Reply | Failure) => {
      clearTimeout(timer);
      listening[Symbol.dispose]();
      resolve(given);
    };
    const timer = setTimeout(() => {
      end(
        new Failure('unavailable', `The agent of ${threadId} has not ${done} yet. The thread will say when.`),
      );
    }, patienceMs);
    const listening = changes.listen(({ state, events }) => {
      if (state.thread.id !== threadId) return;
      const told = events.map((event) => replyIn(event, asked)).find((each) => each !== undefined);
      if (told) end(told);
      else if (state.run?.run.id !== runId)
        end(new Failure('unavailable', `The agent of ${threadId} ended before it had ${done}.`));
    });
    if (!runners.send(runId, command))
      end(
        new Failure(
          'conflict',
          `The agent of ${threadId} cannot be reached. Send it a message, then try again.`,
        ),
      );
  });
  if (reply instanceof Failure) throw reply;
  return reply;
}

function replyIn<Reply>(
  event: StoredEvent,
  { read, command, refusal }: AskedCommand<Reply>,
): Reply | Failure | undefined {
  if (event.type !== 'command_error') return read(event);
  const { commandId, error } = CommandError.parse(JSON.parse(event.json));
  return commandId === command.commandId ? new Failure(refusal, error) : undefined;
}
