import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../../dist/client/index.js';

const program = new URL('../../../bin/handraise.js', import.meta.url).pathname;
const lookAgainMs = 20;
const startRetries = 5;

/** @typedef {{ value: unknown } | { refused: string, detail: string } | { unknown: true }} Reply  what a request that is sent once came back with */

/** Keeps one worker running in a home: the real program, started anew whenever it was killed. */
export class WorkerKeeper {
  kills = 0;
  /** Workers that ended though nobody killed them, and words that nobody expects of one. @type {string[]} */
  faults = [];
  #home;
  #env;
  #isOver = false;
  /** @type {import('node:child_process').ChildProcess | null} */
  #child = null;
  /** @type {Client | null} */
  #client = null;
  /** @type {Promise<void>} */
  #kept;

  /** @param {{ home: string, env: Record<string, string> }} place */
  constructor({ home, env }) {
    this.#home = home;
    this.#env = env;
    this.#kept = this.#keep();
  }

  kill() {
    if (!this.#client) return false;
    this.#client = null;
    this.kills += 1;
    return this.#child?.kill('SIGKILL') ?? false;
  }

  /** Asks until a worker answers; for what may be asked twice. @template Value @param {(client: Client) => Promise<Value>} question @returns {Promise<Value>} */
  async ask(question) {
    for (;;) {
      const client = await this.#ready();
      try {
        return await question(client);
      } catch (error) {
        if (codeOf(error) !== 'unavailable') throw error;
        await sleep(lookAgainMs);
      }
    }
  }

  /** Asks once, whatever comes of it. @param {(client: Client) => Promise<unknown>} question @returns {Promise<Reply>} */
  async once(question) {
    const client = await this.#ready();
    try {
      return { value: await question(client) };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'unavailable') return { unknown: true };
      return { refused: code, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Ends the worker and its agents as a person would. */
  async leave() {
    await this.ask((client) => {
      this.#isOver = true;
      return client.shutdown({ stopAgents: true });
    });
    await this.#kept;
  }

  async stop() {
    this.#isOver = true;
    this.#child?.kill('SIGKILL');
    await this.#kept;
  }

  async #ready() {
    while (!this.#client) {
      if (this.#isOver) throw new Error(['There is no worker any more', ...this.faults].join('; '));
      await sleep(lookAgainMs);
    }
    return this.#client;
  }

  async #keep() {
    for (let failed = 0; !this.#isOver && failed < startRetries; ) {
      const child = spawn(process.execPath, [program, 'up', '--port', '0', '--json'], {
        env: { ...this.#env, HANDRAISE_HOME: this.#home },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      createInterface({ input: child.stdout }).once('line', (line) => {
        const token = readFileSync(join(this.#home, 'token'), 'utf8').trim();
        this.#client = new Client({ url: JSON.parse(line).url, token });
      });
      const { code, signal } = await new Promise((resolve) => {
        child.once('close', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
      });
      this.#client = null;
      if (signal !== 'SIGKILL' && !this.#isOver) {
        this.faults.push(`a worker ended with ${code ?? signal}: ${said}`);
        failed += 1;
      }
      for (const line of said.split('\n')) if (isFault(line)) this.faults.push(`a worker said: ${line}`);
    }
    this.#isOver = true;
  }
}

/** @param {string} line */
function isFault(line) {
  return line.trim() !== '' && !line.includes('the worker is ready') && !line.includes('still at work');
}

/** @param {unknown} error */
function codeOf(error) {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  throw error;
}
