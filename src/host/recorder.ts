import { applyEvent, foldedTypes, type RunFacts, usageOf } from '../domain/run-facts.js';
import type { NumberedLine } from '../process/line-journal.js';
import { type EventBody, type EventType, eventSchema } from '../protocol/event.js';
import { Failure } from '../protocol/failure.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { RuntimeName } from '../protocol/posture.js';
import { stringField } from '../protocol/string-field.js';
import type { Operation, RunPatch } from '../store/operation.js';
import type { Store } from '../store/store.js';
import type { NewEvent } from '../store/stored-event.js';

/** A run as far as it was recorded. */
export interface RecordedRun {
  readonly runId: RunId;
  readonly threadId: ThreadId;
  readonly runtime: RuntimeName;
  readonly lastRunSeq: number;
  readonly facts: RunFacts;
}

/** Writes what runners say into their threads: each event once, with all that follows from it, in one transaction. */
export class Recorder {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Records lines of one run, which follow on what was recorded before; lines that were recorded already are skipped.
   * An event of a newer runner is kept as it is, because rejecting it would lose what comes after it too.
   */
  async record(run: RecordedRun, lines: readonly NumberedLine[]): Promise<RecordedRun> {
    const fresh = lines.filter(({ seq }) => seq > run.lastRunSeq);
    const [next] = fresh;
    const last = fresh.at(-1);
    if (!next || !last) return run;
    if (next.seq !== run.lastRunSeq + 1 || last.seq - next.seq !== fresh.length - 1) {
      throw new Failure('internal', `Events of ${run.runId} have a gap after ${run.lastRunSeq}.`);
    }
    const events = fresh.map(readLine);
    const bodies = events.flatMap(({ body }) => body ?? []);
    const facts = bodies.reduce(applyEvent, run.facts);
    const result = await this.#store.commit({
      operations: [
        {
          do: 'appendEvents',
          threadId: run.threadId,
          runId: run.runId,
          ifLastRunSeq: run.lastRunSeq,
          events: events.map(({ event }) => event),
        },
        ...patchOf(run, facts),
        ...events.flatMap(({ event, body }) => usageOperation(run, event, body)),
      ],
    });
    if (result.committed) return { ...run, lastRunSeq: last.seq, facts };
    const { refusal } = result;
    throw new Failure(
      refusal.because === 'superseded' ? 'home_busy' : 'conflict',
      `Events of ${run.runId} were refused: ${refusal.because}.`,
    );
  }
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
  const type = stringField(value, 'type') ?? 'unreadable';
  const event = {
    type,
    timestamp: stringField(value, 'timestamp') ?? new Date(0).toISOString(),
    runSeq: seq,
    json: text,
  };
  if (!isFolded(type)) return { event, body: null };
  const parsed = eventSchema(type).safeParse(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very type has accepted it
  return { event, body: parsed.success ? (parsed.data as unknown as EventBody) : null };
}

function isFolded(type: string): type is EventType {
  return foldedTypes.has(type);
}

function patchOf(run: RecordedRun, facts: RunFacts): Operation[] {
  const patch: RunPatch = {
    ...(facts.sessionId !== undefined && facts.sessionId !== run.facts.sessionId
      ? { sessionId: facts.sessionId }
      : {}),
    ...(facts.exit !== undefined && facts.exit !== run.facts.exit ? { exit: facts.exit } : {}),
  };
  return Object.keys(patch).length === 0 ? [] : [{ do: 'patchRun', runId: run.runId, patch }];
}

function usageOperation(run: RecordedRun, event: NewEvent, body: EventBody | null): Operation[] {
  const usage = body && usageOf(body);
  if (!usage) return [];
  return [{ do: 'addUsage', threadId: run.threadId, runtime: run.runtime, at: event.timestamp, usage }];
}
