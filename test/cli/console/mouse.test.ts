import { expect, it } from 'vitest';
import { noChanges, withPage } from '../../../src/cli/console/change-rows.js';
import { diffView, shownView } from '../../../src/cli/console/console-state.js';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import {
  ConsoleRig,
  promptId,
  sampleApproval,
  samplePrompt,
  sampleThread,
  sampleWorld,
  threadId,
} from './console-samples.js';

const click = (row: number) => `\u001B[<0;5;${row}M\u001B[<0;5;${row}m`;
const wheel = { up: '\u001B[<64;5;5M', down: '\u001B[<65;5;5M' } as const;

const many = sampleWorld({
  threads: Array.from({ length: 60 }, (_, place) =>
    sampleThread(place + 1, { title: `Thread ${place + 1}` }),
  ),
  prompts: [samplePrompt(1), sampleApproval(2, { command: 'touch made' })],
});

const asking = { kind: 'inbox', promptId: PromptId.parse(promptId(2)), shownAt: 0, top: 0 } as const;

it.each([100, 60])('a click chooses the row under it, a second one opens it, at %i columns', (columns) => {
  const rig = new ConsoleRig(many, { columns });
  const rowOf = (words: string) => rig.lines().findIndex((line) => line.includes(words)) + 1;
  rig.mouse(click(rowOf('Thread 2')));
  expect(rig.state.cursor).toBe(threadId(2));
  expect(shownView(rig.state).kind).toBe('home');
  // Below the chosen row, which takes two lines where there is no room beside it.
  rig.mouse(click(rowOf('At rest')));
  expect(rig.lines().join('\n')).toContain('Thread 60');
  rig.mouse(click(rowOf('Thread 59')));
  expect(rig.state.cursor).toBe(threadId(59));
  rig.mouse(click(rowOf('Thread 59')));
  expect(shownView(rig.state)).toMatchObject({ kind: 'thread', threadId: threadId(59) });
});

it('the wheel moves through the list, and clicks beside it do nothing', () => {
  const rig = new ConsoleRig(many);
  rig.mouse(click(rigRow(rig, 'At rest')));
  const before = rig.state.cursor;
  rig.mouse(wheel.down);
  expect(rig.state.cursor).toBe(threadId(58));
  rig.mouse(wheel.up);
  expect(rig.state.cursor).toBe(before);
  for (const row of [1, 2, 29, 30, 999]) rig.mouse(click(row));
  expect(rig.state.cursor).toBe(before);
});

it('a click on a command chooses it, a second one does it', () => {
  const rig = new ConsoleRig(many).type(':');
  const row = rigRow(rig, 'inbox');
  rig.mouse(click(row));
  expect(shownView(rig.state).kind).toBe('commands');
  rig.mouse(click(row));
  expect(shownView(rig.state).kind).toBe('inbox');
});

it('a click chooses a changed line, the wheel scrolls', () => {
  const lines = Array.from({ length: 50 }, (_, place) => `+line ${place + 1}`);
  const hunk = { oldStart: 0, oldLines: 0, newStart: 1, newLines: 50, heading: '', lines };
  const id = ThreadId.parse(threadId(1));
  const changes = withPage(noChanges(id), {
    revision: 'r',
    base: { commit: 'c', why: 'main' },
    isWorktree: true,
    totals: { files: 1, added: 50, removed: 0 },
    notes: [],
    files: [
      { path: 'a.txt', status: 'added', kind: 'file', binary: false, added: 50, removed: 0, hunks: [hunk] },
    ],
  });
  const rig = new ConsoleRig({ ...many, changes }, { views: [{ kind: 'home' }, diffView(id)] });
  rig.mouse(click(rigRow(rig, 'line 4')));
  expect(rig.lines().find((line) => line.startsWith('▸'))).toContain('line 4');
  rig.mouse(wheel.down);
  expect(rig.lines().find((line) => line.startsWith('▸'))).toContain('line 7');
});

it('decides nothing, wherever it is clicked', () => {
  const rig = new ConsoleRig(many, { views: [{ kind: 'home' }, asking] });
  rig.type('j');
  for (let row = 1; row <= 30; row += 1) rig.mouse(click(row)).mouse(click(row));
  rig.mouse(wheel.down).mouse(wheel.up);
  expect(rig.effects).toEqual([]);
  expect(shownView(rig.state).kind).toBe('inbox');
});

it.each(['yyy', 'aaa', '\u001B[M', 'm!!'])('takes no key from an old report, %j', (bytes) => {
  const rig = new ConsoleRig(many, { views: [{ kind: 'home' }, asking] });
  const before = rig.lines();
  rig.mouse(...`\u001B[M${bytes}`.split(''));
  rig.mouse(`\u001B[M${bytes}`);
  expect(rig.effects).toEqual([]);
  expect(rig.lines()).toEqual(before);
});

it('is turned on and off by a key, which says what that means', () => {
  const rig = new ConsoleRig(many).type('gm');
  expect(rig.effects).toEqual([{ kind: 'mouse', isOn: true }]);
  expect(rig.lines().join('\n')).toContain('Text is selected with Shift held down');
  rig.type('gm');
  expect(rig.effects.at(-1)).toEqual({ kind: 'mouse', isOn: false });
});

function rigRow(rig: ConsoleRig, words: string): number {
  return rig.lines().findIndex((line) => line.includes(words)) + 1;
}
