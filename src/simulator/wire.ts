import type { ModelConversation } from './conversation.js';
import type { Message } from './message.js';
import type { ErrorFault } from './reply.js';

/** A vendor's API for talking to a model, as far as coding agents use it. */
export interface Wire {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini';
  /** The tool that asks the person, in the agent that speaks this wire. */
  readonly questionTool: string;
  /** Reads what was asked; a body that makes no sense gives an empty conversation, never an error. */
  read(body: unknown, path: string): ModelConversation;
  /** The message as a stream, one server-sent event per item. */
  events(message: Message): Iterable<string>;
  /** The message in one piece. */
  whole(message: Message): unknown;
  /** The body of an error answer. */
  problem(fault: ErrorFault): unknown;
  /** The body of an answer to "how many tokens is this?". */
  tokenCount(tokens: number): unknown;
}
