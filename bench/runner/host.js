import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { cpuSecondsOf, memoryOf } from '../shared/process-cost.js';

/** One host process under test: ours or the bare one. */
export class Host {
  /**
   * @param {string[]} command
   * @param {{ cwd: string, env: Record<string, string> }} where
   */
  constructor(command, where) {
    this.startedAt = performance.now();
    this.child = spawn(process.execPath, command, { ...where, stdio: ['pipe', 'pipe', 'inherit'] });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
    /** @type {((event: { type: string, content: string }) => void)[]} */
    this.listeners = [];
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      for (const listener of this.listeners) listener(event);
    });
  }

  /**
   * Sends one message and waits for the end of its turn.
   * @param {string} content
   */
  async turn(content) {
    const sentAt = performance.now();
    let deltas = 0;
    let letters = 0;
    let firstText = 0;
    let lastText = 0;
    const ended = new Promise((resolve) => {
      this.listeners = [
        (event) => {
          if (event.type === 'text_delta') {
            deltas += 1;
            letters += event.content.length;
            lastText = performance.now();
            if (deltas === 1) firstText = lastText;
          }
          if (event.type === 'turn_complete') resolve(undefined);
        },
      ];
    });
    const cpuBefore = this.cpuSeconds();
    this.child.stdin.write(`${JSON.stringify({ type: 'message', content })}\n`);
    await ended;
    return {
      ms: performance.now() - sentAt,
      lastTextMs: lastText - sentAt,
      deltas,
      letters,
      firstTextSinceStart: firstText - this.startedAt,
      cpu: this.cpuSeconds() - cpuBefore,
    };
  }

  cpuSeconds() {
    return cpuSecondsOf(this.child.pid ?? 0);
  }

  memory() {
    return memoryOf(this.child.pid ?? 0);
  }

  async close() {
    this.child.stdin.end();
    await this.exited;
  }
}
