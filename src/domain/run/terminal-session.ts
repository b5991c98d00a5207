import { cutText } from '../../protocol/cut-text.js';
import type { RuntimeName } from '../../protocol/posture.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';

/** Where the sessions of a runtime lie. */
export interface SessionPlace {
  readonly env: Readonly<Record<string, string>>;
}

/** What was said in a session, as facts for its thread; who said it is the worker's to add. */
export type SaidFact =
  | { readonly type: 'terminal_message'; readonly uuid: string; readonly text: string }
  | ThreadEventBody<'terminal_text' | 'terminal_tool'>;

/** What a session holds after some place in it. */
export interface Said {
  readonly facts: readonly SaidFact[];
  /** It holds more than a thread takes. */
  readonly isCut: boolean;
}

/** How a runtime's own program is started on a session. */
export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** A session that a runtime's own store holds. */
export interface SavedSessionEntry {
  readonly runtime: RuntimeName;
  readonly sessionId: string;
  readonly workspace: string;
  readonly title: string;
  readonly changedAt: string;
  readonly openIn?: number;
}

const mostFacts = 2000;
const mostCharacters = 4 * 2 ** 20;
const longestText = 100_000;
const longestSummary = 2000;

/** Takes facts as long as there is room for them; the texts are anybody's, so each is cut. */
export class SaidFacts {
  readonly #facts: SaidFact[] = [];
  #characters = 0;
  #isCut = false;

  add(fact: SaidFact): void {
    const cut = shortened(fact);
    const size = JSON.stringify(cut).length;
    if (this.#facts.length >= mostFacts || this.#characters + size > mostCharacters) {
      this.#isCut = true;
      return;
    }
    this.#characters += size;
    this.#facts.push(cut);
  }

  /** Adds what came of a call that was added before. */
  endTool(id: string, result: { readonly success: boolean; readonly summary: string }): void {
    const index = this.#facts.findLastIndex((fact) => fact.type === 'terminal_tool' && fact.id === id);
    const fact = this.#facts[index];
    if (fact?.type !== 'terminal_tool') return;
    this.#facts[index] = {
      ...fact,
      success: result.success,
      summary: cutText(result.summary, longestSummary),
    };
  }

  get said(): Said {
    return { facts: this.#facts, isCut: this.#isCut };
  }
}

function shortened(fact: SaidFact): SaidFact {
  switch (fact.type) {
    case 'terminal_message':
      return { ...fact, text: cutText(fact.text, longestText) };
    case 'terminal_text':
      return { ...fact, content: cutText(fact.content, longestText) };
    case 'terminal_tool':
      return JSON.stringify(fact.params).length > longestText
        ? { ...fact, params: {}, summary: cutText(fact.summary, longestSummary) }
        : { ...fact, summary: cutText(fact.summary, longestSummary) };
    default:
      return fact satisfies never;
  }
}
