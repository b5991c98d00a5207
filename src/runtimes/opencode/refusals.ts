import { cutText } from '../../protocol/cut-text.js';

/** A permission that a person, or a rule, has refused. */
export interface RefusedCall {
  readonly id: string;
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** What the model is told. */
  readonly message: string;
}

interface SessionRequests {
  readonly open: Set<string>;
  readonly refused: RefusedCall[];
}

const shownInput = 500;

/**
 * OpenCode takes one refusal for a refusal of everything else that its session asks at that moment, and tells the others
 * nothing of the reason (measured, 1.18.33). So refusals wait until nothing of their session is open any more; then one of them
 * is sent, with the words of all.
 */
export class Refusals {
  readonly #sessions = new Map<string, SessionRequests>();

  asked(session: string, id: string): void {
    this.#requestsOf(session).open.add(id);
  }

  refuse(session: string, refusal: RefusedCall): void {
    this.#requestsOf(session).refused.push(refusal);
  }

  /** A request was answered or withdrawn; the refusals that can be told now, the one to send first. */
  closed(session: string, id: string): readonly RefusedCall[] {
    const requests = this.#requestsOf(session);
    requests.open.delete(id);
    if (requests.open.size > 0) return [];
    this.#sessions.delete(session);
    return requests.refused;
  }

  /** The turn is cut off: the refusals that were not told yet, and never will be in this life of the session. */
  drop(): readonly RefusedCall[] {
    return [...this.#sessions.values()].flatMap(({ refused }) => refused.splice(0));
  }

  #requestsOf(session: string): SessionRequests {
    const known = this.#sessions.get(session);
    if (known) return known;
    const requests: SessionRequests = { open: new Set(), refused: [] };
    this.#sessions.set(session, requests);
    return requests;
  }
}

/** The words of several refusals in one message, which the model reads as the result of the first. */
export function wordsOfAll([first, ...others]: readonly [RefusedCall, ...RefusedCall[]]): string {
  return [first.message, ...others.map(aboutAnother)].join('\n\n');
}

function aboutAnother({ tool, input, message }: RefusedCall): string {
  const call = `${tool} ${cutText(JSON.stringify(input), shownInput)}`;
  return `The call ${call} was refused as well, for a reason of its own: ${message}`;
}
