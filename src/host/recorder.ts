import { applyEvent, foldedTypes, type RunFacts, usageOf } from '../domain/run-facts.js';
import type { NumberedLine } from '../process/line-journal.js';
import { type EventBody, type EventType, eventSchema } from '../protocol/event.js';
import { Failure } from '../protocol/failure.js';
import type { RunId } from '../protocol/id.js';
import { stringField } from '../protocol/string-field.js';
import type { Operation, RunPatch } from '../store/operation.js';
import type { NewEvent } from '../store/stored-event.js';
import type { StoredRun } from '../store/stored-run.js';
import { type Asking, PromptFold } from './prompt-fold.js';
import type { ThreadBook } from './thread-book.js';
import type { LiveRun, ThreadState } from './thread-state.js';

/** Writes what runners say into their threads: each event once, with all that follows from it, in one transaction. */
export class Recorder {
  readonly #book: ThreadBook;
  readonly #asking: Asking;

  constructor(book: ThreadBook, asking: Asking) {
    this.#book = book;
    this.#asking = asking;
  }

  /**
   * Records lines of one run, which follow on what was recorded before; lines that were recorded already are skipped.
   * An event of a newer runner is kept as it is, because rejecting it would lose what comes after it too.
   * The answer is the last number that is recorded now.
   */
  async record(run: Pick<StoredRun, 'id' | 'threadId'>, lines: readonly NumberedLine[]): Promise<number> {
    let recorded = 0;
    const declined = await this.#book.change(run.threadId, (state) => {
      const live = liveRun(state, run.id);
      recorded = live.run.lastRunSeq;
      const fresh = lines.filter(({ seq }) => seq > recorded);
      const last = fresh.at(-1);
      if (!last) return null;
      const unit = this.#unit(state, live, fresh);
      recorded = last.seq;
      return unit;
    });
    for (const request of declined ?? []) this.#asking.declined?.(request);
    return recorded;
  }

  #unit(state: ThreadState, live: LiveRun, fresh: readonly NumberedLine[]) {
    const { run } = live;
    const first = fresh[0]?.seq ?? 0;
    const last = fresh.at(-1)?.seq ?? 0;
    if (first !== run.lastRunSeq + 1 || last - first !== fresh.length - 1) {
      throw new Failure('internal', `Events of ${run.id} have a gap after ${run.lastRunSeq}.`);
    }
    const read = fresh.map(readLine);
    const prompts = new PromptFold(state, this.#asking);
    let { facts } = live;
    for (const { event, body } of read) {
      if (!body) continue;
      facts = applyEvent(facts, body);
      prompts.take(run.id, body, event.timestamp);
    }
    return {
      ingest: { runId: run.id, after: run.lastRunSeq, events: read.map(({ event }) => event) },
      operations: [
        ...patchOf(run.id, live.facts, facts),
        ...read.flatMap(({ event, body }) => usageOperation(run, event, body)),
        ...prompts.operations,
      ],
      says: prompts.says,
      state: {
        ...state,
        prompts: prompts.prompts,
        run: {
          run: {
            ...run,
            lastRunSeq: last,
            ...(facts.sessionId === undefined ? {} : { sessionId: facts.sessionId }),
            ...(facts.exit === undefined ? {} : { exit: facts.exit }),
          },
          facts,
        },
      },
      result: prompts.declined,
    };
  }
}

function liveRun(state: ThreadState, runId: RunId): LiveRun {
  if (state.run?.run.id === runId) return state.run;
  throw new Failure('internal', `${runId} is not the live run of ${state.thread.id}.`);
}

interface ReadEvent {
  readonly event: NewEvent;
  /** The event itself, where something follows from it and it is as it should be. */
  readonly body: EventBody | null;
}

function readLine({ seq, text }: NumberedLine): ReadEvent {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const type = stringField(value, 'type');
  const timestamp = stringField(value, 'timestamp') ?? new Date(0).toISOString();
  if (type === undefined) {
    const json = JSON.stringify({ type: 'unrecognized', timestamp, runSeq: seq, raw: text });
    return { event: { type: 'unrecognized', timestamp, runSeq: seq, json }, body: null };
  }
  const event = { type, timestamp, runSeq: seq, json: text };
  if (!isFolded(type)) return { event, body: null };
  const parsed = eventSchema(type).safeParse(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very type has accepted it
  return { event, body: parsed.success ? (parsed.data as unknown as EventBody) : null };
}

function isFolded(type: string): type is EventType {
  return foldedTypes.has(type);
}

function patchOf(runId: RunId, before: RunFacts, after: RunFacts): Operation[] {
  if (after === before) return [];
  const patch: RunPatch = {
    facts: after,
    ...(after.sessionId !== undefined && after.sessionId !== before.sessionId
      ? { sessionId: after.sessionId }
      : {}),
    ...(after.exit !== undefined && after.exit !== before.exit ? { exit: after.exit } : {}),
  };
  return [{ do: 'patchRun', runId, patch }];
}

function usageOperation(run: StoredRun, event: NewEvent, body: EventBody | null): Operation[] {
  const usage = body && usageOf(body);
  if (!usage) return [];
  return [{ do: 'addUsage', threadId: run.threadId, runtime: run.runtime, at: event.timestamp, usage }];
}
