import { expect, it } from 'vitest';
import { nextMorning } from '../../../src/domain/thread/snooze-times.js';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import { Precedent } from '../../../src/protocol/precedent.js';
import {
  ConsoleRig,
  promptId,
  sampleApproval,
  samplePrompt,
  sampleThread,
  sampleWorld,
  threadId,
} from './console-samples.js';

const ended = (number: number, result: string) => ({
  id: `dsp_01k9y${String(number).padStart(21, '0')}`,
  state: 'ended',
  result,
  why: 'It broke.',
});
const asking = {
  state: 'question',
  promptId: promptId(2),
  since: '2026-01-01T09:00:00.000Z',
  held: true,
  why: 'it asks',
  source: 'test',
  confidence: 'strong',
};
const snoozed = {
  until: '2026-01-02T08:00:00.000Z',
  at: '2026-01-01T09:00:30.000Z',
  hadFailed: false,
  by: 'user:owner',
};

const world = sampleWorld({
  threads: [
    sampleThread(1, { title: 'Asks' }),
    sampleThread(2, { title: 'Asked and was put off', status: asking, snoozed }),
    sampleThread(3, { title: 'Broke', lastDispatch: ended(3, 'failed') }),
    sampleThread(4, { title: 'Broke, too', lastDispatch: ended(4, 'failed') }),
  ],
  prompts: [samplePrompt(1), samplePrompt(2)],
});
const morning = nextMorning(world.now);

it('lists what is snoozed last and folded, and counts nothing of it', () => {
  const rig = new ConsoleRig(world, { rows: 18 });
  const lines = rig.lines();
  expect(lines[0]).toMatch(/1 needs you · 0 working$/);
  expect(lines.filter((line) => /^ (▸ )?(Needs you|Failed|Snoozed) /.test(line))).toEqual([
    ' Needs you 1',
    ' Failed 2',
    ' ▸ Snoozed 1',
  ]);
  expect(lines.join('\n')).not.toContain('Asked and was put off');
  rig.type('G\r');
  expect(rig.lines().join('\n')).toContain('Asked and was put off');
  // Tab leads through what is awake alone.
  rig.type('\t');
  expect(rig.lines()[0]).toMatch(/Inbox › 1 of 1/);
});

it('snoozes what is chosen until tomorrow, and wakes what is snoozed', () => {
  expect(new ConsoleRig(world).type('s').effects).toEqual([
    { kind: 'snooze', threadIds: [threadId(1)], until: morning },
  ]);
  expect(new ConsoleRig(world).type('G\rGs').effects).toEqual([
    { kind: 'snooze', threadIds: [threadId(2)], until: null },
  ]);
});

it('snoozes the thread of a question and goes on to the next, but not while an answer is typed', () => {
  const two = sampleWorld({
    threads: [sampleThread(1), sampleThread(2)],
    prompts: [samplePrompt(1), samplePrompt(2, { createdAt: '2026-01-01T09:00:01.000Z' })],
  });
  const rig = new ConsoleRig(two).type('\ts');
  expect(rig.effects).toEqual([{ kind: 'snooze', threadIds: [threadId(1)], until: morning }]);
  expect(rig.lines()[0]).toMatch(/Inbox › 2 of 2/);
  const approval = sampleWorld({
    threads: [sampleThread(1)],
    prompts: [sampleApproval(1, { command: 'ls' })],
  });
  expect(new ConsoleRig(approval).type('\tmsss').effects).toEqual([]);
});

it('does to all that are selected what it does to one, and forgets the selection', () => {
  const rig = new ConsoleRig(world, { rows: 18 }).type('jjX');
  expect(rig.lines().filter((line) => line.includes('*'))).toHaveLength(2);
  expect(rig.lines().at(-1)).toBe(' 2 selected  # archive  s snooze  R retry  x X select  Esc none');
  rig.type('R');
  expect(rig.effects).toEqual([{ kind: 'retry', dispatchIds: [ended(4, '').id, ended(3, '').id] }]);
  expect(rig.state.selected.size).toBe(0);

  const one = new ConsoleRig(world).type('x#');
  expect(one.effects).toEqual([{ kind: 'archive', threadIds: [threadId(1)] }]);
  expect(new ConsoleRig(world).type('jjXX').state.selected.size).toBe(0);
  expect(new ConsoleRig(world).type('xx\u001b').state.selected.size).toBe(0);
});

it.each([
  [80, 24, true],
  [40, 24, true],
  [40, 12, false],
  [300, 60, true],
])('draws ticks at %i columns and %i rows, with Unicode: %s', (columns, rows, isUnicode) => {
  const rig = new ConsoleRig(world, { columns, rows, isUnicode }).type('x');
  const ticked = rig.lines().filter((line) => line.includes('*'));
  expect(ticked).toEqual([expect.stringMatching(/^ \*\? .*Asks/)]);
  // Signs are wider in ASCII, and what is too much is cut when it is drawn.
  if (isUnicode) for (const line of rig.lines()) expect(line.length).toBeLessThanOrEqual(columns);
});

const before = (more: Record<string, unknown>) =>
  Precedent.parse({
    promptId: promptId(9),
    threadId: threadId(9),
    likeness: 'same',
    asked: 'Claude asks: Which colour?',
    answered: 'Blue',
    actor: 'user:owner',
    at: '2026-01-01T08:00:00.000Z',
    ...more,
  });
const withBefore = (prompt: ReturnType<typeof samplePrompt>, list: readonly Precedent[]) =>
  sampleWorld({
    threads: [sampleThread(1)],
    prompts: [prompt],
    precedents: { promptId: PromptId.parse(promptId(1)), list },
  });
const blue = { answers: [{ question: 'Which colour?', answer: ['Blue'] }] };

it('shows what was answered before, and gives the same answer with one key', () => {
  const prompt = samplePrompt(1);
  const rig = new ConsoleRig(withBefore(prompt, [before({ answer: blue })])).type('\t');
  expect(rig.lines().find((line) => line.includes('before:'))).toMatch(
    /^ \[=\] as before: 1 h ago, the same: Blue · by /,
  );
  expect(rig.type('=').effects).toEqual([{ kind: 'answer', prompt, answer: blue }]);
});

it('takes nothing again that does not fit, is not of this prompt, or was not read whole', () => {
  const unfit = new ConsoleRig(withBefore(samplePrompt(1), [before({})])).type('\t');
  expect(unfit.lines().find((line) => line.includes('before:'))).not.toContain('[=]');
  expect(unfit.type('=').effects).toEqual([]);

  const other = sampleWorld({
    threads: [sampleThread(1)],
    prompts: [samplePrompt(1)],
    precedents: { promptId: PromptId.parse(promptId(9)), list: [before({ answer: blue })] },
  });
  expect(new ConsoleRig(other).type('\t=').effects).toEqual([]);

  const content = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');
  const writing = sampleApproval(1, { file_path: '/projects/shop/a', content }, 'Write');
  const yes = { decision: { approved: true } };
  const long = new ConsoleRig(withBefore(writing, [before({ answered: 'Approve', answer: yes })])).type(
    '\t=',
  );
  expect(long.effects).toEqual([]);
  expect(long.lines().join('\n')).toContain('Not approved. Read it');
  const no = { decision: { approved: false } };
  const denied = new ConsoleRig(withBefore(writing, [before({ answered: 'Deny', answer: no })])).type('\t=');
  expect(denied.effects).toEqual([{ kind: 'answer', prompt: writing, answer: no }]);
});

it.each([
  [80, 24, true],
  [40, 20, true],
  [40, 20, false],
  [300, 60, false],
])('shows earlier answers at %i columns and %i rows, with Unicode: %s', (columns, rows, isUnicode) => {
  const hostile = 'x'.repeat(150);
  const list = [before({ answered: hostile }), before({ answer: blue })];
  const lines = new ConsoleRig(withBefore(samplePrompt(1), list), { columns, rows, isUnicode })
    .type('\t')
    .lines();
  expect(lines.find((line) => line.startsWith('        before: '))).toMatch(/x(…|\.\.\.)?/);
  expect(lines.find((line) => line.startsWith(' [=] as before: 1 h ago'))).toBeDefined();
  if (isUnicode) for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
});

it('says in each row what was changed and what it cost, where there is room', () => {
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.84 };
  const counted = sampleWorld({
    threads: [sampleThread(1, { title: 'Counted', usage }), sampleThread(2, { title: 'Unknown' })],
    prompts: [samplePrompt(1), samplePrompt(2)],
    lines: new Map([
      [ThreadId.parse(threadId(1)), { added: 311, removed: 290 }],
      [ThreadId.parse(threadId(2)), null],
    ]),
  });
  const row = (columns: number, words: string, isUnicode = true) =>
    new ConsoleRig(counted, { columns, isUnicode }).lines().find((line) => line.includes(words)) ?? '';
  expect(row(100, 'Counted')).toMatch(/shop +\+311 −290 +1 min$/);
  expect(row(110, 'Counted')).toMatch(/shop +\+311 −290 +\$0\.84 +1 min$/);
  expect(row(300, 'Counted')).toMatch(/shop +\+311 −290 +\$0\.84 +1 min$/);
  expect(row(110, 'Counted', false)).toMatch(/shop +\+311 -290 +\$0\.84 +1 min$/);
  expect(row(100, 'Unknown')).toMatch(/shop +1 min$/);
  expect(row(80, 'Counted')).toMatch(/shop +1 min$/);
  for (const columns of [80, 100, 110, 300])
    expect(row(columns, 'Counted').length).toBeLessThanOrEqual(columns);
});
