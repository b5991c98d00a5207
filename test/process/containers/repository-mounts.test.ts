import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryMounts } from '../../../src/process/containers/repository-mounts.js';
import { ScratchRepository } from '../git/scratch-repository.js';

it('a repository that was fetched comes with the objects that it borrows, by its place and not by what it says', async () => {
  await using scratch = new ScratchRepository().begin();
  const repositories = join(scratch.root, 'repositories');
  const folder = join(repositories, 'one');
  const [work, mirror] = [join(folder, 'work.git'), join(folder, 'mirror.git')];
  mkdirSync(folder, { recursive: true });
  scratch.git('clone', '--quiet', '--bare', scratch.cwd, mirror);
  scratch.git('clone', '--quiet', '--bare', '--shared', mirror, work);
  const elsewhere = join(scratch.root, 'work.git');
  scratch.git('clone', '--quiet', '--bare', '--shared', mirror, elsewhere);
  const mounts = [work, elsewhere].map((from, index) => {
    const top = join(scratch.root, `worktree-${index}`);
    scratch.gitIn(from, 'worktree', 'add', '--quiet', '-b', `b${index}`, top, 'main');
    // As an agent could.
    writeFileSync(join(from, 'objects', 'info', 'alternates'), `${scratch.outside}\n`);
    return repositoryMounts(top, '/workspace', repositories).map((mount) => [
      mount.from,
      mount.to,
      mount.isReadOnly,
    ]);
  });
  const own = (index: number) => [join(scratch.root, `worktree-${index}`, '.git'), '/workspace/.git', true];
  const objects = join(mirror, 'objects');
  expect(mounts).toEqual([
    [own(0), [work, work, true], [objects, objects, true]],
    [own(1), [elsewhere, elsewhere, true]],
  ]);
});
