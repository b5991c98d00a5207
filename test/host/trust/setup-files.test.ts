import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProjectCodeService } from '../../../src/host/trust/project-code.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const file = '.handraise/config.json';
const config = (command: string) => JSON.stringify({ setupScripts: [{ name: 'Set up', command }] });

function serviceOf(scratch: ScratchRepository): ProjectCodeService {
  return new ProjectCodeService(join(scratch.root, 'trusted-projects.json'), { now: () => 0 });
}

test.each<[string, (path: string) => void, string]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is not read: it is not a regular file'],
  ['a link', (path) => symlinkSync('/etc/hostname', path), 'is not read: it cannot be opened (ELOOP)'],
  ['too large', (path) => truncate(path), 'is not read: it is larger than 262144 bytes'],
  [
    'no JSON',
    (path) => writeFileSync(path, '{'),
    'is not used: Invalid input: expected object, received undefined',
  ],
  [
    'no list',
    (path) => writeFileSync(path, '{"setupScripts":1}'),
    'is not used: setupScripts: Invalid input: expected array, received number',
  ],
])('settings that are %s set nothing up', async (_name, make, problem) => {
  await using scratch = new ScratchRepository().begin();
  mkdirSync(join(scratch.cwd, '.handraise'));
  make(join(scratch.cwd, file));
  expect(await serviceOf(scratch).setupOf(scratch.cwd)).toEqual({ problem: `${file} ${problem}` });
  expect((await serviceOf(scratch).inspect(scratch.cwd)).setup).toBeUndefined();
});

test('a script that is a link, or no text, cannot be approved', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write(file, config('sh a.sh'));
  const approve = async () => {
    const { setup } = await service.inspect(scratch.cwd);
    return await service.approve(scratch.cwd, { digest: setup?.digest ?? '', actor: 'user:ada' });
  };
  symlinkSync('/etc/hostname', join(scratch.cwd, 'a.sh'));
  await expect(approve()).rejects.toThrow('a.sh cannot be approved: a symbolic link leads to it.');
  rmSync(join(scratch.cwd, 'a.sh'));
  writeFileSync(join(scratch.cwd, 'a.sh'), Buffer.from([0xff, 0xfe]));
  await expect(approve()).rejects.toThrow('a.sh cannot be approved: it is not valid UTF-8.');
  scratch.write('a.sh', 'echo hello\n');
  expect((await approve()).setup?.approved).toBe(true);

  // Another command, another script, or one that appears needs another approval; a file that is only read does not.
  const isApproved = async () => (await service.inspect(scratch.cwd)).setup?.approved;
  scratch.write('data.txt', 'other\n');
  expect(await isApproved()).toBe(true);
  scratch.write('a.sh', 'echo other\n');
  expect(await isApproved()).toBe(false);
  scratch.write('a.sh', 'echo hello\n');
  expect(await isApproved()).toBe(true);
  scratch.write(file, config('sh a.sh --fast'));
  expect(await isApproved()).toBe(false);
});

test('the approval of the scripts is apart from that of the code for agents', async () => {
  await using scratch = new ScratchRepository().begin();
  const service = serviceOf(scratch);
  scratch.write(file, config('npm ci'));
  scratch.write('.mcp.json', '{}');
  const { digest } = await service.inspect(scratch.cwd);
  const approved = await service.approve(scratch.cwd, { digest, actor: 'user:ada' });
  expect([approved.approved, approved.setup?.approved]).toEqual([true, false]);
});

function truncate(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 2 ** 30);
}
