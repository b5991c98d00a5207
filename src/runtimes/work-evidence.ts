import type { EventBody } from '../protocol/event.js';
import type { StatusFact } from '../protocol/status.js';
import type { RuntimeFact } from './runtime.js';

type Evidence = EventBody<'status_evidence'>;

const nothing: Evidence[] = [];

/** Evidence in the facts that every adapter tells alike: turns, tools in flight, background work. */
export class WorkEvidence {
  readonly #source: string;
  readonly #now: () => number;
  #openTools = 0;
  #backgroundOpen = false;

  constructor(source: string, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /** Tools count only as the first starts or the last ends. */
  ofFact(fact: RuntimeFact): Evidence[] {
    switch (fact.type) {
      case 'turn_started':
        return [this.report('turn_started', fact.origin)];
      case 'turn_ended':
        return [this.report('turn_ended', 'result')];
      case 'tool_start':
        this.#openTools += 1;
        return this.#openTools === 1 ? [this.report('tool_started', `tool.${fact.tool}`)] : nothing;
      case 'tool_end':
        this.#openTools -= 1;
        return this.#openTools === 0 ? [this.report('tool_ended', `tool.${fact.tool}`)] : nothing;
      case 'background_tasks': {
        const open = fact.open.length > 0;
        if (open === this.#backgroundOpen) return nothing;
        this.#backgroundOpen = open;
        return [this.report(open ? 'background_opened' : 'background_closed', 'background')];
      }
      default:
        return nothing;
    }
  }

  /** What the runtime itself says is strong evidence. */
  report(fact: StatusFact, where: string): Evidence {
    const at = new Date(this.#now()).toISOString();
    return { type: 'status_evidence', fact, source: `${this.#source}.${where}`, confidence: 'strong', at };
  }
}
