import type { SaidFact } from '../../domain/run/terminal-session.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { StoredTerminal, StoredThread } from '../../store/stored-thread.js';
import { type Clock, instant } from '../clock.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from '../threads/thread-changes.js';

export interface HandBackParts {
  readonly changes: ThreadChanges;
  readonly runtimes: RuntimeCatalog;
  readonly clock: Clock;
}

/** What a terminal leaves behind. */
interface Left {
  readonly facts: readonly SaidFact[];
  readonly isCut: boolean;
  readonly sessionId: string;
}

/** Takes threads back from terminals, with what was said there: in one commit, so that it is told once and never lost. */
export class HandBack {
  readonly #parts: HandBackParts;

  constructor(parts: HandBackParts) {
    this.#parts = parts;
  }

  /** The program of the terminal is gone, or was never started. */
  async take(id: ThreadId): Promise<void> {
    const { changes, clock } = this.#parts;
    const { thread } = await changes.state(id);
    const { terminal } = thread;
    if (!terminal) return;
    const left = await this.#leftBy(thread, terminal);
    const { facts, isCut, sessionId } = left;
    const said = facts.map((fact) => saidBy(terminal.openedBy, fact));
    const messages = said.filter(({ type }) => type === 'terminal_message').length;
    const session =
      sessionId === terminal.sessions[0] ? {} : { session: { id: sessionId, at: instant(clock) } };
    await changes.commit(id, (state) => {
      const { terminal: now, ...rest } = state.thread;
      if (now?.openedAt !== terminal.openedAt) return null;
      return {
        operations: [{ do: 'patchThread', threadId: id, patch: { terminal: null, ...session } }],
        events: [...said, { type: 'terminal_closed', actor: terminal.openedBy, sessionId, messages, isCut }],
        state: { ...state, thread: { ...rest, ...session } },
        result: undefined,
      };
    });
    // One that was killed has left its container.
    await this.#parts.runtimes.sweepContainers(thread.launch.posture);
  }

  /** Without a program nothing was said. Sessions that hold nothing are not gone on with. */
  async #leftBy({ runtime, launch }: StoredThread, terminal: StoredTerminal): Promise<Left> {
    const { terminals } = this.#parts.runtimes;
    const facts: SaidFact[] = [];
    const [own = terminal.sessionId] = terminal.sessions;
    let sessionId = own;
    let isCut = false;
    if (!terminal.program) return { facts, isCut, sessionId };
    for (const each of new Set(terminal.sessions)) {
      const place = { runtime, posture: launch.posture, sessionId: each };
      const after = each === own ? terminal.mark : undefined;
      const said = await terminals.said({ ...place, ...given({ after }) });
      facts.push(...said.facts);
      isCut ||= said.isCut;
    }
    for (const each of terminal.sessions)
      if ((await terminals.mark({ runtime, posture: launch.posture, sessionId: each })) !== null)
        sessionId = each;
    return { facts, isCut, sessionId };
  }
}

/** The worker's own words for what a session holds. */
export function saidBy(actor: string, fact: SaidFact): ThreadEventBody {
  return fact.type === 'terminal_message' ? { ...fact, actor } : fact;
}
