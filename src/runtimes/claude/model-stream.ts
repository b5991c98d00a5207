import type { EventBody } from '../../protocol/event.js';
import type { RuntimeFact } from '../runtime.js';
import type { UnknownParts } from '../unrecognized.js';
import { type ClaudeTokens, isKnownBlock, type StreamEvent } from './wire.js';

// Known, and no news: their end is told by what follows, and what they are parts of comes whole.
const silentEvents = new Set(['message_stop', 'ping']);
const silentDeltas = new Set(['signature_delta', 'input_json_delta', 'citations_delta', 'compaction_delta']);

/**
 * The model's own stream: text and thinking as they are written, and what each message used.
 *
 * A connection may break in the middle of a text block. The runtime then tries anew, by another stream or whole, and
 * keeps of the old message only the blocks that it has confirmed by an `assistant` message (measured). So text whose
 * block was never confirmed is void as soon as another message begins.
 */
export class ModelStream {
  readonly #unknown: UnknownParts;
  readonly #messages = new Set<string>();
  #messageId: string | undefined;
  #unconfirmed = 0;
  #tokens: ClaudeTokens = {};
  #thinking: string | null = null;

  constructor(unknown: UnknownParts) {
    this.#unknown = unknown;
  }

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
        return this.#delta(event);
      case 'message_start':
        return this.#begin(event.message);
      case 'content_block_start':
        return this.#startBlock(event);
      case 'content_block_stop':
        return this.#endThinking();
      case 'message_delta':
        return [{ type: 'context_usage', ...tokenCounts({ ...this.#tokens, ...event.usage }) }];
      default:
        return silentEvents.has(event.type) ? [] : this.#tellUnknown(event.type, event);
    }
  }

  /** What is new in the stream of a sub-agent, whose text and thinking are not repeated here. */
  readBelow(event: StreamEvent, parentToolUseId: string): RuntimeFact[] {
    const kind = unknownKind(event);
    return kind === null ? [] : this.#unknown.tell({ kind, message: parentToolUseId, raw: event });
  }

  #startBlock(event: StreamEvent): RuntimeFact[] {
    if (event.content_block?.type === 'thinking') {
      this.#thinking = '';
      return [{ type: 'thinking_start' }];
    }
    return this.#tellUnknown(unknownKind(event), event);
  }

  #tellUnknown(kind: string | null, raw: StreamEvent): RuntimeFact[] {
    return kind === null ? [] : this.#unknown.tell({ kind, message: this.#messageId ?? '', raw });
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

  #delta(event: StreamEvent): RuntimeFact[] {
    const { delta } = event;
    if (delta?.type === 'text_delta' && typeof delta.text === 'string') {
      this.#unconfirmed += delta.text.length;
      return [{ type: 'text_delta', content: delta.text }];
    }
    if (delta?.type === 'thinking_delta' && typeof delta.thinking === 'string') {
      this.#thinking = (this.#thinking ?? '') + delta.thinking;
      return [{ type: 'thinking_delta', content: delta.thinking }];
    }
    return this.#tellUnknown(unknownKind(event), event);
  }

  #endThinking(): RuntimeFact[] {
    const content = this.#thinking;
    this.#thinking = null;
    return content === null ? [] : [{ type: 'thinking', content }];
  }
}

/** What of an event nobody here knows, or null. */
function unknownKind({ type, delta, content_block: block }: StreamEvent): string | null {
  switch (type) {
    case 'message_start':
    case 'message_delta':
    case 'content_block_stop':
      return null;
    case 'content_block_start':
      return isKnownBlock(block?.type) ? null : `block ${block?.type}`;
    case 'content_block_delta':
      if (delta?.type === 'text_delta' && typeof delta.text === 'string') return null;
      if (delta?.type === 'thinking_delta' && typeof delta.thinking === 'string') return null;
      return silentDeltas.has(delta?.type ?? '') ? null : `delta ${delta?.type}`;
    default:
      return silentEvents.has(type) ? null : type;
  }
}

/** The runtime's token counts in our words; what it does not tell is 0. */
export function tokenCounts(tokens: ClaudeTokens): Omit<EventBody<'context_usage'>, 'type'> {
  return {
    inputTokens: tokens.input_tokens ?? 0,
    outputTokens: tokens.output_tokens ?? 0,
    cacheReadInputTokens: tokens.cache_read_input_tokens ?? 0,
    cacheCreationInputTokens: tokens.cache_creation_input_tokens ?? 0,
  };
}
