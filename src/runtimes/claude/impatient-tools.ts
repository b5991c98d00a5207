/**
 * The tools whose server asks a person inside of a call: those that the user has named, and those whose server did not wait
 * until somebody answered. Nothing can be parked inside of a call, so a person is asked before it: that can wait for as long as
 * it takes.
 */
export class ImpatientTools {
  readonly #names: Set<string>;

  constructor(known: readonly string[]) {
    this.#names = new Set(known);
  }

  has(tool: string): boolean {
    return this.#names.has(tool);
  }

  /** Its server gave up. */
  add(tool: string): void {
    this.#names.add(tool);
  }
}
