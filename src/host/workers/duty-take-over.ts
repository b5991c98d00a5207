import { existsSync } from 'node:fs';
import { whyNotTaken } from '../../domain/worker/take-over.js';
import { given } from '../../protocol/given.js';
import type { PipelineId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredPipeline } from '../../store/stored-pipeline.js';
import type { StoredSchedule } from '../../store/stored-schedule.js';
import type { StoredWorker } from '../../store/stored-worker.js';
import type { Parties, ThreadTakeOver } from './thread-take-over.js';

const readAtOnce = 100;

export interface DutyTakeOverParts {
  readonly store: Store;
  readonly takeOver: ThreadTakeOver;
  readonly sharedFolders: readonly string[];
  /** The channels that this worker can send notifications to. */
  readonly channels: readonly string[];
  /** There is more to send. */
  readonly wakeSender: () => void;
  readonly isDraining: () => boolean;
  readonly log: (line: string) => void;
}

/**
 * Goes on with what a worker that is gone would have done by itself: it gives the work of its schedules, makes the next moves
 * of its pipelines, looks at the pull requests that it watched, and sends what waits in its outbox. Each moves in a commit that is refused where that worker lives, so
 * one worker at most has it at any time.
 */
export class DutyTakeOver {
  readonly #parts: DutyTakeOverParts;
  /** What was said to stay with a worker, so that it is said once. */
  readonly #told = new Set<string>();

  constructor(parts: DutyTakeOverParts) {
    this.#parts = parts;
  }

  async take(parties: Parties): Promise<void> {
    if (this.#parts.isDraining()) return;
    await this.#takeSchedules(parties);
    await this.#takePipelines(parties);
    // One that only drains sends what it has, and goes on looking at pull requests.
    if (parties.from.drainingSince !== undefined) return;
    await this.#takeWatches(parties);
    await this.#takeNotifications(parties);
  }

  /** Whether work is left to another worker: that of a phase goes where its pipeline is, which reads what it leaves. */
  async isOfOthersPipeline(id: PipelineId | undefined): Promise<boolean> {
    if (id === undefined) return false;
    const { store } = this.#parts;
    const pipeline = await store.query('pipeline', { id });
    if (!pipeline || pipeline.state === 'ended') return false;
    const { rows } = await store.query('pipelines', { own: true, open: true, idPrefix: id, limit: 1 });
    return rows.length === 0;
  }

  async #takeSchedules({ from, by }: Parties): Promise<void> {
    const { store, log } = this.#parts;
    let cursor: string | undefined;
    do {
      const page = await store.query('schedules', {
        ofWorker: from.id,
        active: true,
        limit: readAtOnce,
        ...given({ cursor }),
      });
      for (const schedule of page.rows) {
        const { id, name, revision } = schedule;
        if (!this.#canGive(schedule, from)) {
          this.#tellStays(`schedule ${name}`, from);
          continue;
        }
        const operation = { do: 'takeOverDuties', from, schedules: [{ id, revision }] } as const;
        const taken = await store.commit({ operations: [operation] });
        if (taken.committed)
          log(`schedule ${name}: ${by} gives its work from now on, in place of ${from.name}`);
      }
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** Whether this worker could give the work of a schedule: it goes elsewhere anyway, or its folder is here, too. */
  #canGive({ work }: StoredSchedule, from: StoredWorker): boolean {
    const { sharedFolders, takeOver } = this.#parts;
    if (work.on !== undefined) return work.on !== from.name && work.on !== from.id;
    if (work.thread !== undefined) return true;
    const { workspace } = work;
    if (workspace === undefined) return false;
    if ('repo' in workspace) return takeOver.canFetch(workspace.repo);
    const { path } = workspace;
    return (
      whyNotTaken({
        path,
        sharedFolders: { theirs: from.profile?.sharedFolders ?? [], ours: sharedFolders },
        isThere: existsSync(path),
        isInTerminal: false,
        canRun: work.runtime === undefined || takeOver.canRun(work.runtime, work.posture ?? {}),
        isDraining: false,
      }) === null
    );
  }

  async #takePipelines({ from, by }: Parties): Promise<void> {
    const { store, takeOver, log } = this.#parts;
    const { rows } = await store.query('pipelines', { ofWorker: from.id, open: true, limit: 1000 });
    for (const pipeline of rows) {
      const { id, name, revision, threadId } = pipeline;
      if (!(await this.#canGoOn(pipeline, from))) {
        this.#tellStays(`pipeline ${name} (${id})`, from);
        continue;
      }
      const duty = { do: 'takeOverDuties', from, pipelines: [{ id, revision }] } as const;
      if (await takeOver.take(threadId, { from, by }, [duty]))
        log(`pipeline ${name} (${id}): taken over from ${from.name}`);
    }
  }

  /**
   * A pipeline moves with everything that is under way in it, or not at all. What a phase left in its output file is on the
   * other machine until it is written down; a phase that has ended without that waits for its worker.
   */
  async #canGoOn({ id, threadId }: StoredPipeline, from: StoredWorker): Promise<boolean> {
    const { store, takeOver } = this.#parts;
    const own = await store.query('thread', { id: threadId });
    if (!own || takeOver.whyNot(own, from) !== null) return false;
    for (const { state, tries } of await store.query('pipelinePhases', { id })) {
      const dispatchId = tries.at(-1)?.dispatchId;
      if (state !== 'running' || dispatchId === undefined) continue;
      // One that drains brings to its end what runs, and what that says is there.
      if (from.drainingSince !== undefined) return false;
      const dispatch = await store.query('dispatch', { id: dispatchId });
      const thread = dispatch && (await store.query('thread', { id: dispatch.threadId }));
      if (!thread || dispatch.state === 'ended' || takeOver.whyNot(thread, from) !== null) return false;
    }
    return true;
  }

  /** What is said about a pull request goes to the agent that made it, so the watch moves with its thread. */
  async #takeWatches({ from, by }: Parties): Promise<void> {
    const { store, takeOver, log } = this.#parts;
    const begun = await store.query('landings', { ofWorker: from.id, state: 'begun', limit: 1000 });
    for (const { kind, threadId, pullRequest } of begun) {
      if (kind !== 'watch') continue;
      const thread = await store.query('thread', { id: threadId });
      if (!thread) continue;
      if (takeOver.whyNot(thread, from) !== null) this.#tellStays(`the watch over ${pullRequest}`, from);
      else if (await takeOver.take(threadId, { from, by }))
        log(`${pullRequest}: ${by} watches it from now on, in place of ${from.name}`);
    }
  }

  async #takeNotifications({ from, by }: Parties): Promise<void> {
    const { store, channels, wakeSender, log } = this.#parts;
    const outboxKinds = channels.map((channel) => `notify ${channel}`);
    if (outboxKinds.length === 0) return;
    const taken = await store.commit({ operations: [{ do: 'takeOverDuties', from, outboxKinds }] });
    const count = taken.committed ? taken.results[0].changed : 0;
    if (count === 0) return;
    log(`${by} sends ${count} notifications in place of ${from.name}`);
    wakeSender();
  }

  #tellStays(what: string, { name, drainingSince }: StoredWorker): void {
    const key = `${what} ${name}`;
    if (drainingSince !== undefined || this.#told.has(key)) return;
    this.#told.add(key);
    this.#parts.log(`${what} waits for ${name}, which does not answer: start that worker again.`);
  }
}
