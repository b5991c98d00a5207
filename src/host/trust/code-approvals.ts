import type { ProjectCodeReport } from '../../protocol/api.js';
import type { Actor, ProjectCode } from '../host.js';
import type { IdleAgents } from '../runs/idle-agents.js';
import type { ProjectCodeService } from './project-code.js';
import { projectRoot } from './project-root.js';

/** Takes approvals of project code. Agents that rest in the project are ended, so that their next work starts with it. */
export class CodeApprovals implements ProjectCode {
  readonly #projectCode: ProjectCodeService;
  readonly #idleAgents: IdleAgents;

  constructor(parts: { readonly projectCode: ProjectCodeService; readonly idleAgents: IdleAgents }) {
    this.#projectCode = parts.projectCode;
    this.#idleAgents = parts.idleAgents;
  }

  async inspect(path: string): Promise<ProjectCodeReport> {
    return await this.#projectCode.inspect(path);
  }

  async approve(
    path: string,
    options: { readonly digest: string; readonly actor: Actor },
  ): Promise<ProjectCodeReport> {
    const report = await this.#projectCode.approve(path, options);
    const { key } = await projectRoot(path);
    await this.#idleAgents.endWhere(
      async ({ workspace }) =>
        // Whose folder is gone has no project.
        (await projectRoot(workspace.path).catch(() => undefined))?.key === key,
      'to start with what was approved',
    );
    return report;
  }
}
