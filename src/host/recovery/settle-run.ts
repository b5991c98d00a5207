import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { heardRequests, noFacts, type RunFacts, sessionOf } from '../../domain/run/run-facts.js';
import { withoutSaved } from '../../domain/run/run-work.js';
import { removeDeadGroups } from '../../process/families/dead-runs.js';
import { killLeftovers } from '../../process/families/leftovers.js';
import { ProcessFamily } from '../../process/families/process-family.js';
import { runMarker } from '../../process/families/run-marker.js';
import { readFileEnd } from '../../process/files/bounded-file.js';
import { type NumberedLine, readJournal } from '../../process/files/line-journal.js';
import { given } from '../../protocol/given.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { StoredRun } from '../../store/stored-run.js';
import { type Clock, instant } from '../clock.js';
import { promptsIn } from '../prompts/thread-prompts.js';
import type { EventRecorder } from '../runs/event-recorder.js';
import type { Failpoint } from '../runs/failpoint.js';
import { gapNotice, JournalGap } from '../runs/journal-gap.js';
import type { RunFolders } from '../runs/run-folder.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChange, ThreadChanges } from '../threads/thread-changes.js';
import { endOf, type LiveRun, type ThreadState } from '../threads/thread-state.js';
import { LeftInWorkspace } from './left-in-workspace.js';
import type { SessionComparison, SessionFindings } from './session-comparison.js';

const unitLines = 500;
const unitBytes = 4 * 2 ** 20;
const keptOutput = 2000;

/** What is known when a runner is gone. */
export interface GoneRunner {
  readonly process: ProcessIdentity | undefined;
  /** The last number of its journal that is recorded. */
  readonly lastRunSeq: number;
}

export interface RunSettlementParts {
  readonly changes: ThreadChanges;
  readonly recorder: EventRecorder;
  readonly comparison: SessionComparison;
  readonly folders: RunFolders;
  readonly runtimes: Pick<RuntimeCatalog, 'sweepContainers'>;
  readonly clock: Clock;
  readonly failpoint: (name: Failpoint) => void;
}

/**
 * Settles a run whose runner is gone, whoever killed it and whether or not a worker was there: reads its journal to the
 * end, ends what it left running, takes a question that it left in its workspace, compares what it reported with what
 * its session has saved, and closes the run, once, with what is known.
 */
export class RunSettlement {
  readonly #parts: RunSettlementParts;

  constructor(parts: RunSettlementParts) {
    this.#parts = parts;
  }

  async settle(run: StoredRun, { process, lastRunSeq }: GoneRunner): Promise<void> {
    const { changes, folders } = this.#parts;
    const { run: live } = await changes.state(run.threadId);
    if (live?.run.id === run.id) await this.#takeLastWords(run, { process, lastRunSeq });
    for (const path of [folders.spool(run.id), folders.launch(run.id), folders.socket(run.id)]) remove(path);
  }

  /** Whoever tries again after a failure finds recorded what was recorded. */
  async #takeLastWords(run: StoredRun, { process, lastRunSeq }: GoneRunner): Promise<void> {
    const { folders } = this.#parts;
    let recorded = await this.#recordJournal(run, lastRunSeq);
    if (process) {
      await killLeftovers(new ProcessFamily({ marker: runMarker(process) }), { settleMs: 0, killMs: 2000 });
      removeDeadGroups();
    }
    await this.#parts.runtimes.sweepContainers(run.posture);
    recorded = await this.#takeLeftQuestion(run, recorded);
    const output = recorded === 0 ? lastOutput(folders.launch(run.id)) : undefined;
    await this.close(run, { process, error: output });
  }

  /** What comes after a hole in the journal is left out: nobody will ever fill it, and the run has to end. */
  async #recordJournal(run: StoredRun, lastRunSeq: number): Promise<number> {
    let recorded = lastRunSeq;
    try {
      for (const lines of batches(safeJournal(this.#parts.folders.spool(run.id), lastRunSeq)))
        recorded = await this.#record(run, lines);
    } catch (error) {
      if (!(error instanceof JournalGap)) throw error;
      await this.#parts.changes.append(run.threadId, [{ type: 'notice', message: gapNotice }]);
    }
    return recorded;
  }

  /** Closes a run with what is known of its end; `error` explains one whose runner never reported anything. */
  async close(
    { id, threadId }: StoredRun,
    known: { readonly process: ProcessIdentity | undefined; readonly error: string | undefined },
  ): Promise<void> {
    const { changes, comparison, clock } = this.#parts;
    const { process, error } = known;
    const findings = process ? await comparison.compare({ threadId, runId: id, process }) : null;
    await changes.commit(threadId, (state) => {
      if (state.run?.run.id !== id) return null;
      return closing(state, state.run, { process, error, findings, at: instant(clock) });
    });
  }

  async #record(run: StoredRun, lines: readonly NumberedLine[]): Promise<number> {
    const recorded = await this.#parts.recorder.record(run, lines);
    this.#parts.failpoint('committed');
    return recorded;
  }

  /** Only now nobody of the run writes there any more. A question is recorded as if the runner had reported it. */
  async #takeLeftQuestion(run: StoredRun, lastRunSeq: number): Promise<number> {
    const { thread, run: live } = await this.#parts.changes.state(run.threadId);
    const workspace = new LeftInWorkspace(thread.workspace.path);
    const question = workspace.question(live?.facts ?? noFacts);
    let recorded = lastRunSeq;
    if (question) {
      const runSeq = lastRunSeq + 1;
      const event = { ...question, timestamp: instant(this.#parts.clock), runSeq };
      recorded = await this.#record(run, [{ seq: runSeq, text: JSON.stringify(event) }]);
    }
    workspace.tidy(question);
    return recorded;
  }
}

/** What is known of how a run ended. */
export interface KnownEnd {
  readonly process: ProcessIdentity | undefined;
  readonly error: string | undefined;
  readonly findings: SessionFindings | null;
  /** Its session is on another machine. */
  readonly isOutOfReach?: boolean;
  readonly at: string;
}

/** The change that closes a run whose runner is gone. */
export function closing(
  state: ThreadState,
  { run, facts: known }: LiveRun,
  { process, error, findings, isOutOfReach = false, at }: KnownEnd,
): ThreadChange {
  const sessionId = sessionOf(known);
  const facts = {
    ...(findings ? withoutSaved(known, (uuid) => findings.saved.hasMessage(uuid)) : known),
    ...(error === undefined ? {} : { lastError: { isLogin: false, message: error } }),
    ...((findings?.isLost || isOutOfReach) && sessionId !== undefined
      ? { session: { state: 'lost', id: sessionId } as const }
      : {}),
  };
  const prompts = promptsIn(state);
  // What was said for work that is over is not told again.
  const isOver = known.work === null;
  if (findings) {
    const told = heardRequests(known);
    prompts.compare(run.id, { ...findings, ...(isOver ? { used: [] } : {}), told, at });
  } else prompts.heard(begun(known), at);
  if (isOver) prompts.leaveWork();
  // A runner that died itself could not see how its agent ended.
  const exit = facts.exit ?? { exitCode: null, signal: null, oom: false };
  const end = endOf({ ...run, endedAt: at, exit, ...given({ process }) }, facts);
  return {
    operations: [
      {
        do: 'patchRun',
        runId: run.id,
        patch: { endedAt: at, exit, facts, ...given({ process }) },
        if: { ended: false },
      },
      ...prompts.changes,
    ],
    events: [{ type: 'run_ended', run: run.id, exit, ...given({ reason: end.intent }) }],
    state: { ...state, prompts: prompts.prompts, run: null, end },
    result: undefined,
  };
}

/** The messages in whose turns the agent has put something out. */
function begun({ sent }: RunFacts): string[] {
  return sent.flatMap(({ uuid, hasOutput }) => (hasOutput ? [uuid] : []));
}

/** The run is closed by now; what cannot be removed goes when the next worker tidies up. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // For example on a disk that has become read-only.
  }
}

function lastOutput(folder: string): string | undefined {
  return (
    readFileEnd(join(folder, 'output.log'), 4 * keptOutput)
      ?.trim()
      .slice(-keptOutput) || undefined
  );
}

function* safeJournal(spool: string, after: number): Generator<NumberedLine> {
  try {
    yield* readJournal(spool, after);
  } catch (error) {
    // A runner that never got so far has no spool.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function* batches(lines: Iterable<NumberedLine>): Generator<NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    batch.push(line);
    bytes += line.text.length;
    if (batch.length < unitLines && bytes < unitBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
