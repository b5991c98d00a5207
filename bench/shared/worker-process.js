import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '../../dist/client/index.js';

const keptWords = 2000;
const command = new URL('../../bin/handraise.js', import.meta.url).pathname;

/** A real worker, `handraise up`, on a home of its own. */
export class WorkerProcess {
  #child;
  #exited;

  /** @param {import('node:child_process').ChildProcess} child @param {{ url: string, home: string, readyMs: number }} said */
  constructor(child, { url, home, readyMs }) {
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('close', resolve));
    this.url = url;
    /** From the spawn to the line that says that it is ready. */
    this.readyMs = readyMs;
    this.token = readFileSync(join(home, 'token'), 'utf8').trim();
    this.client = new Client({ url, token: this.token });
  }

  /** @param {{ home: string, env?: Record<string, string>, args?: string[] }} options */
  static async start({ home, env = {}, args = [] }) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [command, 'up', '--port', '0', '--json', ...args], {
      env: workerEnvironment(home, env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (text) => {
      output = `${output}${text}`.slice(-keptWords);
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { url } = JSON.parse(line);
      return new WorkerProcess(child, { url, home, readyMs: performance.now() - startedAt });
    }
    throw new Error(`The worker of ${home} did not start: ${output}`);
  }

  get pid() {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('The worker was not spawned.');
    return pid;
  }

  /** The body of a GET as it came, whole. @param {string} path */
  async read(path) {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.url}/api/v1${path}`, { headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`);
    return body;
  }

  /** Ends the worker, and its agents too. */
  async close() {
    await this.client.shutdown({ stopAgents: true });
    await this.#exited;
  }
}

/** The environment of a worker, and of commands that speak to it. @param {string} home @param {Record<string, string>} env */
export function workerEnvironment(home, env = {}) {
  // HOME too, so that nobody's own settings take part.
  return { PATH: process.env['PATH'] ?? '', HOME: home, ...env, HANDRAISE_HOME: home };
}
