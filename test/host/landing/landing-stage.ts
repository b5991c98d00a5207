import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostSettings } from '../../../dist/compose.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import { type HostStage, openHostStage } from '../host-stage.js';

export const owner = 'user:owner';

/** A host, a repository, and agents that do what a shell line says in worktrees of it. */
export interface LandingStage {
  readonly at: HostStage;
  readonly repository: string;
  readonly git: (...args: string[]) => string;
  readonly gitIn: (cwd: string, ...args: string[]) => string;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  readonly commit: (message: string) => string;
  /** Lets an agent work in a worktree, to its end. */
  agent(
    command: string,
    title?: string,
  ): Promise<{ readonly threadId: ThreadId; readonly top: string; readonly branch: string }>;
}

export async function openLandingStage(settings: Partial<HostSettings> = {}): Promise<LandingStage> {
  const at = await openHostStage({ retries: 0, ...settings });
  const repository = at.folder();
  const { env } = at.stage;
  const gitIn = (cwd: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).replace(/\n$/, '');
  const git = (...args: string[]) => gitIn(repository, ...args);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  };
  git('init', '--quiet', '--initial-branch=main');
  git('config', '--global', 'user.name', 'Ada');
  git('config', '--global', 'user.email', 'ada@example.invalid');
  write('a.txt', 'one\ntwo\nthree\n');
  write('b.txt', 'b\n');
  const commit = (message: string) => {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  commit('Begin');
  return {
    at,
    repository,
    git,
    gitIn,
    write,
    commit,
    read: (path) => readFileSync(join(repository, path), 'utf8'),
    agent: async (command, title = 'Fix it') => {
      const { id, threadId } = await at.work('go', {
        workspace: { path: repository, worktree: true },
        runtime: 'exec',
        posture: { command: `sh -c ${JSON.stringify(command)}` },
        title,
      });
      const dispatch = await at.host.dispatches.ended(id, AbortSignal.timeout(120_000));
      if (dispatch.outcome?.result !== 'succeeded') throw new Error(JSON.stringify(dispatch.outcome));
      const { workspace } = await at.host.threads.get(threadId);
      return { threadId, top: workspace.path, branch: workspace.branch ?? '' };
    },
  };
}
