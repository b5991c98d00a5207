import { workspaceTools } from '../../src/workspace-tools/index.js';
import type { ToolWorkspace } from '../../src/workspace-tools/workspace.js';
import type { CalledTool, ToolAnswer } from '../../src/workspace-tools/workspace-tool.js';
import { ScratchRepository } from '../process/git/scratch-repository.js';

/** A call that nobody withdraws. */
export const anyCall: CalledTool = { toolUseId: 'call-1', signal: new AbortController().signal };

/** A workspace in a temporary folder of its own, and its tools. */
export class ScratchWorkspace extends ScratchRepository {
  readonly workspace: ToolWorkspace;

  constructor(given: Partial<ToolWorkspace> = {}) {
    super();
    let ids = 0;
    this.workspace = {
      cwd: this.cwd,
      conversationId: 'conv-1',
      sessionId: 'session-1',
      env: this.env,
      fetch: globalThis.fetch,
      now: () => new Date('2026-03-04T05:06:07Z'),
      newId: () => `id-${(ids += 1)}`,
      ...given,
    };
  }

  /** A repository with one commit, which holds `a.txt`. */
  static repository(given: Partial<ToolWorkspace> = {}): ScratchWorkspace {
    return new ScratchWorkspace(given).begin();
  }

  async call(
    name: string,
    input: Record<string, unknown> = {},
    workspace = this.workspace,
  ): Promise<ToolAnswer> {
    const tool = workspaceTools(workspace).find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return await tool.run(input, anyCall);
  }

  /** The data of an answer that must be a good one. */
  async data(
    name: string,
    input: Record<string, unknown> = {},
    workspace = this.workspace,
  ): Promise<unknown> {
    const answer = await this.call(name, input, workspace);
    if (!answer.ok) throw new Error(answer.error);
    return answer.data;
  }
}
