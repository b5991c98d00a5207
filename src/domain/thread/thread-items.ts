import { given } from '../../protocol/given.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { itemOfEvent } from './event-item.js';
import { contentOf, itemText } from './item-text.js';

type ToolCall = Extract<ThreadItem, { type: 'tool_call' }>;

/** After these, the next text belongs to another turn. */
const turnEnds = new Set<unknown>(['result', 'turn_complete']);

/**
 * Folds the events of a thread, oldest first, into what a person sees. An event that is unknown, malformed or older than
 * the last one makes no item. An item that changes is replaced, never modified, so that a view can tell by identity.
 */
export class ItemFold {
  readonly #items: ThreadItem[] = [];
  /** Where the calls are that have no result yet. */
  readonly #openTools = new Map<string, number>();
  #lastSeq = 0;
  #isTextOpen = false;

  get items(): readonly ThreadItem[] {
    return this.#items;
  }

  add(event: Record<string, unknown>): void {
    const { seq, type } = event;
    if (typeof seq !== 'number' || seq <= this.#lastSeq) return;
    this.#lastSeq = seq;
    if (turnEnds.has(type)) this.#isTextOpen = false;
    const item = itemOfEvent(event);
    if (!item || this.#joins(item)) return;
    if (type === 'run_ended') this.#abandonTools();
    if (item.type === 'tool_call' && !item.result) this.#openTools.set(item.toolUseId, this.#items.length);
    // What a session has saved are whole messages.
    this.#isTextOpen = type === 'assistant_text';
    this.#items.push(item);
  }

  /** Whether the item only adds to one that is there: text to text with nothing between, a result to its call. */
  #joins(item: ThreadItem): boolean {
    const last = this.#items.at(-1);
    if (item.type === 'assistant_text' && last?.type === 'assistant_text' && this.#isTextOpen) {
      // The pieces add up as they are, because the runner cuts after paragraphs and drops nothing.
      this.#items[this.#items.length - 1] = {
        ...last,
        content: contentOf(itemText(last) + itemText(item)),
      };
      return true;
    }
    return item.type === 'tool_call' && item.result !== undefined && this.#endTool(item.toolUseId, item);
  }

  #endTool(id: string, { result, ranWith }: Pick<ToolCall, 'result' | 'ranWith'>): boolean {
    const index = this.#openTools.get(id);
    const call = index === undefined ? undefined : this.#items[index];
    if (index === undefined || call?.type !== 'tool_call') return false;
    this.#items[index] = { ...call, ...given({ result, ranWith }) };
    return this.#openTools.delete(id);
  }

  /** A runner that was killed reports no end of its tools. */
  #abandonTools(): void {
    const result = { success: false, summary: 'The run ended before the tool did.', durationMs: 0 };
    for (const id of this.#openTools.keys()) this.#endTool(id, { result });
  }
}
