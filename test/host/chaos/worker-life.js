import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const program = new URL('../worker-process.js', import.meta.url).pathname;

/**
 * @typedef {Record<string, unknown>} Word
 * @typedef {'random' | 'received' | 'committed' | 'acknowledged' | 'spawned' | 'signalled'} Moment
 * @typedef {{ moment: Moment, after: number } | null} KillPlan  after so many passes of the failpoint, or milliseconds
 * @typedef {{ home: string, workerId: string, runner: { file: string, args: string[] }, env: Record<string, string>, keepSpare?: string }} WorkerStart
 */

/** One worker process, from its start to its end. */
export class WorkerLife {
  stderr = '';
  isOpen = false;
  /** @type {KillPlan} */
  plan = null;
  /** @type {NodeJS.Timeout | undefined} */
  timer;
  /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} */
  exited;
  #child;
  /** @type {Map<number, (word: Word | null) => void>} */
  #waiting = new Map();
  #lastId = 0;

  /** @param {WorkerStart & { killAt: object | null }} start @param {() => void} repeated */
  constructor(start, repeated) {
    this.#child = spawn(process.execPath, [program, JSON.stringify({ ...start, quiet: true })], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const word = wordOf(line);
      if ('opened' in word) this.isOpen = true;
      else if (word['aside'] === 'command_repeated') repeated();
      else if (typeof word['id'] === 'number') this.#answer(word['id'], word);
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.isOpen = false;
        for (const id of this.#waiting.keys()) this.#answer(id, null);
        resolve({ code, signal });
      });
    });
  }

  /** @param {object} order @returns {Promise<Word | null>} */
  ask(order) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.tell({ ...order, id });
    });
  }

  /** @param {object} order */
  tell(order) {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  leave() {
    this.#child.stdin.end();
  }

  /** @param {number} id @param {Word | null} word */
  #answer(id, word) {
    this.#waiting.get(id)?.(word);
    this.#waiting.delete(id);
  }
}

/** A line that its writer's death tore says nothing. @param {string} line @returns {Word} */
function wordOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
