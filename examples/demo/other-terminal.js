import pc from 'picocolors';
import { commandLine } from './program.js';

/** Somebody at another terminal, who does what the program says one can do: it takes the first choice of everything. */
export class OtherTerminal {
  #program;
  #say;
  /** @type {Promise<number>[]} */
  #answers = [];

  /**
   * @param {import('./program.js').Program} program
   * @param {(text: string) => void} say
   */
  constructor(program, say) {
    this.#program = program;
    this.#say = say;
  }

  /** @param {string} line */
  hear(line) {
    const hint = line.match(/handraise (?<verb>answer|approve) (?<prompt>prm_\w+)/)?.groups;
    if (!hint?.verb || !hint.prompt) return;
    const args = [hint.verb, hint.prompt, ...(hint.verb === 'answer' ? ['1'] : [])];
    this.#say(`${pc.dim('in another terminal $')} ${pc.bold(commandLine(args))}`);
    this.#answers.push(this.#program.quietly(args));
  }

  async done() {
    await Promise.all(this.#answers);
  }
}
