import { createHash } from 'node:crypto';
import { readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';
import type { Landing } from '../../protocol/landing.js';
import type { HookPlan, LandingPlan, RefMove } from '../../store/stored-landing.js';
import type { CheckResult } from '../dispatches/verification.js';
import { inFreshCheckout } from './fresh-checkout.js';
import {
  findHooks,
  hookedMessage,
  type MergeHooks,
  runHook,
  shownHooks,
  unapprovedSentence,
} from './merge-hooks.js';
import type { LandingMeans, WorkToLand } from './work-to-land.js';

/** Which hooks a person has approved, byte for byte. */
export interface HookApprovals {
  has(wanted: { readonly place: string; readonly digest: string }): boolean;
  add(approval: { readonly place: string; readonly digest: string; readonly actor: string }): Promise<void>;
}

export interface HookedMerge {
  readonly work: WorkToLand;
  readonly plan: LandingPlan & { readonly target: RefMove };
  /** The checkout that git would take hooks from. */
  readonly checkout: string;
  /** True, or how the digest of what a person has read begins. */
  readonly wanted: true | string;
  readonly message: string;
  readonly landing: Pick<Landing, 'threadId' | 'actor'>;
  readonly means: LandingMeans & { readonly signal: AbortSignal };
  readonly approvals: HookApprovals;
}

type Judged =
  | { readonly over: Pick<Landing, 'state' | 'sentence' | 'output'> }
  | { readonly message: string; readonly postMerge?: HookPlan };

/** Lets the hooks of a repository judge a merge before anything moves; they run only as a person has approved them. */
export async function judgedByHooks(merge: HookedMerge): Promise<Judged> {
  const { work, plan, checkout, message, means, landing } = merge;
  const hooks = await findHooks(work, checkout);
  if (hooks.files.length === 0) return { message };
  if (!(await isApproved(hooks, merge))) {
    const sentence = unapprovedSentence(hooks, landing.threadId);
    return { over: { state: 'failed', sentence, output: shownHooks(hooks) } };
  }
  const postMerge = hooks.files.find(({ name }) => name === 'post-merge');
  const after =
    postMerge && plan.checkout
      ? { postMerge: { path: postMerge.path, digest: digestOf(postMerge.text), top: plan.checkout.top } }
      : {};
  // Commits of the agent's that the branch only moves on to are nobody's to judge again.
  const isOurs = work.tip !== work.head || plan.target.to !== work.tip;
  if (!isOurs) return { message, ...after };
  const { scratch } = means;
  const fresh = { git: work.repository.git, commit: plan.target.to, scratch };
  return await inFreshCheckout(fresh, async (cwd) => {
    // As git shows it to a hook: the branch as it was, and everything that is to be committed staged.
    await work.repository.git.succeed(['-C', cwd, 'reset', '--soft', plan.target.from]);
    const parents = await work.shadow.bare.read(['rev-list', '--parents', '-n', '1', plan.target.to, '--']);
    const name = parents.trim().split(' ').length > 2 ? 'pre-merge-commit' : 'pre-commit';
    const judged = await runHook(hooks, { ...means, name, cwd });
    if (judged && !judged.passed) return refusal(name, judged);
    const worded = await hookedMessage(hooks, { ...means, cwd, message });
    if ('refused' in worded) return refusal('commit-msg', worded.refused);
    return { message: worded.message, ...after };
  });
}

/** Runs post-merge where the files have moved, if it is still what was approved; gives what a person should hear of it. */
export async function runPostMerge(
  { path, digest, top }: HookPlan,
  { env, signal }: { readonly env: LandingMeans['env']; readonly signal: AbortSignal },
): Promise<string> {
  const read = readBoundedFile(path, { limit: 1024 * 1024, followLink: true });
  if (!read.ok || digestOf(read.text) !== digest)
    return ' The hook post-merge changed meanwhile and did not run.';
  const hooks = { files: [{ name: 'post-merge' as const, path, text: read.text }], digest };
  const ran = await runHook(hooks, { name: 'post-merge', args: ['0'], cwd: top, env, signal });
  return ran?.passed === false ? ' The hook post-merge failed.' : '';
}

async function isApproved(
  { digest }: MergeHooks,
  { work, wanted, landing, approvals }: HookedMerge,
): Promise<boolean> {
  const place = `hooks of ${work.places.commonDir}`;
  if (approvals.has({ place, digest })) return true;
  if (wanted === true) return false;
  if (!digest.startsWith(wanted))
    throw new Failure('conflict', 'The hooks are not those that you have read. See them again with: --hooks');
  await approvals.add({ place, digest, actor: landing.actor });
  return true;
}

function refusal(name: string, { output }: CheckResult): Judged {
  return { over: { state: 'failed', sentence: `The hook ${name} refused, so nothing was merged.`, output } };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
