import { RefusalError } from '../../process/files/refusal.js';
import { Git } from '../../process/git/git.js';
import { findPlaces } from '../../process/git/shadow-repository.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import {
  type ApplyRequest,
  type BranchPushRequest,
  Landing,
  type MergeRequest,
  type PullRequestRequest,
} from '../../protocol/landing.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Store } from '../../store/store.js';
import type { StoredLanding } from '../../store/stored-landing.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { type Clock, instant } from '../clock.js';
import type { Actor, Landings } from '../host.js';
import type { Failpoint } from '../runs/failpoint.js';
import { expectNoTerminal } from '../terminals/expect-no-terminal.js';
import type { AgentControl } from '../threads/agent-control.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { CommittedChange, ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import { planApply, planUndo } from './apply-plan.js';
import { carryOut } from './carry-out.js';
import { runPostMerge } from './hooked-merge.js';
import { MergePlanner, type MergePlannerParts, type Prepared } from './merge-planner.js';
import { publish } from './publish.js';
import { planPush } from './push-plan.js';
import { expectPushedSubmodules } from './pushed-submodules.js';
import { expectFolder, notePushed } from './pushed-work.js';
import { lastEnded, settleThread } from './settled-thread.js';
import { watchAfter } from './watch-record.js';
import { gathered, gatherWork, type WorkToLand } from './work-to-land.js';

export interface LandingServiceParts extends MergePlannerParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly agents: AgentControl;
  readonly clock: Clock;
  readonly newUuid: () => string;
  readonly failpoint: (name: Failpoint) => void;
  readonly log: (line: string) => void;
}

/**
 * Makes the work of threads their user's. What is to be done is stored before it is begun, and each step can be done
 * again, so a landing that was cut off is finished by the next worker.
 */
export class LandingService implements Landings, AsyncDisposable {
  readonly #parts: LandingServiceParts;
  readonly #merges: MergePlanner;
  /** Landings in one repository wait for each other. */
  readonly #queue = new KeyedQueue<string>();
  #recovery: Promise<unknown> = Promise.resolve();
  readonly #leaving = new AbortController();
  /** Landings that were asked for and are under way. */
  readonly #asked = new Set<string>();

  constructor(parts: LandingServiceParts) {
    this.#parts = parts;
    this.#merges = new MergePlanner(parts);
  }

  /** Begins to finish what an earlier worker left; other landings in the same repository wait for it. */
  async open(): Promise<void> {
    const begun = await this.#parts.store.query('landings', { state: 'begun', own: true, limit: 1000 });
    const cutOff = begun.filter(({ kind }) => kind !== 'watch').toReversed();
    this.#recovery = Promise.all(cutOff.map(async (landing) => await this.#finish(landing)));
  }

  /** What waits for the network is left to the next worker. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    await this.#recovery;
  }

  /** Takes up what was asked for with work that has just succeeded. */
  follow({ state, events }: CommittedChange): void {
    if (events.some(({ type }) => type === 'dispatch_ended')) void this.#takeUp(state.thread.id);
  }

  async #takeUp(threadId: ThreadId): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const begun = await store.query('landings', { threadId, state: 'begun' });
      for (const landing of begun.toReversed()) if (isAsked(landing)) await this.#finish(landing);
    } catch (error) {
      // The next worker finds it again.
      log(`landings of ${threadId}: ${errorSentence(error)}`);
    }
  }

  async #finish(landing: StoredLanding): Promise<void> {
    const { log } = this.#parts;
    try {
      if (isAsked(landing)) return await this.#landAsked(landing);
      const key = landing.plan?.gitDir ?? landing.threadId;
      await this.#queue.run(key, async () => await this.#carryOut(landing, { isAgain: true }));
    } catch (error) {
      log(`landing ${landing.id} of ${landing.threadId}: ${errorSentence(error)}`);
    }
  }

  /** Lands what was asked for before it was known what to do; nobody waits who could be told otherwise than by the thread. */
  async #landAsked(landing: StoredLanding): Promise<void> {
    const { changes, scratch, env, failpoint } = this.#parts;
    if (this.#asked.has(landing.id)) return;
    this.#asked.add(landing.id);
    const { signal } = this.#leaving;
    try {
      await changes.until(landing.threadId, isAtRest, signal);
      if (signal.aborted) return;
      failpoint('landing_asked');
      await this.#land(landing, async (thread) => {
        await using work = await landable(thread, { message: undefined, means: { scratch, env } });
        if (landing.kind === 'pr') return await planPush(work, { thread, request: {} });
        if (landing.kind === 'push') return await planPush(work, { thread, request: {}, isPushOnly: true });
        const verify = await this.#verifyOf(landing);
        return await this.#merges.plan(work, {
          thread,
          request: { method: 'merge', ...given({ verify }) },
          signal,
        });
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) throw error;
      await this.#end({ ...landing, state: 'failed', sentence: error.message });
    } finally {
      this.#asked.delete(landing.id);
    }
  }

  /** The command that the merged tree has to pass, where it was asked for with the work. */
  async #verifyOf({ afterDispatch: id }: StoredLanding): Promise<string | undefined> {
    const work = id && (await this.#parts.store.query('dispatch', { id }));
    return work ? work.request.verifyMerged : undefined;
  }

  async list(threadId: ThreadId): Promise<readonly Landing[]> {
    await this.#parts.changes.state(threadId);
    return (await this.#parts.store.query('landings', { threadId })).map((each) => Landing.parse(each));
  }

  async merge(threadId: ThreadId, request: MergeRequest, actor: Actor): Promise<Landing> {
    const { scratch, env } = this.#parts;
    return await this.#land({ threadId, kind: 'merge', actor }, async (thread) => {
      expectFolder(thread);
      await using work = await landable(thread, { message: request.message, means: { scratch, env } });
      return await this.#merges.plan(work, { thread, request, actor, signal: this.#leaving.signal });
    });
  }

  async apply(threadId: ThreadId, { undo = false }: ApplyRequest, actor: Actor): Promise<Landing> {
    const { store, scratch, env } = this.#parts;
    const means = { scratch, env };
    return await this.#land({ threadId, kind: 'apply', actor }, async (thread) => {
      expectFolder(thread);
      if (!undo) {
        await using work = await landable(thread, { message: undefined, means });
        return await planApply(work, { thread, means });
      }
      const earlier = await store.query('landings', { threadId, limit: 1000 });
      const last = earlier.find(isApplied);
      if (!last?.plan?.checkout)
        return { over: { state: 'done', sentence: 'Nothing is applied, so there is nothing to take back.' } };
      const back = await planUndo(last.plan.checkout, means);
      return 'over' in back ? back : { ...back, plan: { ...back.plan, undoes: last.id } };
    });
  }

  async openPullRequest(threadId: ThreadId, request: PullRequestRequest, actor: Actor): Promise<Landing> {
    const { scratch, env } = this.#parts;
    return await this.#land({ threadId, kind: 'pr', actor }, async (thread) => {
      await using work = await landable(thread, { message: undefined, means: { scratch, env } });
      return await planPush(work, { thread, request });
    });
  }

  async push(threadId: ThreadId, { message }: BranchPushRequest, actor: Actor): Promise<Landing> {
    const { scratch, env } = this.#parts;
    return await this.#land({ threadId, kind: 'push', actor }, async (thread) => {
      await using work = await landable(thread, { message, means: { scratch, env } });
      return await planPush(work, { thread, request: {}, isPushOnly: true });
    });
  }

  async discard(threadId: ThreadId, actor: Actor): Promise<Landing> {
    const { scratch, env } = this.#parts;
    return await this.#land({ threadId, kind: 'discard', actor }, async (thread) => {
      const { workspace } = thread;
      if (workspace.worktree && workspace.branch !== undefined) {
        const { exists } = await this.#parts.worktrees.state(workspace.path);
        if (!exists) return { over: { state: 'done', sentence: 'Its worktree is gone already.' } };
      }
      await using work = await gathered(thread, { message: undefined, means: { scratch, env } });
      const ref = `refs/handraise/discarded/${threadId}`;
      return {
        plan: { gitDir: work.places.commonDir, keep: { ref, commit: work.tip } },
        about: {
          commit: work.tip,
          sentence: `Discarded. The worktree and branch ${work.branch} are gone; to get the work back: git branch NAME ${ref}`,
        },
      };
    });
  }

  async #land(
    begun: Pick<Landing, 'threadId' | 'kind' | 'actor'> | StoredLanding,
    prepare: (thread: StoredThread) => Promise<Prepared>,
  ): Promise<Landing> {
    const { changes, clock, newUuid, env } = this.#parts;
    const { thread, run } = await changes.ownState(begun.threadId);
    expectNoTerminal(thread);
    if (run && !isIdle(thread))
      throw new Failure(
        'conflict',
        `The agent of ${thread.id} is at work. Wait for it with: handraise wait ${thread.id}`,
      );
    return await this.#queue.run(await repositoryOf(thread, env), async () => {
      const base = { id: newUuid(), createdAt: instant(clock), ...begun };
      const prepared = await refusable(() => prepare(thread));
      if ('over' in prepared) return await this.#end({ ...base, ...prepared.over });
      const { plan, about } = prepared;
      const landing: StoredLanding = { sentence: '', ...base, ...about, state: 'begun', plan };
      await this.#put(landing);
      return await this.#carryOut(landing, { isAgain: false });
    });
  }

  async #carryOut(landing: StoredLanding, { isAgain }: { readonly isAgain: boolean }): Promise<Landing> {
    const { env, scratch, failpoint } = this.#parts;
    const { plan, kind, threadId } = landing;
    const { signal } = this.#leaving;
    try {
      if (plan) await carryOut(plan, { id: landing.id, env, isAgain, failpoint });
      if (plan && kind === 'discard') await this.#removeWork(threadId, plan.gitDir);
      if (plan?.push) {
        const published = await publish(plan.push, { env, scratch, signal, failpoint });
        const { branch, commit } = plan.push;
        return await this.#end({ ...landing, ...published }, { branch, commit });
      }
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof RefusalError) && !(error instanceof Failure)) throw error;
      return await this.#end({ ...landing, state: 'failed', sentence: error.message });
    }
    const remark = plan?.postMerge ? await runPostMerge(plan.postMerge, { env, signal }) : '';
    return await this.#end({ ...landing, state: 'done', sentence: landing.sentence + remark });
  }

  /** Removes worktree and branch of work that is kept elsewhere by now. */
  async #removeWork(threadId: ThreadId, gitDir: string): Promise<void> {
    const { changes, agents, worktrees } = this.#parts;
    const { thread } = await changes.state(threadId);
    await agents.end(threadId, 'its work was discarded', { promptReason: 'turn_cancelled' });
    await worktrees.discard(thread.workspace, gitDir);
  }

  async #end(landing: StoredLanding, pushed?: Workspace['pushed']): Promise<Landing> {
    const { store, changes, clock } = this.#parts;
    const ended = { ...landing, endedAt: instant(clock) };
    const undone = landing.state === 'done' ? await this.#undone(landing) : [];
    const watch = await this.#newWatch(landing);
    const work = await lastEnded(store, landing.threadId);
    const { kind, state: came, into, pullRequest, plan } = landing;
    await changes.commit(landing.threadId, (state) => {
      const settled = settleThread(
        state,
        {
          kind,
          state: came,
          into,
          pullRequest,
          isCarriedOut: plan !== undefined,
          isUndo: plan?.undoes !== undefined,
          isMerged: false,
          landed: came === 'done' ? plan?.landed : undefined,
        },
        work,
      );
      const noted = notePushed(settled.state, pushed);
      return {
        operations: [
          ...[ended, ...undone, ...watch].map((each) => ({ do: 'putLanding', landing: each }) as const),
          ...settled.operations,
          ...noted.operations,
        ],
        events: [
          `${landing.sentence} (${landing.kind}, by ${landing.actor})`,
          ...watch.map(({ sentence }) => sentence),
        ].map((message) => ({ type: 'notice', message })),
        state: noted.state,
        result: undefined,
      };
    });
    return Landing.parse(ended);
  }

  /** The watch that is stored together with the pull request; one that was ended by somebody is not begun again. */
  async #newWatch(landing: StoredLanding): Promise<StoredLanding[]> {
    const { store, clock } = this.#parts;
    const watch = watchAfter(landing, instant(clock));
    if (watch === undefined) return [];
    const earlier = await store.query('landings', { threadId: landing.threadId, limit: 1000 });
    return earlier.some(({ id }) => id === watch.id) ? [] : [watch];
  }

  async #undone({ threadId, plan }: StoredLanding): Promise<StoredLanding[]> {
    if (plan?.undoes === undefined) return [];
    const earlier = await this.#parts.store.query('landings', { threadId, limit: 1000 });
    return earlier.filter(({ id }) => id === plan.undoes).map((each) => ({ ...each, state: 'undone' }));
  }

  async #put(landing: StoredLanding): Promise<void> {
    await this.#parts.store.commit({ operations: [{ do: 'putLanding', landing }] });
  }
}

/** Asked for together with work, and not looked at yet. */
function isAsked({ afterDispatch, plan }: StoredLanding): boolean {
  return afterDispatch !== undefined && plan === undefined;
}

function isAtRest({ run, thread }: ThreadState): boolean {
  return !run || isIdle(thread);
}

function isIdle({ status }: StoredThread): boolean {
  return ['idle', 'stopped'].includes(status.state);
}

function isApplied({ kind, state, plan }: StoredLanding): boolean {
  return kind === 'apply' && state === 'done' && plan?.checkout !== undefined && plan.undoes === undefined;
}

/** Gathers work that somebody is to get, and not to throw away. */
async function landable(...given: Parameters<typeof gatherWork>): Promise<WorkToLand & AsyncDisposable> {
  const work = await gathered(...given);
  try {
    await expectPushedSubmodules(work, given[1].means);
    return work;
  } catch (error) {
    await work[Symbol.asyncDispose]();
    throw error;
  }
}

async function repositoryOf(
  { workspace, id }: StoredThread,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    return (await findPlaces(await Git.open({ cwd: workspace.path, env }))).commonDir;
  } catch {
    // What is wrong with it is said by whoever prepares.
    return id;
  }
}

async function refusable<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RefusalError) throw new Failure('conflict', error.message, { cause: error });
    throw error;
  }
}
