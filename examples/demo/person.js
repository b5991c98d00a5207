import { createInterface } from 'node:readline';

/** Who answers: the person at the terminal, or, where there is none, the first choice. */
export class Person {
  #output;
  #terminal;
  #left = false;

  /**
   * @param {NodeJS.ReadStream} input
   * @param {NodeJS.WriteStream} output
   */
  constructor(input, output) {
    this.#output = output;
    this.#terminal = input.isTTY && output.isTTY ? createInterface({ input, output }) : null;
    this.#terminal?.once('close', () => {
      this.#left = true;
    });
  }

  /**
   * On a terminal readline takes Ctrl-C for itself, so that the process gets no signal.
   * @param {() => void} interrupt
   */
  onInterrupt(interrupt) {
    this.#terminal?.once('SIGINT', () => {
      this.#output.write('\n');
      interrupt();
      this.leave();
    });
  }

  /**
   * Takes the number of a choice, or words of the person's own; an empty line is the first choice.
   * @param {string[]} choices
   * @returns {Promise<{ choice: string, byHand: boolean }>}
   */
  async choose(choices) {
    const first = choices[0] ?? '';
    const typed = await this.#read('                       Type a number, or your own words [1]: ');
    if (typed === null) return { choice: first, byHand: false };
    return { choice: choices[Number(typed) - 1] ?? (typed || first), byHand: true };
  }

  leave() {
    this.#terminal?.close();
  }

  /**
   * @param {string} prompt
   * @returns {Promise<string | null>}
   */
  async #read(prompt) {
    const terminal = this.#terminal;
    if (!terminal || this.#left) return null;
    return await new Promise((resolve) => {
      const gone = () => resolve(null);
      terminal.once('close', gone);
      terminal.question(prompt, (line) => {
        terminal.off('close', gone);
        resolve(line.trim());
      });
    });
  }
}
