import type { AskKind, Asks, Launch, RuntimeFact, TurnEnded, TurnStarted } from '../runtimes/runtime.js';
import { chatmlCommand, chatmlConsent, chatmlInit, chatmlTurn } from './chatml.js';

type SaidFact = Exclude<RuntimeFact, TurnStarted | TurnEnded>;

/** How a parent speaks, as far as parents differ. */
export interface Dialect {
  /** What the parent wrote, in our names. */
  command(line: unknown): unknown;
  /** What is decided without asking; null where a person is asked. */
  consent<Kind extends AskKind>(kind: Kind, request: Asks[Kind]['request']): Asks[Kind]['reply'] | null;
  /** What the parent is told. */
  fact(fact: SaidFact): SaidFact;
  turn(turn: TurnEnded): TurnEnded;
  /** Whether an interrupt while no turn runs is no mistake, and is confirmed as any other. */
  readonly mayInterruptIdle: boolean;
}

/** As docs/runner-protocol.md has it. */
export const ownDialect: Dialect = {
  command: (line) => line,
  consent: () => null,
  fact: (fact) => fact,
  turn: (turn) => turn,
  mayInterruptIdle: false,
};

const chatml: Dialect = {
  command: chatmlCommand,
  consent: chatmlConsent,
  fact: (fact) => (fact.type === 'init' ? chatmlInit(fact) : fact),
  turn: chatmlTurn,
  mayInterruptIdle: true,
};

export function dialectOf({ compat }: Pick<Launch, 'compat'>): Dialect {
  return compat === 'chatml' ? chatml : ownDialect;
}
