import type { RuntimeFact } from '../runtime.js';
import type { WirePart } from './wire.js';

/** What the model writes and thinks, as it comes in deltas and then whole. */
export class PartText {
  readonly #open = new Map<string, { readonly type: string; text: string }>();
  #message = '';
  #last: string[] = [];

  /** The text of the newest message. */
  get last(): string {
    return this.#last.join('');
  }

  turnBegins(): void {
    this.#open.clear();
    this.#message = '';
    this.#last = [];
  }

  /** A part as it stands; what did not come as deltas comes now. */
  updated({ id, type, messageID, text = '', time }: WirePart): RuntimeFact[] {
    const known = this.#open.get(id);
    const part = known ?? { type, text: '' };
    if (!known) this.#open.set(id, part);
    const begins = !known && type === 'reasoning' ? [{ type: 'thinking_start' } as const] : [];
    const rest = text.startsWith(part.text) ? text.slice(part.text.length) : '';
    const facts = [...begins, ...(rest === '' ? [] : this.delta(id, rest))];
    if (time?.end === undefined) return facts;
    this.#open.delete(id);
    if (type === 'reasoning') return text === '' ? [] : [...facts, { type: 'thinking', content: text }];
    if (messageID !== this.#message) this.#last = [];
    this.#message = messageID;
    this.#last.push(text);
    return facts;
  }

  delta(id: string, delta: string): RuntimeFact[] {
    const part = this.#open.get(id);
    if (!part) return [];
    part.text += delta;
    return [{ type: part.type === 'reasoning' ? 'thinking_delta' : 'text_delta', content: delta }];
  }

  /** The answer broke off, and OpenCode begins it anew. */
  brokenOff(): RuntimeFact[] {
    const texts = [...this.#open.values()].filter(({ type }) => type === 'text');
    const length = texts.reduce((sum, { text }) => sum + text.length, 0);
    this.#open.clear();
    return length === 0 ? [] : [{ type: 'text_abandoned', length }];
  }
}
