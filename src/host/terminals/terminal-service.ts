import { sealedPosture } from '../../domain/dispatch/sealed-posture.js';
import { isOpen } from '../../domain/prompts/thread-prompt.js';
import { isSettled } from '../../domain/run/run-facts.js';
import { decideTakeOver, inTerminal, type TakeOverDecision } from '../../domain/thread/take-over.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { findProcess } from '../../process/families/process-table.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { TerminalCommand, TerminalRequest } from '../../protocol/terminal.js';
import type { Store } from '../../store/store.js';
import type { StoredTerminal } from '../../store/stored-thread.js';
import type { Refusal } from '../../store/unit.js';
import { type Clock, instant } from '../clock.js';
import type { Actor } from '../host.js';
import type { RunSupervisor } from '../runs/run-supervisor.js';
import { threadSession } from '../runs/thread-session.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { AgentControl } from '../threads/agent-control.js';
import { ChangeRefused, type ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import type { HandBack } from './hand-back.js';

export interface TerminalServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly agents: AgentControl;
  readonly supervisor: RunSupervisor;
  readonly runtimes: RuntimeCatalog;
  readonly projectCode: ProjectCodeService;
  readonly handBack: HandBack;
  readonly clock: Clock;
}

/**
 * Gives threads to the runtimes' own programs and takes them back. Two writers would fork a session, and what one of them
 * said would be lost (measured, 3 of 3), so while a terminal has a thread the worker starts nothing in it.
 */
export class TerminalService {
  readonly #parts: TerminalServiceParts;

  constructor(parts: TerminalServiceParts) {
    this.#parts = parts;
  }

  /** Ends the agent that rests, and says what to start; committed before the agent ends. */
  async open(id: ThreadId, request: TerminalRequest, actor: Actor): Promise<TerminalCommand> {
    const { agents, changes, runtimes, supervisor } = this.#parts;
    if (!findProcess(request.process))
      throw new Failure(
        'invalid',
        'process names no process of this machine. A thread is opened in a terminal on the machine of its worker.',
      );
    const setAside = request.setAside ?? false;
    let decision = await this.#decide(id, setAside);
    if (decision.do === 'set_aside') {
      await agents.end(id, `taken into a terminal by ${actorWords(actor)}`, {
        promptReason: 'turn_cancelled',
        actor,
      });
      decision = await this.#decide(id, false);
    }
    if (decision.do !== 'open') throw refused(decision);
    const { sessionId } = decision;
    const session = await this.#session(id, sessionId);
    await this.#expectApproved(session.cwd);
    const command = runtimes.terminals.command(session);
    if ((await runtimes.terminals.mark(session)) === null)
      throw new Failure(
        'conflict',
        `The session ${sessionId} of ${id} is not where ${session.runtime} keeps its sessions, so it cannot be opened.`,
      );
    await this.#give(id, { sessionId, keeper: request.process }, actor);
    const { run } = await changes.state(id);
    try {
      if (run) await supervisor.end(run.run.id, `taken into a terminal by ${actorWords(actor)}`);
    } catch (error) {
      await this.#parts.handBack.take(id);
      throw error;
    }
    return command;
  }

  /** Notes the program before it reads, and where the session ends without it. */
  async begin(id: ThreadId, program: ProcessIdentity): Promise<void> {
    const { changes, runtimes } = this.#parts;
    const { thread } = await changes.state(id);
    const { terminal } = thread;
    if (!terminal || terminal.program)
      throw new Failure(
        'conflict',
        `${id} does not wait for a terminal. Open it again: handraise attach ${id}`,
      );
    if (!findProcess(program)) throw new Failure('invalid', 'program names no process of this machine.');
    const mark = await runtimes.terminals.mark(await this.#session(id, terminal.sessionId));
    if (mark === null) throw new Failure('conflict', `The session of ${id} is gone.`);
    await this.#amend(id, terminal, { ...terminal, program, mark });
  }

  /** Takes a thread back whose program has ended. */
  async close(id: ThreadId): Promise<void> {
    const { changes, handBack } = this.#parts;
    const { thread } = await changes.state(id);
    const { terminal } = thread;
    if (!terminal) return;
    if (terminal.program && findProcess(terminal.program))
      throw new Failure('conflict', inTerminal(id, terminal));
    await handBack.take(id);
  }

  /** Notes that the program has gone on to another session. */
  async follow(id: ThreadId): Promise<void> {
    const { changes, runtimes } = this.#parts;
    const { thread } = await changes.state(id);
    const { terminal } = thread;
    if (!terminal?.program) return;
    const now = runtimes.terminals.current(
      { runtime: thread.runtime, posture: thread.launch.posture },
      terminal.program.pid,
    );
    const { sessions } = terminal;
    if (now === null || now === terminal.sessionId || sessions.length > mostSessions) return;
    const known = sessions.filter((each) => each !== now || each === sessions[0]);
    await this.#amend(id, terminal, { ...terminal, sessionId: now, sessions: [...known, now] });
  }

  /**
   * In a terminal the project's own files count, and the agent may have written them: a hook or a plugin that nobody has
   * approved would run as the person who opens it.
   */
  async #expectApproved(cwd: string): Promise<void> {
    const { withheld } = await this.#parts.projectCode.approvedFiles(cwd);
    if (withheld.length === 0) return;
    const named = withheld.slice(0, mostNamed).join(', ');
    const more = withheld.length > mostNamed ? ` and ${withheld.length - mostNamed} more files` : '';
    throw new Failure(
      'conflict',
      `${named}${more} in ${cwd} can start programs, and in a terminal they would count. Read and approve them first: handraise config trust ${cwd}`,
    );
  }

  async #decide(id: ThreadId, setAside: boolean): Promise<TakeOverDecision> {
    const { changes, store, runtimes } = this.#parts;
    const state = await changes.ownState(id);
    const { thread, run, prompts } = state;
    const session = await threadSession(store, thread);
    const adopted = thread.launch.fork ? undefined : thread.launch.resume;
    return decideTakeOver({
      id,
      runtime: thread.runtime,
      isArchived: thread.archivedAt !== undefined,
      terminal: thread.terminal,
      hasProgram: runtimes.terminals.has(thread.runtime),
      sessionId: session.id ?? (session.newest ? undefined : adopted),
      asked: prompts.filter(isOpen).map((prompt) => prompt.id),
      work: await this.#workOf(id),
      isBusy: run !== null && !isSettled(run.facts),
      setAside,
    });
  }

  async #workOf(threadId: ThreadId) {
    for (const state of ['running', 'waiting'] as const) {
      const { rows } = await this.#parts.store.query('dispatches', { threadId, state, limit: 1 });
      if (rows[0]) return rows[0].id;
    }
    return undefined;
  }

  async #session(id: ThreadId, sessionId: string) {
    const { changes, store } = this.#parts;
    const { thread } = await changes.state(id);
    const { newest } = await threadSession(store, thread);
    const posture = newest ? sealedPosture(newest) : thread.launch.posture;
    return { runtime: thread.runtime, posture, sessionId, cwd: thread.workspace.path };
  }

  async #give(
    id: ThreadId,
    { sessionId, keeper }: Pick<StoredTerminal, 'sessionId' | 'keeper'>,
    actor: Actor,
  ): Promise<void> {
    const { changes, clock } = this.#parts;
    const terminal = { openedBy: actor, openedAt: instant(clock), sessionId, sessions: [sessionId], keeper };
    try {
      await changes.commit(id, (state) => {
        if (!isFree(state)) throw busyMeanwhile(id);
        return {
          operations: [{ do: 'openTerminal', threadId: id, terminal }],
          events: [{ type: 'terminal_opened', actor, sessionId }],
          state: { ...state, thread: { ...state.thread, terminal } },
          result: undefined,
        };
      });
    } catch (error) {
      throw error instanceof ChangeRefused ? refusalOf(id, error.refusal) : error;
    }
  }

  async #amend(id: ThreadId, before: StoredTerminal, terminal: StoredTerminal): Promise<void> {
    const amended = await this.#parts.changes.commit(id, (state) =>
      state.thread.terminal?.openedAt === before.openedAt
        ? {
            operations: [{ do: 'patchThread', threadId: id, patch: { terminal } }],
            state: { ...state, thread: { ...state.thread, terminal } },
            result: true,
          }
        : null,
    );
    if (!amended)
      throw new Failure('conflict', `${id} was taken back meanwhile. Open it again: handraise attach ${id}`);
  }
}

// Whoever clears a session so often has what came last.
const mostSessions = 100;
const mostNamed = 8;

function isFree({ run, prompts }: ThreadState): boolean {
  return !prompts.some(isOpen) && (run === null || isSettled(run.facts));
}

function refused(decision: Exclude<TakeOverDecision, { do: 'open' }>): Failure {
  return decision.do === 'refuse'
    ? new Failure(decision.code, decision.why)
    : new Failure('conflict', 'The work could not be called off. Try again.');
}

function refusalOf(id: ThreadId, refusal: Refusal): Failure {
  if (refusal.because !== 'condition') return new ChangeRefused(id, refusal);
  const { current } = refusal;
  if ('thread' in current && current.thread.terminal)
    return new Failure('conflict', inTerminal(id, current.thread.terminal));
  if ('dispatch' in current && current.dispatch.threadId !== id)
    return new Failure(
      'conflict',
      `${current.dispatch.threadId} is working in the same folder. Wait for it: handraise wait ${current.dispatch.threadId}`,
    );
  return busyMeanwhile(id);
}

function busyMeanwhile(id: ThreadId): Failure {
  return new Failure(
    'conflict',
    `The agent of ${id} has just begun to work. Try again when it has finished.`,
  );
}
