import * as z from 'zod';

// A line of a rollout, which is Codex's own record of a thread, read loosely.

const text = z.string();
const inTurn = z.looseObject({ turn_id: text, content_item_kinds: z.array(text).optional() });

const Line = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('event_msg'),
    payload: z.discriminatedUnion('type', [
      z.looseObject({
        type: z.literal('task_started'),
        turn_id: text,
        // Older versions do not write down what started a turn.
        turn_attribution: z.looseObject({ turn_trigger: text.nullable().optional() }).optional(),
      }),
      z.looseObject({
        type: z.literal('item_completed'),
        item: z.looseObject({
          type: text,
          client_id: text.nullable().optional(),
          receiver_thread_ids: z.array(text).optional(),
        }),
      }),
    ]),
  }),
  z.looseObject({
    type: z.literal('response_item'),
    payload: z.discriminatedUnion('type', [
      z.looseObject({
        type: z.literal('message'),
        role: text,
        content: z.unknown(),
        internal_chat_message_metadata_passthrough: inTurn.optional(),
      }),
      z.looseObject({ type: z.literal('function_call'), name: text, call_id: text }),
      z.looseObject({ type: z.literal('function_call_output'), call_id: text, output: z.unknown() }),
      z.looseObject({ type: z.literal('custom_tool_call_output'), call_id: text, output: z.unknown() }),
    ]),
  }),
]);
type Payload = z.infer<typeof Line>['payload'];

const threadIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What of a thread stands in its rollout. */
export class Rollout {
  /** The calls that have a result. */
  readonly results = new Set<string>();
  /** What the turns were started with whose message is there. */
  readonly triggers = new Set<string>();
  /** What was said by a client in a turn that ran already, by the client's ids. */
  readonly said = new Set<string>();
  /** The threads of sub-agents that have reported back. */
  readonly reported = new Set<string>();
  /** Whether it says what started each turn. */
  saysTriggers = true;
  hasMessages = false;
  readonly #turns = new Map<string, string>();
  readonly #calls = new Map<string, string>();
  readonly #children = new Set<string>();

  /** One line of it; the last one may be cut. */
  take(line: string): void {
    const read = Line.safeParse(parsed(line));
    if (read.success) this.#note(read.data.payload);
  }

  #note(payload: Payload): void {
    switch (payload.type) {
      case 'task_started':
        if (payload.turn_attribution === undefined) this.saysTriggers = false;
        this.#turns.set(payload.turn_id, payload.turn_attribution?.turn_trigger ?? '');
        return;
      case 'item_completed':
        if (payload.item.client_id) this.said.add(payload.item.client_id);
        for (const child of payload.item.receiver_thread_ids ?? []) this.#children.add(child);
        return;
      case 'message':
        this.#message(payload);
        return;
      case 'function_call':
        this.#calls.set(payload.call_id, payload.name);
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.#result(payload.call_id, payload.output);
        return;
      default:
        payload satisfies never;
    }
  }

  #message({
    role,
    content,
    internal_chat_message_metadata_passthrough: told,
  }: Extract<Payload, { type: 'message' }>) {
    if (role !== 'user') return;
    const kinds = told?.content_item_kinds ?? [];
    if (kinds.some((kind) => kind.startsWith('multi_agent.'))) this.#report(content);
    if (!kinds.some((kind) => kind.startsWith('user.'))) return;
    this.hasMessages = true;
    const trigger = this.#turns.get(told?.turn_id ?? '');
    if (trigger) this.triggers.add(trigger);
  }

  #result(callId: string, output: unknown): void {
    const name = this.#calls.get(callId);
    if (name === 'wait_agent') this.#report(output);
    // A question that was open when its turn was cancelled has a result too, but no answer in it.
    if (name === 'request_user_input' && typeof output === 'string' && output.startsWith('aborted')) return;
    this.results.add(callId);
  }

  #report(words: unknown): void {
    const said = JSON.stringify(words) ?? '';
    for (const id of said.match(threadIds) ?? []) if (this.#children.has(id)) this.reported.add(id);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
