import type { EventBody } from '../../protocol/event.js';
import type { ResourceUse } from '../../protocol/resource-use.js';
import type { AgentStatus } from '../../protocol/status.js';
import { arbitrate } from '../status/status-arbiter.js';
import type { RunFacts } from './run-facts.js';

type State = AgentStatus['state'];

/** What an event says was used, with the status that it fell in: the one that the run had until this event. */
export function resourcesOf(
  event: EventBody,
  facts: RunFacts,
): { readonly status: State; readonly used: ResourceUse }[] {
  if (event.type !== 'status_evidence' && event.type !== 'resources_used') return [];
  const { own, asking } = event.used ?? {};
  return [
    ...(own ? [{ status: stateUntilNow(facts), used: own }] : []),
    ...(asking ? [{ status: 'question' as const, used: asking }] : []),
  ];
}

/** The status that a turn was paid in. A status that is only guessed is good enough to send work by, and no basis for costs. */
export function costStatus({ signs }: RunFacts): State {
  const turn = signs.by.turnOpen;
  return turn === null || turn.confidence === 'weak' ? 'unknown' : 'busy';
}

function stateUntilNow({ signs }: RunFacts): State {
  const { state, confidence } = arbitrate({
    run: { signs, messagesPending: false, startedAt: '' },
    end: null,
    prompt: null,
  });
  return confidence === 'weak' ? 'unknown' : state;
}
