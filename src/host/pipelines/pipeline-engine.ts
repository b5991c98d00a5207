import type { PipelineDefinition } from '../../domain/pipeline/definition.js';
import type { PipelineMove } from '../../domain/pipeline/facts.js';
import { scopeOf } from '../../domain/pipeline/phase-scope.js';
import { approvalQuestion, phaseQuestion, phaseWords } from '../../domain/pipeline/pipeline-words.js';
import { plan } from '../../domain/pipeline/plan.js';
import { fillTemplate } from '../../domain/pipeline/template.js';
import { askOwn, useOwn } from '../../domain/prompts/own-prompt.js';
import { isOnItsWay } from '../../domain/prompts/thread-prompt.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { cutText } from '../../protocol/cut-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { exitCodeOf, Failure, type FailureCode } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PipelineId, PromptId, ThreadId } from '../../protocol/id.js';
import type { Question } from '../../protocol/question.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { StoredPhase, StoredPipeline } from '../../store/stored-pipeline.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import type { Failpoint } from '../runs/failpoint.js';
import { sha256 } from '../sha256.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import { ChangeRefused, type CommittedChange, type ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { OutputFiles } from './output-files.js';
import { expectFiles, expectMatrix, phaseWork, pipelineActor } from './phase-work.js';
import {
  detailOf,
  endedTry,
  factsOf,
  type PipelineRun,
  phasePlace,
  readPipelineRun,
} from './pipeline-run.js';
import { readDefinition } from './read-definition.js';

const lookMs = 2000;
const longestWhy = 500;
/** What is not the work's fault, and may be over at the next look. */
const passing: ReadonlySet<FailureCode> = new Set(['internal', 'home_busy']);

export interface PipelineEngineParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly dispatches: Pick<DispatchService, 'submitWith' | 'cancel'>;
  readonly outputs: OutputFiles;
  readonly clock: Clock;
  readonly newPromptId: () => PromptId;
  readonly failpoint: (name: Failpoint) => void;
  readonly log: (line: string) => void;
}

type MoveOf<Name extends PipelineMove['do']> = Extract<PipelineMove, { do: Name }>;

/**
 * Brings pipelines to their end. It keeps no state of its own that matters: it reads what is committed, makes the one next
 * move that the plan finds, and commits it in one unit, which is refused where anything of the pipeline has changed
 * meanwhile. So whoever is killed, and whenever, what has ended is not begun again.
 */
export class PipelineEngine implements AsyncDisposable {
  readonly #parts: PipelineEngineParts;
  readonly #queue = new KeyedQueue<PipelineId>();
  readonly #definitions = new Map<PipelineId, PipelineDefinition>();
  /** Whose end, or whose answer, a pipeline waits for. */
  readonly #threads = new Map<ThreadId, PipelineId>();
  #advancing: Promise<unknown> = Promise.resolve();
  #listening: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: PipelineEngineParts) {
    this.#parts = parts;
  }

  open(): void {
    this.#listening = this.#parts.changes.listen((change) => this.#changed(change));
    this.#look();
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#listening?.[Symbol.dispose]();
    await this.#advancing;
  }

  /** Makes whatever moves are due. */
  poke(id: PipelineId): void {
    if (this.#isClosed) return;
    const advancing = this.#queue.run(id, async () => {
      try {
        await this.#advance(id);
      } catch (error) {
        this.#parts.log(`pipeline ${id}: ${errorSentence(error)}`);
      }
    });
    this.#advancing = Promise.allSettled([this.#advancing, advancing]);
  }

  #changed({ state, events }: CommittedChange): void {
    const id = this.#threads.get(state.thread.id);
    if (id === undefined) return;
    const isNews = events.some(({ type }) => type === 'dispatch_ended') || state.prompts.some(isOnItsWay);
    if (isNews) this.poke(id);
  }

  /** Whatever was not noticed otherwise: what another worker wrote, or a question that was closed. */
  #look(): void {
    const looking = (async () => {
      try {
        const { rows } = await this.#parts.store.query('pipelines', { open: true, own: true, limit: 1000 });
        for (const { id } of rows) this.poke(id);
      } catch (error) {
        this.#parts.log(`pipelines: ${errorSentence(error)}`);
      }
    })();
    this.#advancing = Promise.allSettled([this.#advancing, looking]);
  }

  async #advance(id: PipelineId): Promise<void> {
    const { store, failpoint } = this.#parts;
    while (!this.#isClosed) {
      const pipeline = await store.query('pipeline', { id });
      if (!pipeline || pipeline.state === 'ended') return this.#forget(id);
      const run = await readPipelineRun(store, pipeline, await this.#definitionOf(pipeline));
      this.#threads.set(pipeline.threadId, id);
      for (const { threadId } of run.work.values()) this.#threads.set(threadId, id);
      const [move] = plan(run.definition, factsOf(run));
      if (!move) return;
      failpoint('pipeline_planned');
      try {
        await this.#make(move, run);
      } catch (error) {
        // Somebody else decided meanwhile: what is stored is the truth, and is planned from again.
        if (!(error instanceof ChangeRefused) || error.refusal.because !== 'condition') throw error;
      }
      failpoint('pipeline_moved');
    }
  }

  async #make(move: PipelineMove, run: PipelineRun): Promise<void> {
    switch (move.do) {
      case 'start':
        return await this.#start(move, run);
      case 'again':
        return await this.#again(move, run);
      case 'ask':
        return await this.#ask(move, run);
      case 'escalate':
        return await this.#escalate(move, run);
      case 'cancel':
        return await this.#cancel(move, run);
      case 'settle':
        return await this.#settle(move, run);
      case 'end':
        return await this.#end(move, run);
      default:
        return move satisfies never;
    }
  }

  async #start({ key }: MoveOf<'start'>, run: PipelineRun): Promise<void> {
    const { dispatches, outputs, clock } = this.#parts;
    const { pipeline, definition } = run;
    const before = run.phases.get(key);
    const tries = before?.tries ?? [];
    const startedAt = instant(clock);
    const place = phasePlace(run, key);
    const begun = (last: Omit<StoredPhase['tries'][number], 'startedAt'>): Operation =>
      this.#replacing(run, {
        key,
        state: 'running',
        startedAt: before?.startedAt ?? startedAt,
        tries: [...tries, { startedAt, ...last }],
      });
    try {
      expectMatrix(place);
      expectFiles(place, pipeline.workspace);
      const outputFile = await outputs.prepare(pipeline.id, { key, number: tries.length + 1 });
      const request = phaseWork(pipeline, { definition, place, facts: factsOf(run), outputFile });
      const { dispatch } = await dispatches.submitWith(
        request,
        { actor: pipelineActor(pipeline) },
        ({ id, threadId }) => [begun({ dispatchId: id, threadId })],
      );
      this.#threads.set(dispatch.threadId, pipeline.id);
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof ChangeRefused || passing.has(error.code))
        throw error;
      // Work that cannot be taken in has failed.
      const why = cutText(error.message, longestWhy);
      await this.#commit(run, [begun({ endedAt: instant(clock), exitCode: exitCodeOf(error), why })]);
    }
  }

  /** A person said to try it once more; what it gave before does not count. */
  async #again({ key }: MoveOf<'again'>, run: PipelineRun): Promise<void> {
    const { promptId: _used, ...before } = this.#before(run, key);
    const notice = `${titleOf(run, key)} is tried again.`;
    await this.#commit(run, [this.#replacing(run, { ...before, state: 'waiting' })], {
      notice,
      settles: key,
    });
  }

  async #ask({ key }: MoveOf<'ask'>, run: PipelineRun): Promise<void> {
    const place = phasePlace(run, key);
    const { does } = place.phase;
    if (does.kind !== 'approval') throw new RangeError(`${key} asks nobody.`);
    const question = fillTemplate(does.question, scopeOf(run.definition, place, factsOf(run)));
    const startedAt = instant(this.#parts.clock);
    await this.#asking(
      run,
      { key, state: 'asking', startedAt, tries: [] },
      approvalQuestion(run.pipeline, question),
    );
  }

  async #escalate({ key }: MoveOf<'escalate'>, run: PipelineRun): Promise<void> {
    const before = this.#before(run, key);
    const dispatch = run.work.get(key);
    const last = endedTry(run, before);
    const outcomes = dispatch?.attempts.flatMap(({ outcome }) => outcome ?? []) ?? [];
    const failed = { state: 'ended', result: 'failure', exitCode: last?.exitCode } as const;
    const phases = detailOf(run).phases.map((phase) => (phase.key === key ? { ...phase, ...failed } : phase));
    const question = phaseQuestion(
      run.pipeline,
      { title: phasePlace(run, key).instance.title, why: last?.why },
      { phases, outcomes: dispatch?.outcome ? [...outcomes.slice(0, -1), dispatch.outcome] : outcomes },
    );
    const tries = [...before.tries.slice(0, -1), ...(last ? [last] : [])];
    await this.#asking(run, { ...before, state: 'asking', tries }, question);
  }

  async #asking(run: PipelineRun, phase: StoredPhase, question: Question): Promise<void> {
    const { changes, clock, newPromptId } = this.#parts;
    const { threadId } = run.pipeline;
    const id = newPromptId();
    await changes.commit(threadId, (state) => {
      const createdAt = instant(clock);
      const own = askOwn(state.prompts, { id, threadId, createdAt, question, sha256 });
      return {
        operations: [...own.changes, this.#replacing(run, { ...phase, promptId: id })],
        events: own.events,
        state: { ...state, prompts: own.prompts },
        result: undefined,
      };
    });
  }

  /** That its work has ended is seen at the next look at it. */
  async #cancel({ key }: MoveOf<'cancel'>, run: PipelineRun): Promise<void> {
    const work = run.work.get(key);
    if (work)
      await this.#parts.dispatches.cancel(work.id, run.pipeline.cancelledBy ?? pipelineActor(run.pipeline));
  }

  async #settle(move: MoveOf<'settle'>, run: PipelineRun): Promise<void> {
    const { outputs, clock } = this.#parts;
    const { key, result, exitCode, stops } = move;
    const { promptId: _settled, ...before } = run.phases.get(key) ?? { key, tries: [] };
    const stored = run.phases.get(key);
    const last = stored && endedTry(run, stored);
    const outcome = run.work.get(key)?.outcome;
    const file = outputs.path(run.pipeline.id, { key, number: before.tries.length });
    const prompt = run.prompts.get(key);
    const actor = prompt?.acceptedAt === undefined ? undefined : prompt.actor;
    const left =
      last?.dispatchId === undefined ? undefined : outputs.read(file, outcome?.output ?? outcome?.summary);
    const why = move.why ?? last?.why ?? left?.lost;
    const settled: StoredPhase = {
      ...before,
      state: 'ended',
      tries: [...before.tries.slice(0, -1), ...(last ? [last] : [])],
      result,
      exitCode,
      endedAt: instant(clock),
      ...given({ outputs: left?.outputs }),
      ...given({ stops, actor, why: why === undefined ? undefined : cutText(why, longestWhy) }),
    };
    const { phase, instance } = phasePlace(run, key);
    const shown = { ...settled, phase: phase.id, title: instance.title, kind: phase.does.kind, needs: [] };
    const notice = `${titleOf(run, key)} ${phaseWords(shown)}.`;
    await this.#commit(run, [this.#replacing(run, settled)], { notice, settles: key });
  }

  async #end({ result, exitCode }: MoveOf<'end'>, run: PipelineRun): Promise<void> {
    // All of it is written down by now.
    await this.#parts.outputs.remove(run.pipeline.id);
    const ended = {
      ...run.pipeline,
      state: 'ended',
      result,
      exitCode,
      endedAt: instant(this.#parts.clock),
    } as const;
    const words = { success: 'succeeded', failure: 'failed', cancelled: 'was cancelled' }[result];
    const notice = `The pipeline ${words}, exit code ${exitCode}.`;
    await this.#commit(run, [replacing(ended, [], run.pipeline.revision)], { notice });
  }

  /** Commits in the pipeline's own thread, together with what becomes of the question about a phase. */
  async #commit(
    run: PipelineRun,
    operations: readonly Operation[],
    { notice, settles }: { readonly notice?: string; readonly settles?: string } = {},
  ): Promise<void> {
    const events: ThreadEventBody[] = notice === undefined ? [] : [{ type: 'notice', message: notice }];
    const prompt = settles === undefined ? undefined : run.prompts.get(settles);
    await this.#parts.changes.commit(run.pipeline.threadId, (state) => {
      const closed = prompt ? this.#closing(state, prompt.id) : { operations: [], events: [], state };
      return {
        operations: [...closed.operations, ...operations],
        events: [...(closed.events ?? []), ...events],
        state: closed.state,
        result: undefined,
      };
    });
  }

  /** The answer was used, or nobody needs one any more. */
  #closing(state: ThreadState, promptId: PromptId) {
    const prompt = state.prompts.find(({ id }) => id === promptId);
    if (!prompt) return { operations: [], events: [], state };
    if (isOnItsWay(prompt)) {
      const used = useOwn(state.prompts, prompt, instant(this.#parts.clock));
      return { operations: used.changes, events: used.events, state: { ...state, prompts: used.prompts } };
    }
    const prompts = promptsIn(state);
    prompts.cancel(prompt, 'superseded');
    return promptChange(state, prompts, undefined);
  }

  #replacing({ pipeline }: PipelineRun, phase: StoredPhase): Operation {
    return replacing(pipeline, [phase], pipeline.revision);
  }

  #before(run: PipelineRun, key: string): StoredPhase {
    const phase = run.phases.get(key);
    if (!phase) throw new RangeError(`${key} has not begun.`);
    return phase;
  }

  async #definitionOf(pipeline: StoredPipeline): Promise<PipelineDefinition> {
    const known = this.#definitions.get(pipeline.id) ?? (await readDefinition(pipeline));
    this.#definitions.set(pipeline.id, known);
    return known;
  }

  #forget(id: PipelineId): void {
    this.#definitions.delete(id);
    for (const [threadId, pipelineId] of this.#threads) if (pipelineId === id) this.#threads.delete(threadId);
  }
}

function replacing(pipeline: StoredPipeline, phases: readonly StoredPhase[], revision: number): Operation {
  return {
    do: 'replacePipeline',
    pipeline: { ...pipeline, revision: revision + 1 },
    phases,
    if: { revision },
  };
}

function titleOf(run: PipelineRun, key: string): string {
  return plainLine(phasePlace(run, key).instance.title, { maxLength: 200 });
}
