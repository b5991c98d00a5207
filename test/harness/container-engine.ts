import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unpackedPackages } from './debian-packages.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
const packages = ['docker.io', 'containerd', 'runc'];
// What an agent's commands need; everything comes from this machine, because the engine has no registry.
const programs =
  'sh bash git cat ls sleep env mkdir rm cp mv head tail id touch chmod ' +
  'uname dirname readlink grep sed true tr wc ln ps kill mount';

/** Where this machine has its libraries. */
const libraries = `/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** An engine of its own: its data, its socket and its processes are in one folder, and end with it. */
export interface ContainerEngine extends AsyncDisposable {
  /** What a program needs to reach it. */
  readonly env: { readonly DOCKER_HOST: string; readonly PATH: string };
  /** An image with a shell, git and node. */
  readonly base: string;
  docker(...args: string[]): Promise<string>;
}

/** Why no engine can be had here, or undefined. */
export const whyNoEngine = await (async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  try {
    await unpackedPackages('engine', packages);
    return undefined;
  } catch (error) {
    return `the Debian packages ${packages.join(', ')} cannot be had: ${String(error).split('\n')[0]}`;
  }
})();
if (whyNoEngine !== undefined) process.stderr.write(`Tests with containers are skipped: ${whyNoEngine}.\n`);

export async function openEngine(): Promise<ContainerEngine> {
  const root = await unpackedPackages('engine', packages);
  const folder = await mkdtemp(join(tmpdir(), 'hr-engine-'));
  const env = {
    ...process.env,
    PATH: [join(root, 'usr/bin'), join(root, 'usr/sbin'), process.env['PATH']].join(':'),
    DOCKER_HOST: `unix://${join(folder, 'docker.sock')}`,
  };
  const daemon = spawn(
    join(root, 'usr/sbin/dockerd'),
    [
      '--data-root',
      join(folder, 'data'),
      '--exec-root',
      join(folder, 'exec'),
      '-p',
      join(folder, 'docker.pid'),
      '-H',
      env.DOCKER_HOST,
      '--storage-driver',
      'overlay2',
      '--bridge',
      'none',
      '--iptables=false',
      '--ip6tables=false',
      '--ip-forward=false',
      '--ip-masq=false',
    ],
    { env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  daemon.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-4000)));
  const docker = async (...args: string[]) =>
    (await run('docker', args, { env, maxBuffer: 2 ** 26 })).stdout.trim();
  const close = async () => {
    const left = (await docker('ps', '--all', '--quiet').catch(() => '')).split('\n').filter(Boolean);
    if (left.length > 0) await docker('rm', '--force', '--volumes', ...left);
    if (daemon.exitCode === null) {
      daemon.kill('SIGTERM');
      await once(daemon, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil('the engine answers', async () => {
      if (daemon.exitCode !== null) throw new Error(`The engine ended: ${said}`);
      return await docker('version').then(
        () => true,
        () => false,
      );
    });
    const base = 'handraise-test-base';
    await importBase(join(folder, 'root'), { name: base, env });
    return {
      env: { DOCKER_HOST: env.DOCKER_HOST, PATH: env.PATH },
      base,
      docker,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function importBase(
  root: string,
  { name, env }: { readonly name: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const archive = await baseArchive(root);
  await run('docker', ['import', '--change', basePath, archive, name], { env });
  await rm(archive);
}

export const basePath = 'ENV PATH=/usr/local/bin:/usr/bin:/bin';

/** The files of an image with a shell, git and node, from this machine; the folder is made for it and removed. */
export async function baseArchive(root: string): Promise<string> {
  for (const folder of ['etc', 'tmp', 'usr/bin', 'usr/lib', 'proc', 'sys', 'dev', 'root'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const link of ['bin', 'lib', 'lib64'])
    execFileSync('ln', ['-s', link === 'bin' ? 'usr/bin' : 'usr/lib', join(root, link)]);
  for (const program of [process.execPath, ...programs.split(' ').map(found)]) copyProgram(program, root);
  // What the agents themselves load.
  for (const name of [
    'librt.so.1',
    'libpthread.so.0',
    'libdl.so.2',
    'libm.so.6',
    'libutil.so.1',
    'libresolv.so.2',
  ])
    copyLibrary(join(libraries, name), root);
  cpSync('/usr/lib/git-core', join(root, 'usr/lib/git-core'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  const archive = `${root}.tar`;
  await run('tar', ['--create', '--file', archive, '--directory', root, '.']);
  await rm(root, { recursive: true });
  return archive;
}

function found(program: string): string {
  return execFileSync('/bin/sh', ['-c', `command -v -- ${program} || true`], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin:/usr/sbin' },
  })
    .trim()
    .replace(/^[^/].*$/, `/usr/bin/${program}`);
}

function copyProgram(program: string, root: string): void {
  if (!existsSync(program)) return;
  cpSync(realpathSync(program), join(root, 'usr/bin', basename(program)));
  const needed = execFileSync('ldd', [realpathSync(program)], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const library of needed) copyLibrary(library, root);
}

function copyLibrary(library: string, root: string): void {
  const place = join(root, library.replace(/^\/lib(64)?\//, '/usr/lib/'));
  mkdirSync(dirname(place), { recursive: true });
  if (existsSync(library) && !existsSync(place)) writeFileSync(place, readFileSync(library), { mode: 0o755 });
}
