import { cutText } from '../protocol/cut-text.js';
import type { EventBody } from '../protocol/event.js';
import { given } from '../protocol/given.js';
import type { RuntimeFact, TurnEnded, TurnStarted } from '../runtimes/runtime.js';
import { ParagraphBuffer } from './paragraph-buffer.js';
import type { RunnerChannel } from './runner-channel.js';
import { soundCount, soundDuration, soundResult } from './sound-result.js';
import { countTool, emptyStats } from './turn-stats.js';

const longestThought = 2 ** 18;

/** What an agent says, as events: text in whole paragraphs, tools that each end once, statistics per turn. */
export class TurnOutput {
  readonly #emit: (event: EventBody) => void;
  readonly #takesOutput: boolean;
  readonly #text = new ParagraphBuffer();
  readonly #openTools = new Map<string, EventBody<'tool_start'>>();
  #stats = emptyStats();
  readonly #leftOpen = new Set<string>();

  constructor({ emit, takesOutput }: Pick<RunnerChannel, 'emit' | 'takesOutput'>) {
    this.#emit = emit;
    this.#takesOutput = takesOutput;
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
        if (!this.#openTools.delete(fact.id) || this.#leftOpen.has(fact.id)) return;
        this.#ended({ ...fact, duration: soundDuration(fact.duration) });
        return;
      case 'thinking':
        for (const content of inPieces(fact.content)) this.#emit({ ...fact, content });
        return;
      case 'context_usage':
      case 'context_window_size':
        this.#emit(withSoundCounts(fact));
        return;
      default:
        break;
    }
    this.#emit(fact);
  }

  end({ result, interrupted }: TurnEnded): void {
    this.flushText();
    // A park is never an interrupt: what was asked stays open.
    if (interrupted && this.#leftOpen.size === 0) this.#emit({ type: 'interrupted' });
    this.#emit({ type: 'result', ...soundResult(result), stats: this.#stats });
  }

  /** These calls have not ended, whatever becomes of the process: somebody may still answer what they asked. */
  leaveOpen(toolUseIds: Iterable<string>): void {
    for (const id of toolUseIds) this.#leftOpen.add(id);
  }

  flushText(): void {
    for (const content of this.#text.flush()) this.#emit({ type: 'assistant_text', content });
  }

  /** The agent can say no more: tools that still spin end, and text that waits goes out. */
  cutOff(summary: string): void {
    for (const { id, tool, agentId } of this.#openTools.values()) {
      if (this.#leftOpen.has(id)) continue;
      const agent = given({ agentId });
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

  #ended(end: EventBody<'tool_end'>): void {
    this.#stats = countTool(this.#stats, end);
    this.#emit(this.#takesOutput ? end : withoutOutput(end));
  }
}

/** A thought without end is no event without end: a page of a thread has to hold it. */
function* inPieces(thought: string): Generator<string> {
  let rest = thought;
  do {
    const piece = cutText(rest, longestThought);
    yield piece;
    rest = rest.slice(piece.length);
  } while (rest !== '');
}

function withSoundCounts(
  told: EventBody<'context_usage' | 'context_window_size'>,
): EventBody<'context_usage' | 'context_window_size'> {
  if (told.type === 'context_window_size') return { ...told, contextWindow: soundCount(told.contextWindow) };
  return {
    ...told,
    inputTokens: soundCount(told.inputTokens),
    outputTokens: soundCount(told.outputTokens),
    cacheReadInputTokens: soundCount(told.cacheReadInputTokens),
    cacheCreationInputTokens: soundCount(told.cacheCreationInputTokens),
  };
}

function withoutOutput(whole: EventBody<'tool_end'>): EventBody<'tool_end'> {
  const { output: _, ...end } = whole;
  return end;
}
