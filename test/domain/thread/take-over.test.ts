import { describe, expect, it } from 'vitest';
import { decideTakeOver, hasLetGo, type TakeOver } from '../../../src/domain/thread/take-over.js';
import { DispatchId, PromptId, ThreadId } from '../../../src/protocol/id.js';

const id = ThreadId.parse('thr_01k9x0000000000000000000aa');
const prompt = PromptId.parse('prm_01k9x0000000000000000000aa');
const work = DispatchId.parse('dsp_01k9x0000000000000000000aa');
const terminal = { openedBy: 'user:ada', openedAt: '2026-11-17T10:00:00.000Z', sessionId: 's' };

const free: TakeOver = {
  id,
  runtime: 'claude',
  isArchived: false,
  terminal: undefined,
  hasProgram: true,
  sessionId: 's',
  asked: [],
  work: undefined,
  isBusy: false,
  setAside: false,
};

const conflict = (why: RegExp) => ({ do: 'refuse', code: 'conflict', why: expect.stringMatching(why) });
const open = { do: 'open', sessionId: 's' };
const setAside = { do: 'set_aside' };

describe('a thread is given to a terminal', () => {
  it.each<[string, Partial<TakeOver>, unknown]>([
    ['that rests', {}, open],
    ['that rests, whatever may be set aside', { setAside: true }, open],
    ['that is archived', { isArchived: true, terminal }, conflict(/archive --undo thr_/)],
    ['that another terminal has', { terminal, setAside: true }, conflict(/terminal of ada since 2026/)],
    [
      'whose runtime has no program',
      { hasProgram: false, runtime: 'amp', sessionId: undefined },
      { do: 'refuse', code: 'unsupported_by_runtime', why: expect.stringMatching(/^amp has no/) },
    ],
    ['without a session', { sessionId: undefined, setAside: true }, conflict(/no session yet/)],
    ['that asks', { asked: [prompt], work }, conflict(/Answer it first: handraise answer prm_/)],
    ['that asks, to be set aside', { asked: [prompt], work, setAside: true }, setAside],
    ['that works', { work, isBusy: true }, conflict(/is working.*handraise wait thr_/)],
    ['that works, to be set aside', { work, isBusy: true, setAside: true }, setAside],
    ['whose agent ends a turn of its own', { isBusy: true }, conflict(/is working/)],
  ])('%s', (_name, fields, decision) => {
    expect(decideTakeOver({ ...free, ...fields })).toEqual(decision);
  });
});

describe('a terminal has let go', () => {
  it.each([
    ['no: its keeper is about to start the program', true, undefined, 1000, false],
    ['yes: its keeper died before that', false, undefined, 1000, true],
    ['yes: its keeper does not start it any more', true, undefined, 61_000, true],
    ['no: the program runs', true, true, 61_000, false],
    ['no: the program runs, and its keeper was killed', false, true, 1000, false],
    ['yes: the program has ended', true, false, 1000, true],
    ['yes: both have', false, false, 1000, true],
  ])('%s', (_name, keeperLives, programLives, openForMs, isOver) => {
    expect(hasLetGo({ keeperLives, programLives, openForMs })).toBe(isOver);
  });
});
