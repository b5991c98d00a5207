import { describe, expect, test } from 'vitest';
import type { LivingSession } from '../../../src/domain/status/living-session.js';
import { isForgotten, reportedSession, sightOf } from '../../../src/domain/status/observed-session.js';
import { endedStatus, killedStatus, signsOf } from '../../../src/domain/status/observed-status.js';
import type { ObservedReport } from '../../../src/protocol/observed.js';
import type { StatusEvidence, StatusFact } from '../../../src/protocol/status.js';

const start = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const said = (fact: StatusFact, seconds: number): StatusEvidence => ({
  fact,
  source: 'test',
  confidence: 'strong',
  at: at(seconds),
});
const session: LivingSession = {
  runtime: 'claude',
  sessionId: 's',
  pid: 7,
  startTime: '42',
  isAlive: true,
  workspace: '/work',
  title: 'Mine \u001b[31mred\u202e\nline',
  evidence: [said('sign_of_life', 1), said('said_asking', 1)],
  asked: 'Which\n\u202ecolour?',
};
const seen = sightOf(session, undefined, start + 5000);
if (!seen) throw new Error('It is shown.');

describe('a session that lives', () => {
  test('is shown with what it asks, without what steers a terminal or hides', () => {
    expect(seen).toEqual({
      id: 'claude-7-42',
      runtime: 'claude',
      sessionId: 's',
      pid: 7,
      workspace: '/work',
      title: 'Mine red line',
      status: {
        state: 'question',
        since: at(1),
        held: true,
        prompt: 'Which colour?',
        why: 'the agent says that it waits for a person',
        source: 'test',
        confidence: 'strong',
      },
      changedAt: at(5),
    });
  });

  test('keeps since when it has its status, and begins anew with another one', () => {
    expect(sightOf(session, seen, start + 9000)?.changedAt).toBe(at(5));
    const idle = { ...session, evidence: [said('said_idle', 8)] };
    expect(sightOf(idle, seen, start + 9000)).toMatchObject({ status: { state: 'idle' }, changedAt: at(9) });
  });

  test('is what is said last, however the clock was set meanwhile', () => {
    const back = { ...session, evidence: [said('said_busy', 100), said('said_idle', 3)] };
    expect(sightOf(back, undefined, start)?.status.state).toBe('idle');
  });
});

describe('a session whose process is gone', () => {
  const dead = { ...session, isAlive: false };

  test('is crashed only where it was seen alive, and for ten minutes', () => {
    expect(sightOf(dead, undefined, start)).toBeNull();
    const killed = sightOf(dead, seen, start + 60_000);
    expect(killed).toMatchObject({ status: killedStatus, changedAt: at(60) });
    if (!killed) throw new Error('It is shown.');
    expect(sightOf(dead, killed, start + 60_000 + 599_000)).toEqual(killed);
    expect(sightOf(dead, killed, start + 60_000 + 601_000)).toBeNull();
  });

  test('was killed if it was in the middle of something', () => {
    expect(endedStatus(signsOf([said('turn_started', 1)])).state).toBe('crashed');
    expect(endedStatus(signsOf([said('said_asking', 1)])).state).toBe('crashed');
    expect(endedStatus(signsOf([said('turn_started', 1), said('turn_ended', 2)])).state).toBe('stopped');
  });
});

describe('what an observer reports', () => {
  const report: ObservedReport = {
    runtime: 'exec',
    title: 'x',
    state: 'busy',
    why: 'w\u0007',
    source: 's',
    confidence: 'weak',
  };
  test.each<[ObservedReport['state'], object]>([
    ['busy', { since: at(0) }],
    ['question', { since: at(0), held: true, prompt: 'Which?' }],
    ['crashed', { exitCode: 3, signal: 'SIGKILL' }],
    ['idle', {}],
    ['unknown', {}],
  ])('as %s', (state, more) => {
    const said = { ...report, state, prompt: 'Which?\u202e', exitCode: 3, signal: 'SIGKILL' };
    expect(reportedSession({ id: 'a', report: said }, undefined, start)).toEqual({
      id: 'a',
      runtime: 'exec',
      title: 'x',
      status: { state, why: 'w', source: 's', confidence: 'weak', ...more },
      changedAt: at(0),
    });
  });

  test('counts for 20 seconds, and an end for ten minutes', () => {
    const busy = reportedSession({ id: 'a', report }, undefined, start);
    expect([19_000, 21_000].map((silent) => isForgotten(busy, silent))).toEqual([false, true]);
    const over = reportedSession({ id: 'a', report: { ...report, state: 'crashed' } }, busy, start);
    expect([21_000, 601_000].map((silent) => isForgotten(over, silent))).toEqual([false, true]);
  });
});
