import { coloursOf } from '../terminal/colours.js';
import { commandLine, type Program } from './program.js';

/** Somebody at another terminal, who does what the program says one can do: they take the first choice of everything. */
export class OtherTerminal {
  readonly #program: Program;
  readonly #answers: Promise<number>[] = [];

  constructor(program: Program) {
    this.#program = program;
  }

  hear(line: string): void {
    const { verb, prompt } = /handraise (?<verb>answer|approve) (?<prompt>prm_\w+)/.exec(line)?.groups ?? {};
    if (verb === undefined || prompt === undefined) return;
    const args = [verb, prompt, ...(verb === 'answer' ? ['1'] : [])];
    const colours = coloursOf(process.stdout);
    process.stdout.write(`${colours.dim('in another terminal $')} ${colours.bold(commandLine(args))}\n`);
    this.#answers.push(this.#program.quietly(args));
  }

  async done(): Promise<void> {
    await Promise.all(this.#answers);
  }
}
