import type { EventBody } from '../protocol/event.js';
import type { ModelRetry, StatusFact } from '../protocol/status.js';
import type { RuntimeFact } from './runtime.js';

type Evidence = EventBody<'status_evidence'>;

const nothing: Evidence[] = [];

/** Facts that only an answer of the model makes. */
const answers = new Set<RuntimeFact['type']>([
  'text_delta',
  'thinking_start',
  'thinking_delta',
  'thinking',
  'context_usage',
]);

/** Evidence in the facts that every adapter tells alike: turns, tools in flight, background work. */
export class WorkEvidence {
  readonly #source: string;
  readonly #now: () => number;
  #openTools = 0;
  #backgroundOpen = false;
  #retry = '';

  constructor(source: string, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /** Tools count only as the first starts or the last ends. */
  ofFact(fact: RuntimeFact): Evidence[] {
    switch (fact.type) {
      case 'turn_started':
        this.#retry = '';
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
        if (this.#retry === '' || !answers.has(fact.type)) return nothing;
        this.#retry = '';
        return [this.report('model_answered', fact.type)];
    }
  }

  /** The model did not answer, and the runtime asks it again; it is told once for each try. */
  retried({ attempt, of = 0 }: { attempt: number; of?: number | undefined }, where: string): Evidence[] {
    const retry: ModelRetry = { attempt: wholeOr(attempt, 1), ...(of >= 1 && { of: wholeOr(of, 1) }) };
    const told = JSON.stringify(retry);
    if (told === this.#retry) return nothing;
    this.#retry = told;
    return [{ ...this.report('model_retried', where), retry }];
  }

  /** What the runtime itself says is strong evidence. */
  report(fact: StatusFact, where: string): Evidence {
    const at = new Date(this.#now()).toISOString();
    return { type: 'status_evidence', fact, source: `${this.#source}.${where}`, confidence: 'strong', at };
  }
}

/** A number of a runtime that counts something. */
function wholeOr(value: number, least: number): number {
  return Number.isSafeInteger(Math.trunc(value)) ? Math.max(least, Math.trunc(value)) : least;
}
