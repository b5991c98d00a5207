import type { Command } from '../protocol/command.js';
import type { EventBody } from '../protocol/event.js';
import type { Receipts } from './runner-channel.js';

/** Journalled receipts: a command takes effect at most once, and whoever sent it can know that it did. */
export class CommandReceipts implements Receipts {
  readonly #emit: (event: EventBody) => void;
  readonly #reply: (frame: object) => void;
  readonly #accepted = new Map<string, string>();

  constructor(options: {
    readonly emit: (event: EventBody) => void;
    readonly reply: (frame: object) => void;
  }) {
    this.#emit = options.emit;
    this.#reply = options.reply;
  }

  repeats(command: Command): boolean {
    const { commandId } = command;
    if (commandId === undefined || !this.#accepted.has(commandId)) return false;
    this.#reply({ type: 'command_repeated', commandId, command: this.#accepted.get(commandId) });
    return true;
  }

  accept(command: Command, answers: string | null): void {
    const { commandId } = command;
    if (commandId === undefined) return;
    this.#accepted.set(commandId, command.type);
    this.#emit(
      answers === null
        ? { type: 'command_accepted', commandId, command: command.type }
        : { type: 'answer_delivered', commandId, requestId: answers },
    );
  }
}
