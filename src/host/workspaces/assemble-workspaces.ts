import { join } from 'node:path';
import { repositoriesFolder } from '../../process/git/fetched-repository.js';
import type { HostEnvironment } from '../host-environment.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import { FetchedWorkspaces } from './fetched-workspaces.js';
import { RepositoryClones } from './repository-clones.js';
import { WorktreeSetup } from './worktree-setup.js';
import { Worktrees } from './worktrees.js';

/** Builds what makes the places in which agents work. */
export function assembleWorkspaces(
  { store, home, env, settings, clock }: HostEnvironment,
  { changes, projectCode }: { readonly changes: ThreadChanges; readonly projectCode: ProjectCodeService },
) {
  const worktrees = new Worktrees({ root: join(home, 'worktrees'), env });
  const clones = new RepositoryClones({ root: repositoriesFolder(home), env, ...settings.fetching, clock });
  const { repositories, worktreePorts: portRange } = settings;
  return {
    worktrees,
    clones,
    fetched: new FetchedWorkspaces({ clones, worktrees, env }),
    setup: new WorktreeSetup({ store, changes, worktrees, projectCode, repositories, portRange, env }),
  };
}
