import * as z from 'zod';
import { given } from '../../protocol/given.js';
import type { ThreadItem } from '../../protocol/thread-item.js';
import { itemOfEvent } from './event-item.js';
import { contentOf, itemText } from './item-text.js';

type ToolCall = Extract<ThreadItem, { type: 'tool_call' }>;

const requestId = z.string();
const toolUseId = z.string();
/** What says that a call waits for a person, and no longer. */
const Asking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('permission_request'), requestId, toolUseId }),
  z.object({ type: z.literal('answer_delivered'), requestId }),
  z.object({ type: z.literal('request_withdrawn'), requestId }),
  z.object({ type: z.literal('parked'), toolUseId, how: z.enum(['deferred', 'interrupted']) }),
  z.object({ type: z.literal('run_started') }),
  z.object({ type: z.literal('dispatch_ended') }),
]);
// Looked at first, because most events are none of these and reading one costs.
const askingTypes: ReadonlySet<unknown> = new Set(Asking.options.map(({ shape }) => shape.type.value));

const cutOff = 'The run ended before the tool did.';
const askedAnew = 'The agent slept until the answer came, and then asked anew.';

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
  /** The calls about which a person is asked, by the request. */
  readonly #asked = new Map<string, string>();
  /** The calls whose agent sleeps until they are decided. */
  readonly #sleeping = new Map<string, 'deferred' | 'interrupted'>();
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
    if (askingTypes.has(type)) this.#follow(event);
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

  /** Whether a call waits for a person: from its request on until that has an answer, also over the end of its run. */
  #follow(event: Record<string, unknown>): void {
    const asking = Asking.safeParse(event).data;
    if (!asking) return;
    switch (asking.type) {
      case 'permission_request':
        this.#asked.set(asking.requestId, asking.toolUseId);
        this.#mark(asking.toolUseId, true);
        return;
      case 'parked':
        this.#sleeping.set(asking.toolUseId, asking.how);
        return;
      case 'run_started':
        for (const [id, how] of this.#sleeping) if (how === 'interrupted') this.#abandon(id, askedAnew);
        this.#sleeping.clear();
        return;
      case 'dispatch_ended':
        // Work that was called off wakes nobody.
        for (const id of this.#sleeping.keys()) this.#abandon(id, cutOff);
        this.#sleeping.clear();
        return;
      case 'answer_delivered':
      case 'request_withdrawn': {
        const id = this.#asked.get(asking.requestId);
        if (id !== undefined) this.#mark(id, false);
        this.#asked.delete(asking.requestId);
        return;
      }
      default:
        asking satisfies never;
    }
  }

  #mark(id: string, isAsked: boolean): void {
    const index = this.#openTools.get(id);
    const call = index === undefined ? undefined : this.#items[index];
    if (index === undefined || call?.type !== 'tool_call') return;
    const { isAsked: _before, ...plain } = call;
    this.#items[index] = isAsked ? { ...plain, isAsked } : plain;
  }

  #endTool(id: string, { result, ranWith }: Pick<ToolCall, 'result' | 'ranWith'>): boolean {
    this.#mark(id, false);
    const index = this.#openTools.get(id);
    const call = index === undefined ? undefined : this.#items[index];
    if (index === undefined || call?.type !== 'tool_call') return false;
    this.#items[index] = { ...call, ...given({ result, ranWith }) };
    return this.#openTools.delete(id);
  }

  /** A runner that was killed reports no end of its tools; one whose agent sleeps has them before it still. */
  #abandonTools(): void {
    for (const id of this.#openTools.keys()) if (!this.#sleeping.has(id)) this.#abandon(id, cutOff);
  }

  #abandon(id: string, summary: string): void {
    this.#endTool(id, { result: { success: false, summary, durationMs: 0 } });
  }
}
