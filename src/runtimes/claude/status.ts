import type { EventBody } from '../../protocol/event.js';
import type { Confidence, StatusFact } from '../../protocol/status.js';
import type { RuntimeFact } from '../runtime.js';
import { isRecord } from './wire.js';

const nothing: EventBody<'status_evidence'>[] = [];

const stated: Record<string, StatusFact> = {
  running: 'said_busy',
  idle: 'said_idle',
  requires_action: 'said_asking',
};

/** Turns what Claude Code says, and the facts made of it, into evidence about what it is doing. */
export class StatusEvidence {
  readonly #now: () => number;
  #alive = false;
  #openTools = 0;
  #backgroundOpen = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Evidence in a raw message: its first sign of life, and the state that it states itself. */
  ofMessage(raw: unknown): EventBody<'status_evidence'>[] {
    if (this.#alive && !isRecord(raw)) return nothing;
    if (this.#alive && isRecord(raw) && raw['type'] === 'stream_event') return nothing;
    const evidence: EventBody<'status_evidence'>[] = [];
    if (!this.#alive) {
      this.#alive = true;
      evidence.push(this.#report('sign_of_life', 'claude.message'));
    }
    if (isRecord(raw) && raw['subtype'] === 'session_state_changed' && typeof raw['state'] === 'string') {
      const fact = stated[raw['state']];
      if (fact) evidence.push(this.#report(fact, 'claude.session_state'));
    }
    return evidence;
  }

  /** Evidence in a fact: turns, tools in flight, background work; tools only as the first starts or the last ends. */
  ofFact(fact: RuntimeFact): EventBody<'status_evidence'>[] {
    switch (fact.type) {
      case 'turn_started':
        return [this.#report('turn_started', `claude.${fact.origin}`)];
      case 'turn_ended':
        return [this.#report('turn_ended', 'claude.result')];
      case 'tool_start':
        this.#openTools += 1;
        return this.#openTools === 1 ? [this.#report('tool_started', `claude.tool.${fact.tool}`)] : [];
      case 'tool_end':
        this.#openTools -= 1;
        return this.#openTools === 0 ? [this.#report('tool_ended', `claude.tool.${fact.tool}`)] : [];
      case 'background_tasks': {
        const open = fact.open.length > 0;
        if (open === this.#backgroundOpen) return [];
        this.#backgroundOpen = open;
        return [this.#report(open ? 'background_opened' : 'background_closed', 'claude.background')];
      }
      default:
        return nothing;
    }
  }

  #report(fact: StatusFact, source: string, confidence: Confidence = 'strong'): EventBody<'status_evidence'> {
    return { type: 'status_evidence', fact, source, confidence, at: new Date(this.#now()).toISOString() };
  }
}
