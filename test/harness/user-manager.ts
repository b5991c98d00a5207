import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from './wait-until.js';

const program = '/lib/systemd/systemd';

// The manager sees a machine that was booted by systemd, and a tree of control groups that begins at its own. Everything else, also
// the process table and the network, is the one of this test.
const inOwnWorld = [
  'mount -t tmpfs none /run && mkdir -p /run/systemd/system',
  'umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup',
  `exec ${program} --user --unit=default.target --log-target=console`,
].join(' && ');

/** Why no user manager can be had here; null where one can. */
export function missingForManager(): string | null {
  if (process.platform !== 'linux') return 'systemd is for Linux';
  if (!existsSync(program) || spawnSync('systemctl', ['--version']).status !== 0)
    return 'systemd is not installed';
  if (process.getuid?.() !== 0) return 'a private user manager needs root';
  if (tree() === undefined) return 'there are no control groups of version 2';
  const tried = spawnSync('unshare', [
    '-m',
    '-C',
    '--propagation',
    'private',
    'sh',
    '-c',
    'mount -t tmpfs none /run',
  ]);
  return tried.status === 0 ? null : 'namespaces and mounts are not allowed here';
}

/** A real systemd user manager of its own, for one home; what it starts are ordinary processes of this machine. */
export class UserManager implements AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly #group: string;
  #process: ChildProcess | undefined;
  #said = '';

  constructor({ home, path }: { readonly home: string; readonly path: string }) {
    const runtime = join(home, 'runtime');
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    this.env = { XDG_RUNTIME_DIR: runtime, HOME: home, PATH: path };
    this.#group = join(tree() ?? '', `handraise-test-${process.pid}`);
  }

  /** Starts it, as a login or a boot does: with everything that is enabled. */
  async start(): Promise<void> {
    mkdirSync(this.#group, { recursive: true });
    const enter = `echo $$ > ${this.#group}/cgroup.procs && exec unshare -m -C --propagation private sh -c '${inOwnWorld}'`;
    const child = spawn('sh', ['-c', enter], { env: this.env, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.#process = child;
    await waitUntil('the user manager answers', () => {
      if (child.exitCode !== null) throw new Error(`The user manager ended: ${this.#said}`);
      return spawnSync('systemctl', ['--user', 'show-environment'], { env: this.env }).status === 0;
    });
  }

  ask(...args: string[]): string {
    return execFileSync('systemctl', ['--user', ...args], { env: this.env, encoding: 'utf8' });
  }

  /** Stops it as a logout without lingering or a shutdown does: nothing that it has started is left. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    writeFileSync(join(this.#group, 'cgroup.kill'), '1');
    await waitUntil('everything of the user manager is gone', () => !isPopulated(this.#group));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (existsSync(this.#group)) removeGroup(this.#group);
  }
}

function tree(): string | undefined {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '';
  return mounts
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, , type]) => type === 'cgroup2')?.[1];
}

function isPopulated(group: string): boolean {
  return readFileSync(join(group, 'cgroup.events'), 'utf8').includes('populated 1');
}

function removeGroup(group: string): void {
  for (const each of readdirSync(group, { withFileTypes: true }))
    if (each.isDirectory()) removeGroup(join(group, each.name));
  rmdirSync(group);
}
