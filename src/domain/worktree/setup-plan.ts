import { given } from '../../protocol/given.js';
import type { ScriptsConfig, WorkspaceScript, WorktreeDefaults } from '../../protocol/scripts-config.js';

/** What a project's file asks for, and whether a person has approved its scripts as they are. */
export interface ProjectSetup {
  readonly config: Pick<ScriptsConfig, 'setupScripts' | 'copyFiles' | 'ports'>;
  readonly isApproved: boolean;
}

/** What is done for a new worktree before its agent starts. */
export interface SetupPlan {
  readonly copyFiles: readonly string[];
  readonly ports?: number;
  readonly scripts: readonly WorkspaceScript[];
  /** The project has scripts that nobody has approved, so they do not run. */
  readonly isWithheld: boolean;
}

/** Decides it. What the user says replaces what the project says, one thing at a time. */
export function setupPlan({
  user,
  project,
}: {
  readonly user: WorktreeDefaults | undefined;
  readonly project: ProjectSetup | undefined;
}): SetupPlan {
  const ports = user?.ports ?? project?.config.ports;
  const copyFiles = user?.copyFiles ?? project?.config.copyFiles ?? [];
  const plan = { copyFiles: [...new Set(copyFiles)], ...given({ ports }) };
  if (user?.setup !== undefined)
    return { ...plan, scripts: [{ name: 'Set up', command: user.setup }], isWithheld: false };
  const scripts = project?.config.setupScripts ?? [];
  const isWithheld = scripts.length > 0 && !project?.isApproved;
  return { ...plan, scripts: isWithheld ? [] : scripts, isWithheld };
}
