import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../../..', import.meta.url).pathname;

/** Why a commit of this repository cannot be built here; null where it can. */
export function missingForTree(commit: string): string | null {
  const found = spawnSync('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]);
  if (found.error) return 'there is no git';
  return found.status === 0 ? null : `this copy of the repository has no commit ${commit}`;
}

/** This repository as it was at an earlier commit, compiled, with the packages of today. */
export class OlderTree implements Disposable {
  readonly folder: string;

  constructor(commit: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'older-'));
    const files = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', this.folder], { input: files });
    const packages = join(this.folder, 'node_modules');
    mkdirSync(packages);
    // Without the cache: in it is what the compiler remembers of the tree of today.
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(packages, name));
    // All but the web console, which no worker of a test shows.
    const bundle = "(await import('./scripts/bundle.js')).bundle(process.cwd())";
    for (const [program, ...args] of [
      [join(packages, '.bin/tsc'), '-p', 'tsconfig.build.json'],
      [process.execPath, '--input-type=module', '--eval', `await ${bundle}`],
    ] as const)
      execFileSync(program, args, { cwd: this.folder, stdio: 'inherit' });
  }

  /** The program of a test, run on what was built there. */
  program(name: string): string {
    const place = join(this.folder, 'test/host/workers', name);
    cpSync(new URL(name, import.meta.url), place);
    return place;
  }

  [Symbol.dispose](): void {
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }
}
