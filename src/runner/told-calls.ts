import type { RuntimeFact } from '../runtimes/runtime.js';

// A refused call ends in milliseconds; some runtimes end none before all that was asked beside it is answered.
const patienceMs = 3000;

/**
 * The calls that were told something and have not ended. An agent that is let go before that forgets what it was told, so
 * whoever lets it go waits for them a moment.
 */
export class ToldCalls {
  readonly #running = new Set<string>();
  readonly #told = new Set<string>();
  readonly #last = new Set<string>();
  #isTurnEnding = false;
  #whenSettled: (() => void) | null = null;

  take(fact: RuntimeFact): 'turn is over' | 'turn goes on' {
    if (fact.type === 'tool_start') this.#running.add(fact.id);
    if (fact.type === 'turn_ended') this.#isTurnEnding = false;
    return fact.type === 'tool_end' && this.#ended(fact.id) ? 'turn is over' : 'turn goes on';
  }

  /** Somebody told it something; a call that is not known, or over, hears nothing. Some are the last of their turn. */
  add(toolUseId: string | undefined, { endsTurn = false } = {}): void {
    if (toolUseId === undefined || !this.#running.has(toolUseId)) return;
    this.#told.add(toolUseId);
    if (!endsTurn) return;
    this.#last.add(toolUseId);
    this.#isTurnEnding = true;
  }

  /** The turn ends with a call that was told so, and whatever it asks before that is for nobody. */
  get isTurnEnding(): boolean {
    return this.#isTurnEnding;
  }

  get isAny(): boolean {
    return this.#told.size > 0;
  }

  /** All of them have ended, or it took too long. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#whenSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#whenSettled = null;
  }

  /** Whether its turn is to end with it. */
  #ended(toolUseId: string): boolean {
    this.#running.delete(toolUseId);
    if (this.#told.delete(toolUseId) && this.#told.size === 0) this.#whenSettled?.();
    return this.#last.delete(toolUseId);
  }
}
