import { checkedOutBranches } from '../../process/git/checkout.js';
import { Git } from '../../process/git/git.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Landing, MergeRequest } from '../../protocol/landing.js';
import type { LandingPlan } from '../../store/stored-landing.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { verify } from '../dispatches/verification.js';
import type { Actor } from '../host.js';
import type { ThreadMessages } from '../threads/thread-messages.js';
import type { Worktrees } from '../workspaces/worktrees.js';
import { conflictMessage, conflictSentence } from './conflict-words.js';
import { inFreshCheckout } from './fresh-checkout.js';
import { type HookApprovals, judgedByHooks } from './hooked-merge.js';
import { mergeResult } from './merge-result.js';
import { expectNotRebased } from './rebased-branch.js';
import { findTargetBranch, gathered, messageOf, type WorkToLand } from './work-to-land.js';

const verifyTimeMs = 60 * 60_000;

export interface MergePlannerParts {
  readonly messages: ThreadMessages;
  readonly worktrees: Worktrees;
  readonly hookApprovals: HookApprovals;
  readonly scratch: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a landing comes to before anything is changed: something to do, or why there is nothing to do. */
export type Prepared = Planned | { readonly over: Over };
type Planned = { readonly plan: LandingPlan; readonly about: Partial<Landing> };
type Over = Partial<Landing> & Pick<Landing, 'state' | 'sentence'>;

/** Plans how a branch takes work in: nothing but objects is written, and nothing has moved when it is done. */
export class MergePlanner {
  readonly #parts: MergePlannerParts;

  constructor(parts: MergePlannerParts) {
    this.#parts = parts;
  }

  async plan(
    work: WorkToLand,
    asked: {
      readonly thread: StoredThread;
      readonly request: MergeRequest;
      readonly actor?: Actor;
      readonly signal: AbortSignal;
    },
  ): Promise<Prepared> {
    const { thread, request, actor, signal } = asked;
    const prepared = await this.#plain(work, { thread, request, actor, signal });
    if (request.hooks === undefined || 'over' in prepared) return prepared;
    return await this.#hooked(work, { ...asked, prepared });
  }

  async #plain(
    work: WorkToLand,
    {
      thread,
      request,
      actor,
      signal,
    }: {
      readonly thread: StoredThread;
      readonly request: MergeRequest;
      readonly actor: Actor | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<Prepared> {
    const { method, into, message, resolveWithAgent, verify: command } = request;
    const target = await findTargetBranch(work, { thread, into });
    const words = message ?? messageOf(thread);
    const result = await mergeResult(work, { method, target: target.tip, into: target.name, message: words });
    if ('conflicts' in result) {
      const { conflicts } = result;
      const isGiven = resolveWithAgent === true && actor !== undefined;
      const dispatchId = isGiven
        ? await this.#resolve(thread.id, { into: target.name, conflicts, actor })
        : undefined;
      const sentence = conflictSentence({ into: target.name, conflicts, isGiven });
      return {
        over: {
          state: 'conflicted',
          into: target.name,
          conflicts: [...conflicts],
          sentence,
          ...given({ dispatchId }),
        },
      };
    }
    const { commit } = result;
    if (commit === target.tip)
      return {
        over: {
          state: 'done',
          into: target.name,
          commit,
          sentence: `Nothing to merge: ${target.name} has everything already.`,
        },
      };
    if (command !== undefined) {
      const failed = await this.#verified(work, { commit, command, signal });
      if (failed) return { over: { ...failed, into: target.name } };
    }
    const ref = `refs/heads/${target.name}`;
    const top = (await checkedOutBranches(work.repository.git)).get(ref);
    expectNotRebased(work.places.commonDir, target.name);
    if (top !== undefined) await this.#expectUsable(top, { branch: target.name, tip: target.tip });
    return {
      plan: {
        gitDir: work.places.commonDir,
        target: { ref, from: target.tip, to: commit },
        ...(top !== undefined && { checkout: { top, from: target.tip, to: commit } }),
        work: { ref: `refs/heads/${work.branch}`, from: work.head, to: work.tip, top: work.places.top },
        landed: work.tip,
      },
      about: { into: target.name, commit, sentence: `Merged into ${target.name} as ${commit.slice(0, 12)}.` },
    };
  }

  /** The checkout of the branch has to be as it is committed, or what is staged there would become part of it. */
  async #expectUsable(
    top: string,
    { branch, tip }: { readonly branch: string; readonly tip: string },
  ): Promise<void> {
    if (this.#parts.worktrees.owns(top))
      throw new Failure(
        'conflict',
        `${branch} is checked out in the worktree of an agent, ${top}. Land that work first, or name another branch with: --into`,
      );
    const git = await Git.open({ cwd: top, env: this.#parts.env });
    const staged = await git.run([
      'diff-index',
      '--cached',
      '--quiet',
      '--ignore-submodules=dirty',
      tip,
      '--',
    ]);
    if (staged.code !== 0)
      throw new Failure(
        'conflict',
        `${branch} is checked out in ${top}, and something is staged there. Commit or unstage it, then merge again.`,
      );
  }

  async #verified(
    { repository }: WorkToLand,
    {
      commit,
      command,
      signal,
    }: { readonly commit: string; readonly command: string; readonly signal: AbortSignal },
  ): Promise<Over | undefined> {
    const { scratch, env } = this.#parts;
    const { passed, output } = await inFreshCheckout(
      { git: repository.git, commit, scratch },
      async (cwd) => await verify({ command, cwd, env, signal, timeoutMs: verifyTimeMs }),
    );
    // It was cut off, which says nothing about the work.
    if (signal.aborted)
      throw new Failure(
        'unavailable',
        'The worker stops, so nothing was merged. Merge again when it is back.',
      );
    if (passed) return undefined;
    return {
      state: 'failed',
      sentence: 'The merged tree did not pass verification, so nothing was merged.',
      output,
    };
  }

  async #resolve(
    threadId: ThreadId,
    {
      into,
      conflicts,
      actor,
    }: { readonly into: string; readonly conflicts: readonly string[]; readonly actor: Actor },
  ) {
    const text = conflictMessage(into, conflicts);
    const item = { content: [{ type: 'text' as const, text }], metadata: { queue: true as const } };
    return (await this.#parts.messages.post(threadId, item, actor)).dispatchId;
  }

  /** The same merge after the hooks have judged it; one of them may have changed the message. */
  async #hooked(
    work: WorkToLand,
    asked: {
      readonly thread: StoredThread;
      readonly request: MergeRequest;
      readonly actor?: Actor | undefined;
      readonly signal: AbortSignal;
      readonly prepared: Planned;
    },
  ): Promise<Prepared> {
    const { scratch, env, hookApprovals } = this.#parts;
    const { thread, request, actor, signal, prepared } = asked;
    const { plan, about } = prepared;
    const { target } = plan;
    if (request.hooks === undefined || target === undefined) return prepared;
    const before = request.message ?? messageOf(thread);
    const judged = await judgedByHooks({
      work,
      plan: { ...plan, target },
      checkout: plan.checkout?.top ?? thread.origin?.top ?? work.places.top,
      wanted: request.hooks,
      message: before,
      landing: { threadId: thread.id, actor: actor ?? 'worker' },
      means: { scratch, env, signal },
      approvals: hookApprovals,
    });
    if ('over' in judged) return { over: { ...judged.over, into: about.into } };
    const { message, postMerge } = judged;
    if (message === before) return { about, plan: { ...plan, ...given({ postMerge }) } };
    await using reworded = await gathered(thread, { message, means: { scratch, env } });
    // The tree is the same, and was verified.
    const { verify: _verified, ...rest } = request;
    const again = await this.#plain(reworded, { thread, request: { ...rest, message }, actor, signal });
    return 'over' in again ? again : { ...again, plan: { ...again.plan, ...given({ postMerge }) } };
  }
}
