import { expect, it } from 'vitest';
import { noChanges, withPage } from '../../../src/cli/console/change-rows.js';
import { diffView } from '../../../src/cli/console/console-state.js';
import { consoleKeys } from '../../../src/cli/console/key-table.js';
import { widthOf } from '../../../src/cli/terminal/graphemes.js';
import { noAgentFacts } from '../../../src/live/agent-facts.js';
import { noLiveText } from '../../../src/live/live-thread-text.js';
import type { FeedView } from '../../../src/live/thread-feed.js';
import { Timeline } from '../../../src/live/timeline.js';
import { ThreadId } from '../../../src/protocol/id.js';
import {
  ConsoleRig,
  promptId,
  sampleApproval,
  samplePrompt,
  sampleThread,
  sampleWorld,
  threadId,
} from './console-samples.js';

const busy = {
  state: 'busy',
  since: '2026-01-01T09:00:00.000Z',
  why: 'it works',
  source: 'test',
  confidence: 'strong',
};
const ended = (result: string) => ({
  id: `dsp_01k9y${'0'.repeat(21)}`,
  state: 'ended',
  result,
  why: 'It broke.',
});

const world = sampleWorld({
  threads: [
    sampleThread(1, { title: 'Asks' }),
    sampleThread(2, { title: 'Wants to run' }),
    sampleThread(3, { title: 'Broke', lastDispatch: ended('failed') }),
    sampleThread(4, { title: 'Is done', lastDispatch: ended('succeeded') }),
    sampleThread(5, {
      title: 'Is merged',
      lastDispatch: ended('succeeded'),
      settled: { how: 'merge', into: 'main', dispatchId: ended('succeeded').id },
    }),
    sampleThread(6, { title: 'Works', status: busy, activity: 'Runs the tests' }),
    sampleThread(7, { title: 'Is put away', archivedAt: '2026-01-01T09:00:00.000Z' }),
  ],
  prompts: [
    samplePrompt(1),
    sampleApproval(2, { command: 'touch made' }),
    samplePrompt(3, { threadId: threadId(2), id: promptId(3), createdAt: '2026-01-01T09:00:50.000Z' }),
  ],
});

it('lists by need', () => {
  expect(new ConsoleRig(world, { rows: 18 }).lines()).toEqual([
    expect.stringMatching(/^ Handraise {3}Home +3 need you · 1 working$/),
    '─'.repeat(100),
    ' Needs you 2',
    expect.stringMatching(/^▸ \? Question Asks +Which colour\? +shop +1 min$/),
    expect.stringMatching(/^ {2}! Approval Wants to run ×2 +Run: touch made +shop +1 min$/),
    ' Failed 1',
    expect.stringMatching(/^ {2}✗ Failed +Broke +It broke\. +shop +1 min$/),
    ' Ready to review 1',
    expect.stringMatching(/^ {2}◉ Ready +Is done +/),
    ' Working 1',
    expect.stringMatching(/^ {2}● Working +Works +Runs the tests +shop +1 min$/),
    ' ▸ Landed 1',
    '',
    '',
    '',
    '─'.repeat(100),
    expect.stringContaining('↑↓ choose  Enter open'),
  ]);
});

it('unfolds what has landed, searches by title, and goes where it is told', () => {
  const rig = new ConsoleRig(world).type('G\r');
  expect(rig.lines().join('\n')).toMatch(/Landed 1\n {2}◆ Landed +Is merged/);
  expect(rig.type('/brok').lines().slice(2, 5)).toEqual([
    ' / brok▏',
    ' Failed 1',
    expect.stringContaining('Broke'),
  ]);
  expect(rig.effects.at(-1)).toEqual({ kind: 'search', words: 'brok' });
  expect(rig.type('\rRo').effects.slice(-2)).toEqual([
    { kind: 'retry', dispatchIds: [ended('failed').id] },
    { kind: 'read_thread', threadId: threadId(3) },
  ]);
});

it.each([
  [80, 24],
  [40, 12],
  [300, 60],
  [60, 20],
  [100, 10],
])('fits into %i × %i, wherever one goes', (columns, rows) => {
  for (const keys of ['', '\r', 'gi\t', 'o', '?', 'nwrite a test', 'jjjo', '/wor']) {
    const lines = new ConsoleRig(world, { columns, rows }).type(keys).lines();
    expect(lines).toHaveLength(rows - 1);
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([]);
  }
});

it('shows who needs you, and nothing else, on the smallest screens', () => {
  const rig = new ConsoleRig(world, { columns: 30, rows: 5 });
  expect(rig.lines()).toEqual(['3 need you: Asks']);
  expect(rig.type('giy2\r').effects).toEqual([]);
});

it('draws with ASCII alone, and names what it cannot draw', () => {
  const prompts = [sampleApproval(2, { command: 'echo Grüße' })];
  const rig = new ConsoleRig(
    { ...world, overview: { ...world.overview, prompts: new Map(prompts.map((each) => [each.id, each])) } },
    { isUnicode: false },
  );
  const home = rig.lines().join('\n');
  const prompt = rig.type('gi').lines().join('\n');
  // oxlint-disable-next-line no-control-regex -- ASCII
  expect(`${home}${prompt}`).toMatch(/^[\u0000-\u007f]*$/);
  expect(prompt).toContain('command: echo Gr<U+00FC><U+00DF>e');
  expect(home).toContain('> ! Approval');
});

it.each([40, 60, 100])('in ASCII no line is wider than a screen of %i columns', (columns) => {
  const long = { title: 'A title … that — is ‘longer’ than any row → of a narrow screen', status: busy };
  const threads = [sampleThread(1, long), sampleThread(2, { title: long.title }), sampleThread(3, long)];
  const prompts = [sampleApproval(2, { command: 'touch made', description: long.title })];
  for (const isColoured of [false, true]) {
    const rig = new ConsoleRig(sampleWorld({ threads, prompts }), {
      columns,
      rows: 14,
      isUnicode: false,
      isColoured,
    });
    for (const keys of ['', '\r', '?']) {
      const lines = rig
        .type(keys)
        .lines()
        .map((line) => line.replaceAll(/\p{Cc}\[[0-9;]*m/gu, ''));
      expect(lines.filter((line) => line.length > columns || /[^ -~]/.test(line))).toEqual([]);
    }
  }
});

it.each([40, 60, 80, 120])(
  'in ASCII a row of %i columns says how long it has lasted, as elsewhere',
  (columns) => {
    const title =
      'A title … that — is ‘longer’ than any row → of a narrow screen, and goes on behind its end';
    const threads = [sampleThread(1, { title }), sampleThread(2, { title: `${title}, twice` })];
    const prompts = [1, 2].map((each) => samplePrompt(each, { createdAt: '2026-01-01T08:44:00.000Z' }));
    const times = (isUnicode: boolean) =>
      new ConsoleRig(sampleWorld({ threads, prompts }), { columns, isUnicode })
        .lines()
        .flatMap((line) => / \d+ min$/.exec(line)?.[0] ?? []);
    expect(times(true)).toHaveLength(2);
    expect(times(false)).toEqual(times(true));
  },
);

it('leaves room between a title and its time on the narrowest screen', () => {
  const prompts = [samplePrompt(1, { createdAt: '2026-01-01T08:44:00.000Z' })];
  const threads = [sampleThread(1, { title: 'Design the export of all invoices' })];
  const rig = new ConsoleRig(sampleWorld({ threads, prompts }), { columns: 40 });
  expect(rig.lines().find((line) => line.startsWith('▸'))).toMatch(/… +\d+ min$/);
});

it('draws a thousand threads as fast as ten, as far as they are in sight', () => {
  const threads = Array.from({ length: 1000 }, (_, index) => sampleThread(index + 1));
  const rig = new ConsoleRig(sampleWorld({ threads })).type('G\rG');
  expect(rig.lines()).toHaveLength(29);
  expect(rig.lines().join('\n')).toContain('▸ ○ Idle');
});

function feedOf(texts: readonly string[], more: Partial<FeedView> = {}): FeedView {
  const timeline = new Timeline();
  for (const [index, content] of texts.entries())
    timeline.append({
      seq: index + 1,
      type: 'notice',
      timestamp: '2026-01-01T09:00:00.000Z',
      message: content,
    });
  return {
    entries: timeline.entries,
    events: [],
    facts: noAgentFacts,
    live: noLiveText,
    from: 1,
    isLoaded: true,
    isReading: false,
    failure: undefined,
    ...more,
  };
}

it('shows a thread with what is being written, and stays where the reader is', () => {
  const texts = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of the story.`);
  const live = { text: 'And now \u001B[31mit', thinking: '' };
  const rig = new ConsoleRig({ ...world, feed: feedOf(texts, { live }) }).type('jjjjjjo');
  rig.state = {
    ...rig.state,
    views: [{ kind: 'home' }, { kind: 'thread', threadId: ThreadId.parse(threadId(6)), anchor: undefined }],
  };
  expect(rig.lines().join('\n')).toContain('Claude     And now it');
  rig.type('\u001B[5~\u001B[5~');
  const before = rig.lines().slice(4, 20);
  rig.world = { ...rig.world, feed: feedOf([...texts, 'More.', 'And more.']) };
  expect(rig.lines().slice(4, 20)).toEqual(before);
  expect(rig.type('l').lines().join('\n')).toContain('And more.');
});

it('asks for what is earlier at the beginning, and writes without losing a word', () => {
  const rig = new ConsoleRig({ ...world, feed: feedOf(['One.', 'Two.'], { from: 500 }) });
  rig.state = {
    ...rig.state,
    views: [{ kind: 'home' }, { kind: 'thread', threadId: ThreadId.parse(threadId(6)), anchor: undefined }],
  };
  expect(rig.type('\u001B[5~').effects).toEqual([{ kind: 'read_earlier' }]);
  rig.type('rhello q').type('\u001B');
  expect(rig.lines().join('\n')).toContain('> hello q▏  (kept; r goes on)');
  expect(rig.type('r!\r').effects.at(-1)).toEqual({ kind: 'write', threadId: threadId(6), text: 'hello q!' });
});

function changedFile(path: string, lines: readonly string[]) {
  return {
    path,
    status: 'changed' as const,
    kind: 'file' as const,
    binary: false,
    added: lines.length,
    removed: 0,
    hunks: [
      { oldStart: 1, oldLines: 0, newStart: 1, newLines: lines.length, heading: '', lines: [...lines] },
    ],
  };
}

it('scrolls changes by line, page, file and to the right, with nothing hidden', () => {
  const id = ThreadId.parse(threadId(6));
  const changes = withPage(noChanges(id), {
    revision: 'r',
    base: { commit: 'c', why: 'main' },
    isWorktree: true,
    totals: { files: 2, added: 101, removed: 0 },
    notes: [],
    files: [
      changedFile(
        'a.ts',
        Array.from({ length: 100 }, (_, index) => `+line ${index}`),
      ),
      changedFile('b.ts', [`+${'x'.repeat(150)}\u202Eend`]),
    ],
  });
  const rig = new ConsoleRig({ ...world, changes });
  rig.state = { ...rig.state, views: [{ kind: 'home' }, diffView(id)] };
  expect(rig.lines().slice(2, 6)).toEqual([
    ' 2 files, +101 −0, against main',
    '▸a.ts +100 −0',
    ' @@ -1,0 +1,100 @@',
    '           1 +line 0',
  ]);
  expect(rig.type(' ').lines()[3]).toBe('▸         21 +line 20');
  expect(rig.type('J').lines()[3]).toBe('▸b.ts +1 −0');
  rig.type('\u001B[C'.repeat(4));
  expect(rig.lines().join('\n')).toContain('⟨U+202E⟩end');
});

it('gives new work, with what was given before at hand', () => {
  const rig = new ConsoleRig({ ...world, history: ['newest', 'oldest'] }).type('nmine');
  expect(rig.effects).toEqual([{ kind: 'read_history' }]);
  rig.type('\u001B[A\u001B[A\u001B[A');
  expect(rig.state.work.field.before).toBe('oldest');
  rig.type('\u001B[B\u001B[B');
  expect(rig.state.work.field.before).toBe('mine');
  expect(rig.type('\t\r').effects.at(-1)).toEqual({ kind: 'give_work', text: 'mine', isWorktree: true });
  expect(rig.tell({ kind: 'work_refused', text: 'mine' }).type('n').lines().join('\n')).toContain('> mine▏');
});

it('names every key once for each place, and shows all of them in the help', () => {
  const named = consoleKeys.flatMap(({ where, keys }) => keys.map((key) => `${where} ${key}`));
  expect(new Set(named).size).toBe(named.length);
  const help = new ConsoleRig(world, { columns: 120, rows: 100 }).type('?').lines().join('\n');
  for (const { where, words } of consoleKeys) if (where !== 'help') expect(help).toContain(words);
});

it('says that the worker is gone, and leaves without stopping anything', () => {
  const overview = { ...world.overview, connection: { kind: 'reconnecting', failed: 1 } } as const;
  const rig = new ConsoleRig({ ...world, overview });
  expect(rig.lines().join('\n')).toContain('The worker is gone; agents go on.');
  expect(rig.type('q\u0003').effects).toEqual([{ kind: 'quit' }, { kind: 'quit' }]);
});

it('says what all of it cost today where there is room', () => {
  const dear = { ...world, costToday: 18.4 };
  expect(new ConsoleRig(dear).lines()[0]).toMatch(/3 need you · 1 working · \$18\.40 today$/);
  expect(new ConsoleRig(dear, { columns: 80 }).lines()[0]).toMatch(/3 need you · 1 working$/);
});

it('shows the to-do list of an agent above its thread, however long it is', () => {
  const todos = [
    { content: 'Find the totals', status: 'completed' },
    { content: 'Round in src/cart.js', status: 'in_progress' },
    ...Array.from({ length: 30 }, (_, place) => ({ content: `Later ${place}`, status: 'pending' })),
  ];
  const feed = feedOf([], { facts: { ...noAgentFacts, todos } });
  const id = ThreadId.parse(threadId(6));
  const views = [{ kind: 'home' }, { kind: 'thread', threadId: id, anchor: undefined }] as const;
  const rig = new ConsoleRig({ ...world, feed }, { views, rows: 20 }).type('t');
  expect(rig.lines().slice(4, 9)).toEqual([
    ' To do 1 of 32',
    ' ✓ Find the totals',
    ' ● Round in src/cart.js',
    ' ○ Later 0',
    ' ○ Later 1',
  ]);
  expect(rig.lines()).toHaveLength(19);
  expect(rig.type('t').lines().join('\n')).not.toContain('To do');
});
