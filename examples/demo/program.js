import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';

const file = fileURLToPath(new URL('../../bin/handraise.js', import.meta.url));

/** The program `handraise`, as somebody at a terminal uses it. */
export class Program {
  #options;

  /** @param {{ cwd: string, env: NodeJS.ProcessEnv }} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Runs a command before everybody's eyes; without a terminal its lines can be listened to.
   * @param {string[]} args
   * @param {(line: string) => void} [hear]
   * @returns {Promise<number>}
   */
  async show(args, hear) {
    process.stdout.write(`${pc.dim('$')} ${pc.bold(commandLine(args))}\n`);
    if (process.stdin.isTTY) return await this.#run(args, 'inherit');
    const child = this.#start(args, 'pipe');
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        process.stdout.write(`${line}\n`);
        hear?.(line);
      });
    }
    return await ended(child);
  }

  /** @param {string[]} args */
  async quietly(args) {
    return await this.#run(args, 'ignore');
  }

  /**
   * @param {string[]} args
   * @param {'inherit' | 'ignore'} stdio
   */
  async #run(args, stdio) {
    return await ended(this.#start(args, stdio));
  }

  /**
   * @param {string[]} args
   * @param {'inherit' | 'ignore' | 'pipe'} stdio
   */
  #start(args, stdio) {
    return spawn(process.execPath, [file, ...args], { ...this.#options, stdio });
  }
}

/** @param {string[]} args */
export function commandLine(args) {
  return ['handraise', ...args.map((arg) => (/^[\w.-]+$/.test(arg) ? arg : `"${arg}"`))].join(' ');
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function ended(child) {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
