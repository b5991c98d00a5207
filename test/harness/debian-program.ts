import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = new URL('../../node_modules/.cache/handraise/debian/', import.meta.url).pathname;
const suite = 'trixie';
const mostBytes = 2 ** 30;

/**
 * A program of a Debian package, fetched once from the mirror that the machine uses and unpacked beside the runtimes, so that
 * nothing is installed; undefined where the machine is no Debian or its mirror does not answer.
 */
export async function debianProgram(name: string, path: string): Promise<string | undefined> {
  const program = join(cache, name, path);
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, `.${name}-`));
  try {
    await unpack(name, fresh);
    // In one step, so that a run beside this one finds a whole program or none.
    await rename(join(fresh, 'root'), join(cache, name));
  } catch (error) {
    if (!existsSync(program))
      process.stderr.write(
        `Tests with ${name} are skipped: its Debian package cannot be had (${String(error)}).\n`,
      );
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return existsSync(program) ? program : undefined;
}

async function unpack(name: string, folder: string): Promise<void> {
  const { stdout } = await run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI)',
    'Created-By: Packages',
  ]);
  const mirror = stdout.split('\n').find((line) => line.endsWith('/debian/') || line.endsWith('/debian'));
  if (mirror === undefined) throw new Error('apt has no mirror of Debian');
  const from = mirror.endsWith('/') ? mirror : `${mirror}/`;
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  const list = execFileSync('xz', ['--decompress', '--stdout'], {
    input: await fetched(`${from}dists/${suite}/main/binary-${architecture}/Packages.xz`),
    maxBuffer: mostBytes,
    encoding: 'utf8',
  });
  const [, entry = ''] = list.slice(list.indexOf(`\nPackage: ${name}\n`)).split('\nPackage: ', 2);
  const field = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(entry)?.[1] ?? '';
  const bytes = await fetched(from + field('Filename'));
  if (createHash('sha256').update(bytes).digest('hex') !== field('SHA256'))
    throw new Error('it is not the file that the list of packages names');
  const file = join(folder, 'package.deb');
  await writeFile(file, bytes);
  await run('dpkg-deb', ['--extract', file, join(folder, 'root')]);
}

async function fetched(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}
