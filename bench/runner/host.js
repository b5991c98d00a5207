import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const tick = 100; // clock ticks per second, Linux

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
    /** @type {((event: { type: string }) => void)[]} */
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
    let firstText = 0;
    const ended = new Promise((resolve) => {
      this.listeners = [
        (event) => {
          if (event.type === 'text_delta') {
            deltas += 1;
            if (deltas === 1) firstText = performance.now();
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
      deltas,
      firstTextSinceStart: firstText - this.startedAt,
      cpu: this.cpuSeconds() - cpuBefore,
    };
  }

  cpuSeconds() {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / tick;
  }

  memory() {
    const rollup = readFileSync(`/proc/${this.child.pid}/smaps_rollup`, 'utf8');
    const megabytes = (/** @type {string} */ name) =>
      Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))?.[1]) / 1000;
    return { rss: megabytes('Rss'), pss: megabytes('Pss') };
  }

  async close() {
    this.child.stdin.end();
    await this.exited;
  }
}
