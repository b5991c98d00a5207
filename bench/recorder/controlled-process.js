import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that takes orders as lines on stdin and answers each on stdout. */
export class ControlledProcess {
  #child;
  #words;
  #exited;

  /** @param {URL} program @param {object} given */
  constructor(program, given) {
    this.#child = spawn(process.execPath, [program.pathname, JSON.stringify(given)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#words = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve));
  }

  /** The next thing it says. @returns {Promise<any>} */
  async next() {
    const line = await this.#words.next();
    if (line.done) throw new Error('A process of the benchmark ended too early.');
    return JSON.parse(line.value);
  }

  /** @param {object} order @returns {Promise<any>} */
  async ask(order) {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
    return await this.next();
  }

  async end() {
    this.#child.stdin.end();
    await this.#exited;
  }
}
