import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { workspaceTools } from '../../../src/runtimes/workspace-tools/index.js';
import type { Workspace } from '../../../src/runtimes/workspace-tools/workspace.js';
import type { ToolAnswer } from '../../../src/runtimes/workspace-tools/workspace-tool.js';

/** A workspace in a temporary folder of its own, with a home of its own, so that no config of the machine counts. */
export class ScratchWorkspace implements AsyncDisposable {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-tools-')));
  readonly #env = {
    PATH: process.env.PATH ?? '',
    HOME: join(this.#root, 'home'),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.invalid',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.invalid',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  };
  readonly cwd = join(this.#root, 'work');
  /** A folder beside the workspace, for what must not be touched. */
  readonly outside = join(this.#root, 'outside');
  readonly workspace: Workspace;

  constructor(given: Partial<Workspace> = {}) {
    for (const folder of [this.cwd, this.outside, this.#env.HOME]) mkdirSync(folder);
    let ids = 0;
    this.workspace = {
      cwd: this.cwd,
      conversationId: 'conv-1',
      sessionId: 'session-1',
      env: this.#env,
      fetch: globalThis.fetch,
      now: () => new Date('2026-03-04T05:06:07Z'),
      newId: () => `id-${(ids += 1)}`,
      ...given,
    };
  }

  /** A repository with one commit, which holds `a.txt`. */
  static repository(given: Partial<Workspace> = {}): ScratchWorkspace {
    const scratch = new ScratchWorkspace(given);
    scratch.git('init', '--quiet', '--initial-branch=main');
    scratch.write('a.txt', 'one\ntwo\n');
    scratch.commit('Begin');
    return scratch;
  }

  /** Runs plain git, as a person would, and gives its output without the last newline. */
  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.cwd,
      env: this.#env,
      encoding: 'utf8',
      stdio: 'pipe',
    }).replace(/\n$/, '');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, path)), { recursive: true });
    writeFileSync(join(this.cwd, path), text);
  }

  commit(message: string): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  async call(
    name: string,
    input: Record<string, unknown> = {},
    workspace = this.workspace,
  ): Promise<ToolAnswer> {
    const tool = workspaceTools(workspace).find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return await tool.run(input);
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

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#root, { recursive: true });
  }
}
