/** @typedef {{ firstTextMs: number, textMs: number, resultMs: number, letters: number }} Seen */
/** @typedef {{ turn(text: string): Promise<Seen>, close(): Promise<void> | void }} Session */
/**
 * A program that hosts sessions of the one Claude Code.
 * @typedef {{
 *   pid: number,
 *   readyMs: number | null,
 *   begin(text: string, cwd: string): Promise<{ session: Session, seen: Seen }>,
 *   close(): Promise<void>,
 * }} Host
 */
/** @typedef {{ cwd: string, env: Record<string, string>, folder: string, claude: string, peers: string }} Place */

/** Notes when text came after a request, and how much of it. */
export class Watch {
  #sentAt = performance.now();
  #firstTextMs = 0;
  #textMs = 0;
  letters = 0;

  /** @param {string} text */
  text(text) {
    if (text === '') return;
    this.#textMs = performance.now() - this.#sentAt;
    this.#firstTextMs ||= this.#textMs;
    this.letters += text.length;
  }

  /** The turn has ended. @returns {Seen} */
  ended() {
    const resultMs = performance.now() - this.#sentAt;
    return { firstTextMs: this.#firstTextMs, textMs: this.#textMs, resultMs, letters: this.letters };
  }
}
