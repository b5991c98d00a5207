import { lstat } from 'node:fs/promises';
import { RefusalError } from '../../process/files/refusal.js';
import { moveCheckout, repairCheckout } from '../../process/git/checkout.js';
import { Git } from '../../process/git/git.js';
import { inLockedIndex } from '../../process/git/locked-index.js';
import type { LandingPlan, RefMove } from '../../store/stored-landing.js';
import type { Failpoint } from '../runs/failpoint.js';

export interface CarryOut {
  /** The landing, which owns the locks that it takes. */
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  /** The plan was begun before, by a worker that is gone. */
  readonly isAgain: boolean;
  readonly failpoint: (name: Failpoint) => void;
}

/**
 * Does what a plan says. Every step looks whether it was done already, so a plan can be carried out any number of
 * times, also after it was cut off anywhere. A step that is refused leaves what it would have changed as it was.
 */
export async function carryOut(plan: LandingPlan, { id, env, isAgain, failpoint }: CarryOut): Promise<void> {
  failpoint('landing_planned');
  const { checkout, target, work, keep } = plan;
  const repository = await Git.open({ cwd: plan.gitDir, gitDir: plan.gitDir, env });
  const isLanded = target !== undefined && (await tipOf(repository, target.ref)) === target.to;
  if (checkout && !isLanded) {
    await inLockedIndex({ top: checkout.top, env, owner: id }, async (git) => {
      const isDone = isAgain && (await repairCheckout(git, checkout)) === 'finished';
      if (!isDone) await moveCheckout(git, checkout);
    });
    failpoint('landing_files_moved');
  }
  if (target && !isLanded) {
    try {
      await moveRef(repository, target);
    } catch (error) {
      if (checkout) {
        const back = { top: checkout.top, from: checkout.to, to: checkout.from };
        await inLockedIndex({ top: back.top, env, owner: id }, async (git) => await moveCheckout(git, back));
      }
      throw error;
    }
    failpoint('landing_branch_moved');
  }
  if (work && work.from !== work.to) await saveWork(work, { id, env });
  if (keep) await repository.succeed(['update-ref', keep.ref, keep.commit]);
  failpoint('landing_work_saved');
}

async function moveRef(git: Git, { ref, from, to }: RefMove): Promise<void> {
  // With the old value, so that nothing that came meanwhile is lost.
  const moved = await git.run(['update-ref', '-m', 'handraise: landed the work of an agent', ref, to, from]);
  if (moved.code === 0) return;
  throw new RefusalError(
    `${ref.replace('refs/heads/', '')} moved meanwhile, so nothing was merged. Try again.`,
  );
}

/** Puts what was not committed on the agent's own branch; its files are as they are committed. */
async function saveWork(
  work: RefMove & { readonly top: string },
  { id, env }: Pick<CarryOut, 'id' | 'env'>,
): Promise<void> {
  if (!(await lstat(work.top).catch(() => undefined))) return;
  const git = await Git.open({ cwd: work.top, env });
  const why = 'handraise: saved the work';
  // Who was cut off after the branch had moved still has the index to bring after it.
  if ((await tipOf(git, work.ref)) !== work.to) {
    const moved = await git.run(['update-ref', '-m', why, work.ref, work.to, work.from]);
    if (moved.code !== 0) return;
  }
  try {
    await inLockedIndex({ top: work.top, env, owner: id }, async (locked) => {
      await locked.succeed(['read-tree', work.to]);
      await locked.run(['update-index', '-q', '--refresh']);
    });
  } catch (error) {
    // The work is landed; an index that its agent keeps locked takes nothing from that.
    if (!(error instanceof RefusalError)) throw error;
  }
}

async function tipOf(git: Git, ref: string): Promise<string | undefined> {
  const found = await git.run(['show-ref', '--verify', '--hash', '--', ref]);
  return found.code === 0 ? found.stdout.trim() : undefined;
}
