import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A program that leaves a mark when anything starts it. */
export interface Trap {
  readonly program: string;
  readonly sprung: () => boolean;
  readonly reset: () => void;
}

/** A folder in a temporary place of its own, with a home of its own, so that no config of the machine counts. */
export class ScratchRepository implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'handraise-scratch-')));
  readonly env = {
    PATH: process.env.PATH ?? '',
    HOME: join(this.root, 'home'),
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.invalid',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.invalid',
    GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
  };
  readonly cwd = join(this.root, 'work');
  /** A folder beside the repository, for what must not be touched. */
  readonly outside = join(this.root, 'outside');

  constructor() {
    for (const folder of [this.cwd, this.outside, this.env.HOME]) mkdirSync(folder);
  }

  /** Makes the folder a repository with one commit, which holds `a.txt`. */
  begin(): this {
    this.git('init', '--quiet', '--initial-branch=main');
    this.write('a.txt', 'one\ntwo\n');
    this.commit('Begin');
    return this;
  }

  /** Runs plain git, as a person would, and gives its output without the last newline. */
  git(...args: string[]): string {
    return this.gitIn(this.cwd, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync('git', args, { cwd, env: this.env, encoding: 'utf8', stdio: 'pipe' }).replace(
      /\n$/,
      '',
    );
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

  trap(): Trap {
    const mark = join(this.outside, 'sprung');
    const program = join(this.outside, 'trap.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\n[ -t 0 ] || cat\n`);
    chmodSync(program, 0o755);
    return { program, sprung: () => existsSync(mark), reset: () => rmSync(mark, { force: true }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true });
  }
}
