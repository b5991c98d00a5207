import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { attachedFile } from '../attached-file.js';
import type { TurnInput } from '../runtime.js';

type Content = Exclude<SDKUserMessage['message']['content'], string>;

/** The generator that feeds one query() for its whole life: it blocks between messages and ends once. */
export class MessageFeed implements AsyncIterable<SDKUserMessage> {
  readonly #queue: SDKUserMessage[] = [];
  #ended = false;
  #wake: () => void = () => {};

  push(turn: TurnInput): void {
    this.#queue.push({
      type: 'user',
      message: { role: 'user', content: contentOf(turn) },
      parent_tool_use_id: null,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the command's schema checked that it is a UUID
      uuid: turn.uuid as NonNullable<SDKUserMessage['uuid']>,
    });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#queue.shift();
      if (next) {
        yield next;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

function contentOf(turn: TurnInput): string | Content {
  if (turn.attachments.length === 0) return turn.content;
  const attached = turn.attachments.map((attachment): Content[number] =>
    attachment.type === 'image'
      ? {
          type: 'image',
          source: { type: 'base64', media_type: attachment.mediaType, data: attachment.data },
        }
      : { type: 'text', text: attachedFile(attachment) },
  );
  return [...attached, { type: 'text', text: turn.content }];
}
