import { expect, it } from 'vitest';
import type { PromptId } from '../../../src/protocol/id.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import type { Thread } from '../../../src/protocol/thread.js';
import { linesOf, noFilter } from '../../../src/web/home/filter.js';

const at = '2026-01-02T03:04:05.000Z';
const report = { why: 'because', source: 's', confidence: 'strong' } as const;
type Fields = Partial<Omit<Thread, 'id'>> & { readonly status: Thread['status'] };

function thread(title: string, { status, ...fields }: Fields): Thread {
  return {
    id: `thr_${title.padEnd(26, '0')}` as Thread['id'],
    title,
    runtime: 'claude',
    workspace: { path: `/work/${title}` },
    lastSeq: 1,
    usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
    createdAt: at,
    status,
    ...fields,
  };
}

const work = (state: 'queued' | 'running' | 'waiting' | 'ended') => ({ id: 'dsp_1' as never, state });
const asking = (since: string) =>
  ({ state: 'question', since, held: true, prompt: 'Which colour?', ...report }) as const;
const threads = [
  thread('done', {
    status: { state: 'idle', ...report },
    lastDispatch: { ...work('ended'), result: 'succeeded' },
  }),
  thread('late', { status: asking('2026-01-02T05:00:00.000Z') }),
  thread('early', { status: asking('2026-01-02T04:00:00.000Z') }),
  thread('died', { status: { state: 'crashed', exitCode: 1, ...report }, lastDispatch: work('ended') }),
  thread('retried', { status: { state: 'crashed', exitCode: 1, ...report }, lastDispatch: work('running') }),
  thread('blocked', {
    status: { state: 'idle', ...report },
    lastDispatch: { ...work('ended'), result: 'blocked' },
  }),
  thread('failed', {
    status: { state: 'stopped', ...report },
    lastDispatch: { ...work('ended'), result: 'failed' },
  }),
  thread('cancelled', {
    status: { state: 'stopped', ...report },
    lastDispatch: { ...work('ended'), result: 'cancelled' },
  }),
  thread('busy', { status: { state: 'busy', since: at, ...report }, runtime: 'codex' }),
  thread('waits', { status: { state: 'stopped', ...report }, lastDispatch: work('queued') }),
  thread('gone', { status: { state: 'stopped', ...report } }),
];

const now = Date.parse('2026-01-02T06:00:00.000Z');

const shown = (filter: Partial<typeof noFilter>) =>
  linesOf(threads, { ...noFilter, ...filter }, { now }).map((line) =>
    line.kind === 'group' ? `${line.group} ${line.count}` : `- ${line.thread.title}`,
  );

it('threads stand in groups by whose turn it is; who waits longest is first where someone waits, the newest elsewhere', () => {
  expect(shown({})).toEqual([
    'needs you 2',
    '- early',
    '- late',
    'failed 3',
    '- failed',
    '- died',
    '- blocked',
    'ready to review 1',
    '- done',
    'working 2',
    '- retried',
    '- busy',
    'queued 1',
    '- waits',
    'at rest 2',
    '- gone',
    '- cancelled',
  ]);
});

it('who asks the same stands together, in the place of who waits longest', () => {
  const asks = (title: string, hour: number, words: string) => {
    const promptId = `prm_${title}` as PromptId;
    const asker = thread(title, {
      status: { ...asking(`2026-01-02T0${hour}:00:00.000Z`), promptId, prompt: words },
    });
    const prompt: Prompt = {
      id: promptId,
      threadId: asker.id,
      kind: 'ask_user_question',
      state: 'pending',
      active: true,
      fingerprint: words,
      onUnanswered: 'wait',
      questions: [{ question: words, options: [], multiSelect: false }],
      createdAt: at,
    };
    return { asker, prompt };
  };
  const asked = [asks('one', 1, 'Same?'), asks('two', 2, 'Other?'), asks('three', 3, 'Same?')];
  const prompts = new Map(asked.map(({ prompt }) => [prompt.id, prompt]));
  const list = (known: typeof prompts) =>
    linesOf(
      asked.map(({ asker }) => asker),
      noFilter,
      { prompts: known, now },
    ).flatMap((line) => (line.kind === 'thread' ? [[line.thread.title, line.same?.length]] : []));
  expect(list(prompts)).toEqual([
    ['one', 2],
    ['three', 2],
    ['two', undefined],
  ]);
  const [first] = asked;
  if (!first) throw new Error('unreachable');
  expect(list(new Map([...prompts, [first.prompt.id, { ...first.prompt, acceptedAt: at }]]))).toEqual([
    ['one', undefined],
    ['two', undefined],
    ['three', undefined],
  ]);
});

it('search finds words of title, folder, question and status, all of them', () => {
  expect(shown({ text: 'COLOUR early' })).toEqual(['needs you 1', '- early']);
  expect(shown({ text: 'nothing' })).toEqual([]);
  expect(shown({ runtime: 'codex' })).toEqual(['working 1', '- busy']);
  expect(shown({ group: 'queued' })).toEqual(['queued 1', '- waits']);
  expect(shown({ workspace: '/work/died' })).toEqual(['failed 1', '- died']);
});

it('what the worker found is shown with its words; a label is only the worker’s to know', () => {
  const [done, , , died] = threads;
  const found = new Map([
    [done?.id ?? ('' as never), 'about the parser'],
    [died?.id ?? ('' as never), ''],
  ]);
  const lines = (filter: Partial<typeof noFilter>) =>
    linesOf(threads, { ...noFilter, ...filter }, { found, now }).flatMap((line) =>
      line.kind === 'thread' ? [[line.thread.title, line.excerpt]] : [],
    );
  expect(lines({ text: 'parser' })).toEqual([
    ['died', undefined],
    ['done', 'about the parser'],
  ]);
  expect(lines({ text: 'parser', group: 'ready to review' })).toEqual([['done', 'about the parser']]);
  expect(lines({ label: 'sprint' }).map(([title]) => title)).toEqual(['died', 'done']);
});

it('archived threads are shown only when they are asked for', () => {
  const archived = thread('old', { status: { state: 'idle', ...report }, archivedAt: at });
  const titles = (filter: Partial<typeof noFilter>) =>
    linesOf([...threads, archived], { ...noFilter, ...filter }, { now }).flatMap((line) =>
      line.kind === 'thread' ? [line.thread.title] : [],
    );
  expect(titles({})).not.toContain('old');
  expect(titles({ group: 'archived' })).toEqual(['old']);
});

const putOff = (fields: Partial<NonNullable<Thread['snoozed']>>) => ({
  snoozed: { at, until: '2026-01-02T07:00:00.000Z', by: 'user:owner', hadFailed: false, ...fields },
});
const failed = {
  status: { state: 'stopped', ...report },
  lastDispatch: { ...work('ended'), result: 'failed' },
} as const;
const before = '2026-01-02T03:00:00.000Z';

it.each([
  ['one that asked before', { status: asking(before), ...putOff({}) }, 'snoozed'],
  [
    'one whose time has come',
    { status: asking(before), ...putOff({ until: '2026-01-02T06:00:00.000Z' }) },
    'needs you',
  ],
  ['one that asks anew', { status: asking('2026-01-02T05:00:00.000Z'), ...putOff({}) }, 'needs you'],
  ['one that had failed', { ...failed, ...putOff({ hadFailed: true }) }, 'snoozed'],
  ['one that failed since', { ...failed, ...putOff({}) }, 'failed'],
  [
    'one at work',
    { status: { state: 'busy', since: '2026-01-02T05:00:00.000Z', ...report }, ...putOff({}) },
    'snoozed',
  ],
] as const)('a thread that was put off, %s', (_name, fields, group) => {
  const [head] = linesOf([thread('put off', fields)], noFilter, { now });
  expect(head).toEqual({ kind: 'group', group, count: 1 });
});

it('work that landed is not to be reviewed, and what was discarded is at rest', () => {
  const lastDispatch = { ...work('ended'), result: 'succeeded' } as const;
  const settled = (how: 'merge' | 'discard') =>
    thread(how, {
      status: { state: 'idle', ...report },
      lastDispatch,
      settled: { how, dispatchId: lastDispatch.id },
    });
  const lines = linesOf([settled('merge'), settled('discard')], noFilter, { now });
  expect(lines.flatMap((line) => (line.kind === 'group' ? [line.group] : []))).toEqual(['landed', 'at rest']);
});
