import type { FailureCode } from '../../protocol/failure.js';
import type { DispatchId, PromptId, ThreadId } from '../../protocol/id.js';
import type { ThreadTerminal } from '../../protocol/thread.js';
import { actorWords } from '../words/actor-words.js';

/** What decides whether a thread can be opened in a terminal. */
export interface TakeOver {
  readonly id: ThreadId;
  readonly runtime: string;
  readonly isArchived: boolean;
  readonly terminal: ThreadTerminal | undefined;
  /** Whether the runtime has a program for it. */
  readonly hasProgram: boolean;
  readonly sessionId: string | undefined;
  /** Prompts that wait for an answer. */
  readonly asked: readonly PromptId[];
  /** Work that has begun and not ended. */
  readonly work: DispatchId | undefined;
  /** The agent does something, whether it was given work or not. */
  readonly isBusy: boolean;
  /** Whether work and questions that are in the way may be called off. */
  readonly setAside: boolean;
}

export type TakeOverDecision =
  | { readonly do: 'open'; readonly sessionId: string }
  /** First ends the work with its questions. */
  | { readonly do: 'set_aside' }
  | { readonly do: 'refuse'; readonly code: FailureCode; readonly why: string };

/**
 * Whether a thread may be given to a terminal now. A question that is open is not shown there, and typing destroys it
 * (measured with Claude Code 2.1.325), so it is answered first, or set aside because somebody said so.
 */
export function decideTakeOver(asked: TakeOver): TakeOverDecision {
  const { id, terminal, sessionId } = asked;
  if (asked.isArchived)
    return conflict(
      `${id} is archived and can only be read. Take it back with: handraise archive --undo ${id}`,
    );
  if (terminal) return conflict(inTerminal(id, terminal));
  if (!asked.hasProgram)
    return {
      do: 'refuse',
      code: 'unsupported_by_runtime',
      why: `${asked.runtime} has no terminal program that Handraise can open. Send the agent a message instead: handraise send ${id} TEXT`,
    };
  if (sessionId === undefined)
    return conflict(`${id} has no session yet. Give its agent some work first: handraise send ${id} TEXT`);
  const isFree = asked.asked.length === 0 && asked.work === undefined && !asked.isBusy;
  if (isFree) return { do: 'open', sessionId };
  if (asked.setAside) return { do: 'set_aside' };
  const [prompt] = asked.asked;
  if (prompt !== undefined)
    return conflict(
      `The agent of ${id} waits for an answer, and a terminal would not show the question. Answer it first: handraise answer ${prompt} Or set it aside, which ends the work as cancelled: handraise attach --set-aside ${id}`,
    );
  return conflict(
    `The agent of ${id} is working. Wait for it: handraise wait ${id} Or call the work off: handraise attach --set-aside ${id}`,
  );
}

/** That somebody has a thread in a terminal, as a sentence. */
export function inTerminal(id: ThreadId, { openedBy, openedAt }: ThreadTerminal): string {
  return `${id} has been open in a terminal of ${actorWords(openedBy)} since ${openedAt}. Leave the program there, and the worker takes the thread back.`;
}

function conflict(why: string): TakeOverDecision {
  return { do: 'refuse', code: 'conflict', why };
}

/** What is known of the processes of a terminal. */
export interface TerminalProcesses {
  readonly keeperLives: boolean;
  /** Undefined until the program is about to read. */
  readonly programLives: boolean | undefined;
  readonly openForMs: number;
}

// Whoever has not started the program by then does not start it any more.
const startsWithinMs = 60_000;

/** Whether a terminal has let go of its thread: by itself, or because somebody killed it. */
export function hasLetGo({ keeperLives, programLives, openForMs }: TerminalProcesses): boolean {
  if (programLives !== undefined) return !programLives;
  return !keeperLives || openForMs > startsWithinMs;
}
