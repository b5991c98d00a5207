import type { PromptFold } from '../../domain/prompts/prompt-fold.js';
import type { DeclinedRequest, PromptRules } from '../../domain/prompts/prompt-thread.js';
import { agentComment } from '../../domain/review/agent-comment.js';
import { costStatus, resourcesOf } from '../../domain/run/resource-status.js';
import {
  applyEvent,
  foldedTypes,
  isTurnOfOverWork,
  type RunFacts,
  sessionOf,
  withOutput,
} from '../../domain/run/run-facts.js';
import { usageOf } from '../../domain/run/usage.js';
import type { NumberedLine } from '../../process/files/line-journal.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { type EventBody, type EventType, eventSchema } from '../../protocol/event.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { RunId } from '../../protocol/id.js';
import { deepestNesting, isNestedDeeper } from '../../protocol/nesting.js';
import { mostComments } from '../../protocol/review-comment.js';
import { stringField } from '../../protocol/string-field.js';
import type { Operation, RunPatch } from '../../store/operation.js';
import type { NewEvent } from '../../store/stored-event.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { RuleBook } from '../prompts/rule-book.js';
import { promptsIn } from '../prompts/thread-prompts.js';
import { ChangeRefused, type ThreadChange, type ThreadChanges } from '../threads/thread-changes.js';
import type { LiveRun, ThreadState } from '../threads/thread-state.js';
import type { CommandDelivery } from './command-delivery.js';
import { handedOutput } from './handed-output.js';
import { JournalGap } from './journal-gap.js';

export interface EventRecorderParts {
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly promptRules: PromptRules;
  /** What answers in place of a person. */
  readonly rules?: RuleBook;
  /** How many characters of a tool's output are kept beside its event. */
  readonly toolOutputLimit: number;
  readonly log: (line: string) => void;
}

// What is asked is bounded by the runner, and stands a few levels deep in its event.
// Rules are rarely withdrawn, and never by whom they answer.
const mostTries = 5;

const deepestEvent = deepestNesting + 20;

/** Writes what runners report into their threads: each event once, with all that follows from it, in one transaction. */
export class EventRecorder {
  readonly #parts: EventRecorderParts;
  readonly #logged = new Set<RunId>();

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
  }

  /**
   * Records lines of one run, which follow on what was recorded before; lines that were recorded already are skipped.
   * An event of a newer runner is kept as it is, because rejecting it would lose what comes after it too.
   * The answer is the last number that is recorded now.
   */
  async record(run: Pick<StoredRun, 'id' | 'threadId'>, lines: readonly NumberedLine[]): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#recordOnce(run, lines);
      } catch (error) {
        // A rule was withdrawn while it was about to answer; without it a person is asked.
        if (tries === mostTries || !isRuleGone(error)) throw error;
        await this.#parts.rules?.refresh();
      }
    }
  }

  async #recordOnce(
    run: Pick<StoredRun, 'id' | 'threadId'>,
    lines: readonly NumberedLine[],
  ): Promise<number> {
    let recorded = 0;
    const declined = await this.#parts.changes.commit(run.threadId, (state) => {
      const live = liveRun(state, run.id);
      recorded = live.run.lastRunSeq;
      const fresh = lines.filter(({ seq }) => seq > recorded);
      const last = fresh.at(-1);
      if (!last) return null;
      const change = this.#change(state, live, fresh);
      recorded = last.seq;
      return change;
    });
    for (const request of declined ?? []) this.#parts.delivery.withdraw(request);
    return recorded;
  }

  #change(
    state: ThreadState,
    live: LiveRun,
    fresh: readonly NumberedLine[],
  ): ThreadChange<readonly DeclinedRequest[]> {
    const { run } = live;
    const first = fresh[0]?.seq ?? 0;
    const last = fresh.at(-1)?.seq ?? 0;
    if (first !== run.lastRunSeq + 1 || last - first !== fresh.length - 1) {
      throw new JournalGap(run);
    }
    const { read, facts, prompts, counted } = this.#fold(state, live, fresh);
    const known = given({ sessionId: sessionOf(facts), exit: facts.exit });
    return {
      runEvents: { runId: run.id, after: run.lastRunSeq, events: read.map(({ event }) => event) },
      operations: [
        ...patchOf(run.id, live.facts, facts),
        ...counted,
        ...read.flatMap(({ output }) =>
          output ? [{ do: 'putToolOutput', threadId: run.threadId, ...output } as const] : [],
        ),
        ...read.flatMap(({ event, body }) => commentOperation(run, event, body)),
        ...prompts.changes,
      ],
      events: prompts.events,
      state: {
        ...state,
        prompts: prompts.prompts,
        run: { run: { ...run, lastRunSeq: last, ...known }, facts },
      },
      result: prompts.declined,
    };
  }

  /** An event that nothing can follow from is kept as it is; the run would be lost with whoever waits for it to be folded. */
  #fold(state: ThreadState, live: LiveRun, fresh: readonly NumberedLine[]): Folded {
    const read = fresh.map((line) => this.#read(live, line));
    const { promptRules, rules: book } = this.#parts;
    const rules = { ...promptRules, ...(book && { standing: book.standing }) };
    for (;;) {
      const prompts = promptsIn(state);
      let { facts } = live;
      const counted: Operation[] = [];
      let place = 0;
      try {
        for (const { event, body } of read) {
          if (outputTypes.has(event.type)) facts = withOutput(facts);
          if (body) {
            counted.push(...countedOf(live.run, { event, body, facts }));
            const isOfOverWork = isTurnOfOverWork(facts);
            facts = applyEvent(facts, body);
            if (body.type !== 'needs_input' || !isOfOverWork)
              prompts.apply(live.run.id, body, { at: event.timestamp, rules, isOfOverWork });
            // The calls that waited have gone with the turn, and nobody brings their answers in another way.
            if (body.type === 'turn_complete' && facts.work === null) prompts.leaveWork();
          }
          place += 1;
        }
        return { read, facts, prompts, counted };
      } catch (error) {
        // The prompts may be half changed by now, so all is folded again without it.
        const line = fresh[place];
        if (!line) throw error;
        read[place] = this.#unusable(live, line, errorSentence(error));
      }
    }
  }

  #read(live: LiveRun, line: NumberedLine): ReadEvent {
    if (isNestedDeeper(line.text, deepestEvent))
      return this.#unusable(live, line, `It is nested deeper than ${deepestEvent} levels.`);
    try {
      return readLine(line, this.#parts.toolOutputLimit);
    } catch (error) {
      return this.#unusable(live, line, errorSentence(error));
    }
  }

  /** Said once for a run: whatever made one such event makes more. */
  #unusable({ run }: LiveRun, line: NumberedLine, why: string): ReadEvent {
    if (!this.#logged.has(run.id))
      this.#parts.log(`${run.id}: Event ${line.seq} is kept and not acted on: ${why}`);
    this.#logged.add(run.id);
    return unrecognized(line);
  }
}

interface Folded {
  readonly read: readonly ReadEvent[];
  readonly facts: RunFacts;
  readonly prompts: PromptFold;
  /** What was used, and what it cost. */
  readonly counted: readonly Operation[];
}

/** What an agent puts out. */
const outputTypes: ReadonlySet<string> = new Set<EventType>([
  'assistant_text',
  'thinking',
  'tool_start',
  'needs_input',
]);

/** Whether a rule stood against a change because it is not on any more. */
function isRuleGone(error: unknown): boolean {
  if (!(error instanceof ChangeRefused)) return false;
  const { refusal } = error;
  return refusal.because === 'condition' && 'rule' in refusal.current;
}

function liveRun(state: ThreadState, runId: RunId): LiveRun {
  if (state.run?.run.id === runId) return state.run;
  throw new Failure('internal', `${runId} is not the live run of ${state.thread.id}.`);
}

interface ReadEvent {
  readonly event: NewEvent;
  /** The event itself, where something follows from it and it is as it should be. */
  readonly body: EventBody | null;
  /** What a tool said, to be kept beside the event. */
  readonly output?: { readonly toolUseId: string; readonly text: string };
}

function readLine({ seq, text }: NumberedLine, outputLimit: number): ReadEvent {
  const value = parsed(text);
  const type = stringField(value, 'type');
  if (type === undefined) return unrecognized({ seq, text });
  const handed = handedOutput(value, outputLimit);
  const json = handed ? JSON.stringify(handed.event) : text;
  const event = { type, timestamp: timestampOf(value), runSeq: seq, json };
  const output = handed?.kept ? { output: handed.kept } : {};
  if (!isFolded(type)) return { event, body: null, ...output };
  const read = eventSchema(type).safeParse(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very type has accepted it
  return { event, body: read.success ? (read.data as unknown as EventBody) : null, ...output };
}

/** A line as text: nobody who reads it later has to take it apart. */
function unrecognized({ seq, text }: NumberedLine): ReadEvent {
  const timestamp = timestampOf(parsed(text));
  const json = JSON.stringify({ type: 'unrecognized', timestamp, runSeq: seq, raw: text });
  return { event: { type: 'unrecognized', timestamp, runSeq: seq, json }, body: null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function timestampOf(value: unknown): string {
  return stringField(value, 'timestamp') ?? new Date(0).toISOString();
}

function isFolded(type: string): type is EventType {
  return foldedTypes.has(type);
}

function patchOf(runId: RunId, before: RunFacts, after: RunFacts): Operation[] {
  if (after === before) return [];
  const sessionId = sessionOf(after);
  const patch: RunPatch = {
    facts: after,
    ...(sessionId === sessionOf(before) ? {} : given({ sessionId })),
    ...(after.exit === before.exit ? {} : given({ exit: after.exit })),
  };
  return [{ do: 'patchRun', runId, patch }];
}

function commentOperation(run: StoredRun, event: NewEvent, body: EventBody | null): Operation[] {
  if (body?.type !== 'review_comment_added') return [];
  const comment = agentComment(body, { threadId: run.threadId, at: event.timestamp });
  return comment ? [{ do: 'addComment', comment, most: mostComments }] : [];
}

/** What an event says was used, as it is counted; `facts` are those until then. */
function countedOf(
  { threadId, runtime }: StoredRun,
  { event, body, facts }: { readonly event: NewEvent; readonly body: EventBody; readonly facts: RunFacts },
): Operation[] {
  const place = { threadId, runtime, at: event.timestamp };
  const usage = usageOf(body);
  return [
    ...(usage ? [{ do: 'addUsage', ...place, usage, status: costStatus(facts) } as const] : []),
    ...resourcesOf(body, facts).map((one) => ({ do: 'addResources', ...place, ...one }) as const),
  ];
}
