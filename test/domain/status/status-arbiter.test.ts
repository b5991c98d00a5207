import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEvidence, noSigns } from '../../../src/domain/status/agent-signs.js';
import { arbitrate, isNews, type Situation } from '../../../src/domain/status/status-arbiter.js';
import { PromptId } from '../../../src/protocol/id.js';
import {
  type Confidence,
  type StatusEvidence,
  StatusFact,
  StatusReport,
} from '../../../src/protocol/status.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const evidence = (fact: StatusFact, second: number, confidence: Confidence = 'strong'): StatusEvidence => ({
  fact,
  source: `test.${fact}`,
  confidence,
  at: at(second),
});

const nothing: Situation = { run: null, end: null, prompt: null };
const prompt = { id: PromptId.parse(`prm_${'0'.repeat(26)}`), text: 'Which colour?', since: at(9) };
const died = { exit: { exitCode: 3, signal: null, oom: false }, at: at(8), isRunnerLost: false };
const question = { state: 'question', promptId: prompt.id, prompt: prompt.text, since: at(9) } as const;
const byPrompt = { source: 'prompt', confidence: 'authoritative' } as const;
const byHost = { source: 'host', confidence: 'authoritative' } as const;
const byProcess = { source: 'process', confidence: 'authoritative' } as const;

/** A run that lives, after this evidence. */
function living(...all: StatusEvidence[]): Situation {
  const signs = all.reduce(applyEvidence, noSigns);
  return { ...nothing, run: { signs, messagesPending: false, startedAt: at(0) } };
}

function pending(situation: Situation): Situation {
  if (!situation.run) throw new Error('A run is needed.');
  return { ...situation, run: { ...situation.run, messagesPending: true } };
}

const exited = {
  signs: applyEvidence(noSigns, { fact: 'exited', source: 'test', confidence: 'strong', at: at(1) }),
  messagesPending: false,
  startedAt: at(0),
};

describe('a run that lives', () => {
  test.each<[string, Situation, StatusReport]>([
    [
      'waits for a model that does not answer',
      living(evidence('turn_started', 1), {
        ...evidence('model_retried', 2),
        retry: { attempt: 4, of: 10 },
      }),
      {
        state: 'busy',
        since: at(1),
        modelRetry: { attempt: 4, of: 10 },
        why: 'the model does not answer, retry 4 of 10',
        source: 'test.model_retried',
        confidence: 'strong',
      },
    ],
    [
      'was just launched',
      living(),
      { state: 'initializing', why: 'the agent was launched and has said nothing yet', ...byHost },
    ],
    [
      'was launched and has work waiting',
      pending(living(evidence('launched', 1), evidence('message_accepted', 2))),
      {
        state: 'initializing',
        why: 'the agent was launched and has said nothing yet',
        source: 'test.message_accepted',
        confidence: 'strong',
      },
    ],
    [
      'says nothing about itself, not even whether it has begun with its message',
      pending(living(evidence('sign_of_life', 1, 'weak'))),
      {
        state: 'unknown',
        why: 'the agent is alive, and its runtime does not report what it is doing',
        source: 'test.sign_of_life',
        confidence: 'weak',
      },
    ],
    [
      'has ended its process with its turn, and started another with the next',
      pending(
        living(
          evidence('sign_of_life', 1, 'weak'),
          evidence('exited', 2, 'authoritative'),
          evidence('sign_of_life', 3, 'weak'),
        ),
      ),
      {
        state: 'unknown',
        why: 'the agent is alive, and its runtime does not report what it is doing',
        source: 'test.sign_of_life',
        confidence: 'weak',
      },
    ],
    [
      'says nothing about itself',
      living(evidence('sign_of_life', 1)),
      {
        state: 'unknown',
        why: 'the agent is alive, and its runtime does not report what it is doing',
        source: 'test.sign_of_life',
        confidence: 'weak',
      },
    ],
    [
      'works on a turn',
      living(evidence('turn_started', 1)),
      {
        state: 'busy',
        since: at(1),
        why: 'the agent works on a turn',
        source: 'test.turn_started',
        confidence: 'strong',
      },
    ],
    [
      'has a tool in flight, though it says that it is idle',
      living(evidence('turn_started', 1), evidence('tool_started', 2), evidence('said_idle', 3)),
      {
        state: 'busy',
        since: at(1),
        why: 'a tool is running',
        source: 'test.tool_started',
        confidence: 'strong',
      },
    ],
    [
      'has a background task open after its turn',
      living(evidence('turn_started', 1), evidence('background_opened', 2), evidence('turn_ended', 3)),
      {
        state: 'busy',
        since: at(1),
        why: 'a background task is open',
        source: 'test.background_opened',
        confidence: 'strong',
      },
    ],
    [
      'says that it is busy',
      living(evidence('said_busy', 4)),
      {
        state: 'busy',
        since: at(4),
        why: 'the agent says that it is busy',
        source: 'test.said_busy',
        confidence: 'strong',
      },
    ],
    [
      'has a message that waits',
      pending(living(evidence('turn_started', 1), evidence('turn_ended', 2))),
      { state: 'busy', since: at(2), why: 'a message is waiting to be processed', ...byHost },
    ],
    [
      'has ended its turn',
      living(evidence('turn_started', 1), evidence('turn_ended', 2)),
      {
        state: 'idle',
        why: 'the turn has ended and nothing is open',
        source: 'test.turn_ended',
        confidence: 'strong',
      },
    ],
    [
      'says that it is idle',
      living(evidence('said_busy', 1), evidence('said_idle', 2)),
      {
        state: 'idle',
        why: 'the agent says that it is idle',
        source: 'test.said_idle',
        confidence: 'strong',
      },
    ],
    [
      'gives no sign for a while',
      living(evidence('said_busy', 1, 'weak'), evidence('said_idle', 2, 'weak')),
      {
        state: 'idle',
        why: 'the agent has been silent for a while',
        source: 'test.said_idle',
        confidence: 'weak',
      },
    ],
    [
      'is a command that is only watched, and silent, although its message is not done',
      pending(
        living(
          evidence('sign_of_life', 1, 'weak'),
          evidence('said_busy', 2, 'weak'),
          evidence('said_idle', 3, 'weak'),
        ),
      ),
      {
        state: 'idle',
        why: 'the agent has been silent for a while',
        source: 'test.said_idle',
        confidence: 'weak',
      },
    ],
    [
      'prints something after its turn, which is a guess against its own word',
      living(evidence('turn_started', 1), evidence('turn_ended', 2), evidence('said_busy', 3, 'weak')),
      {
        state: 'idle',
        why: 'the turn has ended and nothing is open',
        source: 'test.turn_ended',
        confidence: 'strong',
      },
    ],
    [
      'says that it asks, and we hold no prompt of it',
      living(evidence('turn_started', 1), evidence('said_asking', 2)),
      {
        state: 'question',
        since: at(2),
        held: true,
        why: 'the agent says that it waits for a person',
        source: 'test.said_asking',
        confidence: 'strong',
      },
    ],
    [
      'has lost its agent a moment ago',
      living(evidence('turn_started', 1), evidence('exited', 2)),
      {
        state: 'stopped',
        why: "the agent's process has ended; its runner is still running",
        source: 'test.exited',
        confidence: 'strong',
      },
    ],
  ])('%s', (_, situation, expected) => {
    expect(arbitrate(situation)).toEqual(expected);
  });
});

describe('no run lives', () => {
  test.each<[string, Situation, StatusReport]>([
    ['nothing was started', nothing, { state: 'stopped', why: 'not started yet', ...byHost }],
    [
      'it died',
      { ...nothing, end: died },
      { state: 'crashed', exitCode: 3, why: "the agent's process ended with exit code 3", ...byProcess },
    ],
    [
      'it died, and an answer starts it again',
      { ...nothing, end: died, wokenAt: '2026-11-16T10:00:09.000Z' },
      {
        state: 'busy',
        since: '2026-11-16T10:00:09.000Z',
        why: 'your answer starts the agent again',
        ...byHost,
      },
    ],
    [
      'it was killed, not by us',
      { ...nothing, end: { ...died, exit: { exitCode: null, signal: 'SIGSEGV', oom: false } } },
      {
        state: 'crashed',
        exitCode: null,
        signal: 'SIGSEGV',
        why: "the agent's process ended by SIGSEGV",
        ...byProcess,
      },
    ],
    [
      'it was killed by us',
      {
        ...nothing,
        end: { ...died, exit: { exitCode: null, signal: 'SIGKILL', oom: false }, intent: 'idle' },
      },
      { state: 'stopped', why: 'stopped: idle', ...byHost },
    ],
    [
      'memory ran out',
      { ...nothing, end: { ...died, exit: { exitCode: null, signal: 'SIGKILL', oom: true } } },
      { state: 'oomKilled', why: "the agent's process ended because memory ran out", ...byProcess },
    ],
    [
      'the runner died too',
      {
        ...nothing,
        end: { ...died, exit: { exitCode: null, signal: null, oom: false }, isRunnerLost: true },
      },
      {
        state: 'crashed',
        exitCode: null,
        why: 'ended, cause unknown',
        ...byProcess,
      },
    ],
    [
      'the runner was gone with its machine, and nothing was under way',
      {
        ...nothing,
        end: {
          ...died,
          exit: { exitCode: null, signal: null, oom: false },
          isRunnerLost: true,
          wasAtRest: true,
        },
      },
      { state: 'stopped', why: 'it had nothing to do when its process ended, cause unknown', ...byHost },
    ],
    [
      'an agent at rest was killed, and its runner saw it',
      {
        ...nothing,
        end: { ...died, exit: { exitCode: null, signal: 'SIGKILL', oom: false }, wasAtRest: true },
      },
      {
        state: 'crashed',
        exitCode: null,
        signal: 'SIGKILL',
        why: "the agent's process ended by SIGKILL",
        ...byProcess,
      },
    ],
    [
      'its agent was never started',
      {
        ...nothing,
        end: {
          ...died,
          exit: { exitCode: null, signal: null, oom: false },
          isRunnerLost: true,
          refusal: 'No.',
        },
      },
      { state: 'stopped', why: 'the agent could not be started: No.', ...byHost },
    ],
    [
      'it ended by itself',
      { ...nothing, end: { ...died, exit: { exitCode: 0, signal: null, oom: false } } },
      { state: 'stopped', why: 'the agent ended by itself', ...byProcess },
    ],
  ])('%s', (_, situation, expected) => {
    expect(arbitrate(situation)).toEqual(expected);
  });
});

describe('a prompt is open', () => {
  test.each<[string, Situation, boolean, string]>([
    ['the agent waits', living(evidence('turn_started', 1)), true, 'the agent asks and waits for the answer'],
    [
      'the agent died',
      { ...nothing, end: died },
      false,
      "the agent's process ended; your answer restarts it",
    ],
    [
      'the runner died too',
      {
        ...nothing,
        end: { ...died, exit: { exitCode: null, signal: null, oom: false }, isRunnerLost: true },
      },
      false,
      "the agent's process ended; your answer restarts it",
    ],
    [
      'memory ran out',
      { ...nothing, end: { ...died, exit: { exitCode: null, signal: 'SIGKILL', oom: true } } },
      false,
      "the agent's process ended; your answer restarts it",
    ],
    [
      'the agent was parked',
      { ...nothing, end: { ...died, intent: 'parked' } },
      false,
      'sleeping, your answer wakes it',
    ],
    [
      'the agent stopped after asking',
      { ...nothing, end: { ...died, exit: { exitCode: 0, signal: null, oom: false } } },
      false,
      'the agent asked and stopped; your answer starts it again',
    ],
    [
      'the command has exited while its runner stays',
      { ...nothing, run: exited },
      false,
      'the agent asked and stopped; your answer starts it again',
    ],
    ['nothing runs', nothing, false, 'the agent asks; your answer starts it'],
  ])('%s', (_, situation, held, why) => {
    expect(arbitrate({ ...situation, prompt })).toEqual({ ...question, held, why, ...byPrompt });
  });
});

test('a prompt that the agent asked in an earlier life is not one that it waits for', () => {
  const situation = { ...living(evidence('turn_started', 1)), prompt: { ...prompt, isOfEarlierRun: true } };
  expect(arbitrate(situation)).toEqual({
    ...question,
    held: true,
    why: 'the agent runs again and has not asked this again yet',
    ...byPrompt,
  });
});

test('a prompt of the worker is not one that the agent waits for', () => {
  const situation = { ...living(evidence('turn_started', 1)), prompt: { ...prompt, isByWorker: true } };
  expect(arbitrate(situation)).toEqual({
    ...question,
    held: false,
    why: 'Handraise asks; no agent waits for the answer',
    ...byPrompt,
  });
});

describe('over all evidence', () => {
  const anyEvidence = fc.record({
    fact: fc.constantFrom(...StatusFact.options),
    source: fc.constant('test'),
    confidence: fc.constantFrom<Confidence>('authoritative', 'strong', 'weak'),
    at: fc.nat(50).map(at),
  });
  const anyRun = fc.tuple(fc.array(anyEvidence), fc.boolean()).map(([all, messagesPending]) => ({
    signs: all.reduce(applyEvidence, noSigns),
    messagesPending,
    startedAt: at(0),
  }));

  test('every report is well formed', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const report = arbitrate({ ...nothing, run });
        expect(StatusReport.parse(report)).toEqual(report);
      }),
    );
  });

  test('an agent is idle only when nothing is open and no message waits, unless it is a guess about one that tells nothing', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const { turnOpen, toolsOpen, backgroundOpen } = run.signs;
        const { state, confidence, source } = arbitrate({ ...nothing, run });
        if (turnOpen || toolsOpen || backgroundOpen) expect(state).not.toBe('idle');
        if (!run.messagesPending || state !== 'idle') return;
        expect({ confidence, source }).toMatchObject({
          confidence: 'weak',
          source: run.signs.by.ownReport?.source,
        });
        expect(run.signs.by.ownReport?.fact).toBe('said_idle');
        expect([undefined, 'exited']).toContain(run.signs.by.turnOpen?.fact);
      }),
    );
  });

  test('an open prompt is always a question', () => {
    fc.assert(
      fc.property(fc.option(anyRun), (run) => {
        expect(arbitrate({ run, end: run ? null : died, prompt })).toMatchObject({
          ...question,
          held: run !== null && run.signs.by.isAlive?.fact !== 'exited',
        });
      }),
    );
  });
});

describe('news', () => {
  const busy: StatusReport = { state: 'busy', since: at(1), why: 'a', source: 's', confidence: 'strong' };
  const asks: StatusReport = { ...question, held: true, why: 'a', ...byPrompt };
  const crashed: StatusReport = { state: 'crashed', exitCode: 1, why: 'a', ...byProcess };
  test.each<[string, StatusReport, StatusReport, boolean]>([
    ['another state', busy, asks, true],
    ['another reason for the same', busy, { ...busy, why: 'b', source: 't', since: at(2) }, false],
    ['the same, and now for certain', { ...busy, confidence: 'weak' }, busy, true],
    ['another prompt', asks, { ...asks, promptId: PromptId.parse(`prm_${'1'.repeat(26)}`) }, true],
    ['the same prompt, not held any more', asks, { ...asks, held: false }, true],
    ['another exit code', crashed, { ...crashed, exitCode: 2 }, true],
    ['the same crash', crashed, { ...crashed, why: 'b' }, false],
  ])('%s', (_, before, after, expected) => {
    expect(isNews(before, after)).toBe(expected);
  });
});
