import { stat } from 'node:fs/promises';
import { type CheckoutMove, checkedOutBranches, indexTree } from '../../process/git/checkout.js';
import { mergeTrees } from '../../process/git/merge-trees.js';
import { findRepository } from '../../process/git/repository.js';
import { findPlaces, ShadowRepository } from '../../process/git/shadow-repository.js';
import { Failure } from '../../protocol/failure.js';
import type { Landing } from '../../protocol/landing.js';
import type { LandingPlan } from '../../store/stored-landing.js';
import type { StoredThread } from '../../store/stored-thread.js';
import { conflictSentence } from './conflict-words.js';
import type { LandingMeans, WorkToLand } from './work-to-land.js';

type Planned =
  | { readonly plan: LandingPlan; readonly about: Partial<Landing> }
  | { readonly over: Partial<Landing> & Pick<Landing, 'state' | 'sentence'> };

/** Plans to put the changes of a worktree, staged, into the checkout that it came from. */
export async function planApply(
  work: WorkToLand,
  { thread, means }: { readonly thread: StoredThread; readonly means: LandingMeans },
): Promise<Planned> {
  const top = thread.origin?.top ?? (await mainCheckout(work));
  const found = await stat(top).catch(() => undefined);
  if (!found?.isDirectory())
    throw new Failure(
      'missing_file',
      `${top}, where the work came from, does not exist any more. Use: handraise merge`,
    );
  const undo = `To take it back: handraise apply ${thread.id} --undo`;
  return await planMove({
    top,
    means,
    wanted: { base: work.base, theirs: work.tree },
    nothing: `Nothing to apply: ${top} has everything already.`,
    done: `Applied to ${top}, staged. ${undo}`,
  });
}

/** Plans to take back what was applied; what was changed since stays. */
export async function planUndo(applied: CheckoutMove, means: LandingMeans): Promise<Planned> {
  return await planMove({
    top: applied.top,
    means,
    wanted: { base: applied.to, theirs: applied.from },
    nothing: 'Nothing of it is there any more.',
    done: `Taken back from ${applied.top}.`,
  });
}

async function planMove(move: {
  readonly top: string;
  readonly means: LandingMeans;
  readonly wanted: { readonly base: string; readonly theirs: string };
  readonly nothing: string;
  readonly done: string;
}): Promise<Planned> {
  const { top, means, wanted } = move;
  const repository = await findRepository({ cwd: top, env: means.env });
  if ('missing' in repository)
    throw new Failure('conflict', `${top} has no usable git repository: ${repository.missing}.`);
  const places = await findPlaces(repository.git);
  await using shadow = await ShadowRepository.open({
    places,
    ...means,
    objects: 'shared',
    filters: 'users',
  });
  const from = await indexTree(shadow.workTree, top);
  const merged = await mergeTrees(shadow.bare, { ...wanted, ours: from });
  if ('conflicts' in merged) {
    const conflicts = [...merged.conflicts];
    const sentence = conflictSentence({ into: top, conflicts, isGiven: false }).replace(
      / Let the agent.*$/,
      ' Commit or stash what you staged there, then try again.',
    );
    return { over: { state: 'conflicted', into: top, conflicts, sentence } };
  }
  if (merged.tree === from) return { over: { state: 'done', into: top, sentence: move.nothing } };
  return {
    plan: { gitDir: places.commonDir, checkout: { top, from, to: merged.tree } },
    about: { into: top, sentence: move.done },
  };
}

async function mainCheckout({ repository }: WorkToLand): Promise<string> {
  const [first] = (await checkedOutBranches(repository.git)).values();
  if (first === undefined)
    throw new Failure('conflict', 'The repository has no checkout to apply to. Use: handraise merge');
  return first;
}
