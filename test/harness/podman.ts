import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { baseArchive, basePath } from './container-engine.js';
import { unpackedPackages } from './debian-packages.js';

const run = promisify(execFile);
// Podman has no daemon; beside what it needs of Debian, runc, because crun refuses where both versions of control groups are mounted.
const packages =
  'podman conmon runc golang-github-containers-common golang-github-containers-image libdevmapper1.02.1 libgpgme11 ' +
  'libassuan0 libgpg-error0 libseccomp2 libsubid4 libyajl2 libglib2.0-0';

/** A Podman of its own: its images, its containers and its settings are in one folder, and end with it. */
export interface PodmanEngine extends AsyncDisposable {
  /** What a program needs to find it. */
  readonly env: { readonly PATH: string };
  /** An image with a shell, git and node. */
  readonly base: string;
  podman(...args: string[]): Promise<string>;
}

/** Opens one, or says why none can be had, or why it can start nothing here. */
export async function openPodman(): Promise<PodmanEngine | { readonly why: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { why: 'it needs Linux and root' };
  const folder = await mkdtemp(join(tmpdir(), 'hr-podman-'));
  const close = async () => await rm(folder, { recursive: true, force: true });
  try {
    const root = await unpackedPackages('podman', packages.split(' '));
    const program = prepare(root, folder);
    const env = { PATH: [join(folder, 'bin'), process.env['PATH']].join(':') };
    const podman = async (...args: string[]) =>
      (await run(program, args, { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 })).stdout.trim();
    const base = 'localhost/handraise-test-base';
    const archive = await baseArchive(join(folder, 'root'));
    await podman('import', '--change', basePath, archive, base);
    await rm(archive);
    await podman('run', '--rm', '--network', 'none', base, 'true');
    return {
      env,
      base,
      podman,
      [Symbol.asyncDispose]: async () => {
        const left = await podman('ps', '--all', '--quiet');
        if (left !== '') await podman('rm', '--force', ...left.split('\n'));
        await close();
      },
    };
  } catch (error) {
    await close();
    return { why: firstLineOf(error) };
  }
}

/** The program as tests call it: it knows its own folders, and the user's settings are none of its own. */
function prepare(root: string, folder: string): string {
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  mkdirSync(join(home, '.config/containers'), { recursive: true });
  mkdirSync(bin);
  cpSync(join(root, 'etc/containers/policy.json'), join(home, '.config/containers/policy.json'));
  const settings = {
    'containers.conf': `[engine]
conmon_path = ["${root}/usr/bin/conmon"]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
tmp_dir = "${folder}/tmp"
static_dir = "${folder}/static"
volume_path = "${folder}/volumes"
[engine.runtimes]
runc = ["${root}/usr/sbin/runc"]
[network]
network_config_dir = "${folder}/networks"
[containers]
netns = "host"
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
`,
    'storage.conf': `[storage]
driver = "overlay"
graphroot = "${folder}/data"
runroot = "${folder}/run"
`,
  };
  for (const [name, text] of Object.entries(settings)) writeFileSync(join(folder, name), text);
  const libraries = ['usr/lib', 'lib'].map((place) => join(root, place, libraryFolder)).join(':');
  const program = join(bin, 'podman');
  writeFileSync(
    program,
    `#!/bin/sh
exec env HOME=${home} CONTAINERS_CONF=${folder}/containers.conf CONTAINERS_STORAGE_CONF=${folder}/storage.conf \
  LD_LIBRARY_PATH=${libraries} ${root}/usr/bin/podman "$@"
`,
  );
  chmodSync(program, 0o755);
  return program;
}

const libraryFolder = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

function firstLineOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return (said || String(error)).split('\n').at(0) ?? '';
}
