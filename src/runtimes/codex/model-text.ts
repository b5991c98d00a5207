import type { RuntimeFact } from '../runtime.js';
import type { WireItem } from './wire.js';

/**
 * What the model writes and thinks. A connection may break in the middle of a message; Codex then tries anew under
 * another item, so that text whose item was never completed is void as soon as the next message begins.
 */
export class ModelText {
  readonly #streamed = new Map<string, string>();
  #last = '';

  /** The newest whole message of the turn. */
  get last(): string {
    return this.#last;
  }

  turnBegins(): void {
    this.#streamed.clear();
    this.#last = '';
  }

  messageBegins(): RuntimeFact[] {
    const length = [...this.#streamed.values()].reduce((sum, text) => sum + text.length, 0);
    this.#streamed.clear();
    return length === 0 ? [] : [{ type: 'text_abandoned', length }];
  }

  written(itemId: string, delta: string): RuntimeFact[] {
    this.#streamed.set(itemId, (this.#streamed.get(itemId) ?? '') + delta);
    return [{ type: 'text_delta', content: delta }];
  }

  /** A message is whole; what did not come as deltas comes now. */
  messageEnds({ id, text = '' }: WireItem): RuntimeFact[] {
    const streamed = this.#streamed.get(id) ?? '';
    this.#streamed.delete(id);
    this.#last = text;
    const rest = text.startsWith(streamed) ? text.slice(streamed.length) : '';
    return rest === '' ? [] : [{ type: 'text_delta', content: rest }];
  }

  #thought: { readonly itemId: string; text: string } | null = null;

  thought(itemId: string, delta: string): RuntimeFact[] {
    if (this.#thought?.itemId === itemId) {
      this.#thought.text += delta;
      return [{ type: 'thinking_delta', content: delta }];
    }
    this.#thought = { itemId, text: delta };
    return [{ type: 'thinking_start' }, { type: 'thinking_delta', content: delta }];
  }

  /** Thoughts that are kept secret have no text, and are not told. */
  thoughtEnds({ id, summary, content }: WireItem): RuntimeFact[] {
    const streamed = this.#thought?.itemId === id ? this.#thought.text : null;
    this.#thought = null;
    if (streamed !== null) return [{ type: 'thinking', content: streamed }];
    const whole = [summary, content]
      .flatMap((parts) => (Array.isArray(parts) ? parts : []))
      .filter((part) => typeof part === 'string')
      .join('\n\n');
    return whole === '' ? [] : [{ type: 'thinking_start' }, { type: 'thinking', content: whole }];
  }
}
