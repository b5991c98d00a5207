import {
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';
import type { Stage } from './stage.js';

type ResultMessage = Extract<SDKMessage, { type: 'result' }>;

/** Claude Code in streaming mode: one process, a turn for each prompt. */
export class ClaudeSession implements AsyncDisposable {
  readonly query: Query;
  /** Everything that came so far. */
  readonly messages: SDKMessage[] = [];
  readonly #inbox = new Inbox();

  constructor({ workspace, env }: Stage, { env: extra, ...options }: Options = {}) {
    this.query = query({
      prompt: this.#inbox,
      options: { cwd: workspace, settingSources: [], ...options, env: { ...env, ...extra } },
    });
  }

  /** Gives a prompt and reads on until the turn's result. */
  async turn(text: string): Promise<ResultMessage> {
    this.send(text);
    return this.result();
  }

  send(text: string): void {
    this.#inbox.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null });
  }

  async result(): Promise<ResultMessage> {
    for (;;) {
      const { value, done } = await this.query.next();
      if (done || !value) throw new Error('Claude Code ended without a result');
      this.messages.push(value);
      if (value.type === 'result') return value;
    }
  }

  /** Ends the input and reads to the end; the SDK throws here when the last turn failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#inbox.end();
    try {
      for await (const message of this.query) this.messages.push(message);
    } catch {
      // The failure of the last turn was seen as its result.
    }
  }
}

class Inbox implements AsyncIterable<SDKUserMessage> {
  #waiting: SDKUserMessage[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  push(message: SDKUserMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) yield message;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
