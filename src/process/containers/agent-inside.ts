import { isDying } from '../families/dying.js';
import type { ProcessKey } from '../families/process-key.js';
import type { ProcessRow } from '../families/process-source.js';
import { findProcess, readProcess } from '../families/process-table.js';

/**
 * The agent's process in a container, as the machine itself sees it. The engine says for moments, on a busy machine for seconds,
 * that a container runs whose agent is dead.
 */
export class AgentInside {
  readonly #first: number;
  readonly #members: () => readonly number[];
  #agent: ProcessKey | undefined;

  /** The first process of the container, and how all of its processes are listed. */
  constructor(first: number, members: () => readonly number[]) {
    this.#first = first;
    this.#members = members;
  }

  /** Whether it lives, and nobody has killed it; undefined where it was never seen. */
  get isLiving(): boolean | undefined {
    this.#agent ??= agentAmong(
      this.#members().flatMap((pid) => readProcess(pid) ?? []),
      this.#first,
    );
    if (!this.#agent) return undefined;
    // In this order: it may be reaped in between, and is then not there any more.
    const dying = isDying(this.#agent.pid);
    if (findProcess(this.#agent) === null) return false;
    return dying === undefined ? undefined : !dying;
  }
}

/**
 * The first process is a shell. What it starts first joins the agent to the runner (`inside.ts`), and that starts the agent and
 * nothing else; orphans become the shell's children as well, later.
 */
export function agentAmong(rows: readonly ProcessRow[], first: number): ProcessKey | undefined {
  const joiner = eldest(rows.filter(({ ppid }) => ppid === first));
  return joiner && eldest(rows.filter(({ ppid }) => ppid === joiner.pid));
}

function eldest(rows: readonly ProcessRow[]): ProcessKey | undefined {
  const [found] = rows.toSorted((a, b) => Number(a.identity.startTime) - Number(b.identity.startTime));
  return found?.identity;
}
