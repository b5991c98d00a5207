/**
 * The tools whose server asked a person inside of a call and did not wait until somebody answered. Nothing can be parked
 * inside of a call, so from then on a person is asked before it: that can wait for as long as it takes.
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
