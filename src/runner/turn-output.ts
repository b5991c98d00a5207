import type { EventBody } from '../protocol/event.js';
import type { RuntimeFact, TurnEnded, TurnStarted } from '../runtimes/runtime.js';
import { ParagraphBuffer } from './paragraph-buffer.js';
import { countTool, emptyStats } from './turn-stats.js';

/** What an agent says, as events: text in whole paragraphs, tools that each end once, statistics per turn. */
export class TurnOutput {
  readonly #emit: (event: EventBody) => void;
  readonly #text = new ParagraphBuffer();
  readonly #openTools = new Map<string, EventBody<'tool_start'>>();
  #stats = emptyStats();
  #leftOpen: string | null = null;

  constructor(emit: (event: EventBody) => void) {
    this.#emit = emit;
  }

  begin(): void {
    this.#stats = emptyStats();
  }

  take(fact: Exclude<RuntimeFact, TurnStarted | TurnEnded>): void {
    switch (fact.type) {
      case 'text_delta':
        this.#emit(fact);
        for (const content of this.#text.push(fact.content)) this.#emit({ type: 'assistant_text', content });
        return;
      case 'text_abandoned':
        this.#text.discard(fact.length);
        this.#emit({
          type: 'warning',
          message: 'The answer broke off and begins anew; its text so far does not count.',
        });
        return;
      case 'tool_start':
        if (fact.agentId === undefined) this.flushText();
        this.#openTools.set(fact.id, fact);
        this.#stats = countTool(this.#stats, fact);
        break;
      case 'tool_end':
        if (!this.#openTools.delete(fact.id) || fact.id === this.#leftOpen) return;
        this.#stats = countTool(this.#stats, fact);
        break;
      default:
        break;
    }
    this.#emit(fact);
  }

  end({ result, interrupted }: TurnEnded): void {
    this.flushText();
    // A park is never an interrupt: what was asked stays open.
    if (interrupted && this.#leftOpen === null) this.#emit({ type: 'interrupted' });
    this.#emit({ type: 'result', ...result, stats: this.#stats });
  }

  /** This call has not ended, whatever becomes of the process: a later life of the session takes it up again. */
  leaveOpen(toolUseId: string): void {
    this.#leftOpen = toolUseId;
  }

  flushText(): void {
    for (const content of this.#text.flush()) this.#emit({ type: 'assistant_text', content });
  }

  /** The agent can say no more: tools that still spin end, and text that waits goes out. */
  cutOff(summary: string): void {
    for (const { id, tool, agentId } of this.#openTools.values()) {
      if (id === this.#leftOpen) continue;
      const agent = agentId === undefined ? {} : { agentId };
      this.#emit({
        type: 'tool_end',
        id,
        tool,
        success: false,
        summary,
        duration: 0,
        cutOff: true,
        ...agent,
      });
    }
    this.#openTools.clear();
    this.flushText();
  }
}
