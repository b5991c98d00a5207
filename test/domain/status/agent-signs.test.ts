import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentSigns, applyEvidence, noSigns } from '../../../src/domain/status/agent-signs.js';
import { type Confidence, type StatusEvidence, StatusFact } from '../../../src/protocol/status.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function evidence(fact: StatusFact, second: number, confidence: Confidence = 'strong'): StatusEvidence {
  return { fact, source: 'test', confidence, at: at(second) };
}

function fold(...all: StatusEvidence[]): AgentSigns {
  return all.reduce(applyEvidence, noSigns);
}

/** The signs alone, without the evidence behind them. */
function signsOf({ by: _by, last: _last, ...signs }: AgentSigns) {
  return signs;
}

const none = signsOf(noSigns);

describe('each fact changes what it speaks of', () => {
  test.each<[StatusFact, Partial<ReturnType<typeof signsOf>>]>([
    ['launched', {}],
    ['sign_of_life', { isAlive: true }],
    ['message_accepted', { turnOpen: true, busySince: at(1) }],
    ['turn_started', { isAlive: true, turnOpen: true, busySince: at(1) }],
    ['turn_ended', { isAlive: true }],
    ['tool_started', { isAlive: true, toolsOpen: true, busySince: at(1) }],
    ['tool_ended', { isAlive: true }],
    ['background_opened', { isAlive: true, backgroundOpen: true, busySince: at(1) }],
    ['background_closed', { isAlive: true }],
    ['said_busy', { isAlive: true, ownReport: 'busy', busySince: at(1) }],
    ['said_idle', { isAlive: true, ownReport: 'idle' }],
    ['said_asking', { isAlive: true, ownReport: 'asking' }],
    ['model_retried', { isAlive: true, modelSilent: true }],
    ['model_answered', { isAlive: true }],
    ['exited', {}],
  ])('%s', (fact, changed) => {
    expect(signsOf(fold(evidence(fact, 1)))).toEqual({ ...none, ...changed });
  });
});

test('the newest evidence is remembered, without what its event carries besides', () => {
  const event = { type: 'status_evidence', runSeq: 7, ...evidence('turn_started', 3) };
  const signs = fold(event, evidence('tool_started', 2));
  expect(signs.last).toEqual(evidence('turn_started', 3));
  expect(signs.by.turnOpen).toEqual(evidence('turn_started', 3));
});

test('a model that does not answer is known until it answers, or nobody waits for it any more', () => {
  const retried = { ...evidence('model_retried', 2), retry: { attempt: 2, of: 10 } };
  const begun = [evidence('turn_started', 1), retried];
  expect(fold(...begun)).toMatchObject({ modelSilent: true, by: { modelSilent: retried } });
  expect(fold(...begun, evidence('model_answered', 1)).modelSilent).toBe(true);
  expect(fold(...begun, evidence('tool_ended', 3)).modelSilent).toBe(true);
  for (const fact of ['model_answered', 'tool_started', 'turn_ended', 'turn_started', 'exited'] as const)
    expect(fold(...begun, evidence(fact, 3)).modelSilent).toBe(false);
});

test('a stop that comes late does not end what began after it', () => {
  expect(
    signsOf(fold(evidence('turn_started', 1), evidence('turn_started', 5), evidence('turn_ended', 3))),
  ).toEqual({
    ...none,
    isAlive: true,
    turnOpen: true,
    busySince: at(1),
  });
  expect(fold(evidence('said_busy', 5), evidence('said_idle', 4)).ownReport).toBe('busy');
});

test('a model that does not answer is known until it answers, or nobody waits for it any more', () => {
  const retried = { ...evidence('model_retried', 2), retry: { attempt: 2, of: 10 } };
  const begun = [evidence('turn_started', 1), retried];
  expect(fold(...begun)).toMatchObject({ modelSilent: true, by: { modelSilent: retried } });
  expect(fold(...begun, evidence('model_answered', 1)).modelSilent).toBe(true);
  expect(fold(...begun, evidence('tool_ended', 3)).modelSilent).toBe(true);
  for (const fact of ['model_answered', 'tool_started', 'turn_ended', 'turn_started', 'exited'] as const)
    expect(fold(...begun, evidence(fact, 3)).modelSilent).toBe(false);
});

test('a stop that comes late still ends what began before it', () => {
  const signs = fold(evidence('turn_started', 1), evidence('tool_ended', 4), evidence('turn_ended', 3));
  expect(signs.turnOpen).toBe(false);
});

test('instants of different precision are compared as times', () => {
  const early = { ...evidence('turn_started', 0), at: '2026-01-01T00:00:05Z' };
  const late = { ...evidence('turn_ended', 0), at: '2026-01-01T00:00:05.5Z' };
  expect(fold(early, late).turnOpen).toBe(false);
  expect(fold(late, early).turnOpen).toBe(false);
});

test('an agent is busy since the first of all that keeps it busy', () => {
  const signs = fold(evidence('turn_started', 1), evidence('tool_started', 2), evidence('turn_ended', 3));
  expect(signs.busySince).toBe(at(1));
  expect(applyEvidence(signs, evidence('tool_ended', 4)).busySince).toBeNull();
});

test('a guess never overrules what the runtime said', () => {
  expect(fold(evidence('said_idle', 1), evidence('said_busy', 2, 'weak')).ownReport).toBe('idle');
  expect(fold(evidence('said_busy', 1, 'weak'), evidence('said_idle', 2, 'weak')).ownReport).toBe('idle');
});

test('a question does not outlive its turn', () => {
  expect(fold(evidence('said_asking', 2), evidence('turn_ended', 3)).ownReport).toBeNull();
  expect(fold(evidence('said_asking', 4), evidence('turn_ended', 3)).ownReport).toBe('asking');
});

test('an exit ends everything', () => {
  const signs = fold(
    evidence('turn_started', 1),
    evidence('tool_started', 2),
    evidence('background_opened', 3),
    evidence('said_busy', 4),
    evidence('exited', 5),
  );
  expect(signsOf(signs)).toEqual(none);
});

const anyEvidence = fc.record({
  fact: fc.constantFrom(...StatusFact.options),
  source: fc.constant('test'),
  confidence: fc.constantFrom<Confidence>('authoritative', 'strong', 'weak'),
  at: fc.nat(50).map(at),
});

test('signs are plain data, whatever happened', () => {
  fc.assert(
    fc.property(fc.array(anyEvidence), (all) => {
      const signs = all.reduce(applyEvidence, noSigns);
      expect(AgentSigns.parse(JSON.parse(JSON.stringify(signs)))).toEqual(signs);
    }),
  );
});

// Whether weak evidence counts depends on what was known before, and a question on the turns that came after.
const isCertain = (each: StatusEvidence) => each.confidence !== 'weak' && each.fact !== 'said_asking';

test('evidence of different times adds up to the same signs in every order', () => {
  const differentTimes = fc.uniqueArray(anyEvidence, { selector: (each) => each.at, maxLength: 8 });
  fc.assert(
    fc.property(
      differentTimes.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
      ),
      ([all, shuffled]) => {
        const byTime = all.filter(isCertain).toSorted((a, b) => (a.at < b.at ? -1 : 1));
        const { busySince: _a, ...expected } = byTime.reduce(applyEvidence, noSigns);
        const { busySince: _b, ...folded } = shuffled.filter(isCertain).reduce(applyEvidence, noSigns);
        expect(folded).toEqual(expected);
      },
    ),
  );
});
