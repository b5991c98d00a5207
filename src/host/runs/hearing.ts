import { type DeclinedRequest, withdrawalId } from '../../domain/prompts/prompt-thread.js';
import { stringField } from '../../protocol/string-field.js';
import type { StoredEvent } from '../../store/stored-event.js';

/** Which of the calls whose questions were withdrawn have not ended yet. */
export class Hearing {
  /** By the command that withdraws: the call that hears it, once its runner has told it. */
  readonly #untold: Map<string, string | undefined>;
  readonly #open: Set<string>;

  constructor(requests: readonly DeclinedRequest[]) {
    this.#untold = new Map(
      requests.map(({ requestId = '', toolUseId }) => [withdrawalId(requestId), toolUseId]),
    );
    this.#open = new Set(requests.flatMap(({ toolUseId }) => toolUseId ?? []));
  }

  /** Everybody has heard. */
  get isOver(): boolean {
    return this.#untold.size === 0 && this.#open.size === 0;
  }

  note({ type, json }: Pick<StoredEvent, 'type' | 'json'>): void {
    if (type === 'tool_end') this.#open.delete(fieldOf(json, 'id'));
    if (type !== 'command_accepted' && type !== 'command_error') return;
    const commandId = fieldOf(json, 'commandId');
    const call = this.#untold.get(commandId);
    this.#untold.delete(commandId);
    // Nobody waits there any more who could hear it.
    if (type === 'command_error' && call !== undefined) this.#open.delete(call);
  }
}

function fieldOf(json: string, name: string): string {
  return stringField(JSON.parse(json), name) ?? '';
}
