import type { EventBody } from '../../protocol/event.js';
import type { RuntimeFact } from '../runtime.js';
import type { StreamEvent, WireTokens } from './wire.js';

/**
 * The model's own stream: text and thinking as they are written, and what each message used.
 *
 * A connection may break in the middle of a text block. The runtime then tries anew, by another stream or whole, and
 * keeps of the old message only the blocks that it has confirmed by an `assistant` message (measured). So text whose
 * block was never confirmed is void as soon as another message begins.
 */
export class ModelStream {
  readonly #messages = new Set<string>();
  #messageId: string | undefined;
  #unconfirmed = 0;
  #tokens: WireTokens = {};
  #thinking: string | null = null;

  turnBegins(): void {
    this.#messages.clear();
    this.#unconfirmed = 0;
  }

  /** A whole message has come: whether its text came as deltas before, and what it makes void. */
  whole(messageId: string | undefined): { readonly isStreamed: boolean; readonly facts: RuntimeFact[] } {
    const isStreamed = messageId !== undefined && this.#messages.has(messageId);
    if (isStreamed && messageId === this.#messageId) {
      this.#unconfirmed = 0;
      return { isStreamed, facts: [] };
    }
    return { isStreamed, facts: this.#abandon() };
  }

  read(event: StreamEvent): RuntimeFact[] {
    switch (event.type) {
      case 'content_block_delta':
        return this.#delta(event.delta);
      case 'message_start':
        return this.#begin(event.message);
      case 'content_block_start':
        if (event.content_block?.type !== 'thinking') return [];
        this.#thinking = '';
        return [{ type: 'thinking_start' }];
      case 'content_block_stop':
        return this.#endThinking();
      case 'message_delta':
        return [{ type: 'context_usage', ...tokenCounts({ ...this.#tokens, ...event.usage }) }];
      default:
        return [];
    }
  }

  #begin(message: StreamEvent['message']): RuntimeFact[] {
    const facts = this.#abandon();
    this.#messageId = typeof message?.id === 'string' ? message.id : undefined;
    if (this.#messageId !== undefined) this.#messages.add(this.#messageId);
    this.#tokens = message?.usage ?? {};
    return facts;
  }

  #abandon(): RuntimeFact[] {
    const length = this.#unconfirmed;
    this.#unconfirmed = 0;
    return length === 0 ? [] : [{ type: 'text_abandoned', length }];
  }

  #delta(delta: StreamEvent['delta']): RuntimeFact[] {
    if (typeof delta?.text === 'string') {
      this.#unconfirmed += delta.text.length;
      return [{ type: 'text_delta', content: delta.text }];
    }
    if (typeof delta?.thinking !== 'string') return [];
    this.#thinking = (this.#thinking ?? '') + delta.thinking;
    return [{ type: 'thinking_delta', content: delta.thinking }];
  }

  #endThinking(): RuntimeFact[] {
    const content = this.#thinking;
    this.#thinking = null;
    return content === null ? [] : [{ type: 'thinking', content }];
  }
}

/** The runtime's token counts in our words; what it does not tell is 0. */
export function tokenCounts(tokens: WireTokens): Omit<EventBody<'context_usage'>, 'type'> {
  return {
    inputTokens: tokens.input_tokens ?? 0,
    outputTokens: tokens.output_tokens ?? 0,
    cacheReadInputTokens: tokens.cache_read_input_tokens ?? 0,
    cacheCreationInputTokens: tokens.cache_creation_input_tokens ?? 0,
  };
}
