import { execFileSync } from 'node:child_process';
import { until } from './wait.js';

const betweenKeysMs = 60;

/** A terminal of 90 columns, which is a tmux of its own. */
export class Terminal {
  #socket;

  /** @param {string} socket  of a tmux of its own */
  constructor(socket) {
    this.#socket = socket;
  }

  /** @param {{ cwd: string, env: Record<string, string>, command: readonly string[] }} what */
  open({ cwd, env, command }) {
    const quoted = command.map((word) => `'${word}'`).join(' ');
    const size = ['-x', '90', '-y', '34'];
    const variables = { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' };
    execFileSync('tmux', ['-S', this.#socket, '-f', '/dev/null', 'new-session', '-d', ...size, quoted], {
      cwd,
      env: variables,
    });
  }

  /** @param {string} text */
  type(text) {
    this.#takeTime();
    this.#tmux('send-keys', '-l', text);
  }

  /** @param {string} key */
  key(key) {
    this.#takeTime();
    this.#tmux('send-keys', key);
  }

  /** What it shows, without its empty lines at both ends and more than one in a row. */
  screen() {
    return this.#tmux('capture-pane', '-p')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .replace(/^\n+/, '')
      .trimEnd();
  }

  /** @param {string} words */
  async showing(words) {
    const seen = () => this.screen();
    await until(`the terminal shows ${JSON.stringify(words)}`, () => seen().includes(words), { seen });
  }

  async gone() {
    await until('the program in the terminal has ended', () => !this.#isThere(), {
      seen: () => this.screen(),
    });
  }

  close() {
    if (this.#isThere()) this.#tmux('kill-server');
  }

  /** The console takes keys that come faster than anybody types for pasted ones. */
  #takeTime() {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenKeysMs);
  }

  #isThere() {
    try {
      this.#tmux('has-session');
      return true;
    } catch {
      return false;
    }
  }

  /** @param {...string} args */
  #tmux(...args) {
    return execFileSync('tmux', ['-S', this.#socket, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }
}
