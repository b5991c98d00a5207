import { given } from '../protocol/given.js';
import type { ModelConversation } from './conversation.js';
import { questionCall } from './question.js';
import type { Reply, StopReason, TextBlock } from './reply.js';

/** A part of a message that is ready for any wire format. */
export type Part =
  | { kind: 'text'; text: string; chunks: () => Iterable<string> }
  | { kind: 'thinking'; text: string }
  | {
      kind: 'call';
      id: string;
      name: string;
      input: Record<string, unknown>;
      freeform: boolean;
      namespace?: string;
    };

/** A reply with everything filled in that its author left open. */
export interface Message {
  id: string;
  model: string;
  parts: Part[];
  stopReason: StopReason;
  usage: { inputTokens: number; outputTokens: number; cacheReadTokens: number; cacheWriteTokens: number };
}

/** What a message needs besides its reply. */
export interface Setting {
  conversation: ModelConversation;
  /** The wire's question tool, for an agent that offers none by a name we know. */
  questionTool: string;
  inputTokens: number;
  nextId: (prefix: string) => string;
}

const defaultChunk = 16;

/** Turns a reply into a message. */
export function composeMessage(reply: Reply, setting: Setting): Message {
  const { conversation, inputTokens, nextId } = setting;
  const blocks = reply.blocks.length > 0 ? reply.blocks : [{ text: 'OK.' }];
  const parts = blocks.map((block): Part => {
    if ('text' in block) return textPart(block);
    if ('think' in block) return { kind: 'thinking', text: block.think };
    const call = 'ask' in block ? questionCall(block, setting) : { name: block.tool, input: block.input };
    const offered = conversation.tools.find((tool) => tool.name === call.name);
    return {
      kind: 'call',
      id: ('id' in block && block.id) || nextId('call'),
      ...call,
      freeform: offered?.freeform ?? false,
      ...given({ namespace: offered?.namespace }),
    };
  });
  const calls = parts.some((part) => part.kind === 'call');
  return {
    id: nextId('msg'),
    model: reply.model ?? conversation.model,
    parts,
    stopReason: reply.stopReason ?? (calls ? 'tool_use' : 'end_turn'),
    usage: {
      inputTokens: reply.usage?.inputTokens ?? inputTokens,
      outputTokens: reply.usage?.outputTokens ?? tokens(parts),
      cacheReadTokens: reply.usage?.cacheReadTokens ?? 0,
      cacheWriteTokens: reply.usage?.cacheWriteTokens ?? 0,
    },
  };
}

function textPart({ text, repeat, chunk }: TextBlock): Part {
  const whole = text.repeat(repeat ?? 1);
  if (repeat === undefined || chunk !== undefined) {
    return { kind: 'text', text: whole, chunks: () => pieces(whole, chunk ?? defaultChunk) };
  }
  return {
    kind: 'text',
    text: whole,
    *chunks() {
      for (let count = 0; count < repeat; count++) yield text;
    },
  };
}

/** Cuts a text into pieces, never within a surrogate pair: half of one is not valid JSON to a Rust client. */
export function* pieces(text: string, size: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end++;
    yield text.slice(start, end);
    start = end;
  }
}

function tokens(parts: Part[]): number {
  const length = parts.reduce(
    (sum, part) => sum + (part.kind === 'call' ? JSON.stringify(part.input).length : part.text.length),
    0,
  );
  return Math.max(1, Math.ceil(length / 4));
}
