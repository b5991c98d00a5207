import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { programFile } from '../../compose.js';
import { coloursOf } from '../terminal/colours.js';

/** The program `handraise`, as somebody at a terminal uses it. */
export class Program {
  readonly #options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

  constructor(options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.#options = options;
  }

  /** Runs a command before everybody's eyes; without a terminal its lines can be listened to. */
  async show(
    args: readonly string[],
    {
      hear,
      unseen = [],
    }: { readonly hear?: (line: string) => void; readonly unseen?: readonly string[] } = {},
  ): Promise<number> {
    const colours = coloursOf(process.stdout);
    process.stdout.write(`${colours.dim('$')} ${colours.bold(commandLine(args))}\n`);
    if (process.stdin.isTTY) return await ended(this.#start([...args, ...unseen], 'inherit'));
    const child = this.#start([...args, ...unseen], 'pipe');
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        process.stdout.write(`${line}\n`);
        hear?.(line);
      });
    }
    return await ended(child);
  }

  async quietly(args: readonly string[]): Promise<number> {
    return await ended(this.#start(args, 'ignore'));
  }

  /** What a command prints. */
  async read(args: readonly string[]): Promise<string> {
    const child = this.#start(args, 'pipe');
    child.stderr?.resume();
    return child.stdout ? await text(child.stdout) : '';
  }

  #start(args: readonly string[], stdio: 'inherit' | 'ignore' | 'pipe'): ChildProcess {
    return spawn(process.execPath, [programFile, ...args], { ...this.#options, stdio });
  }
}

export function commandLine(args: readonly string[]): string {
  return ['handraise', ...args.map((arg) => (/^[\w.-]+$/.test(arg) ? arg : `"${arg}"`))].join(' ');
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
