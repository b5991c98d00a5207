import type { EventBody } from '../../protocol/event.js';
import type { RuntimeFact } from '../runtime.js';
import type { StreamEvent, WireTokens } from './wire.js';

/** The model's own stream: text and thinking as they are written, and what each message used. */
export class ModelStream {
  readonly #messages = new Set<string>();
  #tokens: WireTokens = {};
  #thinking: string | null = null;
  #isAbandoned = false;

  /** Whether this message came as deltas, so that its whole text is no news. */
  has(messageId: string | undefined): boolean {
    return messageId !== undefined && this.#messages.has(messageId);
  }

  turnBegins(): void {
    this.#messages.clear();
    this.#isAbandoned = false;
  }

  /** The connection broke in the middle of a message; only if a new try follows is its text void. */
  abandoned(): void {
    this.#isAbandoned = true;
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
    const isNewTry = this.#isAbandoned;
    this.#isAbandoned = false;
    if (typeof message?.id === 'string') this.#messages.add(message.id);
    this.#tokens = message?.usage ?? {};
    return isNewTry ? [{ type: 'text_abandoned' }] : [];
  }

  #delta(delta: StreamEvent['delta']): RuntimeFact[] {
    if (typeof delta?.text === 'string') return [{ type: 'text_delta', content: delta.text }];
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
