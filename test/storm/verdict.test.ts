import { expect, test } from 'vitest';
import type { Evidence } from './evidence.js';
import { Verdict } from './verdict.js';

const events = [
  { type: 'ready' },
  { type: 'prompt_settled', promptId: 'prm_1' },
  { type: 'dispatch_ended', dispatchId: 'dsp_1' },
  { type: 'shutdown' },
].map((event, index) => ({ ...event, seq: index + 1, runId: 'run_1', runSeq: index + 1 }));
const run = {
  id: 'run_1',
  process: { pid: 7, startTime: '8' },
  lastRunSeq: 4,
  endedAt: 'then',
  killIntent: { reason: 'test' },
  exit: {},
};
const accepted = { value: {} };
const tried = { word: 'ans:2:1:', answer: { text: 'ans:2:1:' }, reply: accepted };
const attended = {
  id: 'prm_1',
  shape: 'ask first',
  found: 'held',
  blows: [] as object[],
  tries: [tried as object],
};
const prompt = {
  id: 'prm_1',
  kind: 'question',
  state: 'answered',
  createdAt: '1',
  acceptedAt: '2',
  deliveredAt: '3',
  consumedAt: '4',
  answers: [{ question: 'Go on?', answer: ['ans:2:1:'] }],
};
const good = {
  number: 2,
  acts: true,
  works: [{ word: 'wrk:2:1:', number: 1, id: 'dsp_1', prompts: ['prm_1'], cancellations: [] as object[] }],
  messages: [{ word: 'msg:2:1:', reply: accepted, during: attended }],
  attended: [attended],
  runners: ['7 since 8', '7 since 8'],
  prompts: [prompt],
  dispatches: [
    { id: 'dsp_1', text: 'wrk:2:1: Go.', attempts: [{}], outcome: { result: 'succeeded', summary: 'Over.' } },
  ],
  events,
  runs: [run],
  log: ['1'],
};
const agentKilled = { ...attended, blows: [{ blow: 'agent killed', moment: 'asked' }] };
const approval = {
  ...prompt,
  kind: 'approval',
  action: { tool: 'Bash' },
  answers: [{ question: 'Bash?', answer: ['Approve'] }],
};

const late = {
  ...prompt,
  state: 'cancelled',
  reason: 'deadline',
  actor: 'policy:deadline',
  deadline: '3',
  onUnanswered: 'deny',
};
const cancelled = { word: 'can:2:2:', answer: null, isCancellation: true, reply: accepted };
const unattended = { ...attended, tries: [] };
const work = { word: 'wrk:2:1:', number: 1, id: 'dsp_1', prompts: ['prm_1'] };
const said = (result: string) => ({ value: { outcome: { result } } });

/** Judges a thread in which one thing is as it must not be; each word was heard once unless told otherwise. */
function judge(thread: Partial<Record<keyof Evidence, unknown>>, heard: Record<string, number> = {}) {
  const times = (word: string) => heard[word] ?? 1;
  const timesNew = (word: string) => heard[`new ${word}`] ?? times(word);
  const timesLate = () => heard['late'] ?? 0;
  const verdict = new Verdict({ times, timesNew, timesLate, places: () => [] });
  verdict.judge({ ...good, ...thread } as unknown as Evidence);
  const { violations, lost, doubled, unbroken } = verdict;
  return { violations, lost, doubled, unbroken };
}

test('finds nothing where all is well', () => {
  expect(judge({})).toEqual({ violations: [], lost: 0, doubled: 0, unbroken: 1 });
  expect(judge({ attended: [agentKilled], runners: [] })).toMatchObject({ violations: [], unbroken: 0 });
});

/** How many words were heard too often, where a message is a piece of work of its own. */
const doubledBy = (dispatch: object, times: number) =>
  judge(
    {
      attended: [agentKilled],
      runners: [],
      dispatches: [...good.dispatches, dispatch],
      events: [...events, { type: 'dispatch_ended', dispatchId: 'dsp_2', seq: 5, runId: null, runSeq: null }],
    },
    { 'msg:2:1:': times },
  ).doubled;

test('lets a message be told again by the next try, where it is a piece of work of its own', () => {
  const own = { id: 'dsp_2', text: 'By the way: msg:2:1:', outcome: { result: 'succeeded' } };
  const twice = { ...own, attempts: [{}, {}] };
  expect([doubledBy(twice, 2), doubledBy(twice, 3), doubledBy({ ...own, attempts: [{}] }, 2)]).toEqual([
    0, 1, 1,
  ]);
});

test.each([
  ['an answer that never reached the model', {}, { 'ans:2:1:': 0 }, [1, 0]],
  ['an answer that reached it twice', {}, { 'ans:2:1:': 2 }, [0, 1]],
  ['an answer that was told again though nobody had died', {}, { 'new ans:2:1:': 2 }, [0, 1]],
  ['a message that never reached the model', {}, { 'msg:2:1:': 0 }, [1, 0]],
  ['a message that reached it twice', {}, { 'msg:2:1:': 2 }, [0, 1]],
  ['work that never reached the model', {}, { 'wrk:2:1:': 0 }, [1, 0]],
  ['work that was told twice though nobody had died', {}, { 'wrk:2:1:': 2 }, [0, 1]],
  ['a tool that did not run', { log: [] }, {}, [1, 0]],
  ['a tool that ran twice', { log: ['1', '1'] }, {}, [0, 1]],
  [
    'a tool that ran twice for one kill too many',
    { attended: [agentKilled], log: ['1', '1', '1'] },
    {},
    [0, 1],
  ],
  [
    'an approved action that was carried out twice',
    { acts: false, prompts: [approval], log: ['did', 'did'] },
    {},
    [0, 1],
  ],
  ['an action that nobody approved', { acts: false, log: ['did'] }, {}, [0, 1]],
  [
    'an answer that was accepted and then expired',
    { prompts: [{ ...prompt, state: 'cancelled' }] },
    {},
    [1, 0],
  ],
  ['a runner that is another one', { runners: ['7 since 8', '9 since 9'] }, {}, [0, 0]],
  ['a run that nobody said to have ended', { runs: [{ ...run, endedAt: undefined }] }, {}, [0, 0]],
  ['a second run', { runs: [run, { ...run, id: 'run_2', lastRunSeq: 1 }] }, {}, [1, 1]],
  [
    'a dispatch that ended twice',
    { events: [...events, { ...events[2], seq: 5, runSeq: null }] },
    {},
    [0, 1],
  ],
  [
    'a dispatch that never ended',
    { events: events.toSpliced(2, 1, { ...events[1], type: 'note', seq: 3, runSeq: 3 } as never) },
    {},
    [1, 0],
  ],
  [
    'a prompt that was settled twice',
    { events: [...events, { ...events[1], seq: 5, runSeq: null }] },
    {},
    [0, 1],
  ],
  ['a gap in the thread', { events: events.map((event) => ({ ...event, seq: event.seq + 1 })) }, {}, [1, 1]],
  ['a gap in a run', { events: events.map((event) => ({ ...event, runSeq: event.runSeq + 1 })) }, {}, [1, 1]],
  ['an event of a run that is missing', { runs: [{ ...run, lastRunSeq: 5 }] }, {}, [1, 0]],
  [
    'an interrupt that nobody wanted',
    { events: [...events, { type: 'interrupted', seq: 5, runSeq: null }] },
    {},
    [0, 0],
  ],
  [
    'a deadline that the model never heard of',
    { attended: [unattended], prompts: [late] },
    { late: 0 },
    [1, 0],
  ],
  [
    'a deadline that the model heard of twice',
    { attended: [unattended], prompts: [late] },
    { late: 2 },
    [0, 1],
  ],
  [
    'an answer that was accepted and then overruled by the deadline',
    { prompts: [late] },
    { late: 1 },
    [2, 0],
  ],
  [
    'a cancellation that was accepted and did not count',
    { attended: [{ ...attended, tries: [cancelled, { ...tried, reply: { unknown: true } }] }] },
    { 'can:2:2:': 0, 'ans:2:1:': 1 },
    [2, 0],
  ],
  [
    'work without an outcome',
    {
      dispatches: [{ id: 'dsp_1', text: '' }],
      prompts: [{ ...prompt, state: 'cancelled' }],
      attended: [agentKilled],
    },
    {},
    [2, 0],
  ],
  [
    'an outcome that is another one',
    { dispatches: [{ id: 'dsp_1', text: '', outcome: { result: 'failed' } }] },
    {},
    [1, 1],
  ],
])('finds %s', (_what, thread, heard, counts) => {
  const { violations, lost, doubled } = judge(thread, heard);
  expect(violations).not.toEqual([]);
  expect([lost, doubled]).toEqual(counts);
});

test('knows what a cancellation and a deadline may lead to', () => {
  const calledOff = {
    works: [{ ...work, cancellations: [said('cancelled'), { unknown: true }] }],
    dispatches: [{ id: 'dsp_1', text: '', outcome: { result: 'cancelled' } }],
    prompts: [{ ...prompt, state: 'cancelled', reason: 'dispatch_cancelled' }],
    log: [],
    runners: [],
  };
  const unheard = { 'wrk:2:1:': 0, 'ans:2:1:': 0 };
  expect(judge(calledOff, unheard)).toMatchObject({ violations: [], lost: 0, doubled: 0 });
  const byPolicy = { ...late, kind: 'ask_user_question', state: 'failed', onUnanswered: 'default_option' };
  const overtaken = { ...calledOff, attended: [unattended], prompts: [byPolicy] };
  expect(judge(overtaken, { ...unheard, late: 0 })).toMatchObject({ violations: [], lost: 0, doubled: 0 });
  const left = { attended: [unattended], prompts: [late] };
  expect(judge(left, { late: 1 })).toMatchObject({ violations: [], lost: 0, doubled: 0 });
  const failed = {
    attended: [unattended],
    prompts: [{ ...late, state: 'failed', onUnanswered: 'fail' }],
    dispatches: [{ id: 'dsp_1', text: '', outcome: { result: 'blocked' } }],
  };
  expect(judge(failed)).toMatchObject({ violations: [] });
});

test.each([
  ['was cancelled by nobody', { dispatches: [{ id: 'dsp_1', text: '', outcome: { result: 'cancelled' } }] }],
  [
    'was said to be cancelled, and is succeeded',
    { works: [{ ...work, cancellations: [said('cancelled')] }] },
  ],
  ['could not be cancelled', { works: [{ ...work, cancellations: [{ refused: 'internal', detail: '' }] }] }],
  ['though a question of it failed', { prompts: [{ ...late, state: 'failed', onUnanswered: 'fail' }] }],
])('says of work that it %s', (words, thread) => {
  expect(judge(thread).violations.join('\n')).toContain(words);
});

test.each([
  ['is not in the store', { prompts: [] }],
  ['is still pending', { prompts: [{ ...prompt, state: 'pending' }] }],
  ['a time that it never had', { prompts: [{ ...late, deadline: undefined }] }],
  [
    'was failed after default_option',
    {
      attended: [unattended],
      prompts: [{ ...late, kind: 'ask_user_question', state: 'failed', onUnanswered: 'default_option' }],
    },
  ],
  ['was answered after deny', { prompts: [{ ...late, state: 'answered' }] }],
  ['was answered by nobody', { attended: [{ ...attended, tries: [] }] }],
  ['has the receipts', { prompts: [{ ...prompt, consumedAt: '2' }] }],
  ['has the receipts', { prompts: [{ ...prompt, deliveredAt: undefined }] }],
  ['2 people were told', { attended: [{ ...attended, tries: [tried, { ...tried, word: null }] }] }],
  [
    'refused an answer with internal',
    {
      attended: [
        {
          ...attended,
          tries: [tried, { word: null, answer: null, reply: { refused: 'internal', detail: '' } }],
        },
      ],
    },
  ],
  [
    'the model heard 2 different answers',
    { attended: [{ ...attended, tries: [tried, { ...tried, word: 'ans:2:2:', reply: { unknown: true } }] }] },
  ],
])('says of a prompt that it %s', (words, thread) => {
  expect(judge(thread).violations.join('\n')).toContain(words);
});
