import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { waitUntil } from './wait-until.js';

const packages = ['patroni', 'etcd-server', 'postgresql'];
/** Newer versions of Patroni allow nothing shorter. */
const ttlSeconds = 20;
const mostWords = 4000;

/** Why Patroni cannot be tried here; null where it can. */
export function missingForPatroni(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  if (spawnSync('apt-get', ['--version']).status !== 0)
    return 'its packages are Debian’s, and there is no apt-get';
  return spawnSync('unshare', ['-m', 'true']).status === 0 ? null : 'mounts of its own are not allowed here';
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
  readonly data: string;
  readonly process: ChildProcess;
}

/** Two nodes that Patroni keeps, and the etcd they agree in; the packages are installed into a layer above this system, which goes with it. */
export class PatroniPair implements AsyncDisposable {
  readonly #folder: string;
  readonly #root: ChildProcess;
  readonly #processes: ChildProcess[] = [];
  readonly #nodes: Node[] = [];
  #user: readonly string[] = [];

  private constructor(folder: string, root: ChildProcess) {
    this.#folder = folder;
    this.#root = root;
  }

  static async start(): Promise<PatroniPair> {
    // Not in the temporary folder of the tests, which is closed to other users.
    const folder = mkdtempSync('/tmp/handraise-patroni-');
    chmodSync(folder, 0o755);
    for (const name of ['up', 'wk', 'm', 'work']) mkdirSync(join(folder, name));
    const layer = `mount --make-rprivate / && mount -t overlay o -o lowerdir=/,upperdir=${folder}/up,workdir=${folder}/wk ${folder}/m
      for d in proc sys dev; do mount --rbind /$d ${folder}/m/$d; done
      mkdir -p ${folder}/m${folder} && mount --bind ${folder} ${folder}/m${folder} && mount -t tmpfs t ${folder}/m/run
      printf '#!/bin/sh\\nexit 101\\n' > ${folder}/m/usr/sbin/policy-rc.d; chmod 755 ${folder}/m/usr/sbin/policy-rc.d
      echo there; exec chroot ${folder}/m cat`;
    const root = spawn('unshare', ['-m', 'sh', '-c', layer], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(root.stdout, 'data');
    const pair = new PatroniPair(folder, root);
    try {
      await pair.#install();
      await pair.#begin();
      return pair;
    } catch (error) {
      process.stderr.write(pair.#said());
      await pair[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Where the database is; workers look for the primary themselves. */
  get url(): string {
    const hosts = this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/handraise`;
  }

  get versions(): string {
    return execFileSync('nsenter', [...this.#enter(), 'dpkg-query', '-W', ...packages], { encoding: 'utf8' })
      .trim()
      .replaceAll('\t', ' ')
      .replaceAll('\n', ', ');
  }

  /** Kills the node of the primary, and everything of it; tells which one it was. */
  async killPrimary(): Promise<string> {
    const leader = await this.#leader();
    const postmaster = Number(readFileSync(join(leader.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' }).stdout;
    leader.process.kill('SIGKILL');
    for (const pid of [postmaster, ...children.split('\n').map(Number).filter(Boolean)]) kill(pid);
    return leader.name;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { data } of this.#nodes)
      try {
        kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]));
      } catch {
        // It has none.
      }
    for (const child of [...this.#processes, this.#root]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    await waitUntil('nothing is in the folder of Patroni any more', () => {
      rmSync(this.#folder, { recursive: true, force: true });
      return true;
    });
  }

  async #install(): Promise<void> {
    const apt = [
      ...this.#enter(),
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      '-o',
      'Dpkg::Use-Pty=0',
    ];
    const install = [...apt, 'install', '--yes', '--no-install-recommends', ...packages];
    const quiet: { stdio: ('ignore' | 'inherit')[] } = { stdio: ['ignore', 'ignore', 'inherit'] };
    if (spawnSync('nsenter', install, quiet).status !== 0) {
      execFileSync('nsenter', [...apt, 'update'], quiet);
      execFileSync('nsenter', install, quiet);
    }
    const id = (of: string) =>
      execFileSync('nsenter', [...this.#enter(), 'id', of, 'postgres'], { encoding: 'utf8' }).trim();
    execFileSync('nsenter', [...this.#enter(), 'chown', 'postgres', join(this.#folder, 'work')]);
    this.#user = ['-S', id('-u'), '-G', id('-g')];
  }

  async #begin(): Promise<void> {
    const [etcd, peer, ...ports] = await freePorts(6);
    const work = join(this.#folder, 'work');
    const address = `http://127.0.0.1:${etcd}`;
    this.#run(
      'etcd',
      '--data-dir',
      join(work, 'etcd'),
      '--listen-client-urls',
      address,
      '--advertise-client-urls',
      address,
      '--listen-peer-urls',
      `http://127.0.0.1:${peer}`,
    );
    for (const [index, name] of ['one', 'two'].entries()) {
      const port = ports[index * 2] ?? 0;
      const rest = ports[index * 2 + 1] ?? 0;
      const data = join(work, name);
      const file = join(this.#folder, `${name}.json`);
      // JSON is YAML.
      writeFileSync(file, JSON.stringify(settingsOf({ name, port, rest, data, etcd: etcd ?? 0 })));
      this.#nodes.push({ name, port, rest, data, process: this.#run('patroni', file) });
      if (index === 0) await waitUntil('the first node is the primary', async () => await isLeader(rest));
    }
    const [first] = this.#nodes;
    await waitUntil('commits wait for the second node', async () => {
      const rows = await this.#sql(
        "select 1 from pg_stat_replication where sync_state = 'sync'",
        first?.port,
      );
      return rows.length > 0;
    });
    await this.#sql('create database handraise', first?.port);
  }

  async #leader(): Promise<Node> {
    for (const node of this.#nodes) if (await isLeader(node.rest)) return node;
    throw new Error('No node is the primary.');
  }

  async #sql(text: string, port = 0): Promise<Record<string, unknown>[]> {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  #run(...command: readonly string[]): ChildProcess {
    const words = openSync(join(this.#folder, 'words'), 'a');
    const child = spawn('nsenter', [...this.#enter(), ...command], { stdio: ['ignore', words, words] });
    closeSync(words);
    this.#processes.push(child);
    return child;
  }

  /** The last words of etcd and Patroni: they tell why there is no pair. */
  #said(): string {
    try {
      return readFileSync(join(this.#folder, 'words'), 'utf8').slice(-mostWords);
    } catch {
      return '';
    }
  }

  #enter(): string[] {
    const path = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin';
    // Patroni writes there, and the home of the tests is closed to other users.
    const home = `HOME=${join(this.#folder, 'work')}`;
    return ['-t', String(this.#root.pid), '-m', '-r', '-w', ...this.#user, '--', 'env', path, home];
  }
}

function settingsOf({
  name,
  port,
  rest,
  data,
  etcd,
}: {
  name: string;
  port: number;
  rest: number;
  data: string;
  etcd: number;
}) {
  const address = `127.0.0.1:${port}`;
  return {
    scope: 'handraise',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcd}` },
    bootstrap: {
      dcs: {
        ttl: ttlSeconds,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ 'auth-local': 'trust' }, { 'auth-host': 'trust' }, { encoding: 'UTF8' }],
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      bin_dir: binariesOf(),
      pgpass: `${data}.pgpass`,
      parameters: { unix_socket_directories: '', shared_buffers: '32MB' },
      authentication: Object.fromEntries(
        ['superuser', 'replication', 'rewind'].map((role) => [role, { username: 'postgres' }]),
      ),
    },
  };
}

/** Debian 12 and 13 have one version each. */
function binariesOf(): string {
  return `/usr/lib/postgresql/${/VERSION_ID="13"/.test(readFileSync('/etc/os-release', 'utf8')) ? 17 : 15}/bin`;
}

async function isLeader(rest: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${rest}/leader`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePorts(count: number): Promise<number[]> {
  const { createServer } = await import('node:net');
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports: number[] = [];
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening');
    const address = server.address();
    ports.push(typeof address === 'object' && address ? address.port : 0);
  }
  for (const server of servers) server.close();
  return ports;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
