import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const notes = `# Release notes

- Questions of an agent reach a person and wait for the answer.
- Every turn ends in a result that a script can act on.
`;

/** A scratch folder with one file in it, a private home beside it, and a place for the worker's state. */
export interface DemoWorkspace {
  readonly path: string;
  readonly home: string;
  readonly state: string;
}

export async function makeWorkspace(): Promise<DemoWorkspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'handraise-demo-')));
  const path = join(folder, 'workspace');
  await mkdir(path);
  await writeFile(join(path, 'notes.md'), notes);
  commit(path);
  return { path, home: join(folder, 'home'), state: join(folder, 'state') };
}

/** Where git is missing, the folder is no repository, and the demo does without. */
function commit(cwd: string): void {
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.invalid'];
  const steps = [
    ['init', '--quiet'],
    ['add', '.'],
    [...identity, 'commit', '--quiet', '--no-gpg-sign', '--message', 'Write the notes'],
  ];
  for (const step of steps) spawnSync('git', step, { cwd, stdio: 'ignore' });
}
