import { describe, expect, it, test } from 'vitest';
import { costStatus, resourcesOf } from '../../../src/domain/run/resource-status.js';
import { applyEvent, noFacts, type RunFacts } from '../../../src/domain/run/run-facts.js';
import type { EventBody } from '../../../src/protocol/event.js';
import type { Confidence, StatusFact } from '../../../src/protocol/status.js';

const used = { cpuMs: 1, aliveMs: 2, memoryByteSeconds: 3, peakMemoryBytes: 4 };

describe('what was used fell in the status', () => {
  test.each<[string, StatusFact[], string]>([
    ['initializing, before the agent said anything', ['launched'], 'initializing'],
    ['busy, in a turn', ['launched', 'turn_started'], 'busy'],
    ['busy, while a tool ran', ['turn_started', 'tool_started'], 'busy'],
    ['idle, after the turn', ['turn_started', 'turn_ended'], 'idle'],
    ['stopped, after its end', ['turn_started', 'turn_ended', 'exited'], 'stopped'],
  ])('%s', (_what, facts, status) => {
    expect(resourcesOf(evidence('sign_of_life', { used: { own: used } }), after(facts))).toEqual([
      { status, used },
    ]);
  });

  it('question, where the agent waited for a person, whatever its turn was at', () => {
    const facts = after(['turn_started', 'tool_started']);
    expect(
      resourcesOf({ type: 'resources_used', used: { own: used, asking: { ...used, cpuMs: 9 } } }, facts),
    ).toEqual([
      { status: 'busy', used },
      { status: 'question', used: { ...used, cpuMs: 9 } },
    ]);
  });

  it('unknown, where it is only guessed', () => {
    for (const fact of ['sign_of_life', 'said_busy', 'said_idle', 'said_asking'] as const)
      expect(resourcesOf(evidence('exited', { used: { own: used } }), after([fact], 'weak'))).toEqual([
        { status: 'unknown', used },
      ]);
  });

  it('none, where an event says nothing of it', () => {
    expect(resourcesOf(evidence('turn_started'), noFacts)).toEqual([]);
    expect(resourcesOf({ type: 'interrupted' }, noFacts)).toEqual([]);
  });
});

test('a turn is paid while the agent is busy, unless that is only guessed', () => {
  expect(costStatus(after(['turn_started']))).toBe('busy');
  expect(costStatus(after(['turn_started', 'turn_ended']))).toBe('busy');
  expect(costStatus(after(['turn_started'], 'weak'))).toBe('unknown');
  expect(costStatus(noFacts)).toBe('unknown');
});

function after(facts: readonly StatusFact[], confidence: Confidence = 'strong'): RunFacts {
  return facts.reduce((all, fact) => applyEvent(all, evidence(fact, {}, confidence)), noFacts);
}

function evidence(
  fact: StatusFact,
  more: Pick<EventBody<'status_evidence'>, 'used'> = {},
  confidence: Confidence = 'strong',
): EventBody<'status_evidence'> {
  return {
    type: 'status_evidence',
    fact,
    source: 'test',
    confidence,
    at: '2026-01-02T03:04:05.678Z',
    ...more,
  };
}
